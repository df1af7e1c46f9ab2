//! Memory that is filled and copied as a whole.

use dl_ir::interfaces::{DestructurableAccess, MemorySlot, PromotableAccess, SlotAccess};
use dl_ir::{Attr, AttrRef, Context, Mapping, OpId, OpRef, OpState, Rewriter, TypeRef, ValueId, ValueRef, clone_op};
use smallvec::{SmallVec, smallvec};

use super::promote::converted;
use super::split::{Part, allocated, named_part};
use super::{is_volatile, length};
use crate::{ConstantOp, GEPOp, LoadOp, OrOp, ShlOp, StoreOp, ZExtOp, layout};

/// `llvm.intr.memset`, which fills with one byte.
pub(super) struct Fill;

impl PromotableAccess for Fill {
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>> {
        let ty = op.cx().ty(slot.ty);
        let bits = ty.int_or_float_width().filter(|bits| bits % 8 == 0)?;
        let is_whole = length(op)?.checked_mul(8) == Some(u64::from(bits));
        (is_whole && !is_volatile(op)).then_some(SlotAccess::Change { reads: false })
    }

    fn change(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot, _: Option<ValueId>) -> Option<ValueId> {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (byte, loc) = (view.operand(1), view.loc());
        let bits = cx.ty(slot.ty).int_or_float_width()?;
        let number = cx.int_type(bits);
        let known = byte.constant().and_then(|byte| Some(byte.as_ap_int()?.zext_or_trunc(bits)));
        let constant = |rw: &mut Rewriter<'_>, value: Attr| {
            rw.create_value(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([number]))
        };
        let mut filled = byte.id();
        if let Some(byte) = known {
            let mut all = byte;
            let mut width = 8;
            while width < bits {
                all = all.or(&all.shl(u64::from(width))?);
                width *= 2;
            }
            filled = constant(rw, cx.ap_int_attr(number, all));
        } else if bits > 8 {
            filled = rw.create_value(OpState::of::<ZExtOp<'_>>(loc).operands([filled]).results([number]));
            let mut width = 8;
            while width < bits {
                let amount = constant(rw, cx.int_attr(number, i64::from(width)));
                let shifted =
                    rw.create_value(OpState::of::<ShlOp<'_>>(loc).operands([filled, amount]).results([number]));
                filled = rw.create_value(OpState::of::<OrOp<'_>>(loc).operands([filled, shifted]).results([number]));
                width *= 2;
            }
        }
        Some(converted(rw, filled, slot.ty, loc))
    }
}

impl DestructurableAccess for Fill {
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let size = layout::size(allocated(op.operand(0)).filter(|_| op.operand(0).id() == pointer)?).ok()?;
        (!is_volatile(op) && length(op)? <= size).then(|| smallvec![])
    }

    /// Fills each part as far as the whole was filled.
    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, parts: &[(Attr, ValueId)]) {
        let Some(filled) = length(rw.op(op)) else { return };
        let slot = allocated(rw.value(pointer)).map(TypeRef::id);
        for (index, target) in in_order(rw.cx(), parts) {
            let known = slot.and_then(|slot| named_part(rw.cx().ty(slot), rw.cx().attr(index)));
            let Some(Part { offset, size, .. }) = known.filter(|part| part.offset < filled) else { continue };
            let bytes = size.min(filled - offset);
            copy_with(rw, op, bytes, &[(0, target)]);
        }
        rw.erase(op);
    }
}

/// Parts in the order in that they lie in memory.
fn in_order(cx: &Context, parts: &[(Attr, ValueId)]) -> Vec<(Attr, ValueId)> {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|&(index, _)| cx.attr(index).as_int());
    parts
}

