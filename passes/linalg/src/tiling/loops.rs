//! An operation in loops over its tiles.

use dl_affine::AffineMinOp;
use dl_affine::compose::compose;
use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, LoopKind, Part, Tiling, inits};
use dl_ir::rewrite::NoMatch;
use dl_ir::{BlockId, Loc, OpId, OpRef, OpState, Rewriter, Type, ValueId};
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
}

/// Says whether `op` can be computed in tiles of `sizes`, one for each loop from the outermost on, 0 for loops that run whole.
///
/// # Errors
/// Why not.
fn legality(op: OpRef<'_>, tiling: &dyn Tiling, sizes: &[i64], kind: LoopType) -> Result<bool, NoMatch> {
    let loops = tiling.loops(op);
    let tiled: Vec<bool> = (0..loops.len()).map(|at| sizes.get(at).is_some_and(|&size| size > 0)).collect();
    if !tiled.contains(&true) || sizes.iter().any(|&size| size < 0) {
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
    if kind == LoopType::Forall && (!disjoint || op.num_results() == 0) {
        return Err(NoMatch("tiles that depend on one another, or on buffers"));
    }
    Ok(disjoint)
}

/// Replaces `op` by loops over its tiles. Several reductions are added up in another order where more than the outermost of them is tiled.
///
/// # Errors
/// Why `op` cannot be tiled so; nothing is changed then.
pub fn tile(rw: &mut Rewriter<'_>, op: OpId, sizes: &[i64], kind: LoopType) -> Result<Tiled, NoMatch> {
    let info = rw.cx().op_info(rw.op(op).name_id());
    let tiling = info.interface::<dyn Tiling>().ok_or(NoMatch("the operation knows no tiles"))?;
    let disjoint = legality(rw.op(op), tiling, sizes, kind)?;
    let loc = rw.op(op).loc();
    let outs: Vec<ValueId> = inits(rw.op(op)).map(|inits| inits.ids().to_vec()).unwrap_or_default();
    rw.set_insertion_before(op);
    let extents = tiling.extents(rw, op).ok_or(NoMatch("the extents are not known"))?;
    let over: Vec<Over> = extents
        .iter()
        .enumerate()
        .filter_map(|(at, &extent)| Some(Over { at, extent, size: *sizes.get(at).filter(|size| **size > 0)? }))
        .collect();
    let mut nest = match kind {
        LoopType::For => for_nest(rw, &over, &outs, loc),
        LoopType::Forall => forall(rw, &over, &outs, loc),
    };
    let mut parts: Vec<Part> = vec![None; extents.len()];
    for (each, &start) in over.iter().zip(&nest.variables) {
        let size = tile_size(rw, op, start, each, loc);
        parts[each.at] = Some((Index::Value(start), size));
    }
    let tile = tiling.tile(rw, op, &parts, &nest.inits).ok_or(NoMatch("constants overflow"))?;
    let results: Vec<ValueId> = rw.ir().results(tile).collect();
    let mut slices = Vec::with_capacity(results.len());
    for at in 0..results.len() {
        slices.push(tiling.result_slice(rw, op, at, &parts).ok_or(NoMatch("constants overflow"))?);
    }
    let results = nest.finish(rw, &results, &slices, loc);
    rw.replace(op, &results);
    Ok(Tiled { op: tile, loops: nest.loops, variables: nest.variables, results, disjoint })
}

/// A loop to be tiled.
struct Over {
    at: usize,
    extent: Index,
    size: i64,
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

fn index_value(rw: &mut Rewriter<'_>, index: Index, loc: Loc) -> ValueId {
    match index {
        Index::Static(constant) => dl_arith::constant_index(rw, constant, loc),
        Index::Value(value) => value,
    }
}

fn for_nest(rw: &mut Rewriter<'_>, over: &[Over], outs: &[ValueId], loc: Loc) -> Nest {
    let (mut values, types) = carried(rw, outs);
    let index = rw.cx().index_type();
    let bounds: Vec<[ValueId; 3]> = over
        .iter()
        .map(|each| [Index::Static(0), each.extent, Index::Static(each.size)].map(|bound| index_value(rw, bound, loc)))
        .collect();
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

fn forall(rw: &mut Rewriter<'_>, over: &[Over], outs: &[ValueId], loc: Loc) -> Nest {
    let cx = rw.cx();
    let (values, types) = carried(rw, outs);
    let upper: Vec<Index> = over.iter().map(|each| each.extent).collect();
    let (upper, dynamic) = split(&upper);
    let steps: Vec<i64> = over.iter().map(|each| each.size).collect();
    let region = rw.new_region();
    let state = OpState::of::<ForallOp<'_>>(loc)
        .operands(dynamic.iter().copied())
        .operands(values.iter().copied())
        .operand_segments(cx, &[0, dynamic.len(), 0, values.len()])
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
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    if let Index::Static(extent) = over.extent {
        if extent % over.size == 0 {
            return Index::Static(over.size);
        }
        if extent < over.size {
            return Index::Static(extent);
        }
    }
    let (end, operands) = match over.extent {
        Index::Static(extent) => (affine.constant(extent), vec![start]),
        Index::Value(extent) => (affine.dim(1), vec![start, extent]),
    };
    let rest = affine.sub(end, affine.dim(0));
    let map = affine.intern_map(operands.len() as u32, 0, [affine.constant(over.size), rest]);
    let (map, operands) = compose(rw.op(op), map, operands.iter().map(|&value| rw.value(value)));
    let operands: Vec<ValueId> = operands.into_iter().map(|value| value.id()).collect();
    let state = OpState::of::<AffineMinOp<'_>>(loc).operands(operands).attr(cx, "map", cx.affine_map_attr(map));
    Index::Value(rw.create_value(state.results([cx.index_type()])))
}
