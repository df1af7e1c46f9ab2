//! Sizes, ranks, offsets, strides and addresses of memrefs.

use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpView, ValueId, ValueRef};
use dl_llvm::types::{ptr_type_in, struct_type};
use dl_llvm::{AddOp, GEPNoWrapFlags, PtrToIntOp};
use dl_memref::{DimOp, ExtractAlignedPointerAsIndexOp, ExtractStridedMetadataOp, RankOp};
use smallvec::SmallVec;

use crate::descriptor::Descriptor;
use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_types::address_space;
use dl_arith::Build;

/// The number that a value is, seen through casts.
fn constant_of(value: ValueRef<'_>) -> Option<i64> {
    let through = |value: &ValueRef<'_>| {
        let cast = value.defining_op()?;
        (cast.is::<UnrealizedConversionCastOp<'_>>() && cast.num_operands() == 1).then_some(())
    };
    let mut value = value;
    while through(&value).is_some() {
        value = value.defining_op()?.operand(0);
    }
    value.constant().and_then(AttrRef::as_int)
}

/// `memref.dim` reads a size of the descriptor.
pub(super) struct Dim;

impl ConversionPattern for Dim {
    const NAME: &'static str = "memref-dim-to-llvm";
    const ROOT: Option<&'static str> = Some(DimOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = DimOp::wrap(rw.op(op));
        let (ty, number, loc) = (rw.value_type(view.source().id()), constant_of(view.index()), view.0.loc());
        let index = rw.convert_type(cx.index_type())?;
        let (value, dim) = (operands.one(0), operands.one(1));
        let mut b = Build::new(rw, loc);
        let descriptor = Descriptor { value };
        let size = match (ty.shape(), number) {
            (Some(shape), Some(number)) => {
                let dim = usize::try_from(number).ok().filter(|&dim| dim < shape.len());
                let dim = dim.ok_or(NoMatch("a dimension that there is none of"))?;
                match shape[dim] {
                    dl_ir::DYNAMIC => descriptor.size(&mut b, dim),
                    size => b.llvm_index(index, size),
                }
            }
            (Some(_), None) => descriptor.size_at(&mut b, dim),
            (None, _) => {
                // Behind the rank lies a descriptor: two pointers, the offset, then the sizes.
                let space = address_space(ty).ok_or(NoMatch("the memory space is no number"))?;
                let pointer = ptr_type_in(cx, space);
                let start = struct_type(cx, &[pointer, pointer, index]);
                let place = b.extract(value, &[1]);
                let offset = b.gep(place, start, &[Index::Constant(0), Index::Constant(2)], GEPNoWrapFlags::NONE);
                let one = b.llvm_index(index, 1);
                let at = b.value::<AddOp<'_>>(&[one, dim], index);
                let size = b.gep(offset, index, &[Index::Value(at)], GEPNoWrapFlags::NONE);
                b.llvm_load(index, size)
            }
        };
        rw.replace(op, &[size]);
        Ok(())
    }
}

/// `memref.rank` is known from the type, or read.
pub(super) struct Rank;

impl ConversionPattern for Rank {
    const NAME: &'static str = "memref-rank-to-llvm";
    const ROOT: Option<&'static str> = Some(RankOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (ty, loc) = (rw.value_type(rw.op(op).operand(0).id()), rw.op(op).loc());
        let index = rw.convert_type(rw.cx().index_type())?;
        let value = operands.one(0);
        let mut b = Build::new(rw, loc);
        let rank = match ty.rank() {
            Some(rank) => b.llvm_index(index, rank as i64),
            None => b.extract(value, &[0]),
        };
        rw.replace(op, &[rank]);
        Ok(())
    }
}

/// `memref.extract_aligned_pointer_as_index` is the aligned pointer as a number.
pub(super) struct ExtractAlignedPointer;

impl ConversionPattern for ExtractAlignedPointer {
    const NAME: &'static str = "memref-extract-aligned-pointer-to-llvm";
    const ROOT: Option<&'static str> = Some(ExtractAlignedPointerAsIndexOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (ty, loc) = (rw.value_type(rw.op(op).operand(0).id()), rw.op(op).loc());
        let cx = rw.cx();
        let index = rw.convert_type(cx.index_type())?;
        let space = address_space(ty).ok_or(NoMatch("the memory space is no number"))?;
        let value = operands.one(0);
        let mut b = Build::new(rw, loc);
        let pointer = if ty.is_unranked_memref() {
            // The aligned pointer is the second thing in the descriptor.
            let (place, pointer) = (b.extract(value, &[1]), ptr_type_in(cx, space));
            let aligned = b.gep(place, pointer, &[Index::Constant(1)], GEPNoWrapFlags::NONE);
            b.llvm_load(pointer, aligned)
        } else {
            Descriptor { value }.aligned(&mut b)
        };
        let number = b.value::<PtrToIntOp<'_>>(&[pointer], index);
        rw.replace(op, &[number]);
        Ok(())
    }
}

/// `memref.extract_strided_metadata` reads the descriptor; the base is one of rank 0.
pub(super) struct ExtractStridedMetadata;

impl ConversionPattern for ExtractStridedMetadata {
    const NAME: &'static str = "memref-extract-strided-metadata-to-llvm";
    const ROOT: Option<&'static str> = Some(ExtractStridedMetadataOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = ExtractStridedMetadataOp::wrap(rw.op(op));
        let (base, loc) = (view.base_buffer().ty().id(), view.0.loc());
        let base = rw.convert_type(base)?;
        let source = Descriptor { value: operands.one(0) };
        let mut b = Build::new(rw, loc);
        let (allocated, aligned) = (source.allocated(&mut b), source.aligned(&mut b));
        let mut buffer = Descriptor::poison(&mut b, base);
        buffer.set_pointers(&mut b, allocated, aligned);
        buffer.set_constant_offset(&mut b, 0);
        let mut values: SmallVec<[ValueId; 8]> = smallvec::smallvec![buffer.value, source.offset(&mut b)];
        let rank = source.rank(&b);
        values.extend((0..rank).map(|dim| source.size(&mut b, dim)));
        values.extend((0..rank).map(|dim| source.stride(&mut b, dim)));
        rw.replace(op, &values);
        Ok(())
    }
}
