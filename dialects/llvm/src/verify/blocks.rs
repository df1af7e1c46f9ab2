//! Addresses of blocks, and what the blocks of one function have in common.

use dl_ir::interfaces::SymbolUser;
use dl_ir::symbol::SymbolTable;
use dl_ir::{Attr, AttrRef, Diagnostic, OpRef, OpView, TypeRef, walk};

use crate::{BlockAddressOp, BlockTagOp, LLVMFuncOp, LandingpadOp, ResumeOp};

type Verified = Result<(), Diagnostic>;

/// All exceptions that a function handles are of one type.
pub(crate) fn verify_func_body(op: OpRef<'_>) -> Verified {
    if LLVMFuncOp::wrap(op).personality().is_none() {
        return Ok(());
    }
    let mut exception: Option<TypeRef<'_>> = None;
    for inner in walk::pre_order(op) {
        let (ty, message) = if let Some(landingpad) = inner.cast::<LandingpadOp<'_>>() {
            (landingpad.res().ty(), "'llvm.landingpad' should have a consistent result type inside a function")
        } else if let Some(resume) = inner.cast::<ResumeOp<'_>>() {
            (resume.value().ty(), "'llvm.resume' should have a consistent input type inside a function")
        } else {
            continue;
        };
        if *exception.get_or_insert(ty) != ty {
            return Err(Diagnostic::error(op.loc(), message));
        }
    }
    Ok(())
}

/// The tags of a function differ.
pub(crate) fn verify_blocktag(op: OpRef<'_>) -> Verified {
    let tag = BlockTagOp::wrap(op).tag();
    let Some(function) = op.parent().filter(|parent| parent.is::<LLVMFuncOp<'_>>()) else { return Ok(()) };
    let first = function.region(0).ops().find(|&inner| tag_of(inner) == Some(tag.id()));
    if first.is_none_or(|first| first.id() == op.id()) {
        return Ok(());
    }
    let id = tag.params().first().and_then(|&id| op.cx().attr(id).as_int()).unwrap_or(0);
    Err(Diagnostic::error(op.loc(), format!("duplicate block tag '{id}' in the same function: ")))
}

/// The tag of an operation that need not be verified yet.
fn tag_of(op: OpRef<'_>) -> Option<Attr> {
    op.attr("tag").filter(|_| op.is::<BlockTagOp<'_>>()).map(AttrRef::id)
}

/// `llvm.blockaddress` names a function and a tag in it.
pub(crate) struct BlockAddress;

impl SymbolUser for BlockAddress {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let &[function, tag] = BlockAddressOp::wrap(op).block_addr().params() else { return Ok(()) };
        let name: Option<&str> = op.cx().attr(function).as_flat_symbol();
        let found = name.and_then(|name| table.get(name)).and_then(OpRef::cast::<LLVMFuncOp<'_>>);
        match found {
            Some(function) if function.0.region(0).ops().any(|inner| tag_of(inner) == Some(tag)) => Ok(()),
            _ => Err(op.error("expects an existing block label target in the referenced function")),
        }
    }
}

/// A known constant: null, an address, or an address cast.
pub(crate) fn verify_landingpad_clause(op: OpRef<'_>, index: usize) -> Verified {
    let clause = op.operand(index);
    if crate::types::is_array(clause.ty()) {
        return Ok(());
    }
    let def = clause.defining_op();
    match def.map(OpRef::name) {
        Some("llvm.mlir.zero" | "llvm.mlir.addressof") => Ok(()),
        Some("llvm.bitcast") => {
            let source = def.and_then(|cast| cast.operands().get(0)).and_then(|value| value.defining_op());
            if source.is_some_and(|source| source.name() == "llvm.mlir.addressof") {
                return Ok(());
            }
            let error = Diagnostic::error(op.loc(), "constant clauses expected");
            let at = def.map_or(op.loc(), OpRef::loc);
            Err(error.note(at, "global addresses expected as operand to bitcast used in clauses for landingpad"))
        }
        _ => Err(Diagnostic::error(
            op.loc(),
            format!("clause #{index} is not a known constant - null, addressof, bitcast"),
        )),
    }
}

/// Every flag of a module is a `#llvm.mlir.module_flag`.
pub(crate) fn verify_module_flags(op: OpRef<'_>) -> Verified {
    let flags = op.attr("flags").into_iter().flat_map(AttrRef::elements);
    for flag in flags {
        if !flag.is_dialect_attr("llvm.mlir.module_flag") {
            return Err(op.error("expected a module flag attribute"));
        }
    }
    Ok(())
}
