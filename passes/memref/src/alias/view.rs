//! Views of buffers, and where in a buffer an element of a view is.

use dl_affine::{AffineDelinearizeIndexOp, AffineLinearizeIndexOp};
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::rewrite::{NoMatch, create_or_fold};
use dl_ir::{DYNAMIC, Loc, OpId, OpRef, OpState, Rewriter, ValueId};
use dl_memref::{CollapseShapeOp, ExpandShapeOp, ExtractStridedMetadataOp, SubViewOp};
use smallvec::SmallVec;

/// Values of a few indices.
pub(super) type Values = SmallVec<[ValueId; 4]>;

/// Makes the value of a formula whose dimensions are indices: `dl_affine::apply::folded_apply` or its like.
pub(super) type Apply = fn(&mut Rewriter<'_>, OpId, AffineExpr, &[Index], Loc) -> Option<Index>;

/// How a view looks at its source.
pub(super) enum View {
    /// A regular part; dimensions that are dropped have index zero in it.
    Slice(Slice, Vec<bool>),
    /// Groups of its dimensions are dimensions of the source. The sizes of its dimensions.
    Expanded(Vec<Vec<usize>>, Indices),
    /// Its dimensions are groups of dimensions of the source.
    Collapsed(Vec<Vec<usize>>),
}

impl View {
    /// How the result of `op` looks at its operand. `None` where it is no such operation.
    pub(super) fn of(op: OpRef<'_>) -> Option<Self> {
        if op.is::<SubViewOp<'_>>() {
            return Some(Self::Slice(Slice::of(op)?, dl_memref::subview_dropped_dims(op)?));
        }
        if let Some(expand) = op.cast::<ExpandShapeOp<'_>>() {
            let sizes: Vec<i64> = expand.static_output_shape().dense_ints().collect();
            return Some(Self::Expanded(reassociation::groups_of(op), mixed(&sizes, expand.output_shape())));
        }
        op.is::<CollapseShapeOp<'_>>().then(|| Self::Collapsed(reassociation::groups_of(op)))
    }
}

/// Where element `indices` of a view of `source` is in `source`, computed before `anchor` by `apply`. Whether each of the indices is known to be
/// in its dimension is said with that.
pub(super) fn resolve(
    rw: &mut Rewriter<'_>,
    anchor: OpId,
    view: &View,
    source: ValueId,
    indices: &[Index],
    (apply, in_range): (Apply, bool),
    loc: Loc,
) -> Result<Values, NoMatch> {
    match view {
        View::Slice(slice, dropped) => resolve_slice(rw, anchor, slice, dropped, indices, apply, loc),
        View::Expanded(groups, sizes) => Ok(resolve_expanded(rw, groups, sizes, indices, in_range, loc)),
        View::Collapsed(groups) => Ok(resolve_collapsed(rw, source, groups, indices, loc)),
    }
}

/// The index as a value.
pub(super) fn value_of(rw: &mut Rewriter<'_>, index: Index, loc: Loc) -> ValueId {
    match index {
        Index::Value(value) => value,
        Index::Static(number) => dl_arith::constant_index(rw, number, loc),
    }
}

/// `offset + index * stride` in each dimension.
fn resolve_slice(
    rw: &mut Rewriter<'_>,
    op: OpId,
    slice: &Slice,
    dropped: &[bool],
    indices: &[Index],
    apply: Apply,
    loc: Loc,
) -> Result<Values, NoMatch> {
    let affine = rw.cx().affine();
    let mut indices = indices.iter().copied();
    let mut resolved = Values::new();
    for (dim, (&offset, &stride)) in slice.offsets.iter().zip(&slice.strides).enumerate() {
        let is_dropped = dropped.get(dim).copied().unwrap_or(false);
        let index = if is_dropped { Some(Index::Static(0)) } else { indices.next() };
        let index = index.ok_or(NoMatch("has fewer indices than dimensions"))?;
        let [a, b, c] = [0, 1, 2].map(|at| affine.dim(at));
        let expr = affine.add(a, affine.mul(b, c));
        let index = apply(rw, op, expr, &[offset, index, stride], loc).ok_or(NoMatch("an index overflows"))?;
        resolved.push(value_of(rw, index, loc));
    }
    Ok(resolved)
}

/// The indices of a group put together.
fn resolve_expanded(
    rw: &mut Rewriter<'_>,
    groups: &[Vec<usize>],
    sizes: &[Index],
    indices: &[Index],
    in_range: bool,
    loc: Loc,
) -> Values {
    let cx = rw.cx();
    let mut resolved = Values::new();
    for group in groups {
        let own: Values = group.iter().map(|&dim| value_of(rw, indices[dim], loc)).collect();
        if let [only] = own[..] {
            resolved.push(only);
            continue;
        }
        let (constants, values) = split(&group.iter().map(|&dim| sizes[dim]).collect::<Indices>());
        let mut state = OpState::of::<AffineLinearizeIndexOp<'_>>(loc)
            .operands(own.iter().copied())
            .operands(values.iter().copied())
            .operand_segments(cx, &[own.len(), values.len()])
            .attr(cx, "static_basis", cx.dense_i64_array(&constants))
            .results([cx.index_type()]);
        if in_range {
            state = state.attr(cx, "disjoint", cx.unit_attr());
        }
        resolved.push(create_or_fold(rw, state)[0]);
    }
    resolved
}

/// An index taken apart into those of a group.
fn resolve_collapsed(
    rw: &mut Rewriter<'_>,
    source: ValueId,
    groups: &[Vec<usize>],
    indices: &[Index],
    loc: Loc,
) -> Values {
    let cx = rw.cx();
    let sizes = sizes_of(rw, source, loc);
    let mut resolved = Values::new();
    for (group, &index) in groups.iter().zip(indices) {
        let index = value_of(rw, index, loc);
        if group.len() == 1 {
            resolved.push(index);
            continue;
        }
        let (constants, values) = split(&group.iter().map(|&dim| sizes[dim]).collect::<Indices>());
        let state = OpState::of::<AffineDelinearizeIndexOp<'_>>(loc)
            .operands([index])
            .operands(values)
            .attr(cx, "static_basis", cx.dense_i64_array(&constants))
            .results(group.iter().map(|_| cx.index_type()));
        resolved.extend(create_or_fold(rw, state));
    }
    if groups.is_empty() {
        resolved.extend(sizes.iter().map(|_| dl_arith::constant_index(rw, 0, loc)).collect::<Values>());
    }
    resolved
}

/// The sizes of a buffer, those that are not known from its metadata.
fn sizes_of(rw: &mut Rewriter<'_>, source: ValueId, loc: Loc) -> Indices {
    let ty = rw.value_type(source);
    let shape: Vec<i64> = ty.shape().unwrap_or_default().to_vec();
    if !shape.contains(&DYNAMIC) {
        return shape.into_iter().map(Index::Static).collect();
    }
    let state = OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([source]);
    let Ok(made) = rw.try_create(state) else {
        return shape.into_iter().map(Index::Static).collect();
    };
    let sizes = rw.op(made).result_group(2).ids();
    shape
        .iter()
        .zip(sizes)
        .map(|(&size, value)| if size == DYNAMIC { Index::Value(value) } else { Index::Static(size) })
        .collect()
}
