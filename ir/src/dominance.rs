//! Dominance: which blocks, operations and values are reached on every way to others.
//!
//! Dominator trees by the algorithm Semi-NCA (L. Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005),
//! for the regions of one arena that have more than one block; queries inside a region are then O(1), and O(nesting depth)
//! across regions. Values of a graph region dominate all in the region.

use crate::arena::{Arena, Definition};
use crate::context::Context;
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::opdef::Trait;
use crate::pass::{Analysis, AnalysisManager};
use crate::view::OpRef;

/// The dominator trees of one arena. Valid as long as no block or branch is added, removed or moved.
#[derive(Clone, Debug)]
pub struct Dominance {
    /// By block; empty entries for blocks of one-block regions.
    nodes: Vec<Node>,
    /// By region: whether definitions must come before uses.
    ordered: Vec<bool>,
}

/// A block's place in the dominator tree of its region.
#[derive(Clone, Copy, Default, Debug)]
struct Node {
    idom: Option<BlockId>,
    /// Numbers of the visit on the way down and up; 0 for unreachable blocks and those of one-block regions.
    enter: u32,
    leave: u32,
    depth: u32,
}

/// The children of a block in the dominator tree, as a list through the blocks.
#[derive(Clone, Copy, Default)]
struct Links {
    /// The last of the blocks that it dominates most closely.
    child: Option<BlockId>,
    /// The one before it that has the same parent.
    sibling: Option<BlockId>,
}

/// A block as the depth-first search meets it. Blocks are named by their numbers in that order.
struct Visit {
    block: BlockId,
    /// Where the search came from; later the closest dominator.
    idom: usize,
    /// The block before it on its path in the search tree, as far as paths are not shortened.
    ancestor: usize,
    /// The first block from which a path of later blocks leads here.
    semi: usize,
    /// The block with the least `semi` on the part of the path that was shortened.
    label: usize,
}

impl Analysis for Dominance {
    fn build(cx: &Context, ir: &Arena, _: &mut AnalysisManager) -> Self {
        Self::new(cx, ir)
    }

    fn name() -> &'static str {
        "DominanceInfo"
    }
}

impl Dominance {
    /// Builds the dominator trees of all regions of `ir`. O((blocks + branches) log blocks), save for flow graphs that nobody writes.
    pub fn new(cx: &Context, ir: &Arena) -> Self {
        let mut this =
            Self { nodes: vec![Node::default(); ir.num_block_slots()], ordered: vec![true; ir.num_region_slots()] };
        let mut links = vec![Links::default(); ir.num_block_slots()];
        let mut visits = Vec::new();
        for region in (0..ir.num_region_slots()).map(RegionId::from_index) {
            let Some(parent) = ir.region_parent(region).filter(|&parent| ir.is_live(parent)) else { continue };
            this.ordered[region.index()] = has_ssa_dominance(OpRef::new(cx, ir, parent));
            if ir.region_blocks(region).nth(1).is_some()
                && let Some(entry) = ir.entry_block(region)
            {
                this.visit(ir, entry, &mut visits);
                this.find_dominators(ir, &mut visits);
                this.number(&visits, &mut links);
            }
        }
        this
    }

    /// The blocks that `entry` leads to, those that a branch names first before others. Until the tree is numbered, `enter` is borrowed for the
    /// number of a block plus one; that of unreachable blocks is 0.
    fn visit(&mut self, ir: &Arena, entry: BlockId, visits: &mut Vec<Visit>) {
        visits.clear();
        let mut stack = vec![(entry, 0)];
        while let Some((block, from)) = stack.pop() {
            let node = &mut self.nodes[block.index()];
            if node.enter != 0 {
                continue;
            }
            let number = visits.len();
            node.enter = number as u32 + 1;
            visits.push(Visit { block, idom: from, ancestor: from, semi: number, label: number });
            if let Some(last) = ir.last_op(block) {
                let first = stack.len();
                stack.extend(ir.successors(last).map(|successor| (successor, number)));
                stack[first..].reverse();
            }
        }
    }

    /// Fills in `idom`.
    fn find_dominators(&self, ir: &Arena, visits: &mut [Visit]) {
        let mut path = Vec::new();
        for at in (1..visits.len()).rev() {
            let mut semi = visits[at].idom;
            for (op, _) in ir.predecessor_ops(visits[at].block) {
                let number = ir.block_of(op).map_or(0, |block| self.nodes[block.index()].enter as usize);
                if let Some(predecessor) = number.checked_sub(1) {
                    semi = semi.min(visits[evaluate(visits, predecessor, at, &mut path)].semi);
                }
            }
            visits[at].semi = semi;
        }
        for at in 1..visits.len() {
            let mut idom = visits[at].idom;
            while idom > visits[at].semi {
                idom = visits[idom].idom;
            }
            visits[at].idom = idom;
        }
    }

