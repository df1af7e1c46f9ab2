//! Dominance frontiers.

use dl_ir::dominance::Dominance;
use dl_ir::{Arena, BlockId, RegionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The frontier of each block of a region: the blocks that it does not dominate, but of which it dominates a predecessor.
pub(super) struct Frontiers(FxHashMap<BlockId, Vec<BlockId>>);

impl Frontiers {
    /// Those of `region`, as in Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm". Costs O(their sizes).
    pub(super) fn new(ir: &Arena, dominance: &Dominance, region: RegionId) -> Self {
        let mut all: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
        for block in ir.region_blocks(region).filter(|&block| dominance.is_reachable(ir, block)) {
            let stop = dominance.immediate_dominator(block);
            for (op, _) in ir.predecessor_ops(block) {
                let from = ir.block_of(op).filter(|&from| dominance.is_reachable(ir, from));
                let mut runner = from.filter(|&from| Some(from) != stop);
                while let Some(at) = runner {
                    let frontier = all.entry(at).or_default();
                    if frontier.last() == Some(&block) {
                        break;
                    }
                    frontier.push(block);
                    runner = dominance.immediate_dominator(at).filter(|&next| Some(next) != stop);
                }
            }
        }
        Self(all)
    }

    /// Where values that `from` define meet others: the frontiers of these blocks, of the blocks there, and so on, as far as
    /// `wanted` holds.
    pub(super) fn iterated(&self, from: &FxHashSet<BlockId>, wanted: impl Fn(BlockId) -> bool) -> FxHashSet<BlockId> {
        let mut met = FxHashSet::default();
        let mut pending: Vec<BlockId> = from.iter().copied().collect();
        while let Some(block) = pending.pop() {
            for &next in self.0.get(&block).into_iter().flatten().filter(|&&next| wanted(next)) {
                if met.insert(next) {
                    pending.push(next);
                }
            }
        }
        met
    }
}
