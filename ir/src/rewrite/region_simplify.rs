//! Simplification of control flow between the blocks of regions, in one arena.

mod merge_blocks;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Definition};
use crate::context::Context;
use crate::dominance::has_ssa_dominance;
use crate::effects::{Observed, effects_with, would_be_trivially_dead_with};
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::interfaces::BranchOp;
use crate::opdef::Effects;
use crate::rewriter::Rewriter;
use crate::view::OpRef;

/// How far region simplification goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionSimplify {
    /// It does nothing.
    Disabled,
    /// Unreachable blocks, dead operations in cycles and dead block arguments go.
    Normal,
    /// Besides, blocks that do the same become one, and block arguments that are always one value go.
    Aggressive,
}

crate::option_choices! {
    RegionSimplify {
        Disabled = "disabled": "leave it alone",
        Normal = "normal": "unreachable blocks, dead operations and dead block arguments go",
        Aggressive = "aggressive": "besides, blocks that do the same become one",
    }
}

/// Simplifies the regions of `scope` and all nested in them in this arena. Answers whether anything changed.
pub fn simplify(rw: &mut Rewriter<'_>, scope: OpId, level: RegionSimplify) -> bool {
    if level == RegionSimplify::Disabled {
        return false;
    }
    let mut changed = erase_unreachable_blocks(rw, scope);
    changed |= may_have_dead_code(rw.cx(), rw.ir(), scope) && erase_dead_code(rw, scope);
    if level == RegionSimplify::Aggressive {
        changed |= merge_blocks::merge_identical_blocks(rw, scope);
        changed |= drop_redundant_arguments(rw, scope);
    }
    changed
}

/// All regions of `scope` and nested in them, in this arena.
fn regions_below(ir: &Arena, scope: OpId) -> Vec<RegionId> {
    if scope == Arena::ROOT {
        // All there are, without a look at the operations.
        let mut regions = Vec::with_capacity(ir.num_region_slots());
        let all = (0..ir.num_region_slots()).map(RegionId::from_index);
        regions.extend(all.filter(|&region| ir.region_parent(region).is_some_and(|op| ir.is_live(op))));
        return regions;
    }
    let nested = crate::walk::ops_in_arena(ir, scope).into_iter().filter(|&op| !ir.op(op).is_leaf());
    nested.flat_map(|op| ir.op_regions(op)).copied().collect()
}

/// `scope` and all operations in its regions, in this arena, in any order.
fn ops_below(ir: &Arena, scope: OpId) -> Vec<OpId> {
    if scope != Arena::ROOT {
        return crate::walk::ops_in_arena(ir, scope);
    }
    let mut ops = Vec::with_capacity(ir.num_op_slots());
    ops.extend((0..ir.num_op_slots()).map(OpId::from_index).filter(|&op| ir.is_live(op)));
    ops
}

/// Where blocks stand in their regions.
struct Positions(Vec<u32>);

impl Positions {
    /// Of the blocks of these regions that have more than one.
    fn of(ir: &Arena, regions: &[RegionId]) -> Self {
        let mut positions = Vec::new();
        for &region in regions.iter().filter(|&&region| has_several_blocks(ir, region)) {
            positions.resize(ir.num_block_slots(), 0);
            ir.region_blocks(region).zip(0..).for_each(|(block, at)| positions[block.index()] = at);
        }
        Self(positions)
    }

    /// Whether a branch of `op` leads to `block`, in its region, from a block before that.
    fn is_forward(&self, ir: &Arena, op: OpId, block: BlockId) -> bool {
        ir.block_of(op).is_some_and(|from| self.0[from.index()] < self.0[block.index()])
    }
}

fn has_several_blocks(ir: &Arena, region: RegionId) -> bool {
    ir.region_blocks(region).nth(1).is_some()
}

/// Erases the blocks that control cannot reach from the entry of their region.
pub fn erase_unreachable_blocks(rw: &mut Rewriter<'_>, scope: OpId) -> bool {
    let mut changed = false;
    let regions = regions_below(rw.ir(), scope);
    let positions = Positions::of(rw.ir(), &regions);
    for region in regions {
        let ir = rw.ir();
        let Some(entry) = ir.entry_block(region) else { continue };
        // Mostly each block is reached from one before it, and so from the first one.
        let is_led_to = |block| ir.predecessor_ops(block).any(|(op, _)| positions.is_forward(ir, op, block));
        if ir.region_blocks(region).skip(1).all(is_led_to) {
            continue;
        }
        let mut reached = FxHashSet::from_iter([entry]);
        let mut pending = vec![entry];
        while let Some(block) = pending.pop() {
            if let Some(last) = ir.last_op(block) {
                pending.extend(ir.successors(last).filter(|&next| reached.insert(next)));
            }
        }
        let dead: Vec<BlockId> = ir.region_blocks(region).filter(|block| !reached.contains(block)).collect();
        if !dead.is_empty() {
            rw.erase_blocks(&dead);
            changed = true;
        }
    }
    changed
}

