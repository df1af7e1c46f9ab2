//! `tensor-sink-empty`: a tensor without contents that a loop alone uses is made in each iteration.
//!
//! Nothing goes from one iteration to the next by such a tensor, but once it is a buffer before the loop, that is hard to see: all iterations write to the same memory.
//! In the loop each has its own, and they can run at the same time.

use dl_ir::interfaces::LoopLike;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::{for_each_arena, ops_in_arena};
use dl_ir::{Arena, BlockId, Context, OpRef, Rewriter};
use dl_tensor::EmptyOp;

/// Moves `tensor.empty` to the begin of the outermost loop that has all of its uses inside.
#[derive(Clone, Copy, Default)]
pub struct SinkEmptyTensors;

impl Pass for SinkEmptyTensors {
    const INFO: PassInfo =
        PassInfo::new("tensor-sink-empty", "Make tensors without contents in the loops that alone use them");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        for_each_arena(cx.ctx, cx.ir, &mut in_arena);
        Ok(())
    }
}

fn in_arena(cx: &Context, ir: &mut Arena) {
    for op in ops_in_arena(ir, Arena::ROOT) {
        let mut rw = Rewriter::new(cx, ir);
        let block = rw.op(op).cast::<EmptyOp<'_>>().and_then(block_of_uses);
        let first = block.and_then(|block| rw.ir().block_ops(block).next());
        if let Some(first) = first {
            rw.move_before(op, first);
        }
    }
}

/// The body of the loop, beside the operation, that has all uses inside.
fn block_of_uses(empty: EmptyOp<'_>) -> Option<BlockId> {
    let (ir, here) = (empty.0.arena(), empty.0.block()?.id());
    let (user, _) = empty.0.result(0).uses().next()?;
    let looping = OpRef::new(empty.0.cx(), ir, ir.ancestor_in_block(user.id(), here)?);
    looping.interface::<dyn LoopLike>()?;
    let is_inside = |user: OpRef<'_>| user.id() != looping.id() && looping.is_ancestor_of(user.id());
    let all_inside = empty.0.result(0).uses().all(|(user, _)| is_inside(user));
    let body = looping.regions().next()?.entry()?;
    (all_inside && looping.num_regions() == 1).then_some(body.id())
}
