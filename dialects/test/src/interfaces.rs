//! Interfaces.

use dl_ir::interfaces::{BranchOp, CallOp, Callee, LoopLike, MaterializesConstants, RegionBranchOp, RegionPoint};
use dl_ir::{OpId, OpRef, Operands, RegionRef, Rewriter, ValueId, ValueRef};
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

/// A loop that carries nothing.
pub(crate) struct Unordered;

impl LoopLike for Unordered {
    fn loop_regions<'a>(&self, op: OpRef<'a>) -> SmallVec<[RegionRef<'a>; 2]> {
        op.regions().collect()
    }

    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operands().slice(0, 0)
    }

    fn region_iter_args<'a>(&self, _: OpRef<'a>) -> SmallVec<[ValueRef<'a>; 4]> {
        SmallVec::new()
    }

    fn yielded_values<'a>(&self, _: OpRef<'a>) -> Option<Operands<'a>> {
        None
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
