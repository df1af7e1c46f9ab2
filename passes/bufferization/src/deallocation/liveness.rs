//! Which buffers are live where a block begins and where it ends.

use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, BlockId, Context, Definition, OpId, RegionId, ValueId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

type Values = IndexSet<ValueId, FxBuildHasher>;

/// The live buffers of each block of an arena. A buffer that a nested region uses is live in all blocks on the way there.
#[derive(Default)]
pub(super) struct Liveness {
    live_in: FxHashMap<BlockId, Values>,
    live_out: FxHashMap<BlockId, Values>,
    /// Where operations stand in their blocks, by operation.
    positions: Vec<u32>,
}

impl Liveness {
    /// Analyzes all blocks of `ir`. Costs O(depth * operations), and a few rounds over the blocks of each region.
    pub(super) fn new(cx: &Context, ir: &Arena) -> Self {
        let mut result = Self { positions: vec![0; ir.num_op_slots()], ..Self::default() };
        for op in ops_in_arena(ir, Arena::ROOT) {
            for &region in ir.op_regions(op) {
                for block in ir.region_blocks(region) {
                    ir.block_ops(block).zip(0..).for_each(|(op, at)| result.positions[op.index()] = at);
                }
                result.analyze(cx, ir, region);
            }
        }
        result
    }

    /// The buffers from before that `block` or what follows it uses, in program order.
    pub(super) fn live_in(&self, ir: &Arena, block: BlockId) -> Vec<ValueId> {
        self.sorted(ir, self.live_in.get(&block).into_iter().flatten().copied())
    }

    /// The buffers that are used after `block` ends; with `to`, only those that are live where `to` begins.
    pub(super) fn live_out(&self, ir: &Arena, block: BlockId, to: Option<BlockId>) -> Vec<ValueId> {
        let wanted =
            |value: &ValueId| to.is_none_or(|to| self.live_in.get(&to).is_some_and(|live| live.contains(value)));
        self.sorted(ir, self.live_out.get(&block).into_iter().flatten().copied().filter(wanted))
    }

    fn analyze(&mut self, cx: &Context, ir: &Arena, region: RegionId) {
        let blocks: Vec<BlockId> = ir.region_blocks(region).collect();
        let mut defined: FxHashMap<BlockId, Values> = FxHashMap::default();
        for &block in &blocks {
            let (defs, uses) = definitions_and_uses(cx, ir, block);
            self.live_in.insert(block, uses);
            self.live_out.insert(block, Values::default());
            defined.insert(block, defs);
        }
        loop {
            let mut changed = false;
            for &block in blocks.iter().rev() {
                let next = ir.last_op(block).into_iter().flat_map(|last| ir.successors(last));
                let out: Values =
                    next.flat_map(|next| self.live_in.get(&next).into_iter().flatten().copied()).collect();
                let through: Vec<ValueId> = out.iter().copied().filter(|v| !defined[&block].contains(v)).collect();
                let live_in = self.live_in.entry(block).or_default();
                let before = live_in.len();
                live_in.extend(through);
                changed |= live_in.len() != before;
                self.live_out.insert(block, out);
            }
            if !changed {
                return;
            }
        }
    }

    /// Values in program order, arguments before results.
    fn sorted(&self, ir: &Arena, values: impl Iterator<Item = ValueId>) -> Vec<ValueId> {
        let mut all: Vec<(bool, Vec<u32>, ValueId)> =
            values.map(|value| (!is_argument(ir, value), self.path(ir, value), value)).collect();
        all.sort();
        all.into_iter().map(|(_, _, value)| value).collect()
    }

    /// Where an operation stands in its block. O(1), but for operations made since the analysis.
    fn position(&self, ir: &Arena, op: OpId) -> u32 {
        self.positions.get(op.index()).copied().unwrap_or_else(|| {
            let before = ir.block_of(op).and_then(|block| ir.block_ops(block).position(|each| each == op));
            before.unwrap_or(0) as u32
        })
    }

    /// Where a value is defined: numbers of region, block and operation from the outside in, then the number of the value.
    fn path(&self, ir: &Arena, value: ValueId) -> Vec<u32> {
        let mut steps = Vec::new();
        let (mut block, number) = match ir.definition(value) {
            Definition::Argument(block) => {
                (Some(block), ir.block_args(block).iter().position(|&arg| arg == value).unwrap_or(0))
            }
            Definition::Result(op) => {
                steps.push(self.position(ir, op));
                (ir.block_of(op), ir.results(op).position(|result| result == value).unwrap_or(0))
            }
        };
        while let Some(at) = block {
            let region = ir.region_of(at);
            let index = region.and_then(|r| ir.region_blocks(r).position(|b| b == at)).unwrap_or(0);
            let parent = region.and_then(|r| ir.region_parent(r));
            let number = parent.and_then(|op| ir.op_regions(op).iter().position(|&r| Some(r) == region)).unwrap_or(0);
            steps.extend([index as u32, number as u32]);
            block = parent.and_then(|op| {
                steps.push(self.position(ir, op));
                ir.block_of(op)
            });
        }
        steps.reverse();
        steps.push(number as u32);
        steps
    }
}

/// The buffers that a block, nested regions included, defines, and those that it uses and does not define.
fn definitions_and_uses(cx: &Context, ir: &Arena, block: BlockId) -> (Values, Values) {
    let is_buffer = |value: &ValueId| cx.ty(ir.value_type(*value)).is_memref();
    let mut defined: Values = ir.block_args(block).iter().copied().filter(is_buffer).collect();
    let mut used = Values::default();
    for op in ir.block_ops(block).flat_map(|op| ops_in_arena(ir, op)) {
        defined.extend(ir.results(op).filter(is_buffer));
        used.extend(ir.operands(op).filter(is_buffer));
        for nested in ir.op_regions(op).iter().flat_map(|&region| ir.region_blocks(region)) {
            defined.extend(ir.block_args(nested).iter().copied().filter(is_buffer));
        }
    }
    used.retain(|value| !defined.contains(value));
    (defined, used)
}

fn is_argument(ir: &Arena, value: ValueId) -> bool {
    matches!(ir.definition(value), Definition::Argument(_))
}
