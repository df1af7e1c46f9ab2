//! `optimize-allocation-liveness`: buffers are freed as soon as nothing uses them any more.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, OpId, OpRef, Rewriter};

use super::flow::{BufferFlow, allocated, escapes, frees, users};

/// Moves each deallocation in the block of its allocation up to right after the last use of the buffer.
#[derive(Clone, Copy, Default)]
pub struct OptimizeAllocationLiveness;

impl Pass for OptimizeAllocationLiveness {
    const INFO: PassInfo =
        PassInfo::new("optimize-allocation-liveness", "Move deallocations to right after the last use of the buffer")
            .title("OptimizeAllocationLivenessPass")
            .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let flow = BufferFlow::new(cx.ctx, cx.ir);
        for id in ops_in_arena(cx.ir, Arena::ROOT) {
            let op = OpRef::new(cx.ctx, cx.ir, id);
            if let Some((free, last)) = allocated(op).and_then(|_| free_and_last_use(op, &flow))
                && cx.ir.is_before_in_block(last, free)
            {
                Rewriter::new(cx.ctx, cx.ir).move_after(free, last);
            }
        }
        Ok(())
    }
}

/// The only operation that frees what `op` allocates, in the block of `op`, and the operation of that block before which all other uses are done.
fn free_and_last_use(op: OpRef<'_>, flow: &BufferFlow) -> Option<(OpId, OpId)> {
    let (ir, block) = (op.arena(), op.arena().block_of(op.id())?);
    let buffer = allocated(op)?;
    let mut freeing = buffer.uses().map(|(user, _)| user).filter(|&user| frees(user));
    let free = freeing.next().filter(|_| freeing.next().is_none())?;
    // What frees several buffers, or makes something, stays.
    if ir.block_of(free.id()) != Some(block) || free.num_operands() != 1 || free.num_results() > 0 {
        return None;
    }
    let aliases = flow.aliases(buffer.id());
    let mut last: Option<OpId> = None;
    for (user, index) in users(op.cx(), ir, &aliases).filter(|(user, _)| *user != free) {
        if escapes(user, index) && user.interface::<dyn dl_ir::interfaces::CallOp>().is_none() {
            return None;
        }
        let at = ir.ancestor_in_block(user.id(), block)?;
        if last.is_none_or(|last| ir.is_before_in_block(last, at)) {
            last = Some(at);
        }
    }
    last.map(|last| (free.id(), last))
}
