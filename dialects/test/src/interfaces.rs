//! Interfaces.

use dl_ir::interfaces::{BranchOp, CallOp, Callee, MaterializesConstants, RegionBranchOp, RegionPoint};
use dl_ir::{OpId, OpRef, Operands, Rewriter, ValueId};
use smallvec::{SmallVec, smallvec};

/// All operands go to the one successor.
pub(crate) struct Branch;

impl BranchOp for Branch {
    fn successor_operands<'a>(&self, op: OpRef<'a>, _: usize) -> Operands<'a> {
        op.operands()
    }

    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, _: usize, values: &[ValueId]) {
        rw.set_operands(op, values);
    }
}

/// Constants stay in the region in which they are made.
pub(crate) struct KeepsConstants;

impl MaterializesConstants for KeepsConstants {}

/// The number of the region that the first two lead to.
const JOIN: usize = 2;

/// One of two regions, or neither, then the third.
pub(crate) struct Joined;

impl RegionBranchOp for Joined {
    fn runs_at_most_once(&self, _: OpRef<'_>, _: usize) -> bool {
        true
    }

    fn successors(&self, _: OpRef<'_>, from: RegionPoint) -> SmallVec<[RegionPoint; 2]> {
        match from {
            RegionPoint::Parent => (0..=JOIN).map(RegionPoint::Region).collect(),
            RegionPoint::Region(JOIN) => smallvec![RegionPoint::Parent],
            RegionPoint::Region(_) => smallvec![RegionPoint::Region(JOIN)],
        }
    }

    fn entry_operands<'a>(&self, op: OpRef<'a>, _: RegionPoint) -> Operands<'a> {
        op.operands()
    }
}

/// All operands but the last one are arguments.
pub(crate) struct CallOnDevice;

impl CallOp for CallOnDevice {
    fn callee<'a>(&self, op: OpRef<'a>) -> Option<Callee<'a>> {
        op.attr("callee").map(Callee::Symbol)
    }

    fn arguments<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operand_group(0)
    }
}
