//! Other views of the same memory.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, DYNAMIC, OpDefinition, OpId, OpView, Type, ValueId};
use dl_llvm::types::{ptr_type_in, struct_members};
use dl_llvm::{AddrSpaceCastOp, GEPNoWrapFlags, MulOp};
use dl_memref::{CastOp, MemorySpaceCastOp, ReinterpretCastOp, TransposeOp, ViewOp};
use smallvec::SmallVec;

use super::allocate::MemrefTypes;
use crate::descriptor::Descriptor;
use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_types::address_space;
use dl_arith::Build;

/// `memref.cast` keeps the descriptor; to forget the rank puts it on the stack, to know it again reads it.
pub(super) struct Cast;

impl ConversionPattern for Cast {
    const NAME: &'static str = "memref-cast-to-llvm";
    const ROOT: Option<&'static str> = Some(CastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = CastOp::wrap(rw.op(op));
        let (from, to) = (rw.value_type(view.source().id()), rw.value_type(view.dest().id()));
        let (loc, target) = (view.0.loc(), rw.convert_type(to.id())?);
        let index = rw.convert_type(cx.index_type())?;
        let value = operands.one(0);
        let mut b = Build::new(rw, loc);
        let result = match (from.rank(), to.rank()) {
            (Some(rank), None) => {
                let one = b.llvm_index(index, 1);
                let descriptor = b.ir().value_type(value);
                let place = b.alloca(descriptor, one);
                b.llvm_store(value, place);
                let rank = b.llvm_index(index, rank as i64);
                let empty = b.poison(target);
                let with_rank = b.insert(empty, rank, &[0]);
                b.insert(with_rank, place, &[1])
            }
            (None, Some(_)) => {
                let place = b.extract(value, &[1]);
                b.llvm_load(target, place)
            }
            _ if b.ir().value_type(value) == target => value,
            _ => return Err(NoMatch("descriptors of different types")),
        };
        rw.replace(op, &[result]);
        Ok(())
    }
}

/// `memref.memory_space_cast` casts both pointers.
pub(super) struct MemorySpaceCast;

impl ConversionPattern for MemorySpaceCast {
    const NAME: &'static str = "memref-memory-space-cast-to-llvm";
    const ROOT: Option<&'static str> = Some(MemorySpaceCastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (ty, loc) = (rw.value_type(rw.ir().result(op, 0)), rw.op(op).loc());
        if ty.is_unranked_memref() {
            return Err(NoMatch("unsupported: a memory space cast of an unranked memref"));
        }
        let space = address_space(ty).ok_or(NoMatch("the memory space is no number"))?;
        let (target, value) = (rw.convert_type(ty.id())?, operands.one(0));
        let mut b = Build::new(rw, loc);
        let pointer = ptr_type_in(b.cx(), space);
        let mut parts = Descriptor { value }.unpack(&mut b);
        for part in &mut parts[..2] {
            *part = b.value::<AddrSpaceCastOp<'_>>(&[*part], pointer);
        }
        let packed = Descriptor::pack(&mut b, target, &parts);
        rw.replace(op, &[packed]);
        Ok(())
    }
}

/// The two pointers of a memref, ranked or not.
fn pointers(b: &mut Build<'_, '_>, value: ValueId, pointer: Type) -> (ValueId, ValueId) {
    let is_unranked = struct_members(b.value_type(value)).is_some_and(|members| members.len() == 2);
    if !is_unranked {
        let source = Descriptor { value };
        return (source.allocated(b), source.aligned(b));
    }
    let place = b.extract(value, &[1]);
    let allocated = b.llvm_load(pointer, place);
    let second = b.gep(place, pointer, &[Index::Constant(1)], GEPNoWrapFlags::NONE);
    (allocated, b.llvm_load(pointer, second))
}

/// `memref.reinterpret_cast` makes a descriptor of the same pointers.
pub(super) struct ReinterpretCast;

impl ConversionPattern for ReinterpretCast {
    const NAME: &'static str = "memref-reinterpret-cast-to-llvm";
    const ROOT: Option<&'static str> = Some(ReinterpretCastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let types = MemrefTypes::new(rw, rw.value_type(rw.ir().result(op, 0)))?;
        let view = ReinterpretCastOp::wrap(rw.op(op));
        let part =
            |fixed: AttrRef<'_>, range| (fixed.dense_ints().collect::<SmallVec<[i64; 4]>>(), operands.range(range));
        let offsets = part(view.static_offsets(), view.offsets().range());
        let sizes = part(view.static_sizes(), view.sizes().range());
        let strides = part(view.static_strides(), view.strides().range());
        for (fixed, dynamic) in [&offsets, &sizes, &strides] {
            if fixed.iter().filter(|&&n| n == DYNAMIC).count() != dynamic.len() {
                return Err(NoMatch("dynamic sizes of another number"));
            }
        }
        if sizes.0.len() != strides.0.len() || offsets.0.len() != 1 {
            return Err(NoMatch("sizes and strides of different numbers"));
        }
        let (loc, value) = (view.0.loc(), operands.one(0));
        let mut b = Build::new(rw, loc);
        let mut descriptor = Descriptor::poison(&mut b, types.descriptor);
        let (allocated, aligned) = pointers(&mut b, value, types.pointer);
        descriptor.set_pointers(&mut b, allocated, aligned);
        let mut offsets = Mixed::new(&offsets, types.index);
        let offset = offsets.next(&mut b);
        descriptor.set_offset(&mut b, offset);
        let (mut size, mut stride) = (Mixed::new(&sizes, types.index), Mixed::new(&strides, types.index));
        for dim in 0..sizes.0.len() {
            let value = size.next(&mut b);
            descriptor.set_size(&mut b, dim, value);
            let value = stride.next(&mut b);
            descriptor.set_stride(&mut b, dim, value);
        }
        rw.replace(op, &[descriptor.value]);
        Ok(())
    }
}

