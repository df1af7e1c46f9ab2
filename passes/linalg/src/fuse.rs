//! Fusion of element-wise producers into their consumer.
//!
//! `consumer(a, producer(b))` becomes one `linalg.generic` on `a` and `b` that computes the producer's element where it is
//! needed. The producer runs over parallel loops only and writes its result by a permutation, so that its loops follow from
//! the consumer's; maps of its operands are composed accordingly.
//!
//! Source of the method: the linalg documentation, "Elementwise op fusion", and the behaviour of `mlir-opt`.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Pattern, Rewrite};
use dl_ir::{BlockId, Mapping, OpDefinition, OpId, OpRef, OpState, Rewriter, ValueId, clone_op};
use dl_linalg::{GenericOp, IndexOp, IteratorType, LinalgOp, YieldOp};

use super::generic::{Generic, covers_all_loops};

/// Says whether the producer of operand number `index` of an operation may be fused.
pub type ControlFusion = fn(OpRef<'_>, usize) -> bool;

/// Fuses the first operand that can be and that the control function allows.
pub(super) struct FuseElementwise(pub(super) ControlFusion);

impl Pattern for FuseElementwise {
    const NAME: &'static str = "linalg-fuse-elementwise";
    const ROOT: Option<&'static str> = Some(GenericOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let found = (0..view.num_operands()).find(|&i| is_fusable(view, i).is_some() && (self.0)(view, i));
        fuse_elementwise(rw, op, found.ok_or(NoMatch("no operand has a producer to fuse"))?)
    }
}

