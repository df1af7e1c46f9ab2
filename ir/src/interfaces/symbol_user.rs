//! Operations that refer to symbols.

use crate::diagnostics::Diagnostic;
use crate::symbol::SymbolTable;
use crate::view::OpRef;

/// An operation whose attributes name symbols of the enclosing tables.
pub trait SymbolUser: Send + Sync {
    /// Checks the uses of `op` against the symbols of the closest symbol table around it.
    ///
    /// # Errors
    /// The symbol that is missing, or does not fit.
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic>;
}
