//! What upstream's translation takes for granted, and crashes on where it is not so.

use std::collections::HashSet;

use dl_ir::interfaces::FunctionOp;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Diagnostic, OpRef, Type, TypeRef, walk};
use dl_llvm::types::is_compatible_throughout;
use dl_llvm::{LLVMFuncOp, SwitchOp};

/// That the translation can deal with `module`, which verifies and consists of the `llvm` dialect. Costs O(operations).
///
/// # Errors
/// What it cannot deal with, first in the order of the program.
pub(super) fn check(module: OpRef<'_>) -> Result<(), Diagnostic> {
    let symbols = SymbolTable::new(module);
    let mut known = HashSet::default();
    walk::pre_order(module).try_for_each(|op| {
        check_types(op, &mut known)?;
        if op.is::<SwitchOp<'_>>() && op.attr("case_values").is_none() {
            return Err(op.error("unsupported: a switch without cases; 'llvm.br' does the same"));
        }
        let function = op.cast::<LLVMFuncOp<'_>>();
        match function.and_then(|function| function.personality()).and_then(AttrRef::as_flat_symbol) {
            Some(name) if symbols.get(name).is_none() => {
                Err(op.error(format_args!("unsupported: a personality that is not defined: @{name}")))
            }
            _ => Ok(()),
        }
    })
}

/// That LLVM has the types of `op`; `known` are some that it has.
fn check_types(op: OpRef<'_>, known: &mut HashSet<Type>) -> Result<(), Diagnostic> {
    let arguments = op.regions().flat_map(|region| region.blocks()).flat_map(|block| block.args());
    let values = op.results().iter().chain(arguments).map(|value| value.ty());
    for ty in values.chain(types_of_attrs(op)) {
        if !known.contains(&ty.id()) {
            if !is_compatible_throughout(ty) {
                return Err(op.error(format_args!("unsupported: LLVM has no type like '{ty}'")));
            }
            known.insert(ty.id());
        }
    }
    Ok(())
}

/// The types that the operation's own attributes name: as they are, as a hint, or for an argument or a result.
fn types_of_attrs(op: OpRef<'_>) -> impl Iterator<Item = TypeRef<'_>> {
    let cx = op.cx();
    let own = op.attrs().filter(move |&(name, _)| op.discardable_attrs().all(|(other, _)| other != name));
    let own = own.map(|(_, attr)| attr);
    let hints = own.clone().filter(|attr| attr.is_dialect_attr("llvm.vec_type_hint"));
    let hints = hints.flat_map(AttrRef::params).map(|&attr| cx.attr(attr));
    let lists = own.clone().filter(move |attr| attr.is_array() && op.interface::<dyn FunctionOp>().is_some());
    let entries = lists.flat_map(AttrRef::elements).flat_map(AttrRef::entries);
    own.chain(hints).chain(entries.map(|&(_, attr)| cx.attr(attr))).filter_map(AttrRef::as_type)
}
