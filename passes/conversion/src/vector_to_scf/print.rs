//! `vector.print` of vectors: loops that print elements, with brackets and commas between.

use dl_arith::{AddIOp, Build, CmpIPredicate, ExtSIOp, ExtUIOp, MulIOp, SubIOp};
use dl_ir::interfaces::Index;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::types::TypeData;
use dl_ir::{OpId, OpState, OpView, Rewriter, TypeRef, ValueId};
use dl_passes_vector::build::VectorBuild;
use dl_vector::types::{extents, is_scalable};
use dl_vector::{BitCastOp, PrintOp, PrintPunctuation, VectorScaleOp};

use crate::scf_build::ScfBuild;

fn punctuation(b: &mut Build<'_, '_>, which: PrintPunctuation) {
    let attr = which.attr(b.cx());
    let state = OpState::of::<PrintOp<'_>>(b.loc).attr(b.cx(), "punctuation", attr);
    b.create(state);
}

/// Integers of an odd width as the next one that machines have; signs as given.
fn widened(b: &mut Build<'_, '_>, value: ValueId) -> Option<ValueId> {
    let cx = b.cx();
    let ty = b.value_type(value);
    let TypeData::Integer { width, signedness } = ty.element_or_self().data() else { return Some(value) };
    let wide = width.max(&8).checked_next_power_of_two()?;
    let signless = |width: u32| ty.with_element(cx.int_type(width));
    let target = ty.with_element(cx.intern_type(TypeData::Integer { width: wide, signedness: *signedness }));
    let plain = b.value::<BitCastOp<'_>>(&[value], signless(*width));
    let unsigned = *width == 1 || ty.element_or_self().is_unsigned_integer();
    let extended = if wide == *width {
        plain
    } else if unsigned {
        b.value::<ExtUIOp<'_>>(&[plain], signless(wide))
    } else {
        b.value::<ExtSIOp<'_>>(&[plain], signless(wide))
    };
    Some(b.value::<BitCastOp<'_>>(&[extended], target))
}

pub(super) fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = PrintOp::wrap(rw.op(op));
    let source = view.source().filter(|source| source.ty().is_vector()).ok_or(NoMatch("no vector"))?;
    let last = view.0.attr_or_default("punctuation").and_then(PrintPunctuation::from_attr);
    let (source, loc) = (source.id(), view.0.loc());
    let ty = rw.value_type(source);
    let scalable = is_scalable(ty, 0);
    if extents(ty).len() > 1 && ty.is_scalable_vector() {
        return Err(NoMatch("a scalable vector of several dimensions"));
    }
    if ty.element_or_self().int_width().is_some_and(|width| width > 1 << 16) {
        return Err(NoMatch("integers that wide are not printed"));
    }
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let value = widened(&mut b, source).ok_or(NoMatch("integers that wide are not printed"))?;
    let ty = b.value_type(value);
    let shape = if extents(ty).is_empty() { vec![1] } else { extents(ty).to_vec() };
    let flat = if extents(ty).len() == 1 { value } else { flattened(&mut b, value, ty) };
    nest(&mut b, flat, &shape, scalable, &mut Vec::new());
    punctuation(&mut b, last.unwrap_or(PrintPunctuation::NewLine));
    rw.erase(op);
    Ok(())
}

fn flattened(b: &mut Build<'_, '_>, value: ValueId, ty: TypeRef<'_>) -> ValueId {
    let count = extents(ty).iter().product();
    let flat = b.cx().vector_type(&[count], ty.element_or_self().id());
    b.shape_cast(value, flat)
}

/// The loop over the next dimension, in brackets; the element where there is none left.
fn nest(b: &mut Build<'_, '_>, flat: ValueId, shape: &[i64], scalable: bool, at: &mut Vec<ValueId>) {
    if at.len() == shape.len() {
        let index = flat_index(b, shape, at);
        let element = b.part_at(flat, &[Index::Value(index)]);
        let attr = PrintPunctuation::NoPunctuation.attr(b.cx());
        let state = OpState::of::<PrintOp<'_>>(b.loc).operands([element]).attr(b.cx(), "punctuation", attr);
        b.create(state);
        return;
    }
    let lower = b.constant_index(0);
    let mut upper = b.constant_index(shape[at.len()]);
    let step = b.constant_index(1);
    if scalable {
        let index = b.cx().index_type();
        let scale = b.value::<VectorScaleOp<'_>>(&[], index);
        upper = b.same::<MulIOp<'_>>(&[upper, scale]);
    }
    let last = b.same::<SubIOp<'_>>(&[upper, step]);
    punctuation(b, PrintPunctuation::Open);
    b.for_loop([lower, upper, step], None, |b, index, _| {
        at.push(index);
        nest(b, flat, shape, scalable, at);
        let more = b.compare(CmpIPredicate::Ult, index, last);
        b.if_then(more, |b| punctuation(b, PrintPunctuation::Comma));
        None
    });
    punctuation(b, PrintPunctuation::Close);
    at.pop();
}

/// The number of the element at a position.
fn flat_index(b: &mut Build<'_, '_>, shape: &[i64], at: &[ValueId]) -> ValueId {
    let mut stride = 1_i64;
    let mut sum = None;
    for (&index, &extent) in at.iter().zip(shape).rev() {
        let factor = b.constant_index(stride);
        let term = b.same::<MulIOp<'_>>(&[factor, index]);
        sum = Some(match sum {
            Some(sum) => b.same::<AddIOp<'_>>(&[sum, term]),
            None => term,
        });
        stride = stride.wrapping_mul(extent);
    }
    sum.unwrap_or_else(|| b.constant_index(0))
}
