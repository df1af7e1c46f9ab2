//! Allocations that can become values, or be split.

use dl_ir::interfaces::{
    DestructurableAccess, DestructurableAllocation, MemorySlot, PromotableAccess, PromotableAllocation, SlotAccess,
};
use dl_ir::{Attr, OpId, OpRef, OpState, Operands, Rewriter, Type, TypeRef, ValueId, ValueRef};
use smallvec::{SmallVec, smallvec};

use crate::{AllocaOp, LoadOp, StoreOp};

/// Allocations with more elements are not split.
const MAX_PARTS: u64 = 16;

pub(crate) struct Alloca;

impl PromotableAllocation for Alloca {
    fn slots(&self, op: OpRef<'_>) -> SmallVec<[MemorySlot; 1]> {
        slot(op.result(0)).into_iter().collect()
    }

    fn default_value(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> ValueId {
        let loc = rw.op(op).loc();
        let poison = rw.cx().dialect_attr("ub.poison", &[]);
        rw.create_value(OpState::named("ub.poison", loc).attr(rw.cx(), "value", poison).results([slot.ty]))
    }
}

/// The slot that `memref` points to, if it has one element.
pub fn slot(memref: ValueRef<'_>) -> Option<MemorySlot> {
    let ty = memref.ty();
    let is_one = ty.has_static_shape() && ty.num_elements() == Some(1);
    is_one.then(|| MemorySlot { pointer: memref.id(), ty: ty.element_or_self().id() })
}

/// The elements of what `memref` points to, if they are few: arrays of indices.
pub fn elements(memref: ValueRef<'_>) -> Option<Vec<Attr>> {
    let (cx, ty) = (memref.cx(), memref.ty());
    let shape = ty.shape().filter(|_| ty.has_static_shape())?;
    if !ty.num_elements().is_some_and(|count| (2..=MAX_PARTS).contains(&count)) {
        return None;
    }
    let mut parts = Vec::new();
    let mut index = vec![0; shape.len()];
    loop {
        let coordinates: Vec<Attr> = index.iter().map(|&at| cx.index_attr(at)).collect();
        parts.push(cx.array_attr(&coordinates));
        let Some(dim) = (0..shape.len()).rev().find(|&dim| index[dim] + 1 < shape[dim]) else { break };
        index[dim] += 1;
        index[dim + 1..].fill(0);
    }
    Some(parts)
}

/// The type of a pointer to one element of what a `memref` of type `ty` points to.
pub fn element_pointer(ty: TypeRef<'_>) -> Type {
    let space = ty.memory_space().map(|space| space.id());
    ty.cx().memref_type_with(&[], ty.element_or_self().id(), None, space)
}

impl DestructurableAllocation for Alloca {
    fn parts(&self, op: OpRef<'_>) -> SmallVec<[(ValueId, Vec<Attr>); 1]> {
        elements(op.result(0)).map(|parts| (op.result(0).id(), parts)).into_iter().collect()
    }

    fn allocate_part(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, _: Attr) -> (OpId, ValueId) {
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let part = element_pointer(rw.value_type(pointer));
        let state = OpState::of::<AllocaOp<'_>>(loc).operand_segments(cx, &[0, 0]).results([part]);
        let made = rw.create(state);
        (made, rw.ir().result(made, 0))
    }
}

/// The element of the static `memref` that constant indices name.
fn element(memref: ValueRef<'_>, indices: Operands<'_>) -> Option<Attr> {
    let shape = memref.ty().shape()?;
    let coordinate = |(index, &size): (ValueRef<'_>, &i64)| {
        let at = index.constant()?.as_int().filter(|at| (0..size).contains(at))?;
        Some(index.cx().index_attr(at))
    };
    let coordinates: Option<Vec<Attr>> = indices.iter().zip(shape).map(coordinate).collect();
    Some(memref.cx().array_attr(&coordinates?))
}

/// The access to the memory that `operand` points to has no indices any more, and is to the only one of `parts`.
fn rewire(rw: &mut Rewriter<'_>, op: OpId, operand: usize, parts: &[(Attr, ValueId)]) {
    let &[(_, part)] = parts else { return };
    let mut operands = rw.op(op).operands().ids();
    operands.truncate(operand + 1);
    operands[operand] = part;
    rw.set_operands(op, &operands);
}

pub(crate) struct Load;

impl PromotableAccess for Load {
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>> {
        let load = op.cast::<LoadOp<'a>>()?;
        (load.memref().id() == slot.pointer && op.result(0).ty().id() == slot.ty).then_some(SlotAccess::Load)
    }
}

impl DestructurableAccess for Load {
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let load = op.cast::<LoadOp<'_>>().filter(|load| load.memref().id() == pointer)?;
        element(load.memref(), load.indices()).map(|part| smallvec![part])
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, parts: &[(Attr, ValueId)]) {
        rewire(rw, op, 0, parts);
    }
}

pub(crate) struct Store;

impl PromotableAccess for Store {
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>> {
        let store = op.cast::<StoreOp<'a>>()?;
        let value = store.value();
        let fits = store.memref().id() == slot.pointer && value.id() != slot.pointer && value.ty().id() == slot.ty;
        fits.then_some(SlotAccess::Store(value))
    }
}

impl DestructurableAccess for Store {
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let store = op.cast::<StoreOp<'_>>()?;
        if store.memref().id() != pointer || store.value().id() == pointer {
            return None;
        }
        element(store.memref(), store.indices()).map(|part| smallvec![part])
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, parts: &[(Attr, ValueId)]) {
        rewire(rw, op, 1, parts);
    }
}
