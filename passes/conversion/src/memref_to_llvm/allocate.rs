//! Allocation on the heap and on the stack.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, OpView, Type, TypeRef, ValueId};
use dl_llvm::types::{func_type, ptr_type, ptr_type_in, void_type};
use dl_llvm::{AddOp, AddrSpaceCastOp, GEPNoWrapFlags, IntToPtrOp, MulOp, PtrToIntOp, SubOp, URemOp};
use dl_memref::{AllocOp, AllocaOp, DeallocOp};
use smallvec::SmallVec;

use super::AllocationOptions;
use crate::descriptor::Descriptor;
use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_symbols::external_function;
use crate::llvm_types::address_space;
use dl_arith::Build;

/// The alignment that `aligned_alloc` is asked for at least.
const MIN_ALIGNMENT: i64 = 16;

/// Shape of memory about to be described: sizes, strides and the number of elements, as values.
pub(super) struct Extents {
    pub(super) sizes: SmallVec<[ValueId; 4]>,
    strides: SmallVec<[ValueId; 4]>,
    count: ValueId,
}

impl Extents {
    /// Of a memref in row-major order, its dynamic sizes given.
    pub(super) fn new(b: &mut Build<'_, '_>, shape: &[i64], dynamic: &[ValueId], index: Type) -> Self {
        let mut dynamic = dynamic.iter();
        let mut size = |b: &mut Build<'_, '_>, extent: i64| match extent {
            DYNAMIC => *dynamic.next().expect("a size for each dynamic dimension"),
            extent => b.llvm_index(index, extent),
        };
        let sizes: SmallVec<[ValueId; 4]> = shape.iter().map(|&extent| size(b, extent)).collect();
        let mut strides: SmallVec<[ValueId; 4]> = SmallVec::new();
        // The product of the inner extents, as a number while it is one and as a value.
        let (mut product, mut running) = (Some(1_i64), b.llvm_index(index, 1));
        for (&extent, &size) in shape.iter().zip(&sizes).rev() {
            strides.push(running);
            let is_first = product == Some(1);
            product = product.filter(|_| extent != DYNAMIC).and_then(|n| n.checked_mul(extent));
            running = match product {
                _ if is_first => size,
                Some(n) => b.llvm_index(index, n),
                None => b.value::<MulOp<'_>>(&[running, size], index),
            };
        }
        strides.reverse();
        Self { sizes, strides, count: running }
    }

    /// Number of bytes, for elements of this type: the address of the element after the last in an array at zero.
    pub(super) fn bytes(&self, b: &mut Build<'_, '_>, element: Type, pointer: Type, index: Type) -> ValueId {
        let null = b.llvm_zero(pointer);
        let end = b.gep(null, element, &[Index::Value(self.count)], GEPNoWrapFlags::NONE);
        b.value::<PtrToIntOp<'_>>(&[end], index)
    }

    /// A descriptor of memory of this shape.
    pub(super) fn descriptor(&self, b: &mut Build<'_, '_>, ty: Type, allocated: ValueId, aligned: ValueId) -> ValueId {
        let mut descriptor = Descriptor::poison(b, ty);
        descriptor.set_pointers(b, allocated, aligned);
        descriptor.set_constant_offset(b, 0);
        for (dim, &size) in self.sizes.iter().enumerate() {
            descriptor.set_size(b, dim, size);
        }
        for (dim, &stride) in self.strides.iter().enumerate() {
            descriptor.set_stride(b, dim, stride);
        }
        descriptor.value
    }
}

/// The types that the lowering of a memref needs.
pub(super) struct MemrefTypes<'c> {
    pub(super) memref: TypeRef<'c>,
    pub(super) descriptor: Type,
    pub(super) element: Type,
    pub(super) pointer: Type,
    pub(super) index: Type,
}

impl<'c> MemrefTypes<'c> {
    /// Of a ranked memref type.
    pub(super) fn new(rw: &ConversionRewriter<'c>, memref: TypeRef<'c>) -> Result<Self, NoMatch> {
        let cx = rw.cx();
        let element = memref.element_type().ok_or(NoMatch("not a memref"))?;
        let space = address_space(memref).ok_or(NoMatch("the memory space is no number"))?;
        Ok(Self {
            memref,
            descriptor: rw.convert_type(memref.id())?,
            element: rw.convert_type(element.id())?,
            pointer: ptr_type_in(cx, space),
            index: rw.convert_type(cx.index_type())?,
        })
    }
}

