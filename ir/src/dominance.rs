//! Dominance: which blocks, operations and values are reached on every way to others.
//!
//! Dominator trees by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), for the
//! regions of one arena that have more than one block; queries inside a region are then O(1), and O(nesting depth) across
//! regions. Values of a graph region dominate all in the region.

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

/// What is known of a block while the tree of its region is made.
#[derive(Clone, Copy, Default)]
struct Links {
    is_seen: bool,
    /// The first of the blocks that it dominates most closely.
    child: Option<BlockId>,
    /// The next one that has the same parent.
    sibling: Option<BlockId>,
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
    /// Builds the dominator trees of all regions of `ir`. O(blocks + branches) save for unusual flow graphs.
    pub fn new(cx: &Context, ir: &Arena) -> Self {
        let mut this =
            Self { nodes: vec![Node::default(); ir.num_block_slots()], ordered: vec![true; ir.num_region_slots()] };
        let mut links = vec![Links::default(); ir.num_block_slots()];
        for region in (0..ir.num_region_slots()).map(RegionId::from_index) {
            let Some(parent) = ir.region_parent(region).filter(|&parent| ir.is_live(parent)) else { continue };
            this.ordered[region.index()] = has_ssa_dominance(OpRef::new(cx, ir, parent));
            if ir.region_blocks(region).nth(1).is_some() {
                this.add_region(ir, region, &mut links);
            }
        }
        this
    }

    fn add_region(&mut self, ir: &Arena, region: RegionId, links: &mut [Links]) {
        let Some(entry) = ir.entry_block(region) else { return };
        let order = post_order(ir, entry, links);
        // Position in post-order from 1; 0 for unreachable blocks. `enter` is borrowed for it until the tree is numbered.
        for (i, &block) in order.iter().enumerate() {
            self.nodes[block.index()].enter = i as u32 + 1;
        }
        self.nodes[entry.index()].idom = Some(entry);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().rev().filter(|&&block| block != entry) {
                let mut idom: Option<BlockId> = None;
                for (op, _) in ir.predecessor_ops(block) {
                    let Some(predecessor) = ir.block_of(op) else { continue };
                    if self.nodes[predecessor.index()].idom.is_some() {
                        idom = Some(idom.map_or(predecessor, |other| self.intersect(predecessor, other)));
                    }
                }
                if self.nodes[block.index()].idom != idom {
                    self.nodes[block.index()].idom = idom;
                    changed = true;
                }
            }
        }
        self.number(entry, &order, links);
    }

    fn intersect(&self, mut a: BlockId, mut b: BlockId) -> BlockId {
        while a != b {
            let (at_a, at_b) = (self.nodes[a.index()], self.nodes[b.index()]);
            if at_a.enter < at_b.enter {
                a = at_a.idom.expect("a visited block");
            } else {
                b = at_b.idom.expect("a visited block");
            }
        }
        a
    }

    /// Numbers the tree so that "dominates" is an interval test.
    fn number(&mut self, entry: BlockId, post_order: &[BlockId], links: &mut [Links]) {
        for &block in post_order.iter().rev().filter(|&&block| block != entry) {
            if let Some(idom) = self.nodes[block.index()].idom {
                links[block.index()].sibling = links[idom.index()].child.replace(block);
            }
        }
        self.nodes[entry.index()].idom = None;
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

/// The blocks reachable from `entry`, each after those it branches to first.
fn post_order(ir: &Arena, entry: BlockId, links: &mut [Links]) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut stack = vec![(entry, false)];
    while let Some((block, done)) = stack.pop() {
        if done {
            order.push(block);
        } else if !std::mem::replace(&mut links[block.index()].is_seen, true) {
            stack.push((block, true));
            if let Some(last) = ir.last_op(block) {
                let first = stack.len();
                stack.extend(ir.successors(last).map(|successor| (successor, false)));
                stack[first..].reverse();
            }
        }
    }
    order
}
