//! The descriptor of a ranked memref: `!llvm.struct<(ptr, ptr, i64, array<r x i64>, array<r x i64>)>`.
//!
//! Its parts: the pointer that was allocated, the aligned pointer that elements are counted from, the offset of the first
//! element, the sizes and the strides, all counted in elements. A descriptor of rank 0 has no sizes and strides.

use dl_ir::{DYNAMIC, Type, TypeRef, ValueId};
use dl_llvm::types::{array_parts, array_type, element_at, struct_members};
use dl_llvm::{GEPNoWrapFlags, IntegerOverflowFlags};
use smallvec::SmallVec;

use super::llvm_build::{Index, LlvmBuild};
use super::llvm_types::can_be_bare_pointer;
use dl_arith::Build;

const ALLOCATED: i64 = 0;
const ALIGNED: i64 = 1;
const OFFSET: i64 = 2;
const SIZES: i64 = 3;
const STRIDES: i64 = 4;

/// What an access within bounds may assume of its address.
pub(crate) const ACCESS: GEPNoWrapFlags = GEPNoWrapFlags::INBOUNDS.union(GEPNoWrapFlags::NUW);

/// A descriptor as a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    /// The struct.
    pub(crate) value: ValueId,
}

impl Descriptor {
    /// One whose parts are not yet set.
    pub(crate) fn poison(b: &mut Build<'_, '_>, ty: Type) -> Self {
        Self { value: b.poison(ty) }
    }

    /// Rank of a descriptor type.
    pub(crate) fn rank_of(ty: TypeRef<'_>) -> usize {
        let sizes = struct_members(ty).and_then(|members| members.get(SIZES as usize).copied());
        sizes.and_then(|sizes| array_parts(ty.cx().ty(sizes))).map_or(0, |(_, rank)| rank as usize)
    }

    /// Number of dimensions.
    pub(crate) fn rank(self, b: &Build<'_, '_>) -> usize {
        Self::rank_of(b.value_type(self.value))
    }

    /// The type of offset, sizes and strides.
    pub(crate) fn index_type(self, b: &Build<'_, '_>) -> Type {
        element_at(b.cx(), b.ir().value_type(self.value), &[OFFSET]).expect("a descriptor has an offset")
    }

    fn set(&mut self, b: &mut Build<'_, '_>, position: &[i64], value: ValueId) {
        self.value = b.insert(self.value, value, position);
    }

    /// Sets both pointers.
    pub(crate) fn set_pointers(&mut self, b: &mut Build<'_, '_>, allocated: ValueId, aligned: ValueId) {
        self.set(b, &[ALLOCATED], allocated);
        self.set(b, &[ALIGNED], aligned);
    }

    /// Sets the offset.
    pub(crate) fn set_offset(&mut self, b: &mut Build<'_, '_>, offset: ValueId) {
        self.set(b, &[OFFSET], offset);
    }

    /// Sets the offset to a number.
    pub(crate) fn set_constant_offset(&mut self, b: &mut Build<'_, '_>, offset: i64) {
        let offset = b.llvm_index(self.index_type(b), offset);
        self.set_offset(b, offset);
    }

    /// Sets one size.
    pub(crate) fn set_size(&mut self, b: &mut Build<'_, '_>, dim: usize, size: ValueId) {
        self.set(b, &[SIZES, dim as i64], size);
    }

    /// Sets one stride.
    pub(crate) fn set_stride(&mut self, b: &mut Build<'_, '_>, dim: usize, stride: ValueId) {
        self.set(b, &[STRIDES, dim as i64], stride);
    }

    /// The pointer that was allocated.
    pub(crate) fn allocated(self, b: &mut Build<'_, '_>) -> ValueId {
        b.extract(self.value, &[ALLOCATED])
    }

    /// The pointer that elements are counted from.
    pub(crate) fn aligned(self, b: &mut Build<'_, '_>) -> ValueId {
        b.extract(self.value, &[ALIGNED])
    }

    /// The offset.
    pub(crate) fn offset(self, b: &mut Build<'_, '_>) -> ValueId {
        b.extract(self.value, &[OFFSET])
    }

    /// One size.
    pub(crate) fn size(self, b: &mut Build<'_, '_>, dim: usize) -> ValueId {
        b.extract(self.value, &[SIZES, dim as i64])
    }

    /// One stride.
    pub(crate) fn stride(self, b: &mut Build<'_, '_>, dim: usize) -> ValueId {
        b.extract(self.value, &[STRIDES, dim as i64])
    }

