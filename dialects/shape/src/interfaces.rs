//! Interfaces.

use dl_ir::interfaces::{FunctionOp, RegionBranchOp, RegionPoint};
use dl_ir::{OpRef, Operands};
use smallvec::{SmallVec, smallvec};

pub(crate) struct Function;

impl FunctionOp for Function {}

/// The region of an `assuming` is run once.
pub(crate) struct Assuming;

impl RegionBranchOp for Assuming {
    fn successors(&self, _op: OpRef<'_>, from: RegionPoint) -> SmallVec<[RegionPoint; 2]> {
        match from {
            RegionPoint::Parent => smallvec![RegionPoint::Region(0)],
            RegionPoint::Region(_) => smallvec![RegionPoint::Parent],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _to: RegionPoint) -> Operands<'a> {
        op.operands().slice(0, 0)
    }
}
