//! Memory that only loads and stores touch, which can become values or be split.

use smallvec::SmallVec;

use crate::attributes::Attr;
use crate::entity::{OpId, ValueId};
use crate::rewriter::Rewriter;
use crate::types::Type;
use crate::view::{OpRef, ValueRef};

/// Memory that holds one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemorySlot {
    /// Points to it.
    pub pointer: ValueId,
    /// The type of the value.
    pub ty: Type,
}

/// An operation that allocates memory slots which end with the function.
pub trait PromotableAllocation: Send + Sync {
    /// The slots that the operation allocates and that hold one value.
    fn slots(&self, op: OpRef<'_>) -> SmallVec<[MemorySlot; 1]>;

    /// What the slot holds before anything was stored, made at the insertion point.
    fn default_value(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> ValueId;

    /// Allocates `slot`, which nothing uses any more, no longer. Answers the operation that allocates what else there is. By default `op`
    /// is erased.
    fn promoted(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> Option<OpId> {
        let _ = slot;
        rw.erase(op);
        None
    }
}

/// What an operation does with a slot.
#[derive(Clone, Copy, Debug)]
pub enum SlotAccess<'a> {
    /// Its first result is what the slot holds.
    Load,
    /// The slot holds this value afterwards.
    Store(ValueRef<'a>),
}

/// An operation that loads or stores.
pub trait PromotableAccess: Send + Sync {
    /// What `op` does with the slot, where that is all that it does with the pointer, and the operation can go once it is known what
    /// the slot holds.
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>>;
}

/// An operation that allocates memory which can be split into parts, each told by an attribute.
pub trait DestructurableAllocation: Send + Sync {
    /// What points to memory that can be split, with the parts in their order.
    fn parts(&self, op: OpRef<'_>) -> SmallVec<[(ValueId, Vec<Attr>); 1]>;

    /// Allocates the part `index` of what `pointer` points to by itself, at the insertion point; answers the operation that does and what
    /// points to it.
    fn allocate_part(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, index: Attr) -> (OpId, ValueId);

    /// Allocates what `pointer`, which nothing uses any more, points to no longer. Answers the operation that allocates what else there is.
    /// By default `op` is erased.
    fn destructured(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId) -> Option<OpId> {
        let _ = pointer;
        rw.erase(op);
        None
    }
}

/// An operation that accesses one part of memory that can be split.
pub trait DestructurableAccess: Send + Sync {
    /// The part of what `pointer` points to, if `op` does nothing else with it.
    fn part(&self, op: OpRef<'_>, pointer: ValueId) -> Option<Attr>;

    /// Lets `op` access the memory that `part` points to, which is that part alone.
    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, part: ValueId);
}
