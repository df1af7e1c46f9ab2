//! An operation in loops over its tiles.

use dl_affine::apply::{folded_apply, folded_apply_of_symbols};
use dl_affine::compose::{canonical, compose};
use dl_affine::{AffineMaxOp, AffineMinOp};
use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, LoopKind, Part, Tiling, inits};
use dl_ir::rewrite::NoMatch;
use dl_ir::{Attr, BlockId, Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId};
use dl_scf::{ForOp, ForallOp, InParallelOp, YieldOp};
use dl_tensor::build::{insert_slice_state, parallel_insert_slice_state};

/// Which loops run over the tiles.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LoopType {
    /// A nest of `scf.for`.
    #[default]
    For,
    /// One `scf.forall`: tiles are computed in any order, or at once.
    Forall,
}

/// An operation that has been tiled.
#[derive(Clone, Debug)]
pub struct Tiled {
    /// The operation that computes a tile.
    pub op: OpId,
    /// The loops, outermost first.
    pub loops: Vec<OpId>,
    /// The first iteration of the tile along each loop that is tiled.
    pub variables: Vec<ValueId>,
    /// What stands for the results of the operation as it was.
    pub results: Vec<ValueId>,
    /// Whether each element of the results is in exactly one tile: all tiled loops are parallel, and dimensions of every result.
    pub disjoint: bool,
    /// Whether all operands of tiles are sliced, those too that tiles take as a whole.
    pub slice_all: bool,
}

/// How to tile an operation.
#[derive(Clone, Default, Debug)]
pub struct Tiles {
    /// Extents of a tile along each loop from the outermost on; 0, as for those that are left out, for loops that run whole.
    pub sizes: Vec<Index>,
    /// The loops of the operation in the order of those that run over tiles, outermost first, where that is another one.
    pub order: Option<Vec<usize>>,
    /// The loops that run over the tiles.
    pub kind: LoopType,
    /// Whether `sizes` are how many tiles there are along each loop instead.
    pub counted: bool,
    /// Whether loops count tiles, from 0 by 1, though `sizes` are extents.
    pub normalized: bool,
    /// What the loops of `scf.forall` are mapped to.
    pub mapping: Option<Attr>,
    /// Whether tiles of buffers too may be computed in any order where their loops are parallel: the caller knows that buffers are not the same.
    pub unordered: bool,
    /// Whether the loops that run whole are parts too, of their extent: all operands are sliced then.
    pub slice_all: bool,
}

/// Says whether `op` can be computed in such tiles.
///
/// # Errors
/// Why not.
fn legality(op: OpRef<'_>, tiling: &dyn Tiling, tiles: &Tiles) -> Result<bool, NoMatch> {
    let (loops, sizes, kind) = (tiling.loops(op), &tiles.sizes, tiles.kind);
    let tiled: Vec<bool> =
        (0..loops.len()).map(|at| sizes.get(at).is_some_and(|&size| size != Index::Static(0))).collect();
    if !tiled.contains(&true) || sizes.iter().any(|size| size.as_static().is_some_and(|size| size < 0)) {
        return Err(NoMatch("no loop is to be tiled"));
    }
    if !tiling.can_tile(op, &tiled) {
        return Err(NoMatch("the operation has no such tiles"));
    }
    let mixed = op.operands().iter().any(|v| v.ty().is_memref()) && op.num_results() > 0;
    if mixed || inits(op).is_none_or(|inits| inits.iter().any(|init| !init.ty().is_shaped())) {
        return Err(NoMatch("on tensors and buffers, or without inits"));
    }
    // Each dimension of a result tells by itself which loop it is.
    let marks: Vec<Part> = vec![Some((Index::Static(0), Index::Static(1))); loops.len().max(64)];
    let of_result = |result: usize, at: usize| {
        let rank = op.result(result).ty().rank().unwrap_or(0);
        tiling
            .parts_for_result(op, result, &marks[..rank.min(marks.len())])
            .is_some_and(|parts| parts.get(at).is_some_and(Option::is_some))
    };
    let disjoint = (0..loops.len())
        .filter(|&at| tiled[at])
        .all(|at| loops[at] == LoopKind::Parallel && (0..op.num_results()).all(|result| of_result(result, at)));
    if kind == LoopType::Forall && (!disjoint || op.num_results() == 0 && !tiles.unordered) {
        return Err(NoMatch("tiles that depend on one another, or on buffers"));
    }
    Ok(disjoint)
}