/// For each of `all`, parents before children, whether it may go once its results are unused. Costs O(operations).
fn would_be_dead(cx: &Context, ir: &Arena, all: &[OpId]) -> Vec<bool> {
    let mut dead = vec![false; ir.num_op_slots()];
    let mut known: FxHashMap<OpId, Option<Effects>> = FxHashMap::default();
    for &op in all.iter().rev() {
        let view = OpRef::new(cx, ir, op);
        let effects = || effects_with(view, |inner| known.get(&inner).copied());
        if view.num_regions() == 0 {
            dead[op.index()] = would_be_trivially_dead_with(view, effects);
            continue;
        }
        let effects = effects();
        dead[op.index()] = would_be_trivially_dead_with(view, || effects);
        known.insert(op, effects);
    }
    dead
}

/// What is needed by something that can be observed, by mark and sweep.
struct Liveness<'a> {
    cx: &'a Context,
    ir: &'a Arena,
    ops: Vec<bool>,
    values: Vec<bool>,
    pending: Vec<ValueId>,
}

impl<'a> Liveness<'a> {
    fn of(cx: &'a Context, ir: &'a Arena, all: &[OpId], scope: OpId) -> Self {
        let (ops, values) = (vec![false; ir.num_op_slots()], vec![false; ir.num_value_slots()]);
        let mut this = Self { cx, ir, ops, values, pending: Vec::new() };
        let dead = would_be_dead(cx, ir, all);
        for &op in all {
            if op == scope || !dead[op.index()] {
                this.mark_op(op);
            }
            for &region in ir.op_regions(op) {
                let entry = ir.entry_block(region);
                for block in ir.region_blocks(region) {
                    let known = ir.predecessor_ops(block).all(|(op, _)| this.branch(op).is_some());
                    if Some(block) == entry || !known {
                        ir.block_args(block).iter().for_each(|&arg| this.mark_value(arg));
                    }
                }
            }
        }
        while let Some(value) = this.pending.pop() {
            this.propagate(value);
        }
        this
    }

    fn branch(&self, op: OpId) -> Option<&'a dyn BranchOp> {
        OpRef::new(self.cx, self.ir, op).info().interface::<dyn BranchOp>()
    }

    fn mark_value(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            self.pending.push(value);
        }
    }

    fn mark_op(&mut self, op: OpId) {
        if std::mem::replace(&mut self.ops[op.index()], true) {
            return;
        }
        let view = OpRef::new(self.cx, self.ir, op);
        let forwarded: Vec<_> = match self.branch(op) {
            Some(branch) => (0..view.num_successors()).map(|i| branch.successor_operands(view, i).range()).collect(),
            None => Vec::new(),
        };
        for (i, operand) in self.ir.operands(op).enumerate() {
            if !forwarded.iter().any(|range| range.contains(&i)) {
                self.mark_value(operand);
            }
        }
    }

    /// What a live value needs: its operation, or what branches pass to the block argument.
    fn propagate(&mut self, value: ValueId) {
        match self.ir.definition(value) {
            Definition::Result(op) => self.mark_op(op),
            Definition::Argument(block) => {
                let index = self.ir.value_index(value);
                let predecessors: Vec<_> = self.ir.predecessor_ops(block).collect();
                for (op, successor) in predecessors {
                    let view = OpRef::new(self.cx, self.ir, op);
                    let passed = self.branch(op).and_then(|b| b.successor_operands(view, successor).get(index));
                    if let Some(value) = passed {
                        self.mark_value(value.id());
                    }
                }
            }
        }
    }
}

