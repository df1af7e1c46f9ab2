//! Allocations of structs and arrays, and accesses to parts of them.

use dl_ir::interfaces::{DestructurableAccess, DestructurableAllocation, MemorySlot, PromotableAccess, SlotAccess};
use dl_ir::{Attr, AttrRef, OpId, OpRef, OpState, OpView, Rewriter, Type, TypeRef, ValueId, ValueRef};
use smallvec::{SmallVec, smallvec};

use super::forwards::{drop_users, is_forward};
use super::promote::{Load, Store};
use super::{is_copy, length};
use crate::types::{array_parts, struct_members};
use crate::{AllocaOp, GEPOp, LoadOp, StoreOp, layout};

/// Arrays with more elements are not split.
const MAX_ELEMENTS: u64 = 16;

/// A member of a struct, or an element of an array.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) ty: Type,
    /// Bytes before it.
    pub(super) offset: u64,
    /// Bytes of it.
    pub(super) size: u64,
}

/// How many parts `ty` has.
fn num_parts(ty: TypeRef<'_>) -> Option<u64> {
    match array_parts(ty) {
        Some((_, count)) => Some(count),
        None => struct_members(ty).map(|members| members.len() as u64),
    }
}

/// The part of `ty` with a number.
pub(super) fn part(ty: TypeRef<'_>, index: u64) -> Option<Part> {
    let cx = ty.cx();
    let (part, offset) = match array_parts(ty) {
        Some((element, count)) if index < count => (element, layout::size(cx.ty(element)).ok()?.checked_mul(index)?),
        Some(_) => return None,
        None => layout::member(ty, usize::try_from(index).ok()?).ok()?,
    };
    Some(Part { ty: part, offset, size: layout::stored(cx.ty(part)).ok()?.0 })
}

/// The part of `ty` that an attribute names, which holds its number.
pub(super) fn named_part(ty: TypeRef<'_>, index: AttrRef<'_>) -> Option<Part> {
    part(ty, u64::try_from(index.as_int()?).ok()?)
}

/// The number of the part of `ty` that the byte `offset` lies in, and that part. None lies between two of them.
fn part_at(ty: TypeRef<'_>, offset: u64) -> Option<(u64, Part)> {
    let mut parts = (0..num_parts(ty)?).map_while(|index| Some((index, part(ty, index)?)));
    parts.find(|(_, part)| (part.offset..part.offset + part.size).contains(&offset))
}

/// The type of what is allocated where `pointer` points to.
pub(super) fn allocated(pointer: ValueRef<'_>) -> Option<TypeRef<'_>> {
    pointer.def::<AllocaOp<'_>>()?.elem_type().as_type()
}

fn index_attr(ty: TypeRef<'_>, index: u64) -> Attr {
    ty.cx().int_attr(ty.cx().i32_type(), index.cast_signed())
}

pub(super) struct Alloca;

impl DestructurableAllocation for Alloca {
    fn parts(&self, op: OpRef<'_>) -> SmallVec<[(ValueId, Vec<Attr>); 1]> {
        let is_one = AllocaOp::wrap(op).array_size().constant().and_then(AttrRef::as_int) == Some(1);
        let Some(ty) = allocated(op.result(0)).filter(|_| is_one) else { return smallvec![] };
        let is_small = array_parts(ty).is_none_or(|(_, count)| count <= MAX_ELEMENTS);
        match num_parts(ty) {
            Some(count @ 1..) if is_small => {
                smallvec![(op.result(0).id(), (0..count).map(|index| index_attr(ty, index)).collect())]
            }
            _ => smallvec![],
        }
    }

    fn allocate_part(&self, rw: &mut Rewriter<'_>, op: OpId, pointer: ValueId, index: Attr) -> (OpId, ValueId) {
        let (cx, view) = (rw.cx(), rw.op(op));
        let part = allocated(rw.value(pointer)).and_then(|ty| named_part(ty, cx.attr(index)));
        let part = part.expect("a part of what is allocated").ty;
        let state = OpState::of::<AllocaOp<'_>>(view.loc())
            .operands(view.operands().ids())
            .attr(cx, "elem_type", cx.type_attr(part))
            .results([view.result(0).ty().id()]);
        let made = rw.create(state);
        (made, rw.ir().result(made, 0))
    }
}

/// How many bytes behind its base the address lies that `gep` computes, where that is known.
fn constant_offset(gep: GEPOp<'_>) -> Option<u64> {
    let cx = gep.0.cx();
    let mut ty = gep.elem_type().as_type()?;
    let mut indices = gep.raw_constant_indices().dense_ints();
    if !gep.dynamic_indices().is_empty() {
        return None;
    }
    let first = u64::try_from(indices.next()?).ok()?;
    let mut offset = layout::size(ty).ok()?.checked_mul(first)?;
    for index in indices {
        let index = u64::try_from(index).ok()?;
        let (element, at) = match array_parts(ty) {
            Some((element, _)) => (element, layout::size(cx.ty(element)).ok()?.checked_mul(index)?),
            None => layout::member(ty, usize::try_from(index).ok()?).ok()?,
        };
        offset = offset.checked_add(at)?;
        ty = cx.ty(element);
    }
    Some(offset)
}

/// Whether all that is done with `pointer` stays within the `size` bytes that it points to.
fn stays_within(pointer: ValueRef<'_>, size: u64) -> bool {
    let fits = |ty: TypeRef<'_>| layout::stored(ty).is_ok_and(|(bytes, _)| bytes <= size);
    pointer.uses().all(|(user, _)| {
        if user.is::<LoadOp<'_>>() {
            fits(user.result(0).ty())
        } else if let Some(store) = user.cast::<StoreOp<'_>>() {
            store.value() != pointer && fits(store.value().ty())
        } else if let Some(gep) = user.cast::<GEPOp<'_>>() {
            let rest = constant_offset(gep).and_then(|offset| size.checked_sub(offset));
            // Addresses are computed from each other as often as the input has it.
            let follow = |rest| stacker::maybe_grow(64 * 1024, 1024 * 1024, || stays_within(user.result(0), rest));
            rest.is_some_and(follow)
        } else if is_copy(user) {
            length(user).is_some_and(|bytes| bytes <= size)
        } else {
            is_forward(user) && user.results().iter().flat_map(|result| result.uses()).all(|(user, _)| is_forward(user))
        }
    })
}

