//! Interfaces: what generic code may ask of operations of any dialect.
//!
//! An interface is a trait over [`OpRef`]; a dialect attaches an object of it to an operation when it registers
//! ([`OpBuilder::interface`](crate::dialect::OpBuilder::interface)), also to an operation of another crate. Generic code asks
//! [`OpInfo::interface`](crate::dialect::OpInfo::interface) for `dyn` of the trait.

mod call;
mod control_flow;
mod loop_like;

pub use call::{CallOp, CallableOp};
pub use control_flow::{BranchOp, RegionBranchOp, RegionBranchTerminator, RegionPoint, SuccessorOperands, erase_operand_of_group};
pub use loop_like::{LoopLike, is_defined_outside};

use crate::view::{OpRef, ValueRef};

/// An operation whose result is another way to see what an operand names: a view, cast or slice of the same memory.
pub trait ViewLike: Send + Sync {
    /// The operand that is viewed.
    fn source<'a>(&self, op: OpRef<'a>) -> ValueRef<'a>;
}

/// An operation into whose regions folded constants go, rather than to the isolated operation around it. A marker.
pub trait MaterializesConstants: Send + Sync {}
