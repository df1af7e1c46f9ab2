//! Whether a slot can become values, and where they meet.

use dl_ir::interfaces::{BranchOp, MemorySlot, PromotableAccess, SlotAccess};
use dl_ir::opdef::Trait;
use dl_ir::{Arena, BlockId, Context, OpId, OpRef, RegionId, ValueRef};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::frontiers::Frontiers;

/// What is to be done for one slot.
pub(super) struct Plan {
    pub(super) slot: MemorySlot,
    /// The region that it is allocated and used in.
    pub(super) region: RegionId,
    /// What needs or changes what the slot holds, by block, in their order.
    pub(super) accesses: IndexMap<BlockId, Vec<OpId>, FxBuildHasher>,
    /// What has a pointer to the slot besides, each before those that have its results.
    pub(super) forwards: Vec<OpId>,
    /// Blocks that get an argument, since different values arrive.
    pub(super) merges: FxHashSet<BlockId>,
}

/// What `op` does with the slot.
pub(super) fn access(op: OpRef<'_>, slot: MemorySlot) -> Option<SlotAccess<'_>> {
    op.interface::<dyn PromotableAccess>()?.access(op, slot)
}

impl Plan {
    /// `None` where the slot must stay memory.
    pub(super) fn new(cx: &Context, ir: &Arena, slot: MemorySlot, frontiers: &Frontiers) -> Option<Self> {
        let pointer = ValueRef::new(cx, ir, slot.pointer);
        let region = pointer.parent_block()?.region()?;
        if region.parent_op().is_some_and(|parent| parent.has_trait(&Trait::GraphRegion)) {
            return None;
        }
        let mut accesses: IndexMap<BlockId, Vec<OpId>, FxBuildHasher> = IndexMap::default();
        let mut forwards = Vec::new();
        for (user, _) in pointer.uses() {
            let block = user.block().filter(|block| block.region() == Some(region))?;
            match access(user, slot)? {
                SlotAccess::Forward => forwards.push(user.id()),
                _ => accesses.entry(block.id()).or_default().push(user.id()),
            }
        }
        forwards.dedup();
        let mut next = 0;
        while let Some(&op) = forwards.get(next) {
            next += 1;
            for result in OpRef::new(cx, ir, op).results().iter() {
                let slot = MemorySlot { pointer: result.id(), ..slot };
                for (user, _) in result.uses() {
                    matches!(access(user, slot)?, SlotAccess::Forward).then(|| forwards.push(user.id()))?;
                }
            }
        }
        for ops in accesses.values_mut() {
            ops.sort_by(|&a, &b| ir.is_before_in_block(b, a).cmp(&ir.is_before_in_block(a, b)));
            ops.dedup();
        }
        let mut plan = Self { slot, region: region.id(), accesses, forwards, merges: FxHashSet::default() };
        if !region.has_one_block() {
            plan.merges = plan.merge_points(cx, ir, frontiers);
        }
        let can_branch = |&block: &BlockId| {
            ir.predecessor_ops(block).all(|(op, _)| OpRef::new(cx, ir, op).interface::<dyn BranchOp>().is_some())
        };
        plan.merges.iter().all(can_branch).then_some(plan)
    }

    /// The blocks where several values arrive and one is needed.
    fn merge_points(&self, cx: &Context, ir: &Arena, frontiers: &Frontiers) -> FxHashSet<BlockId> {
        let access = |op: &OpId| access(OpRef::new(cx, ir, *op), self.slot);
        let is_store = |op: &OpId| matches!(access(op), Some(SlotAccess::Store(_) | SlotAccess::Change { .. }));
        let is_load = |op: &OpId| matches!(access(op), Some(SlotAccess::Load | SlotAccess::Change { reads: true }));
        let stores = |ops: &[OpId]| ops.iter().any(is_store);
        let defining: FxHashSet<BlockId> =
            self.accesses.iter().filter(|(_, ops)| stores(ops)).map(|(&block, _)| block).collect();
        // Blocks that need what their predecessors leave.
        let mut live = FxHashSet::default();
        let loads_first = |ops: &[OpId]| ops.first().is_some_and(is_load);
        let mut pending: Vec<BlockId> =
            self.accesses.iter().filter(|(_, ops)| loads_first(ops)).map(|(&block, _)| block).collect();
        while let Some(block) = pending.pop() {
            if live.insert(block) {
                let predecessors = ir.predecessor_ops(block).filter_map(|(op, _)| ir.block_of(op));
                pending.extend(predecessors.filter(|predecessor| !defining.contains(predecessor)));
            }
        }
        frontiers.iterated(&defining, |block| live.contains(&block))
    }
}
