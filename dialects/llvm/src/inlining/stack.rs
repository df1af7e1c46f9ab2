//! Stack memory of a function that is inlined: it is allocated once, and lives as long as the call would have taken.

use dl_ir::opdef::Trait;
use dl_ir::{Attr, AttrRef, BlockId, Loc, OpId, OpRef, OpState, Rewriter, Type, TypeRef, ValueId, ValueRef};

use crate::{
    AllocaOp, ConstantOp, LLVMFuncOp, LifetimeEndOp, LifetimeStartOp, MemcpyOp, ModRefInfo, ReturnOp, StackRestoreOp,
    StackSaveOp, layout, types,
};

/// The block where stack memory is allocated that lives as long as what is around `op`.
fn allocation_block(op: OpRef<'_>) -> Option<BlockId> {
    let mut block = op.block()?;
    loop {
        let region = block.region()?;
        match region.parent_op() {
            Some(parent)
                if !parent.has_trait(&Trait::AutomaticAllocationScope)
                    && !parent.has_trait(&Trait::IsolatedFromAbove)
                    && parent.block().is_some() =>
            {
                block = parent.block()?;
            }
            _ => return region.entry().map(|entry| entry.id()),
        }
    }
}

fn constant(rw: &mut Rewriter<'_>, value: Attr, ty: Type, loc: Loc) -> ValueId {
    let cx = rw.cx();
    rw.create_value(OpState::of::<ConstantOp<'_>>(loc).attr(cx, "value", value).results([ty]))
}

/// Whether the function says that it does not write to what its arguments point to.
fn only_reads_arguments(function: LLVMFuncOp<'_>) -> bool {
    let cx = function.0.cx();
    let effect = function.memory_effects().and_then(|effects| effects.params().get(1).copied());
    let effect = effect.and_then(|effect| ModRefInfo::from_attr(cx.attr(effect)));
    matches!(effect, Some(ModRefInfo::NoModRef | ModRefInfo::Ref))
}

/// What `pointer` is known to be aligned to.
fn known_alignment(pointer: ValueRef<'_>) -> i64 {
    let stated = match pointer.def::<AllocaOp<'_>>() {
        Some(alloca) => alloca.alignment(),
        None => pointer.owner_block().and_then(|block| {
            let function =
                block.region()?.parent_op().filter(|_| block.region().and_then(|r| r.entry()) == Some(block))?;
            let attrs = function.cast::<LLVMFuncOp<'_>>()?.arg_attrs()?;
            attrs.elements().nth(pointer.index())?.get("llvm.align")
        }),
    };
    stated.and_then(AttrRef::as_int).unwrap_or(1)
}

/// Arguments that are passed by value are copied, as the call would have done, where the function may write to them or counts on an
/// alignment that they are not known to have and cannot be given.
pub(super) fn copy_arguments(rw: &mut Rewriter<'_>, call: OpId, callable: OpRef<'_>, arguments: &mut [ValueId]) {
    let Some(function) = callable.cast::<LLVMFuncOp<'_>>() else { return };
    let Some(attrs) = function.arg_attrs() else { return };
    for (attrs, argument) in attrs.elements().zip(arguments) {
        let Some(ty) = attrs.get("llvm.byval").and_then(AttrRef::as_type) else { continue };
        let wanted = attrs.get("llvm.align").and_then(AttrRef::as_int).unwrap_or(1);
        let is_kept = only_reads_arguments(function)
            && (known_alignment(rw.value(*argument)) >= wanted || align(rw, *argument, wanted));
        if !is_kept {
            *argument = copied(rw, call, *argument, ty, wanted).unwrap_or(*argument);
        }
    }
}

/// Aligns what `pointer` points to, where that is on the stack. Answers whether it is.
fn align(rw: &mut Rewriter<'_>, pointer: ValueId, alignment: i64) -> bool {
    let cx = rw.cx();
    let Some(alloca) = rw.value(pointer).def::<AllocaOp<'_>>().map(|alloca| alloca.0.id()) else { return false };
    rw.set_attr(alloca, cx.ident("alignment"), cx.i64_attr(alignment));
    true
}