/// Numbers and values in turn, as the number list says.
struct Mixed<'a> {
    fixed: std::slice::Iter<'a, i64>,
    dynamic: std::slice::Iter<'a, ValueId>,
    index: Type,
}

impl<'a> Mixed<'a> {
    fn new((fixed, dynamic): &'a (SmallVec<[i64; 4]>, SmallVec<[ValueId; 4]>), index: Type) -> Self {
        Self { fixed: fixed.iter(), dynamic: dynamic.iter(), index }
    }

    /// The next one; a number becomes a constant.
    fn next(&mut self, b: &mut Build<'_, '_>) -> ValueId {
        match *self.fixed.next().expect("as many as dimensions") {
            DYNAMIC => *self.dynamic.next().expect("as many values as dynamic entries"),
            number => b.llvm_index(self.index, number),
        }
    }
}

/// `memref.transpose` permutes sizes and strides.
pub(super) struct Transpose;

impl ConversionPattern for Transpose {
    const NAME: &'static str = "memref-transpose-to-llvm";
    const ROOT: Option<&'static str> = Some(TransposeOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let types = MemrefTypes::new(rw, rw.value_type(rw.ir().result(op, 0)))?;
        let view = TransposeOp::wrap(rw.op(op));
        let map = view.permutation().as_affine_map().ok_or(NoMatch("no permutation"))?;
        let positions = rw.cx().affine().result_positions(map).ok_or(NoMatch("no permutation"))?;
        let (loc, source) = (view.0.loc(), Descriptor { value: operands.one(0) });
        let mut b = Build::new(rw, loc);
        let mut descriptor = Descriptor::poison(&mut b, types.descriptor);
        for part in 0..3 {
            let value = b.extract(source.value, &[part]);
            descriptor.value = b.insert(descriptor.value, value, &[part]);
        }
        for (dim, &from) in positions.iter().enumerate() {
            let size = source.size(&mut b, from as usize);
            descriptor.set_size(&mut b, dim, size);
            let stride = source.stride(&mut b, from as usize);
            descriptor.set_stride(&mut b, dim, stride);
        }
        rw.replace(op, &[descriptor.value]);
        Ok(())
    }
}

/// `memref.view` moves the aligned pointer by bytes; the result lies in row-major order.
pub(super) struct View;

impl ConversionPattern for View {
    const NAME: &'static str = "memref-view-to-llvm";
    const ROOT: Option<&'static str> = Some(ViewOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let types = MemrefTypes::new(rw, rw.value_type(rw.ir().result(op, 0)))?;
        let layout = types.memref.strided_layout().ok_or(NoMatch("the layout is not strided"))?;
        let shape = types.memref.shape().ok_or(NoMatch("not ranked"))?;
        if layout.offset != 0 || layout.strides.last().is_some_and(|&stride| stride != 1) {
            return Err(NoMatch("the result does not lie in row-major order"));
        }
        let view = ViewOp::wrap(rw.op(op));
        let source_type = rw.value_type(view.source().id());
        let byte = source_type.element_type().ok_or(NoMatch("not a memref"))?.id();
        let sizes = operands.range(view.sizes().range());
        let (loc, source, shift) = (view.0.loc(), Descriptor { value: operands.one(0) }, operands.one(1));
        let mut b = Build::new(rw, loc);
        let mut descriptor = Descriptor::poison(&mut b, types.descriptor);
        let allocated = source.allocated(&mut b);
        descriptor.value = b.insert(descriptor.value, allocated, &[0]);
        let buffer = source.buffer(&mut b, source_type, byte).ok_or(NoMatch("the layout is not strided"))?;
        let moved = b.gep(buffer, byte, &[Index::Value(shift)], GEPNoWrapFlags::NONE);
        descriptor.value = b.insert(descriptor.value, moved, &[1]);
        descriptor.set_constant_offset(&mut b, 0);
        let mut sizes = sizes.into_iter().rev();
        // The product of the inner sizes, and the size that comes next.
        let mut inner: Option<(ValueId, ValueId)> = None;
        for (dim, (&extent, &stride)) in shape.iter().zip(&layout.strides).enumerate().rev() {
            let size = match extent {
                DYNAMIC => sizes.next().ok_or(NoMatch("too few sizes"))?,
                extent => b.llvm_index(types.index, extent),
            };
            descriptor.set_size(&mut b, dim, size);
            let stride = match (stride, inner) {
                (DYNAMIC, Some((stride, size))) => b.value::<MulOp<'_>>(&[stride, size], types.index),
                (DYNAMIC, None) => b.llvm_index(types.index, 1),
                (stride, _) => b.llvm_index(types.index, stride),
            };
            descriptor.set_stride(&mut b, dim, stride);
            inner = Some((stride, size));
        }
        rw.replace(op, &[descriptor.value]);
        Ok(())
    }
}
