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
    /// It needs what the slot holds, and [`load`](PromotableAccess::load) says what for.
    Load,
    /// The slot holds this value afterwards.
    Store(ValueRef<'a>),
    /// The slot holds afterwards what [`change`](PromotableAccess::change) makes.
    Change {
        /// Whether that depends on what the slot held before.
        reads: bool,
    },
    /// It neither needs nor changes what the slot holds. Its results, if there are any, point to the slot as well.
    Forward,
}

/// An operation that has a pointer to a slot.
pub trait PromotableAccess: Send + Sync {
    /// What `op` does with the slot, where that is all that it does with the pointer, and the operation can go once it is known what
    /// the slot holds.
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>>;

    /// Replaces `op`, which loads, where the slot holds `held`. By default that is its first result.
    fn load(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot, held: ValueId) {
        let _ = slot;
        rw.replace(op, &[held]);
    }

    /// What the slot holds after `op`, which changes it, made at the insertion point. It held `held`, which is there where `op` reads
    /// that.
    fn change(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot, held: Option<ValueId>) -> Option<ValueId> {
        let _ = (rw, op, slot);
        held
    }

    /// Replaces `op`, which forwards, when the slot is no memory any more. By default it is erased.
    fn release(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) {
        let _ = slot;
        rw.erase(op);
    }

    /// Has `op`, which forwards, take note that the slot holds `value` from the insertion point on. By default it need not.
    fn note(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot, value: ValueId) {
        let _ = (rw, op, slot, value);
    }
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

/// An operation that accesses parts of memory that can be split.
pub trait DestructurableAccess: Send + Sync {
    /// The parts of what `pointer` points to that `op` accesses, of `all` that there are, if it does nothing else with it.
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, all: &[Attr]) -> Option<SmallVec<[Attr; 1]>>;

    /// Lets `op` access, in the place of what `pointer` points to, its `parts`, each with what points to it alone. One that has none of its
    /// own is given all that others access.
    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, parts: &[(Attr, ValueId)]);
}