/// Replaces `op` by loops over its tiles. Several reductions are added up in another order where more than the outermost of them is tiled.
///
/// # Errors
/// Why `op` cannot be tiled so; nothing is changed then.
pub fn tile(rw: &mut Rewriter<'_>, op: OpId, sizes: &[i64], kind: LoopType) -> Result<Tiled, NoMatch> {
    let sizes = sizes.iter().copied().map(Index::Static).collect();
    tile_by(rw, op, &Tiles { sizes, kind, ..Tiles::default() })
}

/// The same, with sizes that need not be known, and the loops in any order.
///
/// # Errors
/// As for [`tile`].
pub fn tile_by(rw: &mut Rewriter<'_>, op: OpId, tiles: &Tiles) -> Result<Tiled, NoMatch> {
    let info = rw.cx().op_info(rw.op(op).name_id());
    let tiling = info.interface::<dyn Tiling>().ok_or(NoMatch("the operation knows no tiles"))?;
    let disjoint = legality(rw.op(op), tiling, tiles)?;
    let loc = rw.op(op).loc();
    let outs: Vec<ValueId> = inits(rw.op(op)).map(|inits| inits.ids().to_vec()).unwrap_or_default();
    rw.set_insertion_before(op);
    let extents = tiling.extents(rw, op).ok_or(NoMatch("the extents are not known"))?;
    let order = tiles.order.clone().unwrap_or_else(|| (0..extents.len()).collect());
    let mut over = Vec::new();
    for at in order {
        let Some(&size) = tiles.sizes.get(at).filter(|size| **size != Index::Static(0)) else { continue };
        let extent = *extents.get(at).ok_or(NoMatch("an order of other loops"))?;
        over.push(Over::new(rw, op, at, extent, size, tiles).ok_or(NoMatch("constants overflow"))?);
    }
    let mut nest = match tiles.kind {
        LoopType::For => for_nest(rw, &over, &outs, loc),
        LoopType::Forall => forall(rw, &over, &outs, tiles.mapping, loc),
    };
    let whole = |&extent: &Index| tiles.slice_all.then_some((Index::Static(0), extent));
    let mut parts: Vec<Part> = extents.iter().map(whole).collect();
    for (each, variable) in over.iter().zip(&mut nest.variables) {
        let (start, size) = each.part(rw, op, *variable).ok_or(NoMatch("constants overflow"))?;
        if let Index::Value(start) = start {
            *variable = start;
        }
        parts[each.at] = Some((start, size));
    }
    let tile = tiling.tile(rw, op, &parts, &nest.inits).ok_or(NoMatch("constants overflow"))?;
    let results: Vec<ValueId> = rw.ir().results(tile).collect();
    let mut slices = Vec::with_capacity(results.len());
    for at in 0..results.len() {
        slices.push(tiling.result_slice(rw, op, at, &parts).ok_or(NoMatch("constants overflow"))?);
    }
    let results = nest.finish(rw, &results, &slices, loc);
    rw.replace(op, &results);
    Ok(Tiled { op: tile, loops: nest.loops, variables: nest.variables, results, disjoint, slice_all: tiles.slice_all })
}

/// A loop to be tiled.
struct Over {
    at: usize,
    extent: Index,
    size: Index,
    /// How many tiles there are, where the loop counts them.
    count: Option<Index>,
    /// Whether that follows from their size.
    normalized: bool,
}

impl Over {
    /// Loop `at` of `op`, in tiles of `size`, or in so many.
    fn new(rw: &mut Rewriter<'_>, op: OpId, at: usize, extent: Index, size: Index, tiles: &Tiles) -> Option<Self> {
        let normalized = tiles.normalized && !tiles.counted;
        if !tiles.counted && !normalized {
            return Some(Self { at, extent, size, count: None, normalized });
        }
        let (affine, loc) = (rw.cx().affine(), rw.op(op).loc());
        // Of as many tiles as there are, or of tiles of this size, the other.
        let other = match size {
            Index::Static(count) => {
                folded_apply(rw, op, affine.ceildiv(affine.dim(0), affine.constant(count)), &[extent], loc)?
            }
            count @ Index::Value(_) => {
                folded_apply(rw, op, affine.ceildiv(affine.dim(0), affine.dim(1)), &[extent, count], loc)?
            }
        };
        let (size, count) = if normalized { (size, other) } else { (other, size) };
        Some(Self { at, extent, size, count: Some(count), normalized })
    }

    /// Lower bound, upper bound and step.
    fn bounds(&self) -> [Index; 3] {
        match self.count {
            Some(count) => [Index::Static(0), count, Index::Static(1)],
            None => [Index::Static(0), self.extent, self.size],
        }
    }

