//! Symbol tables and the uses of symbols.

use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostics;
use crate::interfaces::SymbolUser;
use crate::opdef::Trait;
use crate::symbol::SymbolTable;
use crate::view::OpRef;

/// Verifies the table that `root` holds, and the symbol uses below it, down to the next table.
pub(super) fn verify(root: OpRef<'_>, out: &mut Diagnostics) {
    if !root.has_trait(&Trait::SymbolTable) {
        return;
    }
    let mut names: FxHashMap<&str, OpRef<'_>> = FxHashMap::default();
    for op in root.regions().flat_map(|region| region.ops()) {
        let Some(name) = op.symbol_name() else { continue };
        if let Some(first) = names.insert(name, op) {
            let message = format!("redefinition of symbol named '{name}'");
            out.push(
                crate::Diagnostic::error(op.loc(), message).note(first.loc(), "see existing symbol definition here"),
            );
        }
    }
    let table = SymbolTable::new(root);
    let mut pending: Vec<OpRef<'_>> = vec![root];
    while let Some(op) = pending.pop() {
        for inner in op.regions().flat_map(|region| region.ops()) {
            if let Some(user) = inner.interface::<dyn SymbolUser>()
                && let Err(diagnostic) = user.verify_symbol_uses(inner, &table)
            {
                out.push(diagnostic);
            }
            if inner.num_regions() > 0 && !inner.has_trait(&Trait::SymbolTable) {
                pending.push(inner);
            }
        }
    }
}
