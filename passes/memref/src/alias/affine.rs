//! `affine-fold-memref-alias-ops`: affine accesses to views become accesses to what is looked at.

use dl_affine::apply::folded_apply;
use dl_affine::scope::{affine_scope, is_valid_dim};
use dl_affine::{AffineDelinearizeIndexOp, AffineLinearizeIndexOp, AffineLoadOp, AffineStoreOp};
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite, create_or_fold};
use dl_ir::{AttrRef, DYNAMIC, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, ValueRef};
use dl_memref::{CollapseShapeOp, ExpandShapeOp, ExtractStridedMetadataOp, SubViewOp};
use smallvec::SmallVec;

use crate::loops::Values;

/// Makes `affine.load` and `affine.store` of subviews and reshaped buffers go to the buffer itself.
#[derive(Clone, Copy, Default)]
pub struct AffineFoldMemRefAliasOps;

impl Pass for AffineFoldMemRefAliasOps {
    const INFO: PassInfo =
        PassInfo::new("affine-fold-memref-alias-ops", "Fold memref alias ops into affine memory ops")
            .title("AffineFoldMemRefAliasOps");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        patterns.add_fn("affine-load-of-view", Some(AffineLoadOp::NAME), access_of_view).add_fn(
            "affine-store-of-view",
            Some(AffineStoreOp::NAME),
            access_of_view,
        );
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// How a view looks at its source.
enum View {
    /// A regular part; dimensions that are dropped have index zero in it.
    Slice(Slice, Vec<bool>),
    /// Groups of its dimensions are dimensions of the source. The sizes of its dimensions.
    Expanded(Vec<Vec<usize>>, Indices),
    /// Its dimensions are groups of dimensions of the source.
    Collapsed(Vec<Vec<usize>>),
}

fn view_of(op: OpRef<'_>) -> Option<View> {
    if op.is::<SubViewOp<'_>>() {
        return Some(View::Slice(Slice::of(op)?, dl_memref::subview_dropped_dims(op)?));
    }
    if let Some(expand) = op.cast::<ExpandShapeOp<'_>>() {
        let sizes: Vec<i64> = expand.static_output_shape().dense_ints().collect();
        return Some(View::Expanded(reassociation::groups_of(op), mixed(&sizes, expand.output_shape())));
    }
    op.is::<CollapseShapeOp<'_>>().then(|| View::Collapsed(reassociation::groups_of(op)))
}

fn access_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let access = rw.op(op);
    let at = usize::from(access.is::<AffineStoreOp<'_>>());
    let Some(made) = access.operand(at).defining_op() else { return Err(NoMatch("is not of a view")) };
    let view = view_of(made).ok_or(NoMatch("is not of a view"))?;
    let (source, loc) = (made.operand(0).id(), access.loc());
    let map = access.attr("map").and_then(AttrRef::as_affine_map).ok_or(NoMatch("has no map"))?;
    check(access, made, &view)?;
    let operands: Vec<Index> = access.operands().iter().skip(at + 1).map(|value| Index::Value(value.id())).collect();
    rw.set_insertion_before(op);
    let (affine, cx) = (rw.cx().affine(), rw.cx());
    let data = affine.map(map);
    let as_dims: Vec<_> = (0..data.num_symbols).map(|symbol| affine.dim(data.num_dims + symbol)).collect();
    let mut indices: Vec<Index> = Vec::new();
    for &result in &data.results {
        let expr = affine.replace_in_expr(result, &affine.dims(data.num_dims), &as_dims);
        let index = folded_apply(rw, op, expr, &operands, loc).ok_or(NoMatch("an index overflows"))?;
        indices.push(Index::Value(value_of(rw, index, loc)));
    }
    let resolved = match view {
        View::Slice(slice, dropped) => resolve_slice(rw, op, &slice, &dropped, &indices, loc)?,
        View::Expanded(groups, sizes) => resolve_expanded(rw, &groups, &sizes, &indices, loc),
        View::Collapsed(groups) => resolve_collapsed(rw, source, &groups, &indices, loc),
    };
    let access = rw.op(op);
    let identity = affine.identity_map(resolved.len() as u32);
    let stored: SmallVec<[ValueId; 1]> = access.operands().ids().into_iter().take(at).collect();
    let state = OpState::new(access.name_id(), loc).operands(stored).operands([source]).operands(resolved);
    let types = access.results().types();
    let attrs: Vec<_> = access.discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
    rw.replace_with(op, state.attrs(attrs).attr(cx, "map", cx.affine_map_attr(identity)).results(types));
    Ok(())
}

/// Whether all that the new indices are made of may be used in an affine access where `access` stands.
fn check(access: OpRef<'_>, made: OpRef<'_>, view: &View) -> Result<(), NoMatch> {
    let scope = affine_scope(access);
    let valid = |indices: &[Index]| {
        indices.iter().all(|&index| match index {
            Index::Static(_) => true,
            Index::Value(value) => is_valid_dim(ValueRef::new(access.cx(), access.arena(), value), scope),
        })
    };
    let fits = match view {
        // The product of an index and a stride is affine for known strides.
        View::Slice(slice, _) => {
            valid(&slice.offsets) && slice.strides.iter().all(|stride| stride.as_static().is_some())
        }
        View::Expanded(_, sizes) => valid(sizes),
        View::Collapsed(_) => {
            let is_static = made.operand(0).ty().shape().is_some_and(|shape| !shape.contains(&DYNAMIC));
            is_static || access.parent() == scope
        }
    };
    if fits { Ok(()) } else { Err(NoMatch("an index of the source would not be affine")) }
}

fn value_of(rw: &mut Rewriter<'_>, index: Index, loc: Loc) -> ValueId {
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
        let index = folded_apply(rw, op, expr, &[offset, index, stride], loc).ok_or(NoMatch("an index overflows"))?;
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
        let state = OpState::of::<AffineLinearizeIndexOp<'_>>(loc)
            .operands(own.iter().copied())
            .operands(values.iter().copied())
            .operand_segments(cx, &[own.len(), values.len()])
            .attr(cx, "static_basis", cx.dense_i64_array(&constants))
            .attr(cx, "disjoint", cx.unit_attr())
            .results([cx.index_type()]);
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
