//! Interfaces: what passes may ask of operations without knowing their dialect.
//!
//! An interface is a trait whose methods take the operation. A dialect attaches a (mostly zero-sized) implementation to an
//! operation name when it registers, see [`OpBuilder::interface`](crate::dialect::OpBuilder::interface); another crate may
//! attach one to the same operation too. [`OpRef::interface`] finds it.

mod branch;
mod call;
mod destination_style;
pub mod function;
pub mod index_list;
mod inline;
mod int_range;
mod loop_like;
mod memory_slot;
pub mod offset_size_stride;
pub mod reassociation;
mod region_branch;
mod reify_shape;
mod symbol_user;
mod tiling;
mod view_like;

pub use branch::{BranchOp, verify_branch};
pub use call::{CallOp, Callee, DirectCall, verify_call};
pub use destination_style::{
    DestinationStyle, InitsAt, Relayout, has_pure_buffer_semantics, has_pure_tensor_semantics, inits, tied_operand,
    tied_result, verify_destination_style,
};
pub use function::FunctionOp;
pub use index_list::Index;
pub use inline::{InlineAnywhere, InlineAnywhereAndInside, InlineSite, Inlining};
pub use int_range::{InferIntRange, RecordRanges, ResultRange, ShapedDim, own_range};
pub use loop_like::{Bound, LoopDim, LoopLike, invariant_loops, verify_loop_like};
pub use memory_slot::{
    DestructurableAccess, DestructurableAllocation, MemorySlot, PromotableAccess, PromotableAllocation, SlotAccess,
};
pub use offset_size_stride::OffsetSizeStride;
pub(crate) use region_branch::receives_nothing;
pub use region_branch::{RegionBranchOp, RegionPoint, ends_region, verify_region_branch};
pub use reify_shape::{ReifyRankedShapedType, reify_dim, reify_shapes};
pub use symbol_user::SymbolUser;
pub use tiling::{LoopKind, Part, Tiling};
pub use view_like::ViewLike;

pub use crate::interp::Interpret;

use crate::view::OpRef;

/// An operation whose regions take the constants that folding makes inside them, which otherwise go to the isolated operation
/// around it. A marker.
pub trait MaterializesConstants: Send + Sync {}

impl<'a> OpRef<'a> {
    /// The implementation of the interface `I` (a `dyn Trait` type) for this operation, if one is attached.
    #[inline]
    pub fn interface<I: ?Sized + 'static>(self) -> Option<&'a I> {
        self.info().interface::<I>()
    }
}
