//! Broadcasts, casts of shape and transpositions, of one another.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};

use crate::fold::keeps_order;
use crate::position::added_unit_dims;
use crate::types::{count, extents, is_broadcastable, is_scalable};
use crate::{BitCastOp, BroadcastOp, ExtractStridedSliceOp, FromElementsOp, ShapeCastOp, TransposeOp};

/// An operation on the result of another of its kind is one of the other's operand.
fn merge_with_source(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|inner| inner.name_id() == view.name_id());
    let source = inner.ok_or(NoMatch("the source is no operation of the same kind"))?.operand(0).id();
    let (name, loc, ty) = (view.name_id(), view.loc(), view.result(0).ty().id());
    rw.replace_with(op, OpState::new(name, loc).operands([source]).results([ty]));
    Ok(())
}

/// Replaces `op` by an operation `T` of `source` with the same result type.
fn replace_by<T: OpDefinition>(rw: &mut Rewriter<'_>, op: OpId, source: ValueId) -> Rewrite {
    let (loc, ty) = (rw.op(op).loc(), rw.op(op).result(0).ty().id());
    rw.replace_with(op, OpState::of::<T>(loc).operands([source]).results([ty]));
    Ok(())
}

/// One transposition after another is their composition.
fn compose_transposes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let outer = TransposeOp(rw.op(op));
    let inner = outer.vector().def::<TransposeOp<'_>>().ok_or(NoMatch("the source is no transposition"))?;
    let first: Vec<i64> = inner.permutation().dense_ints().collect();
    let at = |position: i64| usize::try_from(position).ok().and_then(|at| first.get(at).copied());
    let composed: Option<Vec<i64>> = outer.permutation().dense_ints().map(at).collect();
    let composed = composed.ok_or(NoMatch("no permutation"))?;
    let (cx, source, loc, ty) = (rw.cx(), inner.vector().id(), outer.0.loc(), outer.result().ty().id());
    let state = OpState::of::<TransposeOp<'_>>(loc).operands([source]);
    rw.replace_with(op, state.attr(cx, "permutation", cx.dense_i64_array(&composed)).results([ty]));
    Ok(())
}

/// A broadcast of a cast that only adds or removes leading dimensions of extent 1 is one of the operand of the cast.
fn broadcast_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let broadcast = BroadcastOp(rw.op(op));
    let cast = broadcast.source().def::<ShapeCastOp<'_>>().ok_or(NoMatch("the source is no cast"))?;
    added_unit_dims(cast).ok_or(NoMatch("the cast changes more than leading dimensions"))?;
    if !is_broadcastable(cast.source().ty(), broadcast.vector().ty()) {
        return Err(NoMatch("the operand of the cast has too many dimensions"));
    }
    let source = cast.source().id();
    replace_by::<BroadcastOp<'_>>(rw, op, source)
}

/// A cast of a broadcast that repeats nothing is one of its operand.
fn cast_of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cast = ShapeCastOp(rw.op(op));
    let broadcast = cast.source().def::<BroadcastOp<'_>>().ok_or(NoMatch("the source is no broadcast"))?;
    let (from, to) = (broadcast.source(), cast.result().ty());
    let same = from.ty().is_vector()
        && count(from.ty()) == count(to)
        && num_scalable(from.ty().scalable_dims()) == num_scalable(to.scalable_dims());
    let source = from.id();
    if same {
        return replace_by::<ShapeCastOp<'_>>(rw, op, source);
    }
    // What is repeated must lie in the result as it did before: only dimensions of extent 1, or the last ones, are kept.
    if is_broadcastable(from.ty(), to) && repeats_alike(from.ty(), broadcast.vector().ty(), to) {
        return replace_by::<BroadcastOp<'_>>(rw, op, source);
    }
    Err(NoMatch("the source is not repeated alike"))
}

fn num_scalable(marks: &[bool]) -> usize {
    marks.iter().filter(|&&scalable| scalable).count()
}