/// A copy on the stack of the `ty` that `pointer` points to.
fn copied(rw: &mut Rewriter<'_>, call: OpId, pointer: ValueId, ty: TypeRef<'_>, alignment: i64) -> Option<ValueId> {
    let (cx, (loc, pointer_type)) = (rw.cx(), (rw.value(pointer).loc(), rw.value_type(pointer).id()));
    let (bytes, natural) = (layout::size(ty).ok()?, layout::stored(ty).ok()?.1);
    let entry = allocation_block(rw.op(call))?;
    let point = rw.insertion_point();
    rw.set_insertion_to_start(entry);
    let one = constant(rw, cx.i64_attr(1), cx.i64_type(), loc);
    let alloca = OpState::of::<AllocaOp<'_>>(loc)
        .operands([one])
        .attr(cx, "alignment", cx.i64_attr(alignment.max(natural.cast_signed())))
        .attr(cx, "elem_type", cx.type_attr(ty.id()))
        .results([pointer_type]);
    let copy = rw.create_value(alloca);
    rw.set_insertion_point(point);
    let bytes = constant(rw, cx.i64_attr(bytes.cast_signed()), cx.i64_type(), loc);
    let state = OpState::of::<MemcpyOp<'_>>(loc).operands([copy, pointer, bytes]);
    rw.create(state.attr(cx, "isVolatile", cx.bool_attr(false)));
    Some(copy)
}

/// The allocations of `block` itself.
fn allocations<'a>(rw: &'a Rewriter<'_>, block: BlockId) -> impl Iterator<Item = AllocaOp<'a>> {
    rw.block(block).ops().filter_map(OpRef::cast::<AllocaOp<'a>>)
}

/// How many elements are allocated, where that is known.
fn known_size(alloca: AllocaOp<'_>) -> Option<AttrRef<'_>> {
    alloca.array_size().constant().filter(|size| size.is_integer())
}

fn has_markers(alloca: AllocaOp<'_>) -> bool {
    alloca.0.result(0).uses().any(|(user, _)| user.is::<LifetimeStartOp<'_>>() || user.is::<LifetimeEndOp<'_>>())
}

/// Moves allocations of known size from the entry of a body in `blocks` to where the caller has its own, with marks for how long they
/// live. The stack is restored behind others, which stay.
pub(super) fn move_allocations(rw: &mut Rewriter<'_>, call: OpId, blocks: &[BlockId]) {
    let (cx, Some(target), Some(&entry)) = (rw.cx(), allocation_block(rw.op(call)), blocks.first()) else { return };
    let moved: Vec<(OpId, Attr, bool)> = allocations(rw, entry)
        .filter_map(|alloca| {
            let size = known_size(alloca)?;
            Some((alloca.0.id(), size.id(), size.as_int() != Some(0) && !has_markers(alloca)))
        })
        .collect();
    let grows = blocks.iter().any(|&block| allocations(rw, block).any(|alloca| known_size(alloca).is_none()));
    let loc = rw.op(call).loc();
    let mut marked = Vec::new();
    rw.set_insertion_to_start(target);
    for &(alloca, size, is_marked) in &moved {
        let view = rw.op(alloca);
        let (ty, loc, pointer) = (view.operand(0).ty().id(), view.loc(), view.result(0).id());
        let size = constant(rw, size, ty, loc);
        rw.set_operand(alloca, 0, size);
        if is_marked {
            marked.push((pointer, loc));
        }
    }
    for &(alloca, ..) in moved.iter().rev() {
        let size = rw.op(alloca).operand(0).defining_op().map(OpRef::id);
        rw.move_after(alloca, size.expect("a constant"));
    }
    rw.set_insertion_to_start(entry);
    let pointer = types::ptr_type(cx);
    let saved = grows.then(|| rw.create_value(OpState::of::<StackSaveOp<'_>>(loc).results([pointer])));
    for &(pointer, loc) in &marked {
        rw.create(OpState::of::<LifetimeStartOp<'_>>(loc).operands([pointer]));
    }
    for &block in blocks {
        let Some(end) = rw.block(block).terminator().filter(|end| end.is::<ReturnOp<'_>>()).map(OpRef::id) else {
            continue;
        };
        rw.set_insertion_before(end);
        if let Some(saved) = saved {
            rw.create(OpState::of::<StackRestoreOp<'_>>(loc).operands([saved]));
        }
        for &(pointer, loc) in &marked {
            rw.create(OpState::of::<LifetimeEndOp<'_>>(loc).operands([pointer]));
        }
    }
    rw.set_insertion_before(call);
}
