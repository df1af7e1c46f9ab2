//! `scf-parallel-loop-fusion`: neighbouring parallel loops over the same range as one loop.
//!
//! Legal where no iteration of one loop touches what another iteration of the other loop touches, unless both only read. That is decided
//! exactly for indices that are linear in the induction variables; for others the loops stay apart.

use dl_affine::AffineApplyOp;
use dl_affine::constraints::{ValueSystem, widened};
use dl_arith::{AddIOp, MulIOp, SubIOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::presburger::Linear;
use dl_ir::walk::{for_each_arena, ops_in_arena, ops_in_arena_post_order};
use dl_ir::{
    Arena, AttrRef, BlockId, BlockRef, InsertPoint, OpId, OpRef, OpState, OpView, Rewriter, ValueId, ValueRef,
};
use dl_memref::{LoadOp, StoreOp};
use dl_passes_transforms::alias::{Alias, alias};
use dl_scf::{ParallelOp, ReduceOp};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bounds::add_range;

/// Fuses parallel loops that follow each other, with only pure operations between.
#[derive(Clone, Copy, Default)]
pub struct ParallelLoopFusion;

impl Pass for ParallelLoopFusion {
    const INFO: PassInfo =
        PassInfo::new("scf-parallel-loop-fusion", "Fuse adjacent parallel loops").title("SCFParallelLoopFusion");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            for op in ops_in_arena_post_order(ir, Arena::ROOT) {
                if !ir.is_live(op) {
                    continue;
                }
                let regions = ir.op_regions(op).to_vec();
                let blocks: Vec<BlockId> = regions.iter().flat_map(|&region| ir.region_blocks(region)).collect();
                blocks.into_iter().for_each(|block| fuse_in_block(&mut Rewriter::new(cx, ir), block));
            }
        });
        Ok(())
    }
}

/// Fuses each loop of the block with those before it, as far as that goes.
fn fuse_in_block(rw: &mut Rewriter<'_>, block: BlockId) {
    for chain in chains(rw.block(block)) {
        let mut chain = chain.into_iter();
        let Some(mut last) = chain.next() else { continue };
        for next in chain {
            last = if may_fuse(rw.op(last), rw.op(next)) { fuse(rw, last, next) } else { next };
        }
    }
}

/// The loops of the block, those together that only pure operations stand between.
fn chains(block: BlockRef<'_>) -> Vec<Vec<OpId>> {
    let mut chains = vec![Vec::new()];
    let mut interrupted = false;
    for op in block.ops() {
        if op.is::<ParallelOp<'_>>() {
            if interrupted {
                chains.push(Vec::new());
            }
            interrupted = false;
            chains.last_mut().expect("there is one").push(op.id());
        } else {
            interrupted |= op.num_regions() > 0 || !dl_ir::effects::is_memory_effect_free(op);
        }
    }
    chains
}

/// Whether the iterations of both may be executed pair by pair, where the second loop stands.
fn may_fuse(first: OpRef<'_>, second: OpRef<'_>) -> bool {
    let (a, b) = (ParallelOp::wrap(first), ParallelOp::wrap(second));
    let same_range = a.lower_bound().ids() == b.lower_bound().ids()
        && a.upper_bound().ids() == b.upper_bound().ids()
        && a.step().ids() == b.step().ids();
    same_range && is_used_after_only(first, second) && are_independent(a, b)
}

/// Whether the results of `first` are used neither in nor before `second`.
fn is_used_after_only(first: OpRef<'_>, second: OpRef<'_>) -> bool {
    let (ir, block) = (first.arena(), first.block());
    let in_block = |user: OpRef<'_>| ir.ancestor_in_block(user.id(), block?.id());
    first
        .results()
        .iter()
        .flat_map(ValueRef::uses)
        .all(|(user, _)| in_block(user).is_none_or(|at| at != second.id() && !ir.is_before_in_block(at, second.id())))
}

/// An access to memory in the body of a loop.
struct Access<'a> {
    memref: ValueRef<'a>,
    indices: Vec<ValueRef<'a>>,
    is_write: bool,
}

