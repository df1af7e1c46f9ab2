//! The attribute `shape.lib`: which function libraries an operation and what is in it use.

use dl_ir::opdef::Trait;
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Diagnostic, OpRef};
use rustc_hash::FxHashSet;

use crate::FunctionLibraryOp;

/// Checks an attribute of this dialect that stands on any operation.
pub(crate) fn verify_attr(op: OpRef<'_>, name: &str, attr: AttrRef<'_>) -> Result<(), Diagnostic> {
    if name != "shape.lib" {
        return Ok(());
    }
    let error = |message: String| Err(Diagnostic::error(op.loc(), message));
    let table = op.has_trait(&Trait::SymbolTable).then(|| SymbolTable::new(op));
    if attr.is_symbol_ref() {
        let Some(table) = &table else {
            return error("shape.lib attribute may only be on op implementing SymbolTable".to_owned());
        };
        return match table.resolve(attr) {
            None => error(format!("shape function library {attr} not found")),
            Some(found) if !found.is::<FunctionLibraryOp<'_>>() => {
                error(format!("{attr} required to be shape function library"))
            }
            Some(_) => Ok(()),
        };
    }
    if !attr.is_array() {
        return error("only SymbolRefAttr or array of SymbolRefAttrs allowed as shape.lib attribute".to_owned());
    }
    // Each operation has its function in one of the libraries.
    let mut mapped = FxHashSet::default();
    for symbol in attr.elements() {
        if !symbol.is_symbol_ref() {
            return error("only SymbolRefAttr allowed in shape.lib attribute array".to_owned());
        }
        let found = table.as_ref().and_then(|table| table.resolve(symbol));
        let Some(library) = found.and_then(OpRef::cast::<FunctionLibraryOp<'_>>) else {
            return error(format!("{symbol} does not refer to FunctionLibraryOp"));
        };
        // The library is verified after this.
        for &(name, _) in library.0.attr("mapping").map_or(&[][..], AttrRef::entries) {
            if !mapped.insert(name) {
                let name = op.cx().str(name);
                return error(format!("only one op to shape mapping allowed, found multiple for `\"{name}\"`"));
            }
        }
    }
    Ok(())
}