/// Makes `op`, which fills or copies memory, once more for `bytes` bytes, with other pointers.
fn copy_with(rw: &mut Rewriter<'_>, op: OpId, bytes: u64, pointers: &[(usize, ValueId)]) {
    let (cx, bytes) = (rw.cx(), bytes.cast_signed());
    let view = rw.op(op);
    let (loc, operands) = (view.loc(), view.operands().ids());
    let len = view.attr("len").and_then(AttrRef::ty).map(TypeRef::id);
    let count = (len.is_none()).then(|| {
        let ty = rw.value_type(operands[2]).id();
        let state = OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", cx.int_attr(ty, bytes)).results([ty]);
        rw.create_value(state)
    });
    let made = clone_op(rw, op, &mut Mapping::new());
    for (index, value) in pointers.iter().copied().chain(count.map(|count| (2, count))) {
        rw.set_operand(made, index, value);
    }
    if let Some(ty) = len {
        rw.set_attr(made, cx.ident("len"), cx.int_attr(ty, bytes));
    }
}

/// `llvm.intr.memcpy` and `llvm.intr.memmove`.
pub(super) struct Copy;

/// The pointer that `op`, which copies, does not have in common with the slot at `pointer`, if it is another one.
fn other_end(op: OpRef<'_>, pointer: ValueId) -> Option<ValueRef<'_>> {
    let (to, from) = (op.operand(0), op.operand(1));
    let other = if to.id() == pointer { from } else { to };
    (to != from && !is_volatile(op)).then_some(other)
}

impl PromotableAccess for Copy {
    /// What is loaded or stored in its place is taken to be aligned as its type is. Vectors would not do without.
    fn access<'a>(&self, op: OpRef<'a>, slot: MemorySlot) -> Option<SlotAccess<'a>> {
        let ty = op.cx().ty(slot.ty);
        other_end(op, slot.pointer)?;
        if ty.is_vector() || length(op)? != layout::size(ty).ok()? {
            return None;
        }
        let is_target = op.operand(0).id() == slot.pointer;
        Some(if is_target { SlotAccess::Change { reads: false } } else { SlotAccess::Load })
    }

    fn load(&self, rw: &mut Rewriter<'_>, op: OpId, _: MemorySlot, held: ValueId) {
        let view = rw.op(op);
        let state = OpState::of::<StoreOp<'_>>(view.loc()).operands([held, view.operand(0).id()]);
        rw.create(state);
        rw.erase(op);
    }

    fn change(&self, rw: &mut Rewriter<'_>, op: OpId, slot: MemorySlot, _: Option<ValueId>) -> Option<ValueId> {
        let view = rw.op(op);
        let state = OpState::of::<LoadOp<'_>>(view.loc()).operands([view.operand(1).id()]).results([slot.ty]);
        Some(rw.create_value(state))
    }
}

impl DestructurableAccess for Copy {
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, all: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let is_target = op.operand(0).id() == pointer;
        let slot = allocated(if is_target { op.operand(0) } else { op.operand(1) })?;
        other_end(op, pointer)?;
        let is_whole = length(op)? == layout::size(slot).ok()?;
        is_whole.then(|| if is_target { smallvec![] } else { all.into() })
    }

    /// Copies part by part.
    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, parts: &[(Attr, ValueId)]) {
        let cx = rw.cx();
        let view = rw.op(op);
        let (loc, at) = (view.loc(), usize::from(view.operand(0).id() != pointer));
        let slot = allocated(view.operand(at)).map(TypeRef::id);
        let other = view.operand(1 - at);
        let (other, other_type) = (other.id(), other.ty().id());
        for (index, target) in in_order(rw.cx(), parts) {
            let known = slot.and_then(|slot| Some((slot, named_part(cx.ty(slot), cx.attr(index))?)));
            let (Some((slot, part)), Some(index)) = (known, cx.attr(index).as_int()) else { continue };
            let address = OpState::of::<GEPOp<'_>>(loc)
                .operands([other])
                .attr(cx, "rawConstantIndices", cx.dense_i32_array(&[0, i32::try_from(index).unwrap_or(i32::MAX)]))
                .attr(cx, "elem_type", cx.type_attr(slot))
                .attr(cx, "noWrapFlags", cx.i32_attr(0))
                .results([other_type]);
            let address = rw.create_value(address);
            copy_with(rw, op, part.size, &[(at, target), (1 - at, address)]);
        }
        rw.erase(op);
    }
}
