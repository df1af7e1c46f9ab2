//! `llvm-fence-nontemporal-stores`: what a function stored past the caches is there for all when it returns.
//!
//! Non-temporal stores are not ordered with other stores. A thread that is told of the results by one could find the old contents. A fence before
//! each return is enough: within the thread itself loads and stores are in order.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, OpId, OpRef, OpState, Rewriter};
use dl_llvm::{AtomicOrdering, FenceOp, ReturnOp, StoreOp};

/// Puts a fence before each return of a function with non-temporal stores.
#[derive(Clone, Copy, Default)]
pub struct LlvmFenceNontemporalStores;

impl Pass for LlvmFenceNontemporalStores {
    const INFO: PassInfo = PassInfo::new(
        "llvm-fence-nontemporal-stores",
        "Put a fence before each return of a function with non-temporal stores",
    )
    .title("FenceNontemporalStores");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut fence = |cx: &Context, ir: &mut Arena| {
            let ops = dl_ir::walk::ops_in_arena(ir, Arena::ROOT);
            let view = |op: &OpId| OpRef::new(cx, ir, *op);
            let streams = |op: &OpId| view(op).is::<StoreOp<'_>>() && view(op).attr("nontemporal").is_some();
            if !ops.iter().any(streams) {
                return;
            }
            let returns: Vec<OpId> = ops.into_iter().filter(|op| view(op).is::<ReturnOp<'_>>()).collect();
            let mut rw = Rewriter::new(cx, ir);
            for op in returns {
                rw.set_insertion_before(op);
                let loc = rw.op(op).loc();
                let ordering = cx.i64_attr(AtomicOrdering::SeqCst.value() as i64);
                rw.create(OpState::of::<FenceOp<'_>>(loc).attr(cx, "ordering", ordering));
            }
        };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut fence);
        Ok(())
    }
}
