//! Removes what does not matter from one arena.

use dl_ir::effects::would_be_trivially_dead;
use dl_ir::interfaces::{BranchOp, CallOp, RegionBranchOp, RegionPoint, ends_region};
use dl_ir::{Arena, BlockId, BlockRef, Context, OpId, OpRef, OpState, Rewriter, ValueId};

use rustc_hash::FxHashSet;

use super::liveness::Liveness;

/// Removes dead operations, and dead arguments of blocks, from `ir`, the arena of this number; answers whether there were any.
pub(super) fn clean(cx: &Context, ir: &mut Arena, live: &Liveness, number: usize) -> bool {
    let mut dead = Vec::new();
    let mut poisoned = Vec::new();
    let mut args: Vec<(BlockId, usize)> = Vec::new();
    let mut stuck = Vec::new();
    // What goes with an operation around it needs no care of its own.
    let mut gone = FxHashSet::default();
    for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT).into_iter().filter(|&op| op != Arena::ROOT) {
        if ir.parent_op(op).is_some_and(|parent| gone.contains(&parent)) {
            gone.insert(op);
            continue;
        }
        let view = OpRef::new(cx, ir, op);
        if let Some(branch) = view.interface::<dyn BranchOp>() {
            if !live.is_reached(view) && decides_by_dead(view, branch, live, number) {
                stuck.push(op);
                continue;
            }
            args.extend(view.successors().flat_map(|block| dead_args(block, live, number)));
        } else if is_dead(view, live, number) {
            dead.push(op);
            gone.insert(op);
        } else if view.interface::<dyn RegionBranchOp>().is_some() && !view.is_stub() {
            poisoned.extend(dead_operands(view, live, number));
        }
    }
    args.sort_unstable_by(|a, b| b.cmp(a));
    args.dedup();
    let changed = !stuck.is_empty() || !dead.is_empty() || !poisoned.is_empty() || !args.is_empty();
    let mut rw = Rewriter::new(cx, ir);
    for op in stuck {
        let state = OpState::named("ub.unreachable", rw.op(op).loc());
        rw.set_insertion_before(op);
        rw.create(state);
        rw.erase(op);
    }
    for (op, index) in poisoned {
        poison(&mut rw, op, index);
    }
    for &(block, index) in &args {
        drop_passed(&mut rw, block, index);
    }
    erase(&mut rw, &dead);
    for (block, index) in args {
        // What still reads it is poison itself, or cannot be reached.
        replace_by_poison(&mut rw, block, index);
        rw.erase_block_arg(block, index);
    }
    changed
}

/// Whether `op` can go. Where control does not come, so can whatever reads a value that does not matter.
fn is_dead(op: OpRef<'_>, live: &Liveness, number: usize) -> bool {
    let is_end = op.block().and_then(BlockRef::terminator) == Some(op);
    if is_end || op.is_stub() || op.interface::<dyn CallOp>().is_some() || op.symbol_name().is_some() {
        return false;
    }
    if op.results().iter().any(|result| live.is_live(number, result.id())) {
        return false;
    }
    let reads_dead = || op.operands().iter().any(|operand| !live.is_live(number, operand.id()));
    would_be_trivially_dead(op) || (!live.is_reached(op) && op.num_regions() == 0 && reads_dead())
}

/// Whether which way a branch goes depends on a value that does not matter.
fn decides_by_dead(op: OpRef<'_>, branch: &dyn BranchOp, live: &Liveness, number: usize) -> bool {
    let passed: Vec<_> = branch.all_successor_operands(op).iter().map(|operands| operands.range()).collect();
    let decides = |index: &usize| !passed.iter().any(|range| range.contains(index));
    (0..op.num_operands()).filter(decides).any(|index| !live.is_live(number, op.operand(index).id()))
}

/// The dead arguments of a block, where all that is passed to them can go.
fn dead_args(block: BlockRef<'_>, live: &Liveness, number: usize) -> Vec<(BlockId, usize)> {
    let all_branch = block.predecessor_ops().all(|(op, _)| op.interface::<dyn BranchOp>().is_some());
    let dead = |index: &usize| !live.is_live(number, block.arg(*index).id());
    (0..block.num_args()).filter(|_| all_branch && !block.is_entry()).filter(dead).map(|at| (block.id(), at)).collect()
}

