//! Tiles of loop nests: the same operation on slices of its operands.

use dl_affine::apply::folded_apply;
use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, LoopKind, Part, Tiling};
use dl_ir::{Loc, Mapping, OpId, OpRef, Rewriter, ValueId, clone_op};
use dl_memref::layout::sliced;

use crate::extents::extent;
use crate::structured::LinalgOp;
use crate::{GenericOp, IndexOp, IteratorType};

/// Any loop nest of the dialect whose maps are sums of loops times factors that are not negative.
pub(crate) struct NestTiling;

impl Tiling for NestTiling {
    fn loops(&self, op: OpRef<'_>) -> Vec<LoopKind> {
        let kind = |iterator| match iterator {
            IteratorType::Parallel => LoopKind::Parallel,
            IteratorType::Reduction => LoopKind::Reduction,
        };
        LinalgOp::of(op).map(LinalgOp::iterator_types).unwrap_or_default().into_iter().map(kind).collect()
    }

    fn can_tile(&self, op: OpRef<'_>, tiled: &[bool]) -> bool {
        let Some(nest) = LinalgOp::of(op) else { return false };
        let (affine, maps) = (op.cx().affine(), nest.indexing_maps());
        let first_init = nest.inits().start();
        let loops = nest.num_loops();
        let operand = |(i, (operand, &map)): (usize, (dl_ir::ValueRef<'_>, &AffineMap))| {
            let exprs = &affine.map(map).results;
            let touched =
                |expr: &AffineExpr| (0..loops).any(|l| tiled[l] && affine.is_function_of_dim(*expr, l as u32));
            if !exprs.iter().any(touched) {
                return true;
            }
            let ty = operand.ty();
            let sliceable = if ty.is_ranked_memref() {
                ty.strided_layout().is_some()
            } else {
                ty.is_ranked_tensor() && ty.encoding().is_none()
            };
            let growing = |&expr: &AffineExpr| {
                affine
                    .linear_form(expr, loops as u32, 0)
                    .is_some_and(|form| form.constant >= 0 && form.dims.iter().all(|&n| n >= 0))
            };
            sliceable && exprs.iter().all(growing) && (i < first_init || affine.is_projected_permutation(map, false))
        };
        // The pretty form of a named operation does not show that its body counts from elsewhere.
        let counts = nest.body().is_some_and(|body| body.ops().any(|op| op.is::<IndexOp<'_>>()));
        tiled.len() == loops
            && nest.body().is_some()
            && (!counts || op.is::<GenericOp<'_>>())
            && nest.loops_to_dims().iter().all(Option::is_some)
            && op.operands().iter().zip(&maps).enumerate().all(operand)
    }

    fn extents(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Indices> {
        let nest = LinalgOp::of(rw.op(op))?;
        // What asks for extents stands in the order of operands.
        let mut order: Vec<usize> = (0..nest.num_loops()).collect();
        order.sort_by_key(|&at| nest.loops_to_dims().get(at).copied().flatten());
        let mut extents = Indices::from_elem(Index::Static(0), order.len());
        for at in order {
            extents[at] = loop_extent(rw, op, at)?;
        }
        Some(extents)
    }

    fn tile(&self, rw: &mut Rewriter<'_>, op: OpId, parts: &[Part], inits: &[ValueId]) -> Option<OpId> {
        let view = rw.op(op);
        let nest = LinalgOp::of(view)?;
        let (maps, loc) = (nest.indexing_maps(), view.loc());
        let mut operands: Vec<ValueId> = nest.inputs().map(|input| input.id()).collect();
        operands.extend_from_slice(inits);
        for (operand, &map) in operands.iter_mut().zip(&maps) {
            if let Some(slice) = slice_of(rw, op, *operand, map, parts, loc)? {
                *operand = part_of(rw, *operand, &slice, loc);
            }
        }
        let first_init = operands.len() - inits.len();
        let tiled = clone_op(rw, op, &mut Mapping::new());
        rw.set_operands(tiled, &operands);
        let results: Vec<ValueId> = rw.ir().results(tiled).collect();
        let tensors = operands[first_init..].iter().map(|&init| rw.value_type(init)).filter(|ty| ty.is_tensor());
        let types: Vec<_> = tensors.map(|ty| ty.id()).collect();
        for (result, ty) in results.into_iter().zip(types) {
            rw.set_value_type(result, ty);
        }
        shift_indices(rw, tiled, parts)?;
        rw.set_insertion_after(tiled);
        Some(tiled)
    }

    fn result_slice(&self, rw: &mut Rewriter<'_>, op: OpId, result: usize, parts: &[Part]) -> Option<Slice> {
        let view = rw.op(op);
        let nest = LinalgOp::of(view)?;
        let at = dl_ir::interfaces::tied_operand(view, result)?;
        let (map, init, loc) = (*nest.indexing_maps().get(at)?, view.operand(at).id(), view.loc());
        if let Some(slice) = slice_of(rw, op, init, map, parts, loc)? {
            return Some(slice);
        }
        let sizes: Indices = (0..rw.value_type(init).rank()?).map(|dim| extent_before(rw, init, dim, loc)).collect();
        let same = |value| sizes.iter().map(|_| Index::Static(value)).collect();
        Some(Slice { offsets: same(0), strides: same(1), sizes })
    }

    fn parts_for_result(&self, op: OpRef<'_>, result: usize, dims: &[Part]) -> Option<Vec<Part>> {
        let nest = LinalgOp::of(op)?;
        let affine = op.cx().affine();
        let map = *nest.indexing_maps().get(dl_ir::interfaces::tied_operand(op, result)?)?;
        if !affine.is_projected_permutation(map, false) {
            return None;
        }
        let mut parts = vec![None; nest.num_loops()];
        for (position, &part) in affine.result_positions(map)?.into_iter().zip(dims) {
            *parts.get_mut(position as usize)? = part;
        }
        Some(parts)
    }
}

/// Dimension `dim` of a value. What an operation writes into has the extents of its result, and is there already where the operation comes to be
/// computed in tiles.
fn extent_before(rw: &mut Rewriter<'_>, value: ValueId, dim: usize, loc: Loc) -> Index {
    let mut value = rw.value(value);
    while let Some(op) = value.defining_op()
        && let Some(init) = dl_ir::interfaces::tied_operand(op, value.index())
    {
        value = op.operand(init);
    }
    let value = value.id();
    extent(rw, value, dim, loc)
}

/// How far loop `at` runs: the extent of the first dimension of an operand that is that loop.
fn loop_extent(rw: &mut Rewriter<'_>, op: OpId, at: usize) -> Option<Index> {
    let nest = LinalgOp::of(rw.op(op))?;
    let loc = nest.op().loc();
    // A dimension whose extent is known tells without being asked when running.
    if let Some(&known) = nest.static_loop_ranges().as_ref().and_then(|ranges| ranges.get(at)).filter(|&&n| n >= 0) {
        return Some(Index::Static(known));
    }
    let (operand, dim) = nest.loops_to_dims().get(at).copied().flatten()?;
    let value = nest.op().operand(operand).id();
    Some(extent_before(rw, value, dim, loc))
}

/// The part of an operand with this map that a tile touches; no slice where that is all of it.
#[expect(clippy::option_option, reason = "no answer, or that there is nothing to slice")]
fn slice_of(
    rw: &mut Rewriter<'_>,
    op: OpId,
    operand: ValueId,
    map: AffineMap,
    parts: &[Part],
    loc: Loc,
) -> Option<Option<Slice>> {
    let affine = rw.cx().affine();
    let exprs = affine.map(map).results.to_vec();
    let tiled = |expr| (0..parts.len()).any(|at| parts[at].is_some() && affine.is_function_of_dim(expr, at as u32));
    if !exprs.iter().any(|&expr| tiled(expr)) {
        return Some(None);
    }
    let (mut offsets, mut sizes) = (Indices::new(), Indices::new());
    for (dim, &expr) in exprs.iter().enumerate() {
        if !tiled(expr) {
            offsets.push(Index::Static(0));
            sizes.push(extent_before(rw, operand, dim, loc));
            continue;
        }
        let form = affine.linear_form(expr, parts.len() as u32, 0)?;
        let (mut inputs, mut offset, mut last) = (Vec::new(), affine.constant(0), affine.constant(form.constant));
        let (mut starts, mut counts) = (Vec::new(), Vec::new());
        for (at, &factor) in form.dims.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            let (start, count) = match parts[at] {
                Some(part) => part,
                None => (Index::Static(0), loop_extent(rw, op, at)?),
            };
            let input = affine.dim(inputs.len() as u32);
            inputs.push(at);
            offset = affine.add(offset, affine.mul_constant(input, factor));
            last = affine.add(last, affine.mul_constant(affine.add_constant(input, -1), factor));
            starts.push(start);
            counts.push(count);
        }
        offsets.push(folded_apply(rw, op, offset, &starts, loc)?);
        sizes.push(folded_apply(rw, op, affine.add_constant(last, 1), &counts, loc)?);
    }
    let strides = offsets.iter().map(|_| Index::Static(1)).collect();
    Some(Some(Slice { offsets, sizes, strides }))
}

/// A slice of a tensor or buffer.
fn part_of(rw: &mut Rewriter<'_>, value: ValueId, slice: &Slice, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let ty = rw.value_type(value);
    let shape: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let element = ty.element_or_self().id();
    if let Some(layout) = ty.strided_layout() {
        let space = ty.memory_space().map(|space| space.id());
        let part = cx.strided_memref_type(&shape, element, &sliced(&layout, slice), space);
        let state = dl_memref::subview_state(rw, value, slice, part, loc);
        return rw.create_value(state);
    }
    let state = dl_tensor::extract_slice_state(rw, value, slice, cx.tensor_type(&shape, element), loc);
    rw.create_value(state)
}

/// What the body of a tile takes for the index of a loop is that of the whole: it counts from the start of the part.
fn shift_indices(rw: &mut Rewriter<'_>, tiled: OpId, parts: &[Part]) -> Option<()> {
    let affine = rw.cx().affine();
    let sum = affine.add(affine.dim(0), affine.dim(1));
    let indices: Vec<OpId> =
        LinalgOp::of(rw.op(tiled))?.body()?.ops().filter(|op| op.is::<IndexOp<'_>>()).map(|op| op.id()).collect();
    for op in indices {
        let view = rw.op(op);
        let dim = view.attr("dim").and_then(|dim| dim.as_int()).and_then(|dim| usize::try_from(dim).ok())?;
        let Some((start, _)) = parts.get(dim).copied().flatten().filter(|(start, _)| *start != Index::Static(0)) else {
            continue;
        };
        let (result, loc) = (view.result(0).id(), view.loc());
        rw.set_insertion_after(op);
        let Index::Value(shifted) = folded_apply(rw, op, sum, &[Index::Value(result), start], loc)? else { continue };
        let made = rw.ir().defining_op(shifted);
        rw.replace_uses_if(result, shifted, |user, _| Some(user.id()) != made);
    }
    Some(())
}
