//! Borders of the value that is around or inside of them anyway.

use dl_affine::apply;
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::reify_shapes;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueRef};
use dl_tensor::{CastOp, EmptyOp, InsertSliceOp, PadOp};

use super::fill::{fill_state, filled};

/// Whether the border has `value` everywhere.
fn has_border_of(pad: PadOp<'_>, value: ValueRef<'_>) -> bool {
    let last = pad.0.region(0).entry().and_then(|block| block.last_op()).filter(|last| last.num_operands() == 1);
    let border = last.map(|last| last.operand(0));
    border.is_some_and(|border| border == value || border.constant().is_some_and(|c| Some(c) == value.constant()))
}

/// A filled tensor with a border of the same value is filled.
fn pad_of_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let pad = PadOp(rw.op(op));
    let (value, _) = filled(pad.source())?;
    if !has_border_of(pad, value) || pad.nofold().is_some() {
        return Err(NoMatch("another border, or one that is to be kept"));
    }
    let (value, old, loc) = (value.id(), pad.result().ty().id(), pad.0.loc());
    rw.set_insertion_before(op);
    let extents = reify_shapes(rw, op).and_then(|shapes| shapes.into_iter().next()).ok_or(NoMatch("no extents"))?;
    let (shape, sizes) = split(&extents);
    let ty = cx.ty(old).with_shape(&shape).ok_or(NoMatch("no rank"))?;
    let empty = rw.create_value(OpState::of::<EmptyOp<'_>>(loc).operands(sizes).results([ty]));
    let state = fill_state(rw, value, empty, loc);
    let mut filled = rw.create_value(state);
    if ty != old {
        filled = rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([filled]).results([old]));
    }
    rw.replace(op, &[filled]);
    Ok(())
}

/// A tensor with a border that is inserted where that value is already is inserted without the border.
fn insert_pad_into_fill(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let insert = InsertSliceOp(rw.op(op));
    let pad = insert.source().def::<PadOp<'_>>().ok_or(NoMatch("nothing with a border is inserted"))?;
    let slice = Slice::of(insert.0).ok_or(NoMatch("no slice"))?;
    let keeps_rank = |insert: InsertSliceOp<'_>| insert.source().ty().rank() == insert.result().ty().rank();
    if !keeps_rank(insert) || !slice.has_unit_strides() {
        return Err(NoMatch("drops dimensions, or has strides"));
    }
    // What was inserted elsewhere before does not matter.
    let mut into = insert.dest();
    while let Some(before) = into.def::<InsertSliceOp<'_>>().filter(|before| keeps_rank(*before)) {
        if !Slice::of(before.0).is_some_and(|other| slice.is_disjoint_from(&other)) {
            break;
        }
        into = before.dest();
    }
    let (value, _) = filled(into)?;
    if !has_border_of(pad, value) {
        return Err(NoMatch("another border"));
    }
    let low = mixed(&pad.static_low().as_i64_array().unwrap_or_default(), pad.low());
    let (source, dest, ty, loc) = (pad.source().id(), insert.dest().id(), insert.result().ty().id(), insert.0.loc());
    rw.set_insertion_before(op);
    let mut offsets = Indices::new();
    for (&low, &offset) in low.iter().zip(&slice.offsets) {
        offsets.push(apply::sum(rw, op, low, offset, loc).ok_or(NoMatch("an offset overflows"))?);
    }
    let sizes = dl_tensor::extents(rw, source, loc);
    let new = Slice { offsets, sizes, strides: slice.strides };
    let state = dl_tensor::insert_slice_state(rw, source, dest, &new, ty, loc);
    rw.replace_with(op, state);
    Ok(())
}

pub(super) fn pads(patterns: &mut Patterns) {
    patterns.add_fn("linalg-pad-of-fill", Some(PadOp::NAME), pad_of_fill).add_fn(
        "linalg-insert-pad-into-fill",
        Some(InsertSliceOp::NAME),
        insert_pad_into_fill,
    );
}