    /// Numbers the tree so that "dominates" is an interval test.
    fn number(&mut self, visits: &[Visit], links: &mut [Links]) {
        let entry = visits[0].block;
        for visit in &visits[1..] {
            let (block, idom) = (visit.block, visits[visit.idom].block);
            self.nodes[block.index()].idom = Some(idom);
            links[block.index()].sibling = links[idom.index()].child.replace(block);
        }
        let mut clock = 0;
        let mut stack = vec![(entry, 0, false)];
        while let Some((block, depth, done)) = stack.pop() {
            clock += 1;
            let node = &mut self.nodes[block.index()];
            if done {
                node.leave = clock;
                continue;
            }
            (node.enter, node.depth) = (clock, depth);
            stack.push((block, depth, true));
            let below = std::iter::successors(links[block.index()].child, |child| links[child.index()].sibling);
            stack.extend(below.map(|child| (child, depth + 1, false)));
        }
    }

    /// The block that dominates `block` most closely, `None` for entry blocks and unreachable ones.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.nodes[block.index()].idom
    }

    /// The blocks of `region` that can be reached, dominators before what they dominate, each with its depth in the tree.
    pub fn tree(&self, ir: &Arena, region: RegionId) -> Vec<(BlockId, u32)> {
        let Some(entry) = ir.entry_block(region) else { return Vec::new() };
        let mut blocks: Vec<BlockId> = ir.region_blocks(region).filter(|&b| self.is_reachable(ir, b)).collect();
        blocks.sort_by_key(|&block| self.nodes[block.index()].enter);
        debug_assert_eq!(blocks.first(), Some(&entry));
        blocks.into_iter().map(|block| (block, self.nodes[block.index()].depth)).collect()
    }

    /// A number that is greater for a block than for those that dominate it, and tells reachable blocks of one region apart.
    pub fn tree_order(&self, block: BlockId) -> u32 {
        self.nodes[block.index()].enter
    }

    /// Whether control can reach `block` from the entry of its region.
    pub fn is_reachable(&self, ir: &Arena, block: BlockId) -> bool {
        self.nodes[block.index()].enter != 0 || ir.region_of(block).and_then(|r| ir.entry_block(r)) == Some(block)
    }

    /// Whether every way to `b` passes `a` or the operation around both. An unreachable block is dominated by all.
    pub fn block_dominates(&self, ir: &Arena, a: BlockId, b: BlockId) -> bool {
        let Some(b) = ancestor_in_region(ir, b, ir.region_of(a)) else { return false };
        if a == b || !self.is_reachable(ir, b) {
            return true;
        }
        let (at_a, at_b) = (self.nodes[a.index()], self.nodes[b.index()]);
        self.is_reachable(ir, a) && at_a.enter <= at_b.enter && at_b.leave <= at_a.leave
    }

    /// Whether `a` is always executed before `b`, or holds it in a region.
    pub fn op_properly_dominates(&self, ir: &Arena, a: OpId, b: OpId) -> bool {
        a != b && self.precedes(ir, a, b, true)
    }

    /// Whether `value` is defined wherever `op` executes.
    pub fn value_dominates(&self, ir: &Arena, value: ValueId, op: OpId) -> bool {
        match ir.definition(value) {
            Definition::Result(def) => def != op && self.precedes(ir, def, op, false),
            Definition::Argument(block) => ir.block_of(op).is_some_and(|at| self.block_dominates(ir, block, at)),
        }
    }

    fn precedes(&self, ir: &Arena, a: OpId, b: OpId, enclosing: bool) -> bool {
        let Some(block_a) = ir.block_of(a) else { return enclosing && a == Arena::ROOT };
        let region = ir.region_of(block_a);
        let mut at = b;
        let block_b = loop {
            let Some(block) = ir.block_of(at) else { return false };
            if ir.region_of(block) == region {
                break block;
            }
            match ir.parent_op(at) {
                Some(parent) => at = parent,
                None => return false,
            }
        };
        if at == a {
            return enclosing;
        }
        let ordered = region.is_none_or(|region| self.ordered[region.index()]);
        if block_a == block_b {
            return !ordered || ir.is_before_in_block(a, at);
        }
        self.block_dominates(ir, block_a, block_b)
    }
}

/// Whether definitions come before uses in the regions of `op`. Nothing is known of unregistered operations.
#[inline]
pub fn has_ssa_dominance(op: OpRef<'_>) -> bool {
    op.info().is_registered() && !op.has_trait(&Trait::GraphRegion)
}

/// The block of `region` that is `block` or holds it.
fn ancestor_in_region(ir: &Arena, mut block: BlockId, region: Option<RegionId>) -> Option<BlockId> {
    loop {
        let at = ir.region_of(block);
        if at == region {
            return Some(block);
        }
        block = ir.block_of(ir.region_parent(at?)?)?;
    }
}

/// The block with the least `semi` on the path that leads to `at` from blocks after `last`; the path is shortened for those who come after. `path` is
/// room to work in.
fn evaluate(visits: &mut [Visit], mut at: usize, last: usize, path: &mut Vec<usize>) -> usize {
    while visits[at].ancestor > last {
        path.push(at);
        at = visits[at].ancestor;
    }
    let mut least = visits[at].label;
    while let Some(below) = path.pop() {
        visits[below].ancestor = visits[at].ancestor;
        if visits[least].semi < visits[visits[below].label].semi {
            visits[below].label = least;
        } else {
            least = visits[below].label;
        }
        at = below;
    }
    least
}
