//! Symbol tables and the uses of symbols.

use rustc_hash::FxHashMap;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::interfaces::{FunctionOp, SymbolUser};
use crate::opdef::Trait;
use crate::symbol::{SymbolTable, VISIBILITIES, VISIBILITY};
use crate::view::OpRef;

/// Verifies `op` as a symbol, if it is one: that references can say its name, its visibility, that it has no results, and that it stands in a symbol table.
pub(super) fn verify_symbol(op: OpRef<'_>) -> Result<(), Box<Diagnostic>> {
    let is_symbol = op.has_trait(&Trait::Symbol) || op.is_stub() && op.interface::<dyn FunctionOp>().is_some();
    if is_symbol && op.attr("sym_name").is_some_and(|name| name.is_string() && name.as_str().is_none()) {
        return Err(Box::new(op.error("unsupported: a symbol name that is not UTF-8")));
    }
    // Some symbols need no name, and are none without.
    if !is_symbol || op.symbol_name().is_none() {
        return Ok(());
    }
    if let Some(visibility) = op.attr(VISIBILITY) {
        let Some(text) = visibility.as_str() else {
            let message =
                format!("requires visibility attribute '{VISIBILITY}' to be a string attribute, but got {visibility}");
            return Err(Box::new(op.error(message)));
        };
        if !VISIBILITIES.contains(&text) {
            let known = VISIBILITIES.map(|word| format!("\"{word}\"")).join(", ");
            return Err(Box::new(
                op.error(format!("visibility expected to be one of [{known}], but got {visibility}")),
            ));
        }
    }
    if op.num_results() > 0 {
        return Err(Box::new(op.error("symbols must not have results")));
    }
    let parent = op.block().and_then(crate::view::BlockRef::parent_op);
    if parent.is_some_and(|parent| parent.info().is_registered() && !parent.has_trait(&Trait::SymbolTable)) {
        return Err(Box::new(op.error("symbol's parent must have the SymbolTable trait")));
    }
    Ok(())
}

/// Verifies that a symbol table has the one block that its symbols are in.
pub(super) fn verify_shape(op: OpRef<'_>) -> Result<(), Box<Diagnostic>> {
    let mut regions = op.regions();
    let (first, second) = (regions.next(), regions.next());
    let (Some(region), None) = (first, second) else {
        return Err(Box::new(op.error("Operations with a 'SymbolTable' must have exactly one region")));
    };
    if region.has_one_block() {
        return Ok(());
    }
    Err(Box::new(op.error("Operations with a 'SymbolTable' must have exactly one block")))
}

/// What is wrong with the names in the table that `root` holds.
pub(super) fn verify_names(root: OpRef<'_>) -> Diagnostics {
    let mut out = Diagnostics::default();
    let mut names: FxHashMap<&str, OpRef<'_>> = FxHashMap::default();
    for op in root.regions().flat_map(|region| region.ops()) {
        let Some(name) = op.symbol_name() else { continue };
        if let Some(first) = names.insert(name, op) {
            let message = format!("redefinition of symbol named '{name}'");
            out.push(Diagnostic::error(op.loc(), message).note(first.loc(), "see existing symbol definition here"));
            names.insert(name, first);
        }
    }
    out
}

/// Verifies `users`, the operations below `root` and down to the next symbol tables that refer to symbols of its table.
pub(super) fn verify_uses(root: OpRef<'_>, users: &[OpRef<'_>], out: &mut Diagnostics) {
    if users.is_empty() {
        return;
    }
    let table = SymbolTable::new(root);
    for &user in users {
        if let Some(interface) = user.info().interface::<dyn SymbolUser>()
            && let Err(diagnostic) = interface.verify_symbol_uses(user, &table)
        {
            out.push(diagnostic);
        }
    }
}
