//! What is asked of offsets, sizes and strides, answered from where a memref comes from.

use dl_arith::Build;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpId, OpState, Rewriter, ValueId};
use dl_memref::{
    AllocOp, AllocaOp, AssumeAlignmentOp, ExtractStridedMetadataOp, GetGlobalOp, MemorySpaceCastOp, ReinterpretCastOp,
    SubViewOp,
};

use super::{Metadata, with_metadata};
use crate::apply::apply;

/// What defines the memref that `op` asks of.
fn asked(op: OpId, rw: &Rewriter<'_>) -> Result<OpId, NoMatch> {
    let source = rw.op(op).operand(0).defining_op();
    source.map(|source| source.id()).ok_or(NoMatch("the memref is an argument"))
}

/// Replaces the results that there are values for.
fn answer(op: OpId, rw: &mut Rewriter<'_>, base: Option<ValueId>, rest: &[ValueId]) {
    let results: Vec<ValueId> = rw.ir().results(op).collect();
    if let Some(base) = base {
        rw.replace_all_uses(results[0], base);
    }
    for (&result, &value) in results[1..].iter().zip(rest) {
        rw.replace_all_uses(result, value);
    }
    rw.erase(op);
}

/// The indices as values.
fn values(b: &mut Build<'_, '_>, offset: Index, sizes: &[Index], strides: &[Index]) -> Vec<ValueId> {
    let all = std::iter::once(&offset).chain(sizes).chain(strides);
    all.map(|&index| match index {
        Index::Static(number) => b.constant_index(number),
        Index::Value(value) => value,
    })
    .collect()
}

/// Of a subview or reshape: what that is made of.
pub(super) fn of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = asked(op, rw)?;
    rw.set_insertion_before(op);
    let loc = rw.op(view).loc();
    let Metadata { base, offset, sizes, strides } = super::of_view(rw, view)?;
    let values = values(&mut Build::new(rw, loc), offset, &sizes, &strides);
    answer(op, rw, Some(base), &values);
    Ok(())
}

/// `value` as a memref of rank 0, where anything uses it.
fn base_of(b: &mut Build<'_, '_>, op: OpId, value: ValueId) -> Option<ValueId> {
    let result = b.ir().result(op, 0);
    if !b.ir().has_uses(result) {
        return None;
    }
    let (cx, ty) = (b.cx(), b.ir().value_type(result));
    if b.ir().value_type(value) == ty {
        return Some(value);
    }
    let state = OpState::of::<ReinterpretCastOp<'_>>(b.loc).operands([value]).results([ty]);
    let state = with_metadata(cx, state, Index::Static(0), &[], &[]);
    Some(b.create_value(state))
}

/// Of what was allocated: offset 0, the sizes that were asked for, and strides in row-major order.
pub(super) fn of_allocation(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let allocation = asked(op, rw)?;
    let view = rw.op(allocation);
    let dynamic = match (view.cast::<AllocOp<'_>>(), view.cast::<AllocaOp<'_>>()) {
        (Some(alloc), _) => alloc.dynamic_sizes(),
        (None, Some(alloca)) => alloca.dynamic_sizes(),
        (None, None) => return Err(NoMatch("no allocation")),
    };
    let ty = view.result(0).ty();
    let shape = ty.shape().filter(|_| ty.has_identity_layout()).ok_or(NoMatch("a layout that is not normalized"))?;
    let sizes: Indices = mixed(shape, dynamic);
    let (value, loc) = (view.result(0).id(), rw.op(op).loc());
    let rank = sizes.len();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let affine = b.cx().affine();
    let mut strides: Indices = smallvec::smallvec![Index::Static(1); rank];
    let mut product = affine.constant(1);
    for (number, dim) in (0..rank.saturating_sub(1)).rev().enumerate() {
        product = affine.mul(product, affine.symbol(number as u32));
        strides[dim] = apply(&mut b, op, product, &sizes[dim + 1..]).ok_or(NoMatch("a stride overflows"))?;
    }
    let base = base_of(&mut b, op, value);
    let values = values(&mut b, Index::Static(0), &sizes, &strides);
    answer(op, rw, base, &values);
    Ok(())
}