    /// The size of the dimension whose number is a value: all sizes go to the stack, one is read.
    pub(crate) fn size_at(self, b: &mut Build<'_, '_>, dim: ValueId) -> ValueId {
        let index = self.index_type(b);
        let all = array_type(b.cx(), index, self.rank(b) as u64);
        let one = b.llvm_index(index, 1);
        let sizes = b.extract(self.value, &[SIZES]);
        let place = b.alloca(all, one);
        b.llvm_store(sizes, place);
        let wanted = b.gep(place, all, &[Index::Constant(0), Index::Value(dim)], GEPNoWrapFlags::NONE);
        b.llvm_load(index, wanted)
    }

    /// All parts one by one: pointers, offset, sizes, strides.
    pub(crate) fn unpack(self, b: &mut Build<'_, '_>) -> SmallVec<[ValueId; 8]> {
        let rank = self.rank(b);
        let mut parts: SmallVec<[ValueId; 8]> =
            [ALLOCATED, ALIGNED, OFFSET].into_iter().map(|part| b.extract(self.value, &[part])).collect();
        parts.extend((0..rank).map(|dim| self.size(b, dim)));
        parts.extend((0..rank).map(|dim| self.stride(b, dim)));
        parts
    }

    /// Made of the parts that [`unpack`](Self::unpack) gives.
    pub(crate) fn pack(b: &mut Build<'_, '_>, ty: Type, parts: &[ValueId]) -> ValueId {
        let rank = (parts.len() - 3) / 2;
        let mut descriptor = Self::poison(b, ty);
        descriptor.set_pointers(b, parts[0], parts[1]);
        descriptor.set_offset(b, parts[2]);
        for dim in 0..rank {
            descriptor.set_size(b, dim, parts[3 + dim]);
            descriptor.set_stride(b, dim, parts[3 + rank + dim]);
        }
        descriptor.value
    }

    /// Of the memory behind one pointer, for a memref type that says all else. `None` where it does not.
    pub(crate) fn from_static_shape(
        b: &mut Build<'_, '_>,
        memref: TypeRef<'_>,
        ty: Type,
        pointer: ValueId,
    ) -> Option<ValueId> {
        let (layout, shape) = (memref.strided_layout()?, memref.shape()?);
        if !can_be_bare_pointer(memref) {
            return None;
        }
        let mut descriptor = Self::poison(b, ty);
        descriptor.set_pointers(b, pointer, pointer);
        descriptor.set_constant_offset(b, layout.offset);
        let index = descriptor.index_type(b);
        for (dim, (&size, &stride)) in shape.iter().zip(&layout.strides).enumerate() {
            let size = b.llvm_index(index, size);
            descriptor.set_size(b, dim, size);
            let stride = b.llvm_index(index, stride);
            descriptor.set_stride(b, dim, stride);
        }
        Some(descriptor.value)
    }

    /// The address of the first element: the aligned pointer moved by the offset. `None` for a layout that is not strided.
    pub(crate) fn buffer(self, b: &mut Build<'_, '_>, memref: TypeRef<'_>, element: Type) -> Option<ValueId> {
        let layout = memref.strided_layout()?;
        let aligned = self.aligned(b);
        let offset = match layout.offset {
            0 => return Some(aligned),
            DYNAMIC => self.offset(b),
            offset => b.llvm_index(self.index_type(b), offset),
        };
        Some(b.gep(aligned, element, &[Index::Value(offset)], GEPNoWrapFlags::NONE))
    }

    /// The address of the element at `indices`, with these assumptions about it. `None` for a layout that is not strided.
    pub(crate) fn element_with(
        self,
        b: &mut Build<'_, '_>,
        memref: TypeRef<'_>,
        element: Type,
        indices: &[ValueId],
        flags: GEPNoWrapFlags,
    ) -> Option<ValueId> {
        let layout = memref.strided_layout()?;
        let base = self.buffer(b, memref, element)?;
        let mut overflow = IntegerOverflowFlags::NONE;
        if flags.contains(GEPNoWrapFlags::NUSW) {
            overflow = overflow.union(IntegerOverflowFlags::NSW);
        }
        if flags.contains(GEPNoWrapFlags::NUW) {
            overflow = overflow.union(IntegerOverflowFlags::NUW);
        }
        let index_type = self.index_type(b);
        let mut sum: Option<ValueId> = None;
        for (dim, (&index, &stride)) in indices.iter().zip(&layout.strides).enumerate() {
            let term = match stride {
                1 => index,
                DYNAMIC => {
                    let stride = self.stride(b, dim);
                    b.llvm_mul(index, stride, overflow)
                }
                stride => {
                    let stride = b.llvm_index(index_type, stride);
                    b.llvm_mul(index, stride, overflow)
                }
            };
            sum = Some(match sum {
                Some(sum) => b.llvm_add(sum, term, overflow),
                None => term,
            });
        }
        Some(match sum {
            Some(at) => b.gep(base, element, &[Index::Value(at)], flags),
            None => base,
        })
    }
}
