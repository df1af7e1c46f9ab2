//! Interfaces.

use dl_ir::interfaces::{FunctionOp, RegionBranchOp, RegionPoint, SymbolUser, verify_call};
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Context, Diagnostic, OpRef, OpView, Operands, Type, TypeRef, ValueRef};
use smallvec::{SmallVec, smallvec};

use crate::types::awaited;
use crate::{CallOp, ExecuteOp, FuncOp};

pub(crate) struct Function;

impl FunctionOp for Function {}

/// A call names a function and agrees with its type.
pub(crate) struct CallSymbol;

impl SymbolUser for CallSymbol {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Result<(), Diagnostic> {
        let callee = CallOp::wrap(op).callee().as_flat_symbol().unwrap_or_default();
        let function = table.get(callee).and_then(OpRef::cast::<FuncOp<'_>>);
        let ty = function.and_then(|function| function.op().attr("function_type").and_then(AttrRef::as_type));
        let Some(ty) = ty else {
            return Err(op.error(format_args!("'{callee}' does not reference a valid async function")));
        };
        verify_call(op, ty.inputs(), ty.results())
    }
}

/// The region of an `execute` is run once. It takes and yields what is in the values that the operation takes and gives.
pub(crate) struct Execute;

impl RegionBranchOp for Execute {
    fn successors(&self, _op: OpRef<'_>, from: RegionPoint) -> SmallVec<[RegionPoint; 2]> {
        match from {
            RegionPoint::Parent => smallvec![RegionPoint::Region(0)],
            RegionPoint::Region(_) => smallvec![RegionPoint::Parent],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        ExecuteOp::wrap(op).body_operands()
    }

    fn inputs<'a>(&self, op: OpRef<'a>, to: RegionPoint) -> SmallVec<[ValueRef<'a>; 4]> {
        match to {
            RegionPoint::Parent => ExecuteOp::wrap(op).body_results().iter().collect(),
            RegionPoint::Region(index) => {
                op.region(index).entry().map_or_else(SmallVec::new, |block| block.args().collect())
            }
        }
    }

    fn are_compatible(&self, cx: &Context, from: Type, to: Type) -> bool {
        let inside = |ty: TypeRef<'_>| awaited(ty).unwrap_or(ty.id());
        inside(cx.ty(from)) == inside(cx.ty(to))
    }
}
