//! Which part of which buffer an operation reads or writes.

use dl_ir::effects::effects_of;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{FunctionOp, Index, ViewLike, inits};
use dl_ir::opdef::{Effects, Trait};
use dl_ir::{DYNAMIC, Definition, OpDefinition, OpRef, TypeRef, ValueRef};
use dl_llvm::CallIntrinsicOp;
use dl_memref::{CastOp, CopyOp, GetGlobalOp, PrefetchOp, SubViewOp};
use dl_passes_transforms::alias::{is_allocated, underlying};
use smallvec::SmallVec;

use super::span::{Span, span};

/// What of each dimension is touched; `None` where that is not known.
pub(super) type Part = SmallVec<[Option<Span>; 4]>;

/// One access to a buffer.
pub(super) struct Access<'a> {
    /// The buffer, behind all views.
    pub(super) buffer: ValueRef<'a>,
    /// The part of it; `None` where it is seen in another shape.
    pub(super) part: Option<Part>,
    /// Whether it is written.
    pub(super) writes: bool,
}

/// The accesses of an operation without those in its regions, in terms of a variable. `None` where it may do anything.
pub(super) fn accesses<'a>(op: OpRef<'a>, variable: ValueRef<'a>) -> Option<SmallVec<[Access<'a>; 2]>> {
    if op.is::<PrefetchOp<'_>>() || op.cast::<CallIntrinsicOp<'_>>().is_some_and(is_arithmetic) {
        return Some(SmallVec::new());
    }
    if let Some((base, first_index, lanes)) = element_access(op) {
        let memref = op.operand(base);
        let rank = memref.ty().rank()?;
        let indices = (0..rank).map(|dim| span(op.operand(first_index + dim), variable));
        let mut part: Part = indices.collect();
        // A vector reaches along the last dimensions.
        for (dim, &extent) in (rank.checked_sub(lanes.len())?..rank).zip(&lanes) {
            part[dim] = part[dim].take().map(|span| span.plus(&Span::between(0, extent - 1)));
        }
        let writes = effects_of(op)?.contains(Effects::WRITE);
        return Some(SmallVec::from_iter([through_views(memref, Some(part), writes, variable)]));
    }
    let names_memory = || op.operands().iter().any(|operand| operand.ty().is_memref());
    if op.has_trait(&Trait::RecursiveMemoryEffects) && !names_memory() {
        return Some(SmallVec::new());
    }
    let effects = effects_of(op)?;
    if !effects.contains(Effects::READ) && !effects.contains(Effects::WRITE) {
        return Some(SmallVec::new());
    }
    // Of any other operation it is known that it has no other effects than on the memory that it is given. That is not known of those that
    // are given none.
    let memrefs = op.operands().iter().enumerate().filter(|(_, operand)| operand.ty().is_memref());
    let all: SmallVec<[Access<'a>; 2]> = memrefs
        .map(|(at, memref)| {
            let whole = memref.ty().shape().map(|shape| {
                shape.iter().map(|&extent| (extent != DYNAMIC).then(|| Span::between(0, extent - 1))).collect()
            });
            through_views(memref, whole, effects.contains(Effects::WRITE) && !is_only_read(op, at), variable)
        })
        .collect();
    (!all.is_empty()).then_some(all)
}

/// Whether an intrinsic only computes: those of AVX-512 that are given numbers and no pointer do.
fn is_arithmetic(call: CallIntrinsicOp<'_>) -> bool {
    let is_number = |ty: TypeRef<'_>| ty.element_or_self().int_or_float_width().is_some();
    let is_of_vectors = call.intrin().as_str().is_some_and(|name| name.starts_with("llvm.x86.avx512"));
    is_of_vectors && call.0.operands().iter().all(|operand| is_number(operand.ty()))
}

/// Whether an operation that writes some of its operands does not write this one.
fn is_only_read(op: OpRef<'_>, at: usize) -> bool {
    if op.is::<CopyOp<'_>>() {
        return at == 0;
    }
    inits(op).is_some_and(|inits| !(inits.start()..inits.start() + inits.len()).contains(&at))
}

