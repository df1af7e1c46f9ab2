//! Memory that only loads and stores touch, which can become values or be split.

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
    /// The slot that the operation allocates, if it is one that holds one value and nothing else.
    fn slot(&self, op: OpRef<'_>) -> Option<MemorySlot>;

    /// What the slot holds before anything was stored, made at the insertion point.
    fn default_value(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> ValueId;
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
    /// What points to the memory, and the parts in their order. `None` where it cannot be split.
    fn parts(&self, op: OpRef<'_>) -> Option<(ValueId, Vec<Attr>)>;

    /// Allocates the part `index` by itself, at the insertion point; answers the operation that does and what points to it.
    fn allocate_part(&self, rw: &mut Rewriter<'_>, op: OpId, index: Attr) -> (OpId, ValueId);
}

/// An operation that accesses one part of memory that can be split.
pub trait DestructurableAccess: Send + Sync {
    /// The part of what `pointer` points to, if `op` does nothing else with it.
    fn part(&self, op: OpRef<'_>, pointer: ValueId) -> Option<Attr>;

    /// Lets `op` access the memory that `part` points to, which is that part alone.
    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, part: ValueId);
}
