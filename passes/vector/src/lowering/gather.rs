//! Gathers of vectors of several dimensions, one for each row, and of elements that are apart.

use dl_arith::{Build, MulIOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_memref::{CollapseShapeOp, SubViewOp};
use dl_vector::GatherOp;
use dl_vector::types::is_scalable;

use super::unroll::unrolled;
use crate::build::{VectorBuild, without_leading};
use crate::masking::masking;

/// Adds the pattern.
pub fn gather(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-gather", Some(GatherOp::NAME), unroll);
}

fn unroll(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = GatherOp::wrap(rw.op(op));
    if masking(view.0).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let (base, offsets, loc) = (view.base().id(), view.offsets().ids(), view.0.loc());
    let lanes = [view.indices().id(), view.mask().id(), view.pass_thru().id()];
    let alignment = view.alignment().map(|attr| attr.id());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = ty.shape().filter(|shape| shape.len() > 1).ok_or(NoMatch("one dimension"))?;
    if is_scalable(ty, 0) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    let inner = without_leading(ty, 1);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let poison = b.poison_of(ty.id());
    let value = unrolled(&mut b, &shape[..1], poison, |b, at| {
        let parts = lanes.map(|lane| b.part(lane, at));
        let state = OpState::of::<GatherOp<'_>>(loc).operands([base]).operands(offsets.iter().copied());
        let state = state.operands(parts).results([inner]).maybe_attr(b.cx(), "alignment", alignment);
        b.create_value(state)
    });
    rw.replace(op, &[value]);
    Ok(())
}

/// Adds the pattern that makes gathers of elements that are apart gathers of elements in a row, at other indices.
pub fn gather_in_a_row(patterns: &mut Patterns) {
    patterns.add_fn("vector-gather-in-a-row", Some(GatherOp::NAME), in_a_row);
}

/// Every `n`-th element of a whole buffer is that at `n` times the index in the buffer as one row.
fn in_a_row(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    const OTHER: NoMatch = NoMatch("the source is not every n-th element of a whole buffer");
    let view = GatherOp::wrap(rw.op(op));
    if masking(view.0).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let subview = view.base().def::<SubViewOp<'_>>().ok_or(OTHER)?;
    let (source, layout) = (subview.source(), view.base().ty().strided_layout().ok_or(OTHER)?);
    let stride = match *layout.strides {
        [stride] if stride > 1 && layout.offset == 0 => stride,
        _ => return Err(OTHER),
    };
    let shape = source.ty().shape().filter(|_| source.ty().has_identity_layout()).ok_or(OTHER)?;
    let count = shape.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent).filter(|_| extent >= 0));
    let count = count.ok_or(NoMatch("the size is not known"))?;
    let starts_there = view.offsets().iter().all(|offset| offset.constant().and_then(AttrRef::as_int) == Some(0));
    if !starts_there || !view.indices().ty().element_or_self().is_index() {
        return Err(NoMatch("the products may not be indices"));
    }
    let (cx, loc, rank, list_type) = (rw.cx(), view.0.loc(), shape.len(), view.indices().ty().id());
    let row = cx.memref_type_with(
        &[count],
        source.ty().element_or_self().id(),
        None,
        source.ty().memory_space().map(AttrRef::id),
    );
    let (source, indices) = (source.id(), view.indices().id());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let base = if rank == 1 {
        source
    } else {
        let dims: Vec<_> = (0..rank as i64).map(|dim| cx.i64_attr(dim)).collect();
        let groups = cx.array_attr(&[cx.array_attr(&dims)]);
        let state = OpState::of::<CollapseShapeOp<'_>>(loc).operands([source]).attr(cx, "reassociation", groups);
        b.create_value(state.results([row]))
    };
    let by = cx.splat_attr(list_type, cx.index_attr(stride)).ok_or(OTHER)?;
    let by = b.constant(by, list_type);
    let places = b.same::<MulIOp<'_>>(&[indices, by]);
    rw.set_operand(op, 0, base);
    rw.set_operand_group(op, 2, &[places]);
    Ok(())
}