/// Number of the operand that is accessed, of the first index, and the extents of the vector that is read or written.
pub(crate) fn element_access(op: OpRef<'_>) -> Option<(usize, usize, SmallVec<[i64; 2]>)> {
    let none = SmallVec::new;
    match op.name() {
        dl_memref::LoadOp::NAME => Some((0, 1, none())),
        dl_memref::StoreOp::NAME => Some((1, 2, none())),
        dl_vector::LoadOp::NAME | dl_vector::MaskedLoadOp::NAME => Some((0, 1, extents(op.result(0))?)),
        dl_vector::StoreOp::NAME => Some((1, 2, extents(op.operand(0))?)),
        dl_vector::MaskedStoreOp::NAME => {
            let value = op.operands().iter().next_back()?;
            Some((0, 1, extents(value)?))
        }
        dl_vector::TransferReadOp::NAME if is_minor_identity(op) => Some((0, 1, extents(op.result(0))?)),
        dl_vector::TransferWriteOp::NAME if is_minor_identity(op) => Some((1, 2, extents(op.operand(0))?)),
        _ => None,
    }
}

/// The extents of a vector, or nothing for a scalar; none for a vector whose length is not known.
fn extents(value: ValueRef<'_>) -> Option<SmallVec<[i64; 2]>> {
    let ty = value.ty();
    if !ty.is_vector() {
        return Some(SmallVec::new());
    }
    (!ty.is_scalable_vector()).then(|| ty.shape().map(SmallVec::from_slice)).flatten()
}

/// Whether a transfer has the dimensions of its vector along the last ones of the buffer, in their order.
fn is_minor_identity(op: OpRef<'_>) -> bool {
    let map = op.attr("permutation_map").and_then(|attr| attr.as_affine_map());
    map.is_some_and(|map| op.cx().affine().is_minor_identity(map))
}

/// The access to `part` of a view as one to the buffer behind it.
fn through_views<'a>(memref: ValueRef<'a>, mut part: Option<Part>, writes: bool, variable: ValueRef<'a>) -> Access<'a> {
    let mut buffer = memref;
    while let Some(op) = buffer.defining_op() {
        let Some(view) = op.interface::<dyn ViewLike>().filter(|view| view.dest(op) == buffer) else { break };
        part = match part {
            Some(part) if op.is::<SubViewOp<'_>>() => through_slice(op, part, variable),
            Some(part) if op.is::<CastOp<'_>>() => Some(part),
            _ => None,
        };
        buffer = view.source(op);
    }
    debug_assert!(buffer == underlying(memref), "both follow views");
    Access { buffer, part, writes }
}

/// The part of the source of a slice that is a part of the slice.
fn through_slice<'a>(op: OpRef<'a>, part: Part, variable: ValueRef<'a>) -> Option<Part> {
    let slice = Slice::of(op)?;
    let dropped = dl_memref::subview_dropped_dims(op)?;
    let known = |index: &Index| match *index {
        Index::Static(number) => Some(Span::constant(number)),
        Index::Value(value) => span(ValueRef::new(op.cx(), op.arena(), value), variable),
    };
    let mut parts = part.into_iter();
    let mut whole = Part::new();
    for (dim, (offset, stride)) in slice.offsets.iter().zip(slice.strides.iter()).enumerate() {
        let within = if *dropped.get(dim)? { Some(Span::constant(0)) } else { parts.next()? };
        let stride = stride.as_static();
        let span = known(offset).zip(within).zip(stride).map(|((offset, within), by)| offset.plus(&within.times(by)));
        whole.push(span);
    }
    Some(whole)
}

/// Whether memory that `fresh`, the result of an allocation, names has no other name than those made of it, as far as `other` goes.
pub(super) fn is_apart(fresh: ValueRef<'_>, other: ValueRef<'_>) -> bool {
    debug_assert!(is_allocated(fresh), "an allocation");
    if is_allocated(other) || other.def::<GetGlobalOp<'_>>().is_some() {
        return fresh != other;
    }
    // What was there before the allocation is other memory: arguments of the blocks around it.
    let Definition::Argument(_) = other.definition() else { return false };
    let Some(block) = other.owner_block() else { return false };
    let is_of_function = block.parent_op().is_some_and(|op| op.interface::<dyn FunctionOp>().is_some());
    let around = || {
        let mut at = fresh.parent_block();
        while let Some(inner) = at {
            if inner.id() == block.id() {
                return true;
            }
            at = inner.parent_op().and_then(|op| op.block());
        }
        false
    };
    (is_of_function && block.is_entry()) || around()
}