/// Whether broadcasting `from` to `middle` and casting that to `to` gives the same elements as broadcasting to `to`: every element of
/// `from` but for leading dimensions of extent 1 lies in the same last dimensions of both.
fn repeats_alike(from: dl_ir::TypeRef<'_>, middle: dl_ir::TypeRef<'_>, to: dl_ir::TypeRef<'_>) -> bool {
    let shape = extents(from);
    let first = shape.iter().enumerate().position(|(i, &extent)| extent != 1 || is_scalable(from, i));
    let tail = first.map_or(0, |first| shape.len() - first);
    let same = |ty: dl_ir::TypeRef<'_>| {
        let Some(start) = extents(ty).len().checked_sub(tail) else { return false };
        (0..tail).all(|i| {
            let (a, b) = (shape.len() - tail + i, start + i);
            shape[a] == extents(ty)[b] && is_scalable(from, a) == is_scalable(ty, b)
        })
    };
    same(middle) && same(to)
}

/// A cast of a transposition that keeps all elements in order is one of its operand.
fn cast_of_transpose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transpose = ShapeCastOp(rw.op(op)).source().def::<TransposeOp<'_>>();
    let transpose = transpose.filter(|t| keeps_order(*t)).ok_or(NoMatch("the source is no such transposition"))?;
    let source = transpose.vector().id();
    replace_by::<ShapeCastOp<'_>>(rw, op, source)
}

/// A transposition, of a cast, that keeps all elements in order is a cast.
fn transpose_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transpose = TransposeOp(rw.op(op));
    let cast = transpose.vector().def::<ShapeCastOp<'_>>().ok_or(NoMatch("the source is no cast"))?;
    if !keeps_order(transpose) {
        return Err(NoMatch("elements are moved"));
    }
    let source = cast.source().id();
    replace_by::<ShapeCastOp<'_>>(rw, op, source)
}

/// A transposition of a broadcast that moves no dimension of the operand but where it is repeated is a broadcast.
///
/// The dimensions of the result fall into groups: a run of dimensions that the operand repeats, or does not have, may be permuted
/// among themselves, as all their elements are equal; any other stays where it is.
fn transpose_of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transpose = TransposeOp(rw.op(op));
    let broadcast = transpose.vector().def::<BroadcastOp<'_>>().ok_or(NoMatch("the source is no broadcast"))?;
    let (from, middle) = (broadcast.source(), transpose.vector().ty());
    let shape = extents(from.ty());
    let added = extents(middle).len() - shape.len();
    let repeated = |dim: usize| dim < added || shape[dim - added] == 1 && !is_scalable(from.ty(), dim - added);
    let dims: Vec<usize> = transpose.permutation().dense_ints().filter_map(|dim| usize::try_from(dim).ok()).collect();
    let stays = |(i, &dim): (usize, &usize)| {
        let (low, high) = (i.min(dim), i.max(dim));
        i == dim || (low..=high).all(repeated)
    };
    if !dims.iter().enumerate().all(stays) || !is_broadcastable(from.ty(), transpose.result().ty()) {
        return Err(NoMatch("a dimension of the operand is moved"));
    }
    let source = from.id();
    replace_by::<BroadcastOp<'_>>(rw, op, source)
}

/// A transposition of a vector made of elements is one made of them in another order.
fn transpose_of_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transpose = TransposeOp(rw.op(op));
    let made = transpose.vector().def::<FromElementsOp<'_>>().ok_or(NoMatch("the source is not made of elements"))?;
    let from = extents(transpose.vector().ty());
    let strides: Vec<i64> = (0..from.len()).map(|i| from[i + 1..].iter().product()).collect();
    let mut order = vec![0_i64];
    for dim in transpose.permutation().dense_ints() {
        let dim = usize::try_from(dim).ok().filter(|&dim| dim < from.len()).ok_or(NoMatch("no permutation"))?;
        let along = |&start: &i64| (0..from[dim]).map(move |i| (start, i));
        order = order.iter().flat_map(along).map(|(start, i)| start + i * strides[dim]).collect();
    }
    let element = |at: &i64| Some(made.elements().get(usize::try_from(*at).ok()?)?.id());
    let elements: Option<Vec<ValueId>> = order.iter().map(element).collect();
    let elements = elements.ok_or(NoMatch("too few elements"))?;
    let (loc, ty) = (transpose.0.loc(), transpose.result().ty().id());
    rw.replace_with(op, OpState::of::<FromElementsOp<'_>>(loc).operands(elements).results([ty]));
    Ok(())
}

