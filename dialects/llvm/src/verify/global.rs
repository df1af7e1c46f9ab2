//! Verifiers of globals and of the lists of constructors and destructors.

use dl_ir::interfaces::SymbolUser;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrData, AttrRef, Diagnostic, OpRef, OpView};

use crate::{GlobalOp, LLVMFuncOp, Linkage, types};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_global(op: OpRef<'_>) -> Verified {
    let view = GlobalOp::wrap(op);
    let Some(ty) = view.global_type().as_type() else { return Ok(()) };
    if !types::is_element(ty) {
        return Err(op.error("expects type to be a valid element type for an LLVM global"));
    }
    if let Some(AttrData::String { value, .. }) = view.value().map(AttrRef::data) {
        let fits = types::array_parts(ty)
            .is_some_and(|(element, len)| op.cx().ty(element).is_signless_integer_of(8) && len == value.len() as u64);
        if !fits {
            return Err(op.error("requires an i8 array type of the length equal to that of the string attribute"));
        }
    }
    if view.value().is_some() && !view.initializer().is_empty() {
        return Err(op.error("cannot have both initializer value and region"));
    }
    match Linkage::from_attr(view.linkage()) {
        Some(Linkage::Common) if view.value().is_some_and(|value| !is_zero(value)) => {
            Err(op.error("expected zero value for 'common' linkage"))
        }
        Some(Linkage::Appending) if !types::is_array(ty) => {
            Err(op.error("expected array type for 'appending' linkage"))
        }
        _ => verify_alignment(op, view.alignment()),
    }
}

fn is_zero(value: AttrRef<'_>) -> bool {
    match value.splat_value() {
        Some(element) => element.as_int() == Some(0) || element.as_f64() == Some(0.0),
        None => value.as_int() == Some(0) || value.as_f64() == Some(0.0) || value.is_dialect_attr("llvm.zero"),
    }
}

fn verify_alignment(op: OpRef<'_>, alignment: Option<AttrRef<'_>>) -> Verified {
    let valid = alignment.and_then(AttrRef::as_int).is_none_or(|n| n > 0 && n.count_ones() == 1);
    if valid { Ok(()) } else { Err(Diagnostic::error(op.loc(), "alignment attribute is not a power of 2")) }
}

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
