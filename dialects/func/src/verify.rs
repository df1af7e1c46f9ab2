//! Verifiers.

use dl_ir::{Diagnostic, OpRef};

use crate::FuncOp;

/// The operands are the results of the function.
pub(crate) fn verify_return(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(func) = op.parent().and_then(OpRef::cast::<FuncOp<'_>>) else { return Ok(()) };
    let (results, name) = (func.results(), func.0.symbol_name().unwrap_or_default());
    if op.num_operands() != results.len() {
        return Err(op.error(format_args!(
            "has {} operands, but enclosing function (@{name}) returns {}",
            op.num_operands(),
            results.len()
        )));
    }
    for (i, (operand, &ty)) in op.operands().iter().zip(results).enumerate() {
        if operand.ty() != ty {
            let (given, wanted) = (operand.ty(), op.cx().ty(ty));
            return Err(Diagnostic::error(
                op.loc(),
                format!(
                    "type of return operand {i} ('{given}') doesn't match function result type ('{wanted}') in function @{name}"
                ),
            ));
        }
    }
    Ok(())
}