/// Computes an address within one part.
pub(super) struct Gep;

impl PromotableAccess for Gep {
    fn access<'a>(&self, op: OpRef<'a>, _: MemorySlot) -> Option<SlotAccess<'a>> {
        (constant_offset(GEPOp::wrap(op)) == Some(0)).then_some(SlotAccess::Forward)
    }
}

impl DestructurableAccess for Gep {
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let gep = GEPOp::wrap(op);
        let ty = allocated(gep.base()).filter(|_| gep.base().id() == pointer)?;
        let offset = constant_offset(gep)?;
        let (index, part) = part_at(ty, offset)?;
        stays_within(op.result(0), part.offset + part.size - offset).then(|| smallvec![index_attr(ty, index)])
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, parts: &[(Attr, ValueId)]) {
        let &[(index, target)] = parts else { return };
        drop_users(rw, op);
        let (cx, gep) = (rw.cx(), GEPOp::wrap(rw.op(op)));
        let part = allocated(gep.base()).and_then(|ty| named_part(ty, cx.attr(index)));
        let offset = constant_offset(gep).zip(part).map_or(0, |(offset, part)| offset - part.offset);
        if offset == 0 {
            rw.replace(op, &[target]);
            return;
        }
        let indices = cx.dense_i32_array(&[i32::try_from(offset).unwrap_or(i32::MAX)]);
        rw.set_operand(op, 0, target);
        rw.set_attr(op, cx.ident("elem_type"), cx.type_attr(cx.int_type(8)));
        rw.set_attr(op, cx.ident("rawConstantIndices"), indices);
    }
}

/// The first part of what `pointer` points to, if a value of type `ty` fits in.
fn first_part(pointer: ValueRef<'_>, ty: TypeRef<'_>) -> Option<SmallVec<[Attr; 1]>> {
    let slot = allocated(pointer)?;
    let size = part(slot, 0)?.size;
    layout::stored(ty).is_ok_and(|(bytes, _)| bytes <= size).then(|| smallvec![index_attr(slot, 0)])
}

impl DestructurableAccess for Load {
    fn parts(&self, op: OpRef<'_>, _: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        first_part(LoadOp::wrap(op).addr(), op.result(0).ty())
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, parts: &[(Attr, ValueId)]) {
        let &[(_, target)] = parts else { return };
        rw.set_operand(op, 0, target);
    }
}

impl DestructurableAccess for Store {
    fn parts(&self, op: OpRef<'_>, pointer: ValueId, _: &[Attr]) -> Option<SmallVec<[Attr; 1]>> {
        let store = StoreOp::wrap(op);
        first_part(store.addr(), store.value().ty()).filter(|_| store.value().id() != pointer)
    }

    fn rewire(&self, rw: &mut Rewriter<'_>, op: OpId, _: ValueId, parts: &[(Attr, ValueId)]) {
        let &[(_, target)] = parts else { return };
        rw.set_operand(op, 1, target);
    }
}
