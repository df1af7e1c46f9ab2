//! Making operations.

use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::{Loc, OpState, Rewriter, Type, ValueId};

use crate::canonicalize::slice_parts;
use crate::{CollapseShapeOp, EmptyOp, InsertSliceOp, PadOp, ParallelInsertSliceOp, YieldOp};

/// The parts of `tensor.insert_slice` of `source` in `dest`.
pub fn insert_slice_state(rw: &Rewriter<'_>, source: ValueId, dest: ValueId, slice: &Slice, loc: Loc) -> OpState {
    let ty = rw.value_type(dest).id();
    slice_parts(OpState::of::<InsertSliceOp<'_>>(loc).operands([source, dest]), rw, slice, &[1, 1]).results([ty])
}

/// The parts of `tensor.parallel_insert_slice` of `source` in `dest`.
pub fn parallel_insert_slice_state(
    rw: &Rewriter<'_>,
    source: ValueId,
    dest: ValueId,
    slice: &Slice,
    loc: Loc,
) -> OpState {
    slice_parts(OpState::of::<ParallelInsertSliceOp<'_>>(loc).operands([source, dest]), rw, slice, &[1, 1])
}

/// `tensor.empty` of these extents.
pub fn empty(rw: &mut Rewriter<'_>, sizes: &[Index], element: Type, loc: Loc) -> ValueId {
    let (shape, values) = split(sizes);
    let ty = rw.cx().tensor_type(&shape, element);
    rw.create_value(OpState::of::<EmptyOp<'_>>(loc).operands(values).results([ty]))
}

/// `tensor.pad` of `source`, whose extents are known, by `low` elements before it and `high` behind it along each dimension, all of the value `border`.
pub fn pad(rw: &mut Rewriter<'_>, source: ValueId, low: &[i64], high: &[i64], border: ValueId, loc: Loc) -> ValueId {
    let (cx, ty) = (rw.cx(), rw.value_type(source));
    let grown = ty.shape().unwrap_or_default().iter().zip(low.iter().zip(high));
    let extents: Vec<i64> = grown.map(|(extent, (low, high))| extent + low + high).collect();
    let ty = cx.tensor_type(&extents, ty.element_or_self().id());
    let point = rw.insertion_point();
    let region = rw.new_region();
    let block = rw.append_block(region, &vec![cx.index_type(); extents.len()]);
    rw.set_insertion_to_end(block);
    rw.create(OpState::of::<YieldOp<'_>>(loc).operands([border]));
    rw.set_insertion_point(point);
    let state = OpState::of::<PadOp<'_>>(loc)
        .operands([source])
        .operand_segments(cx, &[1, 0, 0])
        .attr(cx, "static_low", cx.dense_i64_array(low))
        .attr(cx, "static_high", cx.dense_i64_array(high))
        .results([ty])
        .region(region);
    rw.create_value(state)
}

/// `tensor.collapse_shape` by `groups`, to the shape that follows from them.
pub fn collapse(rw: &mut Rewriter<'_>, source: ValueId, groups: &[Vec<usize>], loc: Loc) -> ValueId {
    let cx = rw.cx();
    let ty = rw.value_type(source);
    let shape = reassociation::collapsed_shape(ty.shape().unwrap_or_default(), groups);
    let ty = cx.tensor_type(&shape, ty.element_or_self().id());
    rw.create_value(reassociation::collapse_state::<CollapseShapeOp<'_>>(cx, source, groups, ty, loc))
}
