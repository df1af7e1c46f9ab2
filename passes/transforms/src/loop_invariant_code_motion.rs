//! `loop-invariant-code-motion`: moves what is the same in each iteration out of loops.

use std::collections::VecDeque;

use dl_ir::interfaces::LoopLike;
use dl_ir::opdef::Trait;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef, RegionId, Rewriter, ValueId};

/// Moves pure operations whose operands are defined outside of a loop before it, innermost loops first.
#[derive(Clone, Copy, Default)]
pub struct LoopInvariantCodeMotion;

impl Pass for LoopInvariantCodeMotion {
    const INFO: PassInfo =
        PassInfo::new("loop-invariant-code-motion", "Hoist loop invariant instructions outside of the loop")
            .title("LoopInvariantCodeMotion")
            .statistics(&[("num-moved", "Number of operations moved out of a loop")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut moved = in_arena(cx.ctx, cx.ir);
        moved += dl_ir::walk::map_nested_arenas(cx.ctx, cx.ir, &in_arena).into_iter().sum::<u64>();
        cx.count("num-moved", moved);
        if moved == 0 {
            cx.preserve_all();
        }
        // Operations move, blocks and branches do not.
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}

fn in_arena(cx: &Context, ir: &mut Arena) -> u64 {
    // Parents come first in this list: reversed, inner loops come before the loops around them.
    let ops = dl_ir::walk::ops_in_arena(ir, Arena::ROOT);
    ops.into_iter().rev().map(|op| move_loop_invariant_code(&mut Rewriter::new(cx, ir), op)).sum()
}

/// Moves the loop-invariant operations of the loop `op` before it; answers how many. Does nothing for other operations.
pub fn move_loop_invariant_code(rw: &mut Rewriter<'_>, op: OpId) -> u64 {
    let view = rw.op(op);
    let Some(interface) = view.interface::<dyn LoopLike>() else { return 0 };
    let regions: Vec<RegionId> = interface.loop_regions(view).into_iter().map(|region| region.id()).collect();
    let mut moved = 0;
    for &region in &regions {
        let blocks: Vec<_> = rw.ir().region_blocks(region).collect();
        let mut pending: VecDeque<OpId> = blocks.iter().flat_map(|&block| rw.ir().block_ops(block)).collect();
        while let Some(candidate) = pending.pop_front() {
            // It may have been moved already.
            let here = rw.ir().block_of(candidate).and_then(|block| rw.ir().region_of(block)) == Some(region);
            if !here || !can_be_moved(rw.op(candidate), rw.op(op)) {
                continue;
            }
            rw.move_before(candidate, op);
            moved += 1;
            let results: Vec<ValueId> = rw.ir().results(candidate).collect();
            for result in results {
                let users = rw.ir().uses(result).map(|(user, _)| user);
                pending.extend(
                    users.filter(|&user| {
                        rw.ir().block_of(user).and_then(|block| rw.ir().region_of(block)) == Some(region)
                    }),
                );
            }
        }
    }
    moved
}

/// Whether `op`, directly in the loop `around`, may be executed once before it.
fn can_be_moved(op: OpRef<'_>, around: OpRef<'_>) -> bool {
    if op.has_trait(&Trait::Terminator) || !dl_ir::effects::is_pure(op) {
        return false;
    }
    let mut pending = vec![op];
    while let Some(next) = pending.pop() {
        if next.operands().iter().any(|value| value.is_defined_in(around) && !value.is_defined_in(op)) {
            return false;
        }
        if !next.is_stub() {
            pending.extend(next.regions().flat_map(|region| region.ops()));
        }
    }
    true
}
