//! Several allocations in one.

use dl_ir::interfaces::{DestructurableAllocation, MemorySlot, PromotableAllocation};
use dl_ir::{Attr, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_memref::slots::{element_pointer, elements, slot};
use smallvec::SmallVec;

use crate::MultiSlotAllocaOp;

pub(crate) struct Alloca;

impl PromotableAllocation for Alloca {
    fn slots(&self, op: OpRef<'_>) -> SmallVec<[MemorySlot; 1]> {
        let is_int =
            |result: &ValueRef<'_>| result.ty().is_ranked_memref() && result.ty().element_or_self().is_integer();
        op.results().iter().filter(is_int).filter_map(slot).collect()
    }

    fn default_value(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> ValueId {
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let zero = cx.int_attr(slot.ty, 0);
        rw.create_value(OpState::named("arith.constant", loc).attr(cx, "value", zero).results([slot.ty]))
    }

    fn promoted(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> Option<OpId> {
        without(rw, op, slot.pointer)
    }
}

impl DestructurableAllocation for Alloca {
    fn parts(&self, op: OpRef<'_>) -> SmallVec<[(ValueId, Vec<Attr>); 1]> {
        let memrefs = op.results().iter().filter(|result| result.ty().is_ranked_memref());
        memrefs.filter_map(|result| Some((result.id(), elements(result)?))).collect()
    }

    fn allocate_part(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, _: Attr) -> (OpId, ValueId) {
        let (ty, loc) = (element_pointer(rw.value_type(pointer)), rw.op(op).loc());
        let made = rw.create(OpState::of::<MultiSlotAllocaOp<'_>>(loc).results([ty]));
        (made, rw.ir().result(made, 0))
    }

    fn destructured(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId) -> Option<OpId> {
        without(rw, op, pointer)
    }
}

/// Replaces `op` by one that allocates all but what `pointer` points to.
fn without(rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId) -> Option<OpId> {
    let kept: Vec<ValueId> = rw.ir().results(op).filter(|&result| result != pointer).collect();
    if kept.is_empty() {
        rw.erase(op);
        return None;
    }
    let types: Vec<Type> = kept.iter().map(|&value| rw.ir().value_type(value)).collect();
    let loc = rw.op(op).loc();
    rw.set_insertion_before(op);
    let made = rw.create(OpState::of::<MultiSlotAllocaOp<'_>>(loc).results(types));
    for (index, old) in kept.into_iter().enumerate() {
        let new = rw.ir().result(made, index);
        rw.replace_all_uses(old, new);
    }
    rw.erase(op);
    Some(made)
}
