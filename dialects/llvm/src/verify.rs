//! What the definitions do not say.

use dl_ir::interfaces::FunctionOp;
use dl_ir::interfaces::function::verify_function;
use dl_ir::{Diagnostic, OpRef, OpView, ValueRef};

use crate::{LLVMFuncOp, ReturnOp};

/// The entry block has the arguments of the function type. Declarations may be public.
pub(crate) fn func(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.region(0).is_empty() { Ok(()) } else { verify_function(op) }
}

/// A return hands back what its function's type says.
pub(crate) fn return_op(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let ret = ReturnOp::wrap(op);
    let Some(parent) = op.parent().and_then(OpRef::cast::<LLVMFuncOp<'_>>) else { return Ok(()) };
    let Some(function) = parent.0.interface::<dyn FunctionOp>() else { return Ok(()) };
    let name = parent.0.symbol_name().unwrap_or_default();
    match (function.results(parent.0).first(), ret.arg().map(ValueRef::ty)) {
        (None, None) => Ok(()),
        (None, Some(_)) => {
            Err(op.error("expected no operands").note(parent.0.loc(), "when returning from function"))
        }
        (Some(_), None) => {
            Err(op.error("expected 1 operand").note(parent.0.loc(), "when returning from function"))
        }
        (Some(&expected), Some(given)) if given == expected => Ok(()),
        (Some(_), Some(_)) => {
            let message = format!("mismatching result types of '{name}' and its return");
            Err(op.error(message).note(parent.0.loc(), "when returning from function"))
        }
    }
}
