//! Puts values in the place of a slot.

use dl_ir::dominance::Dominance;
use dl_ir::interfaces::{BranchOp, PromotableAccess, PromotableAllocation, SlotAccess};
use dl_ir::{Arena, BlockId, OpId, Rewriter, ValueId};
use rustc_hash::FxHashSet;

use super::plan::Plan;

/// Does what `plan` says for the slot that `allocation` allocates, which is then not
/// allocated any more. Answers how many arguments blocks have got, and the allocation of other slots.
/// Costs O(accesses and blocks where values meet), however many blocks there are besides.
pub(super) fn promote(
    rw: &mut Rewriter<'_>,
    dominance: &Dominance,
    allocation: OpId,
    plan: &Plan,
) -> (u64, Option<OpId>) {
    let mut promoter = Promoter { plan, allocation, default: None, args: 0 };
    // What the slot holds at the end of each block on the way down; `None` while nothing was stored.
    let mut path: Vec<(BlockId, Option<ValueId>)> = Vec::new();
    for block in concerned(rw.ir(), dominance, plan) {
        // What cannot be reached may see anything.
        let is_reachable = dominance.is_reachable(rw.ir(), block);
        while path.last().is_some_and(|&(above, _)| !is_reachable || !dominance.block_dominates(rw.ir(), above, block))
        {
            path.pop();
        }
        let reaching = path.last().and_then(|&(_, value)| value);
        let reaching = promoter.visit(rw, block, reaching);
        path.push((block, reaching));
    }
    let unused = promoter.default.filter(|&default| !rw.value(default).has_uses());
    if let Some(made) = unused.and_then(|default| rw.value(default).defining_op()).map(|op| op.id()) {
        rw.erase(made);
    }
    let mut seen = FxHashSet::default();
    for &op in plan.forwards.iter().rev().filter(|&&op| seen.insert(op)) {
        let user = rw.cx().op_info(rw.op(op).name_id()).interface::<dyn PromotableAccess>();
        user.expect("a user of the slot").release(rw, op, plan.slot);
    }
    let rest = interface(rw, allocation).promoted(rw, allocation, plan.slot);
    (promoter.args, rest)
}

/// The blocks where something is done: those with accesses, those where values meet, and those that branch there. Down the dominator tree, then those
/// that cannot be reached.
fn concerned(ir: &Arena, dominance: &Dominance, plan: &Plan) -> Vec<BlockId> {
    let mut blocks: Vec<BlockId> = plan.accesses.keys().copied().collect();
    let predecessors = |block| ir.predecessor_ops(block).filter_map(|(op, _)| ir.block_of(op));
    blocks.extend(plan.merges.iter().flat_map(|&block| predecessors(block).chain([block])));
    blocks.sort_unstable_by_key(|&block| (!dominance.is_reachable(ir, block), dominance.tree_order(block), block));
    blocks.dedup();
    blocks
}

/// What the dialect says of the allocation. It belongs to the context, and outlives the operation.
fn interface<'c>(rw: &Rewriter<'c>, allocation: OpId) -> &'c dyn PromotableAllocation {
    let info = rw.cx().op_info(rw.op(allocation).name_id());
    info.interface::<dyn PromotableAllocation>().expect("an allocation that can be promoted")
}

struct Promoter<'p> {
    plan: &'p Plan,
    allocation: OpId,
    default: Option<ValueId>,
    args: u64,
}

impl Promoter<'_> {
    /// What the slot holds before anything was stored. It is made at the start of the region, since any block may ask for it.
    fn default(&mut self, rw: &mut Rewriter<'_>) -> ValueId {
        if let Some(default) = self.default {
            return default;
        }
        let point = rw.insertion_point();
        if let Some(entry) = rw.ir().entry_block(self.plan.region) {
            rw.set_insertion_to_start(entry);
        }
        let made = interface(rw, self.allocation).default_value(rw, self.allocation, self.plan.slot);
        rw.set_insertion_point(point);
        self.default = Some(made);
        made
    }

    /// Replaces the accesses in `block`, where the slot holds `reaching` at the start; answers what it holds at the end.
    fn visit(&mut self, rw: &mut Rewriter<'_>, block: BlockId, mut reaching: Option<ValueId>) -> Option<ValueId> {
        let slot = self.plan.slot;
        if self.plan.merges.contains(&block) {
            let loc = rw.op(self.allocation).loc();
            let arg = rw.add_block_arg(block, slot.ty);
            rw.set_arg_loc(arg, loc);
            reaching = Some(arg);
            self.args += 1;
            rw.set_insertion_to_start(block);
            self.note(rw, arg);
        }
        for &op in self.plan.accesses.get(&block).into_iter().flatten() {
            let view = rw.op(op);
            let Some(user) = rw.cx().op_info(view.name_id()).interface::<dyn PromotableAccess>() else { continue };
            let held = match user.access(view, slot) {
                Some(SlotAccess::Load) => {
                    let value = reaching.unwrap_or_else(|| self.default(rw));
                    rw.set_insertion_before(op);
                    user.load(rw, op, slot, value);
                    continue;
                }
                Some(SlotAccess::Store(value)) => Some(value.id()),
                Some(SlotAccess::Change { reads }) => {
                    let held = if reads { reaching.or_else(|| Some(self.default(rw))) } else { reaching };
                    rw.set_insertion_before(op);
                    user.change(rw, op, slot, held)
                }
                Some(SlotAccess::Forward) | None => continue,
            };
            if let Some(value) = held {
                rw.set_insertion_before(op);
                self.note(rw, value);
            }
            reaching = held;
            rw.erase(op);
        }
        self.pass_on(rw, block, reaching);
        reaching
    }

    /// Tells what only points to the slot that it holds `value` from the insertion point on.
    fn note(&self, rw: &mut Rewriter<'_>, value: ValueId) {
        for &op in &self.plan.forwards {
            let user = rw.cx().op_info(rw.op(op).name_id()).interface::<dyn PromotableAccess>();
            if let Some(user) = user {
                user.note(rw, op, self.plan.slot, value);
            }
        }
    }

    /// Passes what the slot holds to the blocks after `block` that need it.
    fn pass_on(&mut self, rw: &mut Rewriter<'_>, block: BlockId, reaching: Option<ValueId>) {
        let Some(end) = rw.ir().last_op(block) else { return };
        let successors: Vec<BlockId> = rw.ir().successors(end).collect();
        for (index, _) in successors.iter().enumerate().filter(|(_, block)| self.plan.merges.contains(block)) {
            let value = reaching.unwrap_or_else(|| self.default(rw));
            let view = rw.op(end);
            let Some(branch) = rw.cx().op_info(view.name_id()).interface::<dyn BranchOp>() else { continue };
            let mut operands = branch.successor_operands(view, index).ids();
            operands.push(value);
            branch.set_successor_operands(rw, end, index, &operands);
        }
    }
}