/// The producer of operand `index` of `consumer`, if both can be fused.
pub(super) fn is_fusable(consumer: OpRef<'_>, index: usize) -> Option<OpRef<'_>> {
    let (cx, affine) = (consumer.cx(), consumer.cx().affine());
    let operand = consumer.operand(index);
    let producer = operand.defining_op().filter(|op| op.is::<GenericOp<'_>>())?;
    let (nest, from) = (LinalgOp::of(consumer)?, LinalgOp::of(producer)?);
    let is_input = index < nest.inits().start();
    let parallel = from.iterator_types().iter().all(|&it| it == IteratorType::Parallel);
    if !has_pure_tensor_semantics(producer) || !operand.ty().is_ranked_tensor() || !is_input || !parallel {
        return None;
    }
    let (to_tensor, to_result) = (nest.indexing_maps()[index], result_map(from, operand.index())?);
    if affine.map(to_tensor).results.len() != from.num_loops() || !affine.is_permutation(to_result) {
        return None;
    }
    // In a reduction another operand must still say how far each loop runs.
    if nest.iterator_types().contains(&IteratorType::Reduction) {
        let others = consumer.operands().iter().zip(nest.indexing_maps()).filter(|(v, _)| *v != operand);
        let mut maps: Vec<AffineMap> = others.map(|(_, map)| map).collect();
        for map in from.indexing_maps().into_iter().take(from.inputs().len()) {
            maps.push(in_consumer_loops(cx, map, to_result, to_tensor)?);
        }
        let used = |loop_: u32| {
            maps.iter().any(|&map| affine.map(map).results.iter().any(|&e| affine.dim_position(e) == Some(loop_)))
        };
        if !(0..nest.num_loops() as u32).all(used) {
            return None;
        }
    }
    Some(producer)
}

/// The map of the init that result `index` is tied to.
fn result_map(nest: LinalgOp<'_>, index: usize) -> Option<AffineMap> {
    nest.indexing_maps().get(nest.inits().start() + index).copied()
}

/// The map of a producer's operand from the loops of the consumer: `map` after the inverse of `to_result` after `to_tensor`.
fn in_consumer_loops(
    cx: &dl_ir::Context,
    map: AffineMap,
    to_result: AffineMap,
    to_tensor: AffineMap,
) -> Option<AffineMap> {
    let affine = cx.affine();
    let from_result = affine.inverse_permutation(to_result)?;
    affine.compose(affine.compose(map, from_result)?, to_tensor)
}

/// Numbers of the producer's results that the fused operation must still give: those with other users, those whose init is
/// read, and those whose init alone says how far a loop runs.
fn kept_results(producer: LinalgOp<'_>, consumer: LinalgOp<'_>, operand: usize) -> Vec<usize> {
    let (first_init, op) = (producer.inits().start(), producer.op());
    let (of_producer, of_consumer) = (producer.indexing_maps(), consumer.indexing_maps());
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for result in op.results().iter() {
        let init = first_init + result.index();
        dropped.push(init);
        let remaining = of_producer.iter().enumerate().filter(|(i, _)| !dropped.contains(i)).map(|(_, &map)| map);
        let consumer_maps = of_consumer.iter().enumerate().filter(|(i, _)| *i != operand).map(|(_, &map)| map);
        let maps: Vec<AffineMap> = remaining.chain(consumer_maps).collect();
        let droppable = if maps.is_empty() {
            producer.num_loops() == 0 && consumer.num_loops() == 0
        } else {
            covers_all_loops(op.cx(), &maps)
        };
        let elsewhere = result.uses().any(|(user, _)| user != consumer.op());
        if producer.reads_operand(init) || !droppable || elsewhere {
            dropped.pop();
            kept.push(result.index());
        }
    }
    kept
}

/// Fuses the producer of operand `index` into `consumer`, which is replaced. The producer stays where it has other users; its body must have
/// no effects then.
pub fn fuse_elementwise(rw: &mut Rewriter<'_>, consumer: OpId, index: usize) -> Rewrite {
    fuse_keeping(rw, consumer, index).map(|_| ())
}

/// The same. Answers the new operation, and which results of the producer it gives, before its own.
pub(super) fn fuse_keeping(rw: &mut Rewriter<'_>, consumer: OpId, index: usize) -> Result<(OpId, Vec<usize>), NoMatch> {
    let cx = rw.cx();
    let view = rw.op(consumer);
    let producer = is_fusable(view, index).ok_or(NoMatch("producer and consumer cannot be fused"))?;
    let (Some(nest), Some(from)) = (LinalgOp::of(view), LinalgOp::of(producer)) else {
        return Err(NoMatch("not loop nests"));
    };
    let (Some(into), Some(source)) = (Generic::of(view), Generic::of(producer)) else {
        return Err(NoMatch("not generic"));
    };
    let (Some(to_block), Some(from_block)) = (nest.body(), from.body()) else { return Err(NoMatch("no body")) };
    let (to_block, from_block, producer) = (to_block.id(), from_block.id(), producer.id());
    let result = view.operand(index).index();
    let kept = kept_results(from, nest, index);
    let (to_tensor, to_result) = (into.maps[index], source.maps[source.inputs.len() + result]);
    let num_loops = nest.num_loops();
    let has_index = rw.ir().block_ops(from_block).any(|op| rw.op(op).is::<IndexOp<'_>>());

    let mut maps_of_producer = Vec::new();
    for &map in &source.maps {
        let map = in_consumer_loops(cx, map, to_result, to_tensor);
        maps_of_producer.push(map.ok_or(NoMatch("maps do not compose"))?);
    }
    let num_inputs = source.inputs.len();
    let kept_inits = || kept.iter().map(|&i| num_inputs + i);
    let mut fused = into.clone();
    fused.inputs.splice(index..=index, source.inputs.iter().copied());
    fused.maps = into.maps[..index]
        .iter()
        .chain(&maps_of_producer[..num_inputs])
        .chain(&into.maps[index + 1..into.inputs.len()])
        .copied()
        .chain(kept_inits().map(|i| maps_of_producer[i]))
        .chain(into.maps[into.inputs.len()..].iter().copied())
        .collect();
    fused.inits.splice(0..0, kept.iter().map(|&i| source.inits[i]));
    fused.results.splice(0..0, kept.iter().map(|&i| source.results[i]));
    if !covers_all_loops(cx, &fused.maps) {
        return Err(NoMatch("no operand would say how far a loop runs"));
    }

    rw.set_insertion_before(consumer);
    let (op, block) = fused.create(rw);
    let mut mapping = Mapping::new();
    if has_index {
        let to_producer = cx.affine().inverse_permutation(to_result).and_then(|m| cx.affine().compose(m, to_tensor));
        map_indices(rw, from_block, source.loc, num_loops, to_producer, &mut mapping);
    }
    // Arguments stand in the order of the operands.
    let (from_args, to_args) = (rw.ir().block_args(from_block).to_vec(), rw.ir().block_args(to_block).to_vec());
    let of_consumer = |range: std::ops::Range<usize>| to_args[range].iter().copied();
    let order = of_consumer(0..index)
        .chain(from_args[..num_inputs].iter().copied())
        .chain(of_consumer(index + 1..into.inputs.len()))
        .chain(kept_inits().map(|i| from_args[i]))
        .chain(of_consumer(into.inputs.len()..to_args.len()));
    for (old, new) in order.zip(rw.ir().block_args(block).to_vec()) {
        mapping.map(old, new);
    }
    let producer_yields = copy_body(rw, from_block, block, &mut mapping, true);
    mapping.map(to_args[index], producer_yields[result]);
    let consumer_yields = copy_body(rw, to_block, block, &mut mapping, false);
    let yields = kept.iter().map(|&i| producer_yields[i]).chain(consumer_yields);
    rw.set_insertion_to_end(block);
    rw.create(OpState::of::<YieldOp<'_>>(fused.loc).operands(yields));

    let results: Vec<ValueId> = rw.ir().results(op).collect();
    rw.replace(consumer, &results[kept.len()..]);
    // What it did is done by the new operation, so that it must not stay even where its body has effects.
    if !rw.op(producer).has_used_results() {
        rw.erase(producer);
    }
    Ok((op, kept))
}

/// Maps the indices of the producer to affine functions of the loops of the fused operation.
fn map_indices(
    rw: &mut Rewriter<'_>,
    block: BlockId,
    loc: dl_ir::Loc,
    num_loops: usize,
    to_producer: Option<AffineMap>,
    mapping: &mut Mapping,
) {
    let cx = rw.cx();
    let Some(to_producer) = to_producer else { return };
    let loops: Vec<ValueId> = (0..num_loops as i64).map(|i| index(rw, loc, i)).collect();
    let indices: Vec<OpId> = rw.ir().block_ops(block).filter(|&op| rw.op(op).is::<IndexOp<'_>>()).collect();
    for op in indices {
        let view = rw.op(op);
        let dim = view.attr("dim").and_then(|dim| dim.as_int()).and_then(|dim| u32::try_from(dim).ok());
        let result = view.result(0).id();
        let Some(map) = dim.and_then(|dim| cx.affine().sub_map(to_producer, &[dim])) else { continue };
        let state = OpState::of::<dl_affine::AffineApplyOp<'_>>(loc)
            .attr(cx, "map", cx.affine_map_attr(map))
            .operands(loops.iter().copied())
            .results([cx.index_type()]);
        let new = rw.create_value(state);
        mapping.map(result, new);
    }
}

/// `linalg.index` of a loop.
fn index(rw: &mut Rewriter<'_>, loc: dl_ir::Loc, dim: i64) -> ValueId {
    let cx = rw.cx();
    let state = OpState::of::<IndexOp<'_>>(loc).attr(cx, "dim", cx.i64_attr(dim)).results([cx.index_type()]);
    rw.create_value(state)
}

/// Copies a body without its terminator to the end of `to`; answers what it yields. With `skip_indices` the `linalg.index`
/// operations are left out: they are mapped already.
fn copy_body(
    rw: &mut Rewriter<'_>,
    from: BlockId,
    to: BlockId,
    mapping: &mut Mapping,
    skip_indices: bool,
) -> Vec<ValueId> {
    let mut ops: Vec<OpId> = rw.ir().block_ops(from).collect();
    let Some(last) = ops.pop() else { return Vec::new() };
    for op in ops {
        if !(skip_indices && rw.op(op).is::<IndexOp<'_>>()) {
            rw.set_insertion_to_end(to);
            clone_op(rw, op, mapping);
        }
    }
    rw.ir().operands(last).map(|value| mapping.value(value)).collect()
}
