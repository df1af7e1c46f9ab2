//! Implementations of the core's interfaces.

use dl_ir::interfaces::{RegionBranchOp, RegionPoint, SymbolUser, ViewLike};
use dl_ir::symbol::SymbolTable;
use dl_ir::{Diagnostic, OpRef, Operands, ValueRef};
use smallvec::{SmallVec, smallvec};

use crate::{GetGlobalOp, GlobalOp};

/// The result is a view of operand 0.
pub(crate) struct ViewOfFirst;

impl ViewLike for ViewOfFirst {
    fn source<'a>(&self, op: OpRef<'a>) -> ValueRef<'a> {
        op.operand(0)
    }
}

/// `get_global` names a global variable of its type.
pub(crate) struct UsesGlobal;

impl SymbolUser for UsesGlobal {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let name = GetGlobalOp(op).name();
        let Some(text) = name.as_flat_symbol() else { return Ok(()) };
        let global = table.get(text).and_then(|found| found.cast::<GlobalOp<'_>>());
        let Some(ty) = global.and_then(|global| global.0.attr("type")?.as_type()) else {
            return Err(op.error(format_args!("'{text}' does not reference a valid global memref")));
        };
        let result = op.result(0).ty();
        if result.id() == ty.id() {
            return Ok(());
        }
        Err(op.error(format_args!("result type '{result}' does not match type '{ty}' of the global memref @{text}")))
    }
}

/// Its region is executed once.
pub(crate) struct AllocaScope;

impl RegionBranchOp for AllocaScope {
    fn successors(&self, _: OpRef<'_>, from: RegionPoint) -> SmallVec<[RegionPoint; 2]> {
        smallvec![match from {
            RegionPoint::Parent => RegionPoint::Region(0),
            RegionPoint::Region(_) => RegionPoint::Parent,
        }]
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _: RegionPoint) -> Operands<'a> {
        op.operands().slice(0, 0)
    }
}