/// Of a global: what the type says.
pub(super) fn of_global(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let global = asked(op, rw)?;
    if !rw.op(global).is::<GetGlobalOp<'_>>() {
        return Err(NoMatch("no global"));
    }
    let value = rw.ir().result(global, 0);
    let (ty, loc) = (rw.value_type(value), rw.op(op).loc());
    let shape = ty.shape().filter(|_| ty.has_identity_layout()).ok_or(NoMatch("a layout that is not normalized"))?;
    let numbers = |numbers: &[i64]| numbers.iter().map(|&number| Index::Static(number)).collect::<Indices>();
    let (sizes, strides) = (numbers(shape), numbers(&dl_ir::types::row_major_strides(shape)));
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let base = base_of(&mut b, op, value);
    let values = values(&mut b, Index::Static(0), &sizes, &strides);
    answer(op, rw, base, &values);
    Ok(())
}

/// Of a cast that says offset, sizes and strides: those.
pub(super) fn of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cast = asked(op, rw)?;
    let view = rw.op(cast).cast::<ReinterpretCastOp<'_>>().ok_or(NoMatch("no cast"))?;
    let list = |fixed: dl_ir::AttrRef<'_>, values| mixed(&fixed.dense_ints().collect::<Vec<_>>(), values);
    let offsets = list(view.static_offsets(), view.offsets());
    let (sizes, strides) = (list(view.static_sizes(), view.sizes()), list(view.static_strides(), view.strides()));
    let &offset = offsets.first().ok_or(NoMatch("no offset"))?;
    let (source, loc) = (view.source().id(), rw.op(op).loc());
    if rw.value_type(source).strided_layout().is_none() {
        return Err(NoMatch("the source is not strided"));
    }
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let of_source = b.create(OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([source]));
    let base = b.ir().result(of_source, 0);
    let values = values(&mut b, offset, &sizes, &strides);
    answer(op, rw, Some(base), &values);
    Ok(())
}

/// Of the same memory in another space: all but the base.
pub(super) fn of_memory_space_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cast = asked(op, rw)?;
    let view = rw.op(cast).cast::<MemorySpaceCastOp<'_>>().ok_or(NoMatch("no cast"))?;
    let (source, loc) = (view.source().id(), rw.op(op).loc());
    if rw.value_type(source).strided_layout().is_none() {
        return Err(NoMatch("the source is not strided"));
    }
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let of_source = b.create(OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([source]));
    let values: Vec<ValueId> = b.ir().results(of_source).collect();
    let result = b.ir().result(op, 0);
    let base = if b.ir().has_uses(result) {
        let ty = b.ir().value_type(result);
        Some(b.value::<MemorySpaceCastOp<'_>>(&values[..1], ty))
    } else {
        None
    };
    answer(op, rw, base, &values[1..]);
    Ok(())
}

/// An assumption about alignment changes nothing of it.
pub(super) fn of_alignment(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let assumption = asked(op, rw)?;
    let view = rw.op(assumption).cast::<AssumeAlignmentOp<'_>>().ok_or(NoMatch("no assumption"))?;
    let source = view.memref().id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// The base that was asked for is its own base, at offset 0.
pub(super) fn of_metadata(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let before = asked(op, rw)?;
    let view = rw.op(before).cast::<ExtractStridedMetadataOp<'_>>().ok_or(NoMatch("no metadata"))?;
    let (base, loc) = (view.base_buffer().id(), rw.op(op).loc());
    rw.set_insertion_before(op);
    let zero = Build::new(rw, loc).constant_index(0);
    answer(op, rw, Some(base), &[zero]);
    Ok(())
}

/// The address that elements are counted from is that of what is viewed.
pub(super) fn address_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = asked(op, rw)?;
    let of = rw.op(view);
    if !of.is::<SubViewOp<'_>>() && !of.is::<ReinterpretCastOp<'_>>() {
        return Err(NoMatch("no view that keeps the address"));
    }
    let source = of.operand(0).id();
    rw.set_operand(op, 0, source);
    Ok(())
}