fn check_layout(memref: TypeRef<'_>) -> Rewrite {
    if memref.has_identity_layout() { Ok(()) } else { Err(NoMatch("only the identity layout can be allocated")) }
}

/// The type of a memref result; the view outlives changes.
fn result_memref<'c>(op: OpId, rw: &ConversionRewriter<'c>) -> TypeRef<'c> {
    rw.value_type(rw.ir().result(op, 0))
}

/// `memref.alloc` calls `malloc` and aligns what it gives, or `aligned_alloc`.
pub(super) struct Alloc(pub(super) AllocationOptions);

impl ConversionPattern for Alloc {
    const NAME: &'static str = "memref-alloc-to-llvm";
    const ROOT: Option<&'static str> = Some(AllocOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let types = MemrefTypes::new(rw, result_memref(op, rw))?;
        check_layout(types.memref)?;
        let view = AllocOp::wrap(rw.op(op));
        let alignment = view.alignment().and_then(dl_ir::AttrRef::as_int);
        let dynamic = operands.range(view.dynamic_sizes().range());
        let loc = view.0.loc();
        let index = types.index;
        let (name, num_params) = match (self.0.aligned, self.0.generic) {
            (false, false) => ("malloc", 1),
            (true, false) => ("aligned_alloc", 2),
            (false, true) => ("_mlir_memref_to_llvm_alloc", 1),
            (true, true) => ("_mlir_memref_to_llvm_aligned_alloc", 2),
        };
        let params: SmallVec<[Type; 2]> = std::iter::repeat_n(index, num_params).collect();
        let allocator = func_type(rw.cx(), ptr_type(rw.cx()), &params, false);
        external_function(rw, name, allocator);
        let shape = types.memref.shape().ok_or(NoMatch("not ranked"))?;
        let mut b = Build::new(rw, loc);
        let extents = Extents::new(&mut b, shape, &dynamic, index);
        let bytes = extents.bytes(&mut b, types.element, types.pointer, index);
        let (allocated, aligned) = if self.0.aligned {
            let at_least = element_bytes(types.memref).map_or(MIN_ALIGNMENT, |n| n.max(MIN_ALIGNMENT));
            let number = alignment.unwrap_or_else(|| at_least.unsigned_abs().next_power_of_two() as i64);
            let alignment = b.llvm_index(index, number);
            let is_multiple = static_bytes(types.memref).is_some_and(|bytes| bytes % number == 0);
            let bytes = if is_multiple { bytes } else { round_up(&mut b, bytes, alignment) };
            let pointer = call_allocator(&mut b, name, &[alignment, bytes], types.pointer);
            (pointer, pointer)
        } else {
            let is_scalar = types.memref.element_type().is_some_and(TypeRef::is_int_or_index_or_float);
            let alignment = match alignment {
                Some(alignment) => Some(b.llvm_index(index, alignment)),
                None if is_scalar => None,
                None => Some(size_of(&mut b, types.element, types.pointer, index)),
            };
            let bytes = alignment.map_or(bytes, |alignment| b.value::<AddOp<'_>>(&[bytes, alignment], index));
            let allocated = call_allocator(&mut b, name, &[bytes], types.pointer);
            let aligned = match alignment {
                None => allocated,
                Some(alignment) => {
                    let address = b.value::<PtrToIntOp<'_>>(&[allocated], index);
                    let address = round_up(&mut b, address, alignment);
                    b.value::<IntToPtrOp<'_>>(&[address], types.pointer)
                }
            };
            (allocated, aligned)
        };
        let descriptor = extents.descriptor(&mut b, types.descriptor, allocated, aligned);
        rw.replace(op, &[descriptor]);
        Ok(())
    }
}

