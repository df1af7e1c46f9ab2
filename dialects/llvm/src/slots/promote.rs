//! Allocations, loads and stores of one value, which may be of another type of the same size.

use dl_ir::interfaces::{MemorySlot, PromotableAccess, PromotableAllocation, SlotAccess};
use dl_ir::{Loc, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, Type, TypeRef, ValueId};
use smallvec::{SmallVec, smallvec};

use crate::{AddrSpaceCastOp, AllocaOp, BitcastOp, IntToPtrOp, LoadOp, PtrToIntOp, StoreOp, UndefOp, layout, types};

pub(super) struct Alloca;

impl PromotableAllocation for Alloca {
    fn slots(&self, op: OpRef<'_>) -> SmallVec<[MemorySlot; 1]> {
        let ty = AllocaOp::wrap(op).elem_type().as_type().map(TypeRef::id);
        let is_in_entry =
            op.block().is_some_and(|block| block.region().and_then(|region| region.entry()) == Some(block));
        match ty {
            Some(ty) if is_in_entry => smallvec![MemorySlot { pointer: op.result(0).id(), ty }],
            _ => smallvec![],
        }
    }

    fn default_value(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot) -> ValueId {
        undefined(rw, slot.ty, rw.op(op).loc())
    }
}

/// A value of which nothing is known.
pub(super) fn undefined(rw: &mut Rewriter<'_>, ty: Type, loc: Loc) -> ValueId {
    rw.create_value(OpState::of::<UndefOp<'_>>(loc).results([ty]))
}

/// Whether values of one type can be [turned](converted) into those of the other bit by bit.
fn can_convert(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let has_bits = |ty: TypeRef<'_>| {
        let element = ty.element_or_self();
        let is_number = element.is_integer() || element.is_float();
        (is_number && !ty.is_scalable_vector()) || types::is_ptr(ty)
    };
    from == to || has_bits(from) && has_bits(to) && layout::bits(from) == layout::bits(to)
}

/// The bits of `value` as a value of type `ty`, which [can be](can_convert).
pub(super) fn converted(rw: &mut Rewriter<'_>, value: ValueId, ty: Type, loc: Loc) -> ValueId {
    let cx = rw.cx();
    let (from, to) = (rw.value_type(value), cx.ty(ty));
    let number = cx.int_type(layout::bits(from).and_then(|bits| u32::try_from(bits).ok()).unwrap_or(0));
    match (types::is_ptr(from), types::is_ptr(to)) {
        _ if from == to => value,
        (true, true) => cast::<AddrSpaceCastOp<'_>>(rw, value, ty, loc),
        (true, false) => {
            let value = cast::<PtrToIntOp<'_>>(rw, value, number, loc);
            converted(rw, value, ty, loc)
        }
        (false, true) => {
            let value = converted(rw, value, number, loc);
            cast::<IntToPtrOp<'_>>(rw, value, ty, loc)
        }
        (false, false) if from.is_integer() || to.is_integer() => cast::<BitcastOp<'_>>(rw, value, ty, loc),
        (false, false) => {
            let value = converted(rw, value, number, loc);
            converted(rw, value, ty, loc)
        }
    }
}

/// `value` cast by `Op`, or what it was cast from if that undoes it.
fn cast<Op: OpDefinition>(rw: &mut Rewriter<'_>, value: ValueId, ty: Type, loc: Loc) -> ValueId {
    let source = rw.value(value).def::<BitcastOp<'_>>().filter(|_| Op::NAME == BitcastOp::NAME).map(BitcastOp::arg);
    match source {
        Some(source) if source.ty().id() == ty => source.id(),
        _ => rw.create_value(OpState::of::<Op>(loc).operands([value]).results([ty])),
    }
}

pub(super) struct Load;

impl PromotableAccess for Load {
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>> {
        let load = LoadOp::wrap(op);
        let fits = load.volatile_().is_none() && can_convert(op.cx().ty(slot.ty), op.result(0).ty());
        fits.then_some(SlotAccess::Load)
    }

    fn load(&self, rw: &mut Rewriter<'_>, op: OpId, _: MemorySlot, held: ValueId) {
        let (ty, loc) = (rw.op(op).result(0).ty().id(), rw.op(op).loc());
        let value = converted(rw, held, ty, loc);
        rw.replace(op, &[value]);
    }
}

pub(super) struct Store;

impl PromotableAccess for Store {
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>> {
        let store = StoreOp::wrap(op);
        let (value, ty) = (store.value(), op.cx().ty(slot.ty));
        if value.id() == slot.pointer || store.volatile_().is_some() || !can_convert(value.ty(), ty) {
            return None;
        }
        Some(if value.ty() == ty { SlotAccess::Store(value) } else { SlotAccess::Change { reads: false } })
    }

    fn change(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot, _: Option<ValueId>) -> Option<ValueId> {
        let store = StoreOp::wrap(rw.op(op));
        let (value, loc) = (store.value().id(), rw.op(op).loc());
        Some(converted(rw, value, slot.ty, loc))
    }
}
