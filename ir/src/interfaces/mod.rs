//! Interfaces: what passes may ask of operations without knowing their dialect.
//!
//! An interface is a trait whose methods take the operation. A dialect attaches a (mostly zero-sized) implementation to an
//! operation name when it registers, see [`OpBuilder::interface`](crate::dialect::OpBuilder::interface); another crate may
//! attach one to the same operation too. [`OpRef::interface`] finds it.

mod branch;
mod call;
pub mod function;
mod loop_like;
mod region_branch;
mod symbol_user;
mod view_like;

pub use branch::{BranchOp, verify_branch};
pub use call::{CallOp, Callee};
pub use function::FunctionOp;
pub use loop_like::{Bound, LoopDim, LoopLike};
pub use region_branch::{RegionBranchOp, RegionPoint, verify_region_branch};
pub use symbol_user::SymbolUserOp;
pub use view_like::ViewLike;

use crate::view::OpRef;

impl<'a> OpRef<'a> {
    /// The implementation of the interface `I` (a `dyn Trait` type) for this operation, if one is attached.
    #[inline]
    pub fn interface<I: ?Sized + 'static>(self) -> Option<&'a I> {
        self.info().interface::<I>()
    }
}
