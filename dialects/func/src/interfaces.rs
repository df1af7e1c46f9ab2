//! Interfaces.

use dl_ir::interfaces::{CallOp as CallInterface, Callee, FunctionOp, SymbolUser, verify_call};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Diagnostic, OpRef, Operands};

use crate::{CallIndirectOp, CallOp, ConstantOp, FuncOp};

pub(crate) struct Function;

impl FunctionOp for Function {}

pub(crate) struct CallIndirect;

impl CallInterface for CallIndirect {
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>> {
        op.cast::<CallIndirectOp<'a>>().map(|call| Callee::Value(call.callee()))
    }

    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operand_group(1)
    }
}

/// A call names a function and agrees with its type.
pub(crate) struct CallSymbol;

impl SymbolUser for CallSymbol {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let Some(callee) = op.cast::<CallOp<'_>>().and_then(|call| call.callee().as_flat_symbol()) else {
            return Ok(());
        };
        let Some(func) = table.get(callee).and_then(OpRef::cast::<FuncOp<'_>>) else {
            return Err(op.error(format_args!("'{callee}' does not reference a valid function")));
        };
        verify_call(op, func.inputs(), func.results())
    }
}

/// A function constant names a function of its type.
pub(crate) struct ConstantSymbol;

impl SymbolUser for ConstantSymbol {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let Some(constant) = op.cast::<ConstantOp<'_>>() else { return Ok(()) };
        let name = constant.value().as_flat_symbol().unwrap_or_default();
        let Some(func) = table.get(name).and_then(OpRef::cast::<FuncOp<'_>>) else {
            return Err(op.error(format_args!("reference to undefined function '{name}'")));
        };
        if func.function_type().as_type() != Some(op.result(0).ty()) {
            return Err(op.error("reference to function with mismatched type"));
        }
        Ok(())
    }
}