/// All accesses in the loop. `None` where something else has an effect, and where a buffer is made in the loop.
fn accesses(of: ParallelOp<'_>) -> Option<Vec<Access<'_>>> {
    let mut accesses = Vec::new();
    for id in ops_in_arena(of.0.arena(), of.0.id()).into_iter().skip(1) {
        let op = OpRef::new(of.0.cx(), of.0.arena(), id);
        let access = if let Some(load) = op.cast::<LoadOp<'_>>() {
            Some((load.memref(), load.indices(), false))
        } else {
            op.cast::<StoreOp<'_>>().map(|store| (store.memref(), store.indices(), true))
        };
        if let Some((memref, indices, is_write)) = access {
            if memref.is_defined_in(of.0) {
                return None;
            }
            accesses.push(Access { memref, indices: indices.iter().collect(), is_write });
        } else if op.is::<ParallelOp<'_>>() || op.num_regions() == 0 && !dl_ir::effects::is_memory_effect_free(op) {
            return None;
        }
    }
    Some(accesses)
}

/// Whether no two different iterations, one of each loop, touch the same element where one of them writes it.
fn are_independent(first: ParallelOp<'_>, second: ParallelOp<'_>) -> bool {
    let (Some(before), Some(after)) = (accesses(first), accesses(second)) else { return false };
    before.iter().all(|a| {
        after.iter().all(|b| {
            (!a.is_write && !b.is_write)
                || match alias(a.memref, b.memref) {
                    Alias::No => true,
                    Alias::May => false,
                    Alias::Must => meet_in_one_iteration_only((first, a), (second, b)),
                }
        })
    })
}

/// Whether two iterations that touch the same element have the same induction variables.
fn meet_in_one_iteration_only(a: (ParallelOp<'_>, &Access<'_>), b: (ParallelOp<'_>, &Access<'_>)) -> bool {
    let mut known = ValueSystem::new();
    let mut equal = Vec::new();
    let Some((left, right)) = instance(&mut known, a).zip(instance(&mut known, b)) else { return false };
    for (x, y) in left.indices.iter().zip(&right.indices) {
        equal.push((x.clone(), y.clone()));
    }
    for (x, y) in equal {
        let count = known.system().unknowns();
        let row = widened(&x, count).combined(&1.into(), &widened(&y, count), &(-1).into());
        known.system_mut().add_equality(row);
    }
    let count = known.system().unknowns();
    left.variables.iter().zip(&right.variables).all(|(&x, &y)| {
        let row = Linear::unknown(count, x).combined(&1.into(), &Linear::unknown(count, y), &(-1).into());
        known.system().implies_equality(&row) == Some(true)
    })
}

/// One iteration: its induction variables as unknowns, and what it touches.
struct Instance {
    variables: Vec<usize>,
    indices: Vec<Linear>,
}

/// An iteration of the loop, any; `None` where an index is not linear in what is the same in all iterations and the induction variables.
fn instance(known: &mut ValueSystem, (of, access): (ParallelOp<'_>, &Access<'_>)) -> Option<Instance> {
    let dims = of.0.interface::<dyn dl_ir::interfaces::LoopLike>()?.dims(of.0)?;
    for &dim in &dims {
        // A step that is not known leaves any number possible.
        let _ = add_range(known, dim);
    }
    let variables: Vec<usize> = dims.iter().map(|dim| known.unknown(dim.variable)).collect();
    let linear = access.indices.iter().map(|&index| linear(known, of.0, index)).collect::<Option<Vec<_>>>()?;
    Some(Instance { variables, indices: linear })
}

/// The value of an index in one iteration of `around`. Each value inside is looked at once.
fn linear(known: &mut ValueSystem, around: OpRef<'_>, index: ValueRef<'_>) -> Option<Linear> {
    let mut found: FxHashMap<ValueId, Linear> = FxHashMap::default();
    let mut pending = vec![index];
    while let Some(&value) = pending.last() {
        if found.contains_key(&value.id()) {
            pending.pop();
            continue;
        }
        let op = value.defining_op().filter(|_| value.is_defined_in(around));
        let Some(op) = op.filter(|op| op.constant_value().is_none()) else {
            if op.is_none() && value.is_defined_in(around) && value.owner_block() != around.region(0).entry() {
                return None; // of a loop in the loop
            }
            let unknown = known.unknown(value);
            found.insert(value.id(), Linear::unknown(known.system().unknowns(), unknown));
            continue;
        };
        let missing: Vec<ValueRef<'_>> = op.operands().iter().filter(|v| !found.contains_key(&v.id())).collect();
        if !missing.is_empty() {
            pending.extend(missing);
            continue;
        }
        let row = combination(known, op, &found)?;
        found.insert(value.id(), row);
    }
    found.remove(&index.id())
}

