//! `promote-buffers-to-stack`: small allocations that do not leave their scope go to the stack.

use dl_ir::interfaces::{RegionBranchOp, ends_region};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{Arena, OpRef, OpState, Rewriter, Trait};
use dl_memref::{AllocOp, AllocaOp, RankOp};

use super::flow::{BufferFlow, Values, escapes, frees, users};
use super::hoisting::is_loop;

dl_ir::pass_options! {
    /// Options of [`PromoteBuffersToStack`].
    pub struct PromoteBuffersToStackOptions {
        /// Larger buffers stay on the heap
        max_alloc_size_in_bytes "max-alloc-size-in-bytes": u32 = 1024,
        /// Buffers of a higher rank whose extents are ranks of others stay on the heap
        max_rank_of_allocated_memref "max-rank-of-allocated-memref": u32 = 1,
    }
}

/// Makes `memref.alloca` of small `memref.alloc` that nothing outlives, frees or keeps.
#[derive(Clone, Default)]
pub struct PromoteBuffersToStack {
    /// The options.
    pub options: PromoteBuffersToStackOptions,
}

impl Pass for PromoteBuffersToStack {
    const INFO: PassInfo = PassInfo::new("promote-buffers-to-stack", "Allocate small buffers on the stack")
        .title("PromoteBuffersToStackPass")
        .on("func.func");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let index_bits = dl_dlti::index_bits(cx).unwrap_or(64);
        let mut flow = BufferFlow::new(cx.ctx, cx.ir);
        for id in ops_in_arena(cx.ir, Arena::ROOT) {
            let op = OpRef::new(cx.ctx, cx.ir, id);
            if !op.is::<AllocOp<'_>>() || !is_small(op, &self.options, index_bits) {
                continue;
            }
            let value = op.result(0).id();
            let aliases = flow.aliases(value);
            let is_kept = users(cx.ctx, cx.ir, &aliases).any(|(user, index)| frees(user) || escapes(user, index));
            if is_kept || !stays_in_scope(op, &aliases) {
                continue;
            }
            let state = OpState::of::<AllocaOp<'_>>(op.loc())
                .operands(op.operands().ids())
                .attrs(op.attrs().map(|(name, attr)| (name, attr.id())).collect::<Vec<_>>())
                .results([op.result(0).ty().id()]);
            let new = Rewriter::new(cx.ctx, cx.ir).replace_with(id, state);
            let new = OpRef::new(cx.ctx, cx.ir, new).result(0).id();
            flow.rename(value, new);
        }
        Ok(())
    }
}

/// Whether the buffer is small enough for the stack. One whose extents are ranks of others is taken to be small.
fn is_small(op: OpRef<'_>, options: &PromoteBuffersToStackOptions, index_bits: u32) -> bool {
    let ty = op.result(0).ty();
    if ty.num_dynamic_dims() > 0 {
        return ty.rank().is_some_and(|rank| rank <= options.max_rank_of_allocated_memref as usize)
            && op.operands().iter().all(|extent| extent.def::<RankOp<'_>>().is_some());
    }
    let bits = ty.element_type().and_then(|ty| if ty.is_index() { Some(index_bits) } else { ty.storage_bits() });
    let size = bits.zip(ty.num_elements()).and_then(|(bits, count)| count.checked_mul(u64::from(bits)));
    size.is_some_and(|size| size <= u64::from(options.max_alloc_size_in_bytes) * 8)
}

/// Whether the closest operation around that frees what is on the stack ends after the buffer is no longer needed, and the buffer is
/// allocated at most once each time that operation executes.
fn stays_in_scope(op: OpRef<'_>, aliases: &Values) -> bool {
    let mut block = op.block();
    while let Some(parent) = block.and_then(|block| block.parent_op()) {
        let region = block.and_then(|block| block.region());
        if parent.has_trait(&Trait::AutomaticAllocationScope) {
            let leaves = |(user, _): (OpRef<'_>, usize)| {
                (ends_region(user) || user.has_trait(&Trait::ReturnLike))
                    && user.block().and_then(|b| b.region()) == region
            };
            return !users(op.cx(), op.arena(), aliases).any(leaves);
        }
        if is_loop(parent) || parent.interface::<dyn RegionBranchOp>().is_none() {
            return false;
        }
        block = parent.block();
    }
    false
}
