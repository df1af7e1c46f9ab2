//! `llvm-request-c-wrappers`: marks functions so that lowering them makes a C interface.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, OpDefinition};

/// Name of the attribute that asks for a wrapper.
pub(crate) const EMIT_C_INTERFACE: &str = "llvm.emit_c_interface";

/// Asks for a C interface of a function.
#[derive(Clone, Copy, Default)]
pub struct LlvmRequestCWrappers;

impl Pass for LlvmRequestCWrappers {
    const INFO: PassInfo = PassInfo::new("llvm-request-c-wrappers", "Request C wrapper emission for all functions")
        .title("LLVMRequestCWrappersPass")
        .on(dl_func::FuncOp::NAME);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let (name, unit) = (cx.ctx.ident(EMIT_C_INTERFACE), cx.ctx.unit_attr());
        cx.rewriter().set_attr(Arena::ROOT, name, unit);
        Ok(())
    }
}