/// The value of an operation whose operands are known.
fn combination(known: &mut ValueSystem, op: OpRef<'_>, found: &FxHashMap<ValueId, Linear>) -> Option<Linear> {
    let operand =
        |known: &ValueSystem, at: usize| Some(widened(found.get(&op.operand(at).id())?, known.system().unknowns()));
    if op.is::<AddIOp<'_>>() || op.is::<SubIOp<'_>>() {
        let sign = if op.is::<AddIOp<'_>>() { 1 } else { -1 };
        return Some(operand(known, 0)?.combined(&1.into(), &operand(known, 1)?, &sign.into()));
    }
    if op.is::<MulIOp<'_>>() {
        let factor = |at: usize| op.operand(at).constant().and_then(AttrRef::as_int);
        let (at, factor) = factor(1).map(|factor| (0, factor)).or_else(|| factor(0).map(|factor| (1, factor)))?;
        let row = operand(known, at)?;
        return Some(row.combined(&factor.into(), &row, &0.into()));
    }
    let apply = op.cast::<AffineApplyOp<'_>>()?;
    let affine = op.cx().affine();
    let map = affine.map(apply.map().as_affine_map()?);
    // Each operand becomes an unknown of its own, equal to what it is known to be.
    let inputs: Vec<usize> = (0..op.num_operands())
        .map(|at| {
            let unknown = known.system_mut().add_unknown();
            let count = known.system().unknowns();
            let row = operand(known, at)?.combined(&1.into(), &Linear::unknown(count, unknown), &(-1).into());
            known.system_mut().add_equality(row);
            Some(unknown)
        })
        .collect::<Option<_>>()?;
    let (dims, symbols) = inputs.split_at((map.num_dims as usize).min(inputs.len()));
    known.system_mut().flatten(affine, *map.results.first()?, dims, symbols)
}

/// Makes one loop of both, in place of the second; answers it.
fn fuse(rw: &mut Rewriter<'_>, first: OpId, second: OpId) -> OpId {
    let (a, b) = (ParallelOp::wrap(rw.op(first)), ParallelOp::wrap(rw.op(second)));
    let inits: SmallVec<[ValueId; 4]> = a.init_vals().ids().into_iter().chain(b.init_vals().ids()).collect();
    let types: SmallVec<[_; 4]> = a.0.results().types().into_iter().chain(b.0.results().types()).collect();
    let bounds: Vec<ValueId> =
        [b.lower_bound(), b.upper_bound(), b.step()].into_iter().flat_map(|group| group.ids()).collect();
    let (rank, loc) = (b.lower_bound().len(), b.0.loc());
    let (region, body, moved) = (b.region().id(), b.region().entry(), a.region().entry());
    let (Some(body), Some(moved)) = (body, moved) else { return second };
    let (body, moved, split) = (body.id(), moved.id(), a.0.num_results());
    let (Some(reduce), Some(other), Some(start)) =
        (rw.ir().last_op(body), rw.ir().last_op(moved), rw.ir().block_ops(body).next())
    else {
        return second;
    };

    let variables: SmallVec<[ValueId; 4]> = rw.block(body).args().map(ValueRef::id).collect();
    rw.inline_block(moved, InsertPoint { block: body, before: Some(start) }, &variables);
    let values: SmallVec<[ValueId; 4]> = rw.ir().operands(other).chain(rw.ir().operands(reduce)).collect();
    let regions: Vec<_> = [other, reduce].iter().flat_map(|&op| rw.ir().op_regions(op).to_vec()).collect();
    let mut state = OpState::of::<ReduceOp<'_>>(rw.op(reduce).loc()).operands(values);
    for old in regions {
        let new = rw.new_region();
        rw.move_blocks(old, new, None);
        state = state.region(new);
    }
    rw.set_insertion_to_end(body);
    rw.erase(other);
    rw.erase(reduce);
    rw.set_insertion_to_end(body);
    rw.create(state);

    let new_region = rw.new_region();
    rw.move_blocks(region, new_region, None);
    rw.set_insertion_before(second);
    let state = OpState::of::<ParallelOp<'_>>(loc)
        .operands(bounds)
        .operands(inits.iter().copied())
        .operand_segments(rw.cx(), &[rank, rank, rank, inits.len()])
        .results(types)
        .region(new_region);
    let fused = rw.create(state);
    let results: Vec<ValueId> = rw.ir().results(fused).collect();
    rw.replace(first, &results[..split]);
    rw.replace(second, &results[split..]);
    fused
}
