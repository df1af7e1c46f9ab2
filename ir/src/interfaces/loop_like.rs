//! Loops.

use smallvec::SmallVec;

use crate::arena::Arena;
use crate::entity::{OpId, RegionId, ValueId};
use crate::view::{OpRef, ValueRef};

/// An operation that executes its regions repeatedly.
pub trait LoopLike: Send + Sync {
    /// The regions that are executed repeatedly.
    fn loop_regions(&self, op: OpRef<'_>) -> SmallVec<[RegionId; 1]> {
        op.regions().map(|region| region.id()).collect()
    }

    /// The induction variables.
    fn induction_vars<'a>(&self, op: OpRef<'a>) -> SmallVec<[ValueRef<'a>; 2]> {
        let _ = op;
        SmallVec::new()
    }

    /// The numbers of the operands that give the values carried into the first iteration.
    fn inits(&self, op: OpRef<'_>) -> std::ops::Range<usize> {
        let _ = op;
        0..0
    }

    /// The region arguments that hold the carried values.
    fn iter_args<'a>(&self, op: OpRef<'a>) -> SmallVec<[ValueRef<'a>; 2]> {
        let _ = op;
        SmallVec::new()
    }
}

/// Whether `value` is defined outside of all regions of `op`.
pub fn is_defined_outside(ir: &Arena, value: ValueId, op: OpId) -> bool {
    let block = match ir.definition(value) {
        crate::Definition::Argument(block) => Some(block),
        crate::Definition::Result(def) => ir.block_of(def),
    };
    let parent = block.and_then(|b| ir.region_of(b)).and_then(|r| ir.region_parent(r));
    !std::iter::successors(parent, |&at| ir.parent_op(at)).any(|at| at == op)
}