fn call_allocator(b: &mut Build<'_, '_>, name: &str, args: &[ValueId], pointer: Type) -> ValueId {
    let default = ptr_type(b.cx());
    let call = b.llvm_call(name, args, Some(default));
    let allocated = b.ir().result(call, 0);
    if pointer == default { allocated } else { b.value::<AddrSpaceCastOp<'_>>(&[allocated], pointer) }
}

/// The next multiple of `alignment`.
fn round_up(b: &mut Build<'_, '_>, value: ValueId, alignment: ValueId) -> ValueId {
    let index = b.ir().value_type(value);
    let one = b.llvm_index(index, 1);
    let bump = b.value::<SubOp<'_>>(&[alignment, one], index);
    let bumped = b.value::<AddOp<'_>>(&[value, bump], index);
    let excess = b.value::<URemOp<'_>>(&[bumped, alignment], index);
    b.value::<SubOp<'_>>(&[bumped, excess], index)
}

/// Bytes of one element in memory: the distance of two elements of an array at zero.
pub(super) fn size_of(b: &mut Build<'_, '_>, element: Type, pointer: Type, index: Type) -> ValueId {
    let null = b.llvm_zero(pointer);
    let next = b.gep(null, element, &[Index::Constant(1)], GEPNoWrapFlags::NONE);
    b.value::<PtrToIntOp<'_>>(&[next], index)
}

/// Bytes of one element, where they are known without asking LLVM.
fn element_bytes(memref: TypeRef<'_>) -> Option<i64> {
    let element = memref.element_type()?;
    if element.is_vector() {
        let bits = element.num_elements()?.checked_mul(u64::from(element.element_type()?.storage_bits()?))?;
        return i64::try_from(bits.div_ceil(8).next_power_of_two()).ok();
    }
    Some(i64::from(element.storage_bits()?.div_ceil(8)))
}

fn static_bytes(memref: TypeRef<'_>) -> Option<i64> {
    i64::try_from(memref.num_elements()?).ok()?.checked_mul(element_bytes(memref)?)
}

/// `memref.alloca` becomes `llvm.alloca`.
pub(super) struct Alloca;

impl ConversionPattern for Alloca {
    const NAME: &'static str = "memref-alloca-to-llvm";
    const ROOT: Option<&'static str> = Some(AllocaOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let types = MemrefTypes::new(rw, result_memref(op, rw))?;
        check_layout(types.memref)?;
        let view = AllocaOp::wrap(rw.op(op));
        let alignment = view.alignment().map(|attr| attr.id());
        let dynamic = operands.range(view.dynamic_sizes().range());
        let loc = view.0.loc();
        let shape = types.memref.shape().ok_or(NoMatch("not ranked"))?;
        let mut b = Build::new(rw, loc);
        let cx = b.cx();
        let extents = Extents::new(&mut b, shape, &dynamic, types.index);
        let state = OpState::of::<dl_llvm::AllocaOp<'_>>(loc)
            .operands([extents.count])
            .results([types.pointer])
            .attr(cx, "elem_type", cx.type_attr(types.element))
            .maybe_attr(cx, "alignment", alignment);
        let pointer = b.create_value(state);
        let descriptor = extents.descriptor(&mut b, types.descriptor, pointer, pointer);
        rw.replace(op, &[descriptor]);
        Ok(())
    }
}

/// `memref.dealloc` calls `free` on what was allocated.
pub(super) struct Dealloc(pub(super) AllocationOptions);

impl ConversionPattern for Dealloc {
    const NAME: &'static str = "memref-dealloc-to-llvm";
    const ROOT: Option<&'static str> = Some(DeallocOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let memref = rw.value_type(rw.op(op).operand(0).id());
        let space = address_space(memref).ok_or(NoMatch("the memory space is no number"))?;
        let (value, loc) = (operands.one(0), rw.op(op).loc());
        let name = if self.0.generic { "_mlir_memref_to_llvm_free" } else { "free" };
        let cx = rw.cx();
        external_function(rw, name, func_type(cx, void_type(cx), &[ptr_type(cx)], false));
        let mut b = Build::new(rw, loc);
        let mut pointer = if memref.is_unranked_memref() {
            let descriptor = b.extract(value, &[1]);
            b.llvm_load(ptr_type_in(cx, space), descriptor)
        } else {
            Descriptor { value }.allocated(&mut b)
        };
        if space != 0 {
            pointer = b.value::<AddrSpaceCastOp<'_>>(&[pointer], ptr_type(cx));
        }
        b.llvm_call(name, &[pointer], None);
        rw.erase(op);
        Ok(())
    }
}
