//! Interfaces.

use dl_ir::interfaces::SymbolUser;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Diagnostic, OpRef};

use crate::{AttributeOp, BaseOp, ParametricOp, TypeOp};

/// The definitions that the constraints of a dialect refer to. They are looked up from where the dialect stands, so it is the
/// dialect that checks them.
pub(crate) struct DialectReferences;

impl SymbolUser for DialectReferences {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let definitions = op.region(0).ops();
        for constraint in definitions.flat_map(|definition| definition.regions()).flat_map(|region| region.ops()) {
            let base = constraint.cast::<BaseOp<'_>>().and_then(BaseOp::base_ref);
            let symbol = base.or_else(|| constraint.cast::<ParametricOp<'_>>().map(ParametricOp::base_type));
            if let Some(symbol) = symbol {
                verify_reference(constraint, symbol, table)?;
            }
        }
        Ok(())
    }
}

/// `symbol` is the definition of a type or an attribute.
fn verify_reference(op: OpRef<'_>, symbol: AttrRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
    let Some(found) = table.resolve(symbol) else {
        return Err(op.error(format_args!("symbol '{symbol}' not found")));
    };
    if found.is::<TypeOp<'_>>() || found.is::<AttributeOp<'_>>() {
        return Ok(());
    }
    let name = found.name();
    Err(op
        .error(format_args!("symbol '{symbol}' does not refer to a type or attribute definition (refers to '{name}')")))
}
