//! Every use is dominated by its definition.
//!
//! One walk with one byte a value: set when the walk passes the definition, cleared when it leaves the region or the dominator
//! subtree. O(1) an operand, no order numbers.

use crate::arena::{Arena, Definition, OpData};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dominance::Dominance;
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::opdef::Trait;
use crate::view::OpRef;

struct Walk<'a, 'd> {
    root: OpRef<'a>,
    ir: &'a Arena,
    seen: Vec<bool>,
    out: &'d mut Diagnostics,
    /// Built when the first region with more than one block is met.
    dominance: Option<Dominance>,
}

enum Step {
    Region(RegionId),
    /// The arguments of a block become visible, then its operations follow.
    Enter(BlockId),
    /// An operation, then the rest of its block.
    Ops(Option<OpId>),
    /// Forget the values of a block.
    Leave(BlockId),
    /// The results of an operation become visible: what follows comes after its regions.
    Results(OpId),
}

/// Verifies the arena of `root`, not those nested in it.
pub(super) fn verify(root: OpRef<'_>, out: &mut Diagnostics) {
    let ir = root.arena();
    let mut walk = Walk { root, ir, seen: vec![false; ir.num_value_slots()], out, dominance: None };
    let regions = ir.op_regions(root.id());
    for (i, &region) in regions.iter().enumerate() {
        walk.run(region, i + 1 == regions.len());
    }
}