/// The operands of `op`, and of the ends of its regions, that only become values that do not matter.
fn dead_operands(op: OpRef<'_>, live: &Liveness, number: usize) -> Vec<(OpId, usize)> {
    let Some(branch) = op.interface::<dyn RegionBranchOp>() else { return Vec::new() };
    let mut found = Vec::new();
    let mut look = |at: OpRef<'_>, edges: Vec<(RegionPoint, std::ops::Range<usize>)>| {
        for index in 0..at.num_operands() {
            let mut inputs = edges.iter().filter(|(_, range)| range.contains(&index)).peekable();
            let is_passed = inputs.peek().is_some();
            let matters = |(to, range): &(RegionPoint, std::ops::Range<usize>)| {
                let input = branch.inputs(op, *to).get(index - range.start).copied();
                input.is_none_or(|input| live.is_live(number, input.id()))
            };
            let is_needed = live.is_live(number, at.operand(index).id()) && inputs.any(matters);
            if is_passed && !is_needed {
                found.push((at.id(), index));
            }
        }
    };
    let entries = branch.successors(op, RegionPoint::Parent);
    look(op, entries.iter().map(|&to| (to, branch.entry_operands(op, to).range())).collect());
    let blocks = op.regions().flat_map(|region| region.blocks());
    for end in blocks.filter_map(BlockRef::terminator).filter(|end| ends_region(*end)) {
        let region = end.block().and_then(BlockRef::region).map_or(0, dl_ir::RegionRef::index);
        let successors = branch.successors(op, RegionPoint::Region(region));
        look(end, successors.iter().map(|&to| (to, branch.terminator_operands(end, to).range())).collect());
    }
    found
}

/// `ub.poison` of the type of `value`, at the insertion point.
pub(super) fn make_poison(rw: &mut Rewriter<'_>, value: ValueId) -> ValueId {
    let (cx, ty, loc) = (rw.cx(), rw.ir().value_type(value), rw.value(value).loc());
    let poison = cx.dialect_attr("ub.poison", &[]);
    rw.create_value(OpState::named("ub.poison", loc).attr(cx, "value", poison).results([ty]))
}

fn poison(rw: &mut Rewriter<'_>, op: OpId, index: usize) {
    let value = rw.op(op).operand(index).id();
    rw.set_insertion_before(op);
    let made = make_poison(rw, value);
    rw.set_operand(op, index, made);
}

/// Nothing is passed to argument `index` of `block` any more.
fn drop_passed(rw: &mut Rewriter<'_>, block: BlockId, index: usize) {
    let predecessors: Vec<(OpId, usize)> = rw.ir().predecessor_ops(block).collect();
    for (op, successor) in predecessors {
        let view = rw.op(op);
        let Some(branch) = rw.cx().op_info(view.name_id()).interface::<dyn BranchOp>() else { continue };
        let mut operands = branch.successor_operands(view, successor).ids();
        operands.remove(index);
        branch.set_successor_operands(rw, op, successor, &operands);
    }
}

pub(super) fn replace_by_poison(rw: &mut Rewriter<'_>, block: BlockId, index: usize) {
    let arg = rw.ir().block_args(block)[index];
    if rw.ir().has_uses(arg) {
        rw.set_insertion_to_start(block);
        let made = make_poison(rw, arg);
        rw.replace_all_uses(arg, made);
    }
}

/// Erases operations, whose results only they use, or what does not matter.
fn erase(rw: &mut Rewriter<'_>, dead: &[OpId]) {
    for &op in dead.iter().rev() {
        let results: Vec<ValueId> = rw.ir().results(op).collect();
        for result in results {
            if rw.ir().has_uses(result) {
                rw.set_insertion_before(op);
                let made = make_poison(rw, result);
                rw.replace_all_uses(result, made);
            }
        }
        rw.erase(op);
    }
}

/// Erases the poison made here that nothing reads.
pub(super) fn erase_unused_poison(cx: &Context, ir: &mut Arena) {
    let is_unused = |op: &OpId| {
        let view = OpRef::new(cx, ir, *op);
        view.name() == "ub.poison" && !view.has_used_results()
    };
    let unused: Vec<OpId> = dl_ir::walk::ops_in_arena(ir, Arena::ROOT).into_iter().filter(is_unused).collect();
    Rewriter::new(cx, ir).erase_all(&unused);
}
