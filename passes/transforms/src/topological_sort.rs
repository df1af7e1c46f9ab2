//! `topological-sort`: definitions before uses where the order is free.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, BlockId, Context, InsertPoint, OpId, OpRef, Rewriter};
use rustc_hash::FxHashMap;

/// Sorts the blocks of graph regions so that operations come after those whose results they use, as far as there are no cycles.
/// Otherwise the order stays.
#[derive(Clone, Copy, Default)]
pub struct TopologicalSort;

impl Pass for TopologicalSort {
    const INFO: PassInfo = PassInfo::new("topological-sort", "Sort regions without SSA dominance in topological order")
        .title("TopologicalSort");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut sort = |cx: &Context, ir: &mut Arena| {
            for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
                let view = OpRef::new(cx, ir, op);
                if view.is_stub() || !view.has_trait(&Trait::GraphRegion) {
                    continue;
                }
                let blocks: Vec<BlockId> =
                    view.regions().flat_map(|region| region.blocks()).map(|block| block.id()).collect();
                for block in blocks {
                    sort_block(cx, ir, block);
                }
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut sort);
        Ok(())
    }
}

/// Sorts one block, its terminator left out. Costs O(n log n) of the operations and operands in it.
///
/// The order is that of rounds over the operations not scheduled yet, in each of which those are scheduled whose operands are by then. Where
/// a round schedules nothing, the first operation is, so that cycles are cut.
fn sort_block(cx: &Context, ir: &mut Arena, block: BlockId) {
    let ops: Vec<OpId> =
        ir.block_ops(block).filter(|&op| !OpRef::new(cx, ir, op).has_trait(&Trait::Terminator)).collect();
    let order = schedule(ir, block, &ops);
    if order.iter().copied().eq(0..ops.len()) {
        return;
    }
    let end = ops.last().and_then(|&last| ir.next_op(last));
    let mut rw = Rewriter::new(cx, ir);
    for index in order {
        rw.move_to(ops[index], InsertPoint { block, before: end });
    }
}

/// Numbers of `ops` in the order to be.
fn schedule(ir: &Arena, block: BlockId, ops: &[OpId]) -> Vec<usize> {
    let number: FxHashMap<OpId, usize> = ops.iter().enumerate().map(|(index, &op)| (op, index)).collect();
    // How many operations each one waits for, and which ones wait for it.
    let (mut waits, mut users) = (vec![0_usize; ops.len()], vec![Vec::new(); ops.len()]);
    for (index, &op) in ops.iter().enumerate() {
        let mut needed: Vec<usize> = dl_ir::walk::ops_in_arena(ir, op)
            .into_iter()
            .flat_map(|nested| ir.operands(nested))
            .filter_map(|value| ir.ancestor_in_block(ir.defining_op(value)?, block))
            .filter_map(|definition| number.get(&definition).copied())
            .filter(|&definition| definition != index)
            .collect();
        needed.sort_unstable();
        needed.dedup();
        waits[index] = needed.len();
        for definition in needed {
            users[definition].push(index);
        }
    }
    let mut order = Vec::with_capacity(ops.len());
    let mut done = vec![false; ops.len()];
    let mut ready: BinaryHeap<Reverse<(usize, usize)>> =
        (0..ops.len()).filter(|&index| waits[index] == 0).map(|index| Reverse((0, index))).collect();
    let (mut round, mut first) = (0, 0);
    while order.len() < ops.len() {
        let next = if let Some(Reverse((at, index))) = ready.pop() {
            round = at;
            index
        } else {
            // A round that schedules nothing, and the next one begins after the cut.
            while done[first] {
                first += 1;
            }
            round += 1;
            first
        };
        if std::mem::replace(&mut done[next], true) {
            continue;
        }
        order.push(next);
        for &user in &users[next] {
            waits[user] -= 1;
            if waits[user] == 0 && !done[user] {
                ready.push(Reverse((if user > next { round } else { round + 1 }, user)));
            }
        }
    }
    order
}
