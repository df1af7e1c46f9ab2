//! Verifiers of the lists of constructors and destructors.

use dl_ir::interfaces::SymbolUser;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Diagnostic, OpRef};

use crate::LLVMFuncOp;

type Verified = Result<(), Diagnostic>;

/// `llvm.mlir.global_ctors` and `llvm.mlir.global_dtors`: functions with a body, one priority and one datum each.
pub(crate) struct Structors(pub(crate) &'static str);

impl SymbolUser for Structors {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let list = |name: &str| op.attr(name).into_iter().flat_map(AttrRef::elements);
        for name in list(self.0).filter_map(AttrRef::as_flat_symbol) {
            let Some(function) = table.get(name).and_then(OpRef::cast::<LLVMFuncOp<'_>>) else {
                return Err(op.error(format_args!("'{name}' does not reference a valid LLVM function")));
            };
            if function.is_declaration() {
                return Err(op.error(format_args!("'{name}' does not have a definition")));
            }
        }
        Ok(())
    }
}

pub(crate) fn verify_ctors(op: OpRef<'_>) -> Verified {
    verify_structors(op, "ctors")
}

pub(crate) fn verify_dtors(op: OpRef<'_>) -> Verified {
    verify_structors(op, "dtors")
}

fn verify_structors(op: OpRef<'_>, functions: &str) -> Verified {
    let list = |name: &str| op.attr(name).into_iter().flat_map(AttrRef::elements);
    let count = list(functions).count();
    if list("priorities").count() != count || list("data").count() != count {
        let message = format!("{functions}, priorities, and data must have the same number of elements");
        return Err(Diagnostic::error(op.loc(), message));
    }
    if list("data").any(|datum| !datum.is_symbol_ref() && !datum.is_dialect_attr("llvm.zero")) {
        return Err(Diagnostic::error(op.loc(), "data element must be symbol or #llvm.zero"));
    }
    Ok(())
}
