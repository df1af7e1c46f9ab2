//! Operations that refer to symbols.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::opdef::Trait;
use crate::symbol::SymbolTable;
use crate::view::OpRef;

/// An operation whose attributes name symbols of the enclosing tables.
pub trait SymbolUserOp: Send + Sync {
    /// Checks the uses of `op` against the symbols of the closest symbol table around it.
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic>;
}

/// Checks the symbol uses of all operations in `table`, those in nested tables against their own. Goes on after an error.
/// Costs one table for each operation with [`Trait::SymbolTable`] and a visit of each operation.
pub fn verify_symbol_uses(table: OpRef<'_>, diagnostics: &mut Diagnostics) {
    let mut tables = vec![table];
    while let Some(table) = tables.pop() {
        let symbols = SymbolTable::new(table);
        let mut pending = vec![table.body()];
        while let Some(op) = pending.pop() {
            for nested in op.regions().flat_map(|region| region.ops()) {
                if let Some(user) = nested.interface::<dyn SymbolUserOp>()
                    && let Err(diagnostic) = user.verify_symbol_uses(nested, &symbols)
                {
                    diagnostics.push(diagnostic);
                }
                if nested.has_trait(&Trait::SymbolTable) {
                    tables.push(nested);
                } else if nested.num_regions() != 0 {
                    pending.push(nested.body());
                }
            }
        }
    }
}