/// Whether [`erase_dead_code`] could find anything, where all blocks are reached. Much cheaper, and mostly the answer is no. Unless values can
/// depend on themselves, through arguments of blocks where control comes back or where operations of a block come in any order, something dead
/// means that there is an operation or an argument that nothing uses: the last one of those that need it.
fn may_have_dead_code(cx: &Context, ir: &Arena, scope: OpId) -> bool {
    let all = ops_below(ir, scope);
    let with_regions: Vec<OpId> = all.iter().copied().filter(|&op| !ir.op(op).is_leaf()).collect();
    if with_regions.iter().any(|&op| !has_ssa_dominance(OpRef::new(cx, ir, op))) {
        return true;
    }
    let regions: Vec<RegionId> = with_regions.iter().flat_map(|&op| ir.op_regions(op)).copied().collect();
    let positions = Positions::of(ir, &regions);
    let comes_back = |block| ir.predecessor_ops(block).any(|(op, _)| !positions.is_forward(ir, op, block));
    let may_be_dead = |&region: &RegionId| {
        let later = || ir.region_blocks(region).skip(1);
        let mut args = later().flat_map(|block| ir.block_args(block)).peekable();
        args.peek().is_some() && (args.any(|&arg| !ir.has_uses(arg)) || later().any(comes_back))
    };
    let mut observed = Observed::default();
    regions.iter().any(may_be_dead)
        || all.iter().any(|&op| op != scope && observed.is_trivially_dead(OpRef::new(cx, ir, op)))
}

/// Erases operations and block arguments that nothing observable needs, also those that need each other in a cycle.
pub fn erase_dead_code(rw: &mut Rewriter<'_>, scope: OpId) -> bool {
    let (cx, ir) = (rw.cx(), rw.ir());
    let all = crate::walk::ops_in_arena(ir, scope);
    let live = Liveness::of(cx, ir, &all, scope);
    let (live_ops, live_values) = (live.ops, live.values);
    let mut dead_args = Vec::new();
    for &region in all.iter().filter(|&&op| !ir.op(op).is_leaf()).flat_map(|&op| ir.op_regions(op)) {
        for block in ir.region_blocks(region).skip(1) {
            let args = ir.block_args(block).iter().enumerate().rev();
            dead_args.extend(args.filter(|(_, arg)| !live_values[arg.index()]).map(|(i, _)| (block, i)));
        }
    }
    for &(block, index) in &dead_args {
        erase_successor_operands(rw, block, index);
    }
    // Only the outermost dead operations: erasing them takes all in their regions along.
    let mut inside_dead = vec![false; rw.ir().num_op_slots()];
    let mut dead = Vec::new();
    for op in all {
        let around = rw.ir().parent_op(op).filter(|_| op != scope);
        inside_dead[op.index()] = around.is_some_and(|op| inside_dead[op.index()] || !live_ops[op.index()]);
        if !live_ops[op.index()] && !inside_dead[op.index()] {
            dead.push(op);
        }
    }
    let changed = !dead.is_empty() || !dead_args.is_empty();
    rw.erase_all(&dead);
    for (block, index) in dead_args {
        if rw.ir().region_of(block).is_some() {
            rw.erase_block_arg(block, index);
        }
    }
    changed
}

/// Replaces block arguments for which every branch passes one value by that value. It dominates the block, since it dominates
/// all of its predecessors.
fn drop_redundant_arguments(rw: &mut Rewriter<'_>, scope: OpId) -> bool {
    let mut changed = false;
    for region in regions_below(rw.ir(), scope) {
        let blocks: Vec<BlockId> = rw.ir().region_blocks(region).skip(1).collect();
        for block in blocks {
            for index in (0..rw.ir().block_args(block).len()).rev() {
                let Some(value) = only_passed_value(rw.cx(), rw.ir(), block, index) else { continue };
                let arg = rw.ir().block_args(block)[index];
                rw.replace_all_uses(arg, value);
                erase_successor_operands(rw, block, index);
                rw.erase_block_arg(block, index);
                changed = true;
            }
        }
    }
    changed
}

/// The value that every branch to `block` passes for argument `index`, the argument itself aside.
fn only_passed_value(cx: &Context, ir: &Arena, block: BlockId, index: usize) -> Option<ValueId> {
    let arg = ir.block_args(block)[index];
    let mut found = None;
    for (op, successor) in ir.predecessor_ops(block) {
        let view = OpRef::new(cx, ir, op);
        let branch = view.info().interface::<dyn BranchOp>()?;
        let value = branch.successor_operands(view, successor).get(index)?.id();
        if value != arg && *found.get_or_insert(value) != value {
            return None;
        }
    }
    found
}

/// Erases what branches to `block` pass for argument `index`.
fn erase_successor_operands(rw: &mut Rewriter<'_>, block: BlockId, index: usize) {
    let mut predecessors: Vec<_> = rw.ir().predecessor_ops(block).collect();
    predecessors.sort_unstable();
    for (op, successor) in predecessors {
        let info = rw.cx().op_info(rw.op(op).name_id());
        if let Some(branch) = info.interface::<dyn BranchOp>() {
            let mut passed = branch.successor_operands(rw.op(op), successor).ids();
            passed.remove(index);
            branch.set_successor_operands(rw, op, successor, &passed);
        }
    }
}