impl Walk<'_, '_> {
    /// Checks a region; what is visible in the `last` one need not be forgotten.
    fn run(&mut self, region: RegionId, last: bool) {
        let mut steps = vec![Step::Region(region)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Region(region) => self.enter_region(region, &mut steps),
                Step::Enter(block) => {
                    self.define_args(block);
                    steps.push(Step::Ops(self.ir.block(block).first_op));
                }
                Step::Ops(first) => self.walk_ops(first, &mut steps),
                Step::Results(op) => self.set_results(op, true),
                Step::Leave(_) if last && steps.is_empty() => {}
                Step::Leave(block) => self.leave(block),
            }
        }
    }

    /// Goes through operations up to the first that has regions.
    fn walk_ops(&mut self, first: Option<OpId>, steps: &mut Vec<Step>) {
        let mut next = first;
        while let Some(op) = next {
            let data = self.ir.op(op);
            next = data.next;
            self.check_op(op);
            if data.is_leaf() {
                self.set_run(data, true);
                continue;
            }
            let regions = self.ir.op_regions(op);
            if !regions.is_empty() {
                steps.push(Step::Ops(next));
                steps.push(Step::Results(op));
                steps.extend(regions.iter().rev().map(|&region| Step::Region(region)));
                return;
            }
            self.set_results(op, true);
        }
    }

    fn enter_region(&mut self, region: RegionId, steps: &mut Vec<Step>) {
        let Some(entry) = self.ir.entry_block(region) else { return };
        let parent = self.ir.region_parent(region).map(|op| OpRef::new(self.root.cx(), self.ir, op));
        let graph = parent.is_some_and(|op| op.has_trait(&Trait::GraphRegion) || !op.info().is_registered());
        if graph {
            self.enter_graph_region(region, steps);
            return;
        }
        if self.ir.block(entry).next.is_none() {
            steps.extend([Step::Leave(entry), Step::Enter(entry)]);
            return;
        }
        let dominance = self.dominance.get_or_insert_with(|| Dominance::new(self.root.cx(), self.ir));
        // Down the dominator tree: what a block defines is visible in the blocks below it.
        let mut events = Vec::new();
        let mut open: Vec<(BlockId, u32)> = Vec::new();
        for (block, depth) in dominance.tree(self.ir, region) {
            while let Some(&(above, at)) = open.last()
                && at >= depth
            {
                events.push(Step::Leave(above));
                open.pop();
            }
            events.push(Step::Enter(block));
            open.push((block, depth));
        }
        events.extend(open.into_iter().rev().map(|(block, _)| Step::Leave(block)));
        let unreachable: Vec<BlockId> =
            self.ir.region_blocks(region).filter(|&block| !dominance.is_reachable(self.ir, block)).collect();
        steps.extend(events.into_iter().rev());
        if !unreachable.is_empty() {
            self.enter_unreachable(region, &unreachable, steps);
        }
    }

    /// In unreachable blocks everything is accepted, but their regions are checked: all of the region around is visible there.
    fn enter_unreachable(&mut self, region: RegionId, unreachable: &[BlockId], steps: &mut Vec<Step>) {
        for block in self.ir.region_blocks(region) {
            self.define_args(block);
            for op in self.ir.block_ops(block) {
                self.set_results(op, true);
            }
            steps.push(Step::Leave(block));
        }
        for op in unreachable.iter().rev().flat_map(|&block| self.ir.block_ops(block)) {
            steps.extend(self.ir.op_regions(op).iter().rev().map(|&r| Step::Region(r)));
        }
    }

    /// In a graph region everything is visible everywhere.
    fn enter_graph_region(&mut self, region: RegionId, steps: &mut Vec<Step>) {
        let blocks: Vec<BlockId> = self.ir.region_blocks(region).collect();
        for &block in &blocks {
            self.define_args(block);
            for op in self.ir.block_ops(block) {
                self.set_results(op, true);
            }
        }
        for &block in blocks.iter().rev() {
            steps.push(Step::Leave(block));
        }
        for &block in blocks.iter().rev() {
            let ops: Vec<OpId> = self.ir.block_ops(block).collect();
            for &op in ops.iter().rev() {
                steps.extend(self.ir.op_regions(op).iter().rev().map(|&r| Step::Region(r)));
            }
            for op in ops {
                self.check_op(op);
            }
        }
    }

    fn define_args(&mut self, block: BlockId) {
        for arg in self.ir.block_args(block) {
            self.seen[arg.index()] = true;
        }
    }

    fn set_results(&mut self, op: OpId, seen: bool) {
        self.set_run(self.ir.op(op), seen);
    }

    #[inline(always)]
    fn set_run(&mut self, op: &OpData, seen: bool) {
        self.seen[op.first_result as usize..][..usize::from(op.num_results)].iter_mut().for_each(|each| *each = seen);
    }

    fn leave(&mut self, block: BlockId) {
        for arg in self.ir.block_args(block) {
            self.seen[arg.index()] = false;
        }
        let mut next = self.ir.block(block).first_op;
        while let Some(op) = next {
            let data = self.ir.op(op);
            self.set_run(data, false);
            next = data.next;
        }
    }

    #[inline(always)]
    fn check_op(&mut self, op: OpId) {
        let mut operands = self.ir.operands(op).enumerate();
        if let Some((i, value)) = operands.find(|(_, value)| !self.seen[value.index()]) {
            self.report(op, i, value);
        }
    }

    #[cold]
    fn report(&mut self, op: OpId, operand: usize, value: ValueId) {
        let error = Diagnostic::error(self.ir.op(op).loc, format!("operand #{operand} does not dominate this use"));
        let diagnostic: Diagnostic = match self.ir.definition(value) {
            Definition::Result(def) => {
                let place = if self.ir.block_of(def) == self.ir.block_of(op) {
                    "in the same block"
                } else {
                    self.place(self.region_of(op), self.region_of(def))
                };
                let is = if place.starts_with("neither") { "is " } else { "" };
                error.note(self.ir.op(def).loc, format!("operand defined here (op {is}{place})"))
            }
            Definition::Argument(block) => {
                let region = self.ir.region_of(block);
                let parent = region.and_then(|region| self.ir.region_parent(region));
                let loc = parent.map_or(crate::Loc::UNKNOWN, |op| self.ir.op(op).loc);
                let index = region.and_then(|region| self.ir.region_blocks(region).position(|each| each == block));
                let place = self.place(self.region_of(op), region);
                error.note(loc, format!("operand defined as a block argument (block #{} {place})", index.unwrap_or(0)))
            }
        };
        self.out.push(diagnostic);
    }

    /// Where `there` lies as seen from `here`.
    fn place(&self, here: Option<RegionId>, there: Option<RegionId>) -> &'static str {
        let around = |region: Option<RegionId>| {
            std::iter::successors(region, |&region| self.region_of(self.ir.region_parent(region)?))
        };
        if here == there {
            "in the same region"
        } else if around(here).any(|region| Some(region) == there) {
            "in a parent region"
        } else if around(there).any(|region| Some(region) == here) {
            "in a child region"
        } else {
            "neither in a parent nor in a child region"
        }
    }

    fn region_of(&self, op: OpId) -> Option<RegionId> {
        self.ir.region_of(self.ir.block_of(op)?)
    }
}