    /// Where the tile begins that `variable` stands for, and how many iterations it takes.
    fn part(&self, rw: &mut Rewriter<'_>, op: OpId, variable: ValueId) -> Option<(Index, Index)> {
        let (affine, loc) = (rw.cx().affine(), rw.op(op).loc());
        let Some(count) = self.count else {
            return Some((Index::Value(variable), tile_size(rw, op, variable, self, loc)));
        };
        let known = self.extent.as_static().zip(self.size.as_static()).zip(count.as_static());
        let start = match self.size {
            Index::Static(size) => {
                let start = affine.mul_constant(affine.dim(0), size);
                folded_apply(rw, op, start, &[Index::Value(variable)], loc)?
            }
            size @ Index::Value(_) => {
                let start = affine.mul(affine.dim(0), affine.dim(1));
                folded_apply_of_symbols(rw, op, start, &[Index::Value(variable), size], loc)?
            }
        };
        if known.is_some_and(|((extent, size), count)| size.checked_mul(count) == Some(extent)) {
            return Some((start, self.size));
        }
        let first = dl_arith::index_value(rw, start, loc);
        let size = tile_size(rw, op, first, self, loc);
        // The last tile begins in the loop: none is empty.
        let none_empty =
            known.is_some_and(|((extent, size), count)| size.checked_mul(count - 1).is_some_and(|last| last < extent));
        if none_empty || self.normalized {
            return Some((start, size));
        }
        Some((start, extremum::<AffineMaxOp<'_>>(rw, op, &[Index::Static(0), size], loc)))
    }
}

/// The least or greatest of several, as `T` says.
fn extremum<T: OpDefinition>(rw: &mut Rewriter<'_>, op: OpId, of: &[Index], loc: Loc) -> Index {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let values: Vec<ValueId> =
        of.iter().filter_map(|index| if let Index::Value(value) = index { Some(*value) } else { None }).collect();
    let mut dims = 0;
    let exprs: Vec<_> = of
        .iter()
        .map(|index| match index {
            Index::Static(constant) => affine.constant(*constant),
            Index::Value(_) => {
                dims += 1;
                affine.dim(dims - 1)
            }
        })
        .collect();
    let map = affine.intern_map(dims, 0, exprs);
    let (map, operands) = compose(rw.op(op), map, values.iter().map(|&value| rw.value(value)));
    let operands: Vec<ValueId> = operands.into_iter().map(|value| value.id()).collect();
    let state = OpState::of::<T>(loc).operands(operands).attr(cx, "map", cx.affine_map_attr(map));
    Index::Value(rw.create_value(state.results([cx.index_type()])))
}

/// Loops without their ends.
struct Nest {
    kind: LoopType,
    loops: Vec<OpId>,
    blocks: Vec<BlockId>,
    variables: Vec<ValueId>,
    /// What stands for the inits in the innermost loop.
    inits: Vec<ValueId>,
}

impl Nest {
    /// Ends the loops: each hands its outputs over, with the tiles `values` at `slices`. Answers the outputs of the outermost.
    fn finish(&mut self, rw: &mut Rewriter<'_>, values: &[ValueId], slices: &[Slice], loc: Loc) -> Vec<ValueId> {
        if self.kind == LoopType::Forall {
            let region = rw.new_region();
            rw.create(OpState::of::<InParallelOp<'_>>(loc).region(region));
            let block = rw.append_block(region, &[]);
            rw.set_insertion_to_end(block);
            for ((&value, slice), &dest) in values.iter().zip(slices).zip(&self.inits) {
                let state = parallel_insert_slice_state(rw, value, dest, slice, loc);
                rw.create(state);
            }
            return rw.ir().results(self.loops[0]).collect();
        }
        let mut outputs = Vec::with_capacity(values.len());
        for ((&value, slice), &dest) in values.iter().zip(slices).zip(&self.inits) {
            let state = insert_slice_state(rw, value, dest, slice, loc);
            outputs.push(rw.create_value(state));
        }
        for (&each, &block) in self.loops.iter().zip(&self.blocks).rev() {
            rw.set_insertion_to_end(block);
            rw.create(OpState::of::<YieldOp<'_>>(loc).operands(outputs.iter().copied()));
            outputs = rw.ir().results(each).collect();
        }
        outputs
    }
}

/// The inits that are tensors, which loops carry, and their types.
fn carried(rw: &Rewriter<'_>, outs: &[ValueId]) -> (Vec<ValueId>, Vec<Type>) {
    outs.iter().filter(|&&out| rw.value_type(out).is_tensor()).map(|&out| (out, rw.value_type(out).id())).unzip()
}

/// `outs` with the tensors among them replaced.
fn with_carried(rw: &Rewriter<'_>, outs: &[ValueId], values: &[ValueId]) -> Vec<ValueId> {
    let mut values = values.iter().copied();
    let replaced = |&out: &ValueId| if rw.value_type(out).is_tensor() { values.next().unwrap_or(out) } else { out };
    outs.iter().map(replaced).collect()
}

fn for_nest(rw: &mut Rewriter<'_>, over: &[Over], outs: &[ValueId], loc: Loc) -> Nest {
    let (mut values, types) = carried(rw, outs);
    let index = rw.cx().index_type();
    let bounds: Vec<[ValueId; 3]> =
        over.iter().map(|each| each.bounds().map(|bound| dl_arith::index_value(rw, bound, loc))).collect();
    let mut nest =
        Nest { kind: LoopType::For, loops: Vec::new(), blocks: Vec::new(), variables: Vec::new(), inits: Vec::new() };
    for bounds in bounds {
        let region = rw.new_region();
        let state = OpState::of::<ForOp<'_>>(loc).operands(bounds).operands(values).results(types.iter().copied());
        nest.loops.push(rw.create(state.region(region)));
        let args: Vec<Type> = std::iter::once(index).chain(types.iter().copied()).collect();
        let block = rw.append_block(region, &args);
        rw.set_insertion_to_end(block);
        nest.blocks.push(block);
        nest.variables.push(rw.ir().block_args(block)[0]);
        values = rw.ir().block_args(block)[1..].to_vec();
    }
    nest.inits = with_carried(rw, outs, &values);
    nest
}

fn forall(rw: &mut Rewriter<'_>, over: &[Over], outs: &[ValueId], mapping: Option<Attr>, loc: Loc) -> Nest {
    let cx = rw.cx();
    let (values, types) = carried(rw, outs);
    let bounds = |at: usize| over.iter().map(|each| each.bounds()[at]).collect::<Vec<Index>>();
    let ((upper, dynamic), (steps, dynamic_steps)) = (split(&bounds(1)), split(&bounds(2)));
    let region = rw.new_region();
    let state = OpState::of::<ForallOp<'_>>(loc)
        .operands(dynamic.iter().chain(&dynamic_steps).copied())
        .operands(values.iter().copied())
        .operand_segments(cx, &[0, dynamic.len(), dynamic_steps.len(), values.len()])
        .maybe_attr(cx, "mapping", mapping)
        .attr(cx, "staticLowerBound", cx.dense_i64_array(&vec![0; over.len()]))
        .attr(cx, "staticUpperBound", cx.dense_i64_array(&upper))
        .attr(cx, "staticStep", cx.dense_i64_array(&steps))
        .results(types.iter().copied())
        .region(region);
    let op = rw.create(state);
    let args: Vec<Type> = std::iter::repeat_n(cx.index_type(), over.len()).chain(types).collect();
    let block = rw.append_block(region, &args);
    rw.set_insertion_to_end(block);
    let args = rw.ir().block_args(block).to_vec();
    let (variables, shared) = args.split_at(over.len());
    let inits = with_carried(rw, outs, shared);
    Nest { kind: LoopType::Forall, loops: vec![op], blocks: vec![block], variables: variables.to_vec(), inits }
}

/// How many iterations the tile from `start` on takes: fewer at the end, where tiles do not divide the loop.
fn tile_size(rw: &mut Rewriter<'_>, op: OpId, start: ValueId, over: &Over, loc: Loc) -> Index {
    if over.size == Index::Static(1) {
        return over.size;
    }
    if let (Index::Static(extent), Index::Static(size), None) = (over.extent, over.size, over.count) {
        if extent % size == 0 {
            return over.size;
        }
        if extent < size {
            return over.extent;
        }
    }
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let mut operands = vec![start];
    let mut expr = |index| match index {
        Index::Static(constant) => affine.constant(constant),
        Index::Value(value) => {
            operands.push(value);
            affine.dim(operands.len() as u32 - 1)
        }
    };
    let (end, size) = (expr(over.extent), expr(over.size));
    let rest = affine.sub(end, affine.dim(0));
    let mut map = affine.intern_map(operands.len() as u32, 0, [rest, size]);
    if over.normalized {
        let values = operands.iter().map(|&value| rw.value(value));
        let (canonical, of) = canonical(rw.op(op), map, values);
        (map, operands) = (canonical, of.into_iter().map(|value| value.id()).collect());
    } else {
        let (composed, of) = compose(rw.op(op), map, operands.iter().map(|&value| rw.value(value)));
        (map, operands) = (composed, of.into_iter().map(|value| value.id()).collect());
    }
    let state = OpState::of::<AffineMinOp<'_>>(loc).operands(operands).attr(cx, "map", cx.affine_map_attr(map));
    Index::Value(rw.create_value(state.results([cx.index_type()])))
}