pub(crate) fn broadcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-merge-broadcasts", Some(BroadcastOp::NAME), merge_with_source).add_fn(
        "vector-broadcast-of-cast",
        Some(BroadcastOp::NAME),
        broadcast_of_cast,
    );
}

pub(crate) fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-merge-bitcasts", Some(BitCastOp::NAME), merge_with_source);
}

pub(crate) fn shape_cast(patterns: &mut Patterns) {
    let root = Some(ShapeCastOp::NAME);
    patterns
        .add_fn("vector-merge-shape-casts", root, merge_with_source)
        .add_fn("vector-cast-of-broadcast", root, cast_of_broadcast)
        .add_fn("vector-cast-of-transpose", root, cast_of_transpose);
    super::masks::of_shape_cast(patterns);
}

pub(crate) fn transpose(patterns: &mut Patterns) {
    let root = Some(TransposeOp::NAME);
    patterns
        .add_fn("vector-compose-transposes", root, compose_transposes)
        .add_fn("vector-transpose-of-broadcast", root, transpose_of_broadcast)
        .add_fn("vector-transpose-of-cast", root, transpose_of_cast)
        .add_fn("vector-transpose-of-elements", root, transpose_of_elements);
    super::masks::of_transpose(patterns);
}

/// A slice of a broadcast is a broadcast, of a slice of the operand where that is not taken as it is.
fn slice_of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let slice = ExtractStridedSliceOp(rw.op(op));
    let broadcast = slice.source().def::<BroadcastOp<'_>>().ok_or(NoMatch("the source is no broadcast"))?;
    let (from, result) = (broadcast.source(), slice.result().ty());
    let (shape, taken) = (extents(from.ty()), extents(result));
    let added = taken.len() - shape.len();
    let offsets = crate::position::ints(slice.offsets());
    // Offsets and sizes along a dimension that is repeated do not matter: it has one element.
    let offset = |i: usize| if shape[i] == 1 { 0 } else { *offsets.get(added + i).unwrap_or(&0) };
    let size = |i: usize| if shape[i] == 1 { 1 } else { taken[added + i] };
    let whole = (0..shape.len()).all(|i| offset(i) == 0 && size(i) == shape[i]);
    let (cx, loc, source, ty) = (rw.cx(), slice.0.loc(), from.id(), result.id());
    if whole {
        return replace_by::<BroadcastOp<'_>>(rw, op, source);
    }
    let sizes: Vec<i64> = (0..shape.len()).map(size).collect();
    let ints = |values: &[i64]| cx.array_attr(&values.iter().map(|&v| cx.i64_attr(v)).collect::<Vec<_>>());
    let (offsets, part) = ((0..shape.len()).map(offset).collect::<Vec<_>>(), from.ty().with_shape(&sizes));
    let state = OpState::of::<ExtractStridedSliceOp<'_>>(loc)
        .operands([source])
        .attr(cx, "offsets", ints(&offsets))
        .attr(cx, "sizes", ints(&sizes))
        .attr(cx, "strides", ints(&vec![1; sizes.len()]))
        .results([part.ok_or(NoMatch("no shape"))?]);
    let part = rw.create_value(state);
    rw.replace_with(op, OpState::of::<BroadcastOp<'_>>(loc).operands([part]).results([ty]));
    Ok(())
}

pub(super) fn of_slice(patterns: &mut Patterns) {
    patterns.add_fn("vector-slice-of-broadcast", Some(ExtractStridedSliceOp::NAME), slice_of_broadcast);
}
