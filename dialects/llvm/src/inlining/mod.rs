//! What may be inlined, and what it takes for the body of a function to mean the same where it is called.

mod metadata;
mod stack;

use dl_ir::interfaces::{InlineSite, Inlining};
use dl_ir::{BlockId, OpId, OpRef, OpState, Operands, Rewriter, ValueId};

use crate::{BlockTagOp, BrOp, CallOp, LLVMFuncOp, ReturnOp, VaStartOp, types};

pub(crate) struct Rules;

/// Attributes for LLVM alone that tie a function to how it is called.
const KEPT_APART: [&str; 5] = ["noduplicate", "noinline", "presplitcoroutine", "returns_twice", "strictfp"];

impl Inlining for Rules {
    fn allows_call(&self, site: &InlineSite<'_>) -> bool {
        let (Some(call), Some(function)) = (site.call.cast::<CallOp<'_>>(), site.callable.cast::<LLVMFuncOp<'_>>())
        else {
            return false;
        };
        let has_inalloca = |attrs: dl_ir::AttrRef<'_>| attrs.get("llvm.inalloca").is_some();
        let is_kept_apart = |attr: dl_ir::AttrRef<'_>| attr.as_str().is_some_and(|name| KEPT_APART.contains(&name));
        call.no_inline().is_none()
            && function.no_inline().is_none()
            && function.personality().is_none()
            && !function.function_type().as_type().is_some_and(types::is_variadic_func)
            && !function.arg_attrs().is_some_and(|all| all.elements().any(has_inalloca))
            && !function.passthrough().is_some_and(|all| all.elements().any(is_kept_apart))
    }

    fn allows_region(&self, _: &InlineSite<'_>) -> bool {
        true
    }

    fn allows_op(&self, op: OpRef<'_>, _: &InlineSite<'_>) -> bool {
        !op.is::<VaStartOp<'_>>() && !op.is::<BlockTagOp<'_>>()
    }

    fn returned<'a>(&self, terminator: OpRef<'a>) -> Option<Operands<'a>> {
        terminator.is::<ReturnOp<'_>>().then(|| terminator.operands())
    }

    fn branch(&self, rw: &mut Rewriter<'_>, terminator: OpId, block: BlockId) {
        let view = rw.op(terminator);
        let state = OpState::of::<BrOp<'_>>(view.loc()).operands(view.operands().ids()).successors([block]);
        rw.replace_with(terminator, state);
    }

    fn prepare(
        &self,
        rw: &mut Rewriter<'_>,
        call: OpId,
        callable: OpRef<'_>,
        blocks: &[BlockId],
        arguments: &mut [ValueId],
    ) {
        stack::copy_arguments(rw, call, callable, arguments);
        stack::move_allocations(rw, call, blocks);
        metadata::renew_scopes(rw, blocks);
        metadata::extend(rw, call, blocks);
        metadata::relocate_loops(rw, call, blocks);
    }
}
