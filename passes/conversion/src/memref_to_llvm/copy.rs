//! Copying memory.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, TypeRef, ValueId};
use dl_llvm::types::{func_type, ptr_type, void_type};
use dl_llvm::{GEPNoWrapFlags, IntegerOverflowFlags, MemcpyOp, StackRestoreOp, StackSaveOp};
use dl_memref::CopyOp;
use dl_memref::layout::is_contiguous;

use super::allocate::{MemrefTypes, size_of};
use crate::descriptor::Descriptor;
use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_symbols::external_function;
use dl_arith::Build;

/// The function of the runtime that copies memory of any strides.
const COPY_FUNCTION: &str = "memrefCopy";

/// `memref.copy` becomes one `memcpy` where both sides lie in memory without gaps, else a call of the runtime.
pub(super) struct Copy;

impl ConversionPattern for Copy {
    const NAME: &'static str = "memref-copy-to-llvm";
    const ROOT: Option<&'static str> = Some(CopyOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let (source, target) = (view.operand(0).id(), view.operand(1).id());
        let (source, target) = (rw.value_type(source), rw.value_type(target));
        if is_contiguous(source) && is_contiguous(target) {
            copy_at_once(op, source, operands, rw)
        } else {
            call_runtime(op, source, target, operands, rw)
        }
    }
}

fn copy_at_once(op: OpId, source: TypeRef<'_>, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
    let types = MemrefTypes::new(rw, rw.cx().ty(source.id()))?;
    let (from, to) = (Descriptor { value: operands.one(0) }, Descriptor { value: operands.one(1) });
    let loc = rw.op(op).loc();
    let mut b = Build::new(rw, loc);
    let cx = b.cx();
    let no_flags = IntegerOverflowFlags::NONE;
    let mut count = b.llvm_index(types.index, 1);
    for dim in 0..from.rank(&b) {
        let size = from.size(&mut b, dim);
        count = b.llvm_mul(count, size, no_flags);
    }
    let element = size_of(&mut b, types.element, types.pointer, types.index);
    let bytes = b.llvm_mul(count, element, no_flags);
    let start = |b: &mut Build<'_, '_>, descriptor: Descriptor| {
        let aligned = descriptor.aligned(b);
        let offset = descriptor.offset(b);
        b.gep(aligned, types.element, &[Index::Value(offset)], GEPNoWrapFlags::NONE)
    };
    let from = start(&mut b, from);
    let to = start(&mut b, to);
    let state =
        OpState::of::<MemcpyOp<'_>>(loc).operands([to, from, bytes]).attr(cx, "isVolatile", cx.bool_attr(false));
    b.create(state);
    rw.erase(op);
    Ok(())
}

fn call_runtime(
    op: OpId,
    source: TypeRef<'_>,
    target: TypeRef<'_>,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
) -> Rewrite {
    let cx = rw.cx();
    let element = source.element_type().ok_or(NoMatch("not a memref"))?;
    let element = rw.convert_type(element.id())?;
    let index = rw.convert_type(cx.index_type())?;
    let ty = func_type(cx, void_type(cx), &[index, ptr_type(cx), ptr_type(cx)], false);
    external_function(rw, COPY_FUNCTION, ty);
    let loc = rw.op(op).loc();
    let mut b = Build::new(rw, loc);
    let stack = b.value::<StackSaveOp<'_>>(&[], ptr_type(cx));
    let from = unranked(&mut b, source, operands.one(0), index);
    let to = unranked(&mut b, target, operands.one(1), index);
    let one = b.llvm_index(index, 1);
    let on_stack = |b: &mut Build<'_, '_>, value: ValueId| {
        let ty = b.ir().value_type(value);
        let place = b.alloca(ty, one);
        b.llvm_store(value, place);
        place
    };
    let from = on_stack(&mut b, from);
    let to = on_stack(&mut b, to);
    let bytes = size_of(&mut b, element, ptr_type(cx), index);
    b.llvm_call(COPY_FUNCTION, &[bytes, from, to], None);
    b.create(OpState::of::<StackRestoreOp<'_>>(loc).operands([stack]));
    rw.erase(op);
    Ok(())
}

/// A memref as rank and pointer to its descriptor, which goes to the stack.
fn unranked(b: &mut Build<'_, '_>, ty: TypeRef<'_>, value: ValueId, index: dl_ir::Type) -> ValueId {
    let Some(rank) = ty.rank() else { return value };
    let cx = b.cx();
    let rank = b.llvm_int(index, rank as i64);
    let one = b.llvm_index(index, 1);
    let descriptor = b.ir().value_type(value);
    let place = b.alloca(descriptor, one);
    b.llvm_store(value, place);
    let unranked = dl_llvm::types::struct_type(cx, &[index, ptr_type(cx)]);
    let empty = b.poison(unranked);
    let with_rank = b.insert(empty, rank, &[0]);
    b.insert(with_rank, place, &[1])
}
