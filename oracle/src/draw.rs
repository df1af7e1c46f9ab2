//! Values to run programs on: of any type, edge values more often than others, the same for the same random numbers.

use std::sync::Arc;

use dl_ir::interp::{Array, Cells, Lifetime, MemRef, Memory, Shape, Value, num_elements, row_major};
use dl_ir::number::ApInt;
use dl_ir::{DYNAMIC, Loc, TypeRef};
use dl_llvm::interpret::Pointer;
use dl_llvm::types::{array_parts, is_ptr, struct_members};
use fastrand::Rng;

use crate::numbers;

/// The most elements of an array or buffer.
const MOST_ELEMENTS: usize = 1 << 12;

/// Bytes behind a pointer.
const POINTED_AT: usize = 64;

/// What one run is given.
pub(crate) struct Draw {
    rng: Rng,
    /// The extent of dynamic dimensions, mostly.
    extent: i64,
    /// Whether numbers of type `index` may be anything, rather than small.
    wild_indices: bool,
    /// Whether values may be poison.
    poison: bool,
}

impl Draw {
    /// For run number `run`. Of eight runs, half are tame: extents agree, indices are small, nothing is poison.
    pub(crate) fn new(run: u64) -> Self {
        const EXTENTS: [i64; 8] = [2, 3, 1, 4, 2, 0, 3, 5];
        let mut rng = Rng::with_seed(run.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Self { extent: EXTENTS[run as usize % 8], wild_indices: run % 4 == 3, poison: run % 8 == 6, rng: rng.fork() }
    }

    /// For what happens `at` this point of the run, whatever was drawn before.
    pub(crate) fn at(run: u64, at: u64) -> Self {
        let mut draw = Self::new(run);
        draw.rng = Rng::with_seed((run << 20) ^ at ^ 0x5851_F42D_4C95_7F2D);
        draw
    }

    /// A truth value.
    pub(crate) fn coin(&mut self) -> bool {
        self.rng.bool()
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.rng.usize(..end)
    }

    /// Some value of type `ty`; what must be allocated goes to `memory`.
    ///
    /// # Errors
    /// That there are none to be had.
    pub(crate) fn value(&mut self, ty: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
        if self.poison && !ty.is_index() && !ty.is_memref() && !is_ptr(ty) && self.rng.u8(..8) == 0 {
            return Ok(Value::poison(ty));
        }
        if ty.is_index() {
            return Ok(Value::Int(self.index()));
        }
        if let Some(kind) = ty.float_kind() {
            return Ok(Value::Float(kind, numbers::float(kind, &mut self.rng)));
        }
        if let Some(width) = ty.storage_bits().filter(|_| ty.is_integer()) {
            return Ok(Value::Int(numbers::int(width, &mut self.rng)));
        }
        match ty.data() {
            dl_ir::types::TypeData::Complex(part) => {
                let part = ty.cx().ty(*part);
                Ok(Value::Complex(Arc::new([self.value(part, memory)?, self.value(part, memory)?])))
            }
            dl_ir::types::TypeData::Function { .. } => {
                Ok(Value::Function(ty.cx().symbol_ref_attr(crate::observe::ANY_FUNCTION)))
            }
            _ if ty.is_vector() || ty.is_tensor() => self.array(ty, memory),
            _ if ty.is_memref() => self.memref(ty, memory),
            _ if is_ptr(ty) => self.pointer(memory),
            _ if array_parts(ty).is_some() || struct_members(ty).is_some() => self.aggregate(ty, memory),
            _ => Err(format!("unsupported: values of type '{ty}' cannot be made")),
        }
    }

    fn index(&mut self) -> ApInt {
        let value = match self.rng.u8(..if self.wild_indices { 8 } else { 4 }) {
            0 | 4 => self.extent,
            1 => self.rng.i64(0..=self.extent.max(1)),
            2 => self.rng.i64(0..4),
            3 => self.rng.i64(0..=16),
            _ => *self.rng.choice(&[-1, -7, i64::MIN, i64::MAX, 1 << 31, 1 << 32]).unwrap_or(&0),
        };
        ApInt::from_i64(64, value)
    }

    fn extents(&mut self, ty: TypeRef<'_>) -> Shape {
        match ty.shape() {
            Some(shape) => {
                let extent = |&extent: &i64| match extent {
                    DYNAMIC if self.rng.u8(..16) == 0 => self.rng.i64(0..4),
                    DYNAMIC => self.extent,
                    _ => extent,
                };
                shape.iter().map(extent).collect()
            }
            None => (0..self.rng.usize(..3)).map(|_| self.rng.i64(0..4)).collect(),
        }
    }

    fn array(&mut self, ty: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
        let shape = self.extents(ty);
        let count = few(&shape)?;
        let element = ty.element_or_self();
        let elements = (0..count).map(|_| self.value(element, memory)).collect::<Result<_, _>>()?;
        Ok(Array::new(&shape, elements).into())
    }

    fn memref(&mut self, ty: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
        let shape = self.extents(ty);
        let (strides, offset) = match ty.strided_layout().filter(|_| ty.has_rank()) {
            Some(layout) => {
                let packed = row_major(&shape);
                let gap = if self.rng.u8(..4) == 0 { 2 } else { 1 };
                let stride = |(&known, &packed): (&i64, &i64)| if known == DYNAMIC { packed * gap } else { known };
                let strides: Shape = layout.strides.iter().zip(&packed).map(stride).collect();
                (strides, if layout.offset == DYNAMIC { self.rng.i64(0..3) } else { layout.offset })
            }
            None if !ty.has_rank() => (row_major(&shape), 0),
            None => return Err(format!("unsupported: values of type '{ty}' cannot be made")),
        };
        let empty = few(&shape)? == 0;
        let reach = |(&extent, &stride): (&i64, &i64)| (extent.max(1) - 1).checked_mul(stride.max(0));
        let last = shape.iter().zip(&strides).map(reach).try_fold(offset, |sum, part| sum.checked_add(part?));
        let len = last.and_then(|last| last.checked_add(i64::from(!empty)));
        let len = len.and_then(|len| few(&[len]).ok()).ok_or("unsupported: a buffer so large")?;
        let buffer = memory.allocate(len, Lifetime::Heap, Loc::UNKNOWN)?;
        let element = ty.element_or_self();
        for at in 0..len {
            let value = self.value(element, memory)?;
            memory.store(buffer, at as i64, Some(value))?;
        }
        Ok(MemRef { buffer, offset, shape, strides, cells: Cells::Whole }.into())
    }

    /// A pointer to some bytes, to the first of them mostly.
    fn pointer(&mut self, memory: &mut Memory) -> Result<Value, String> {
        let buffer = memory.allocate(POINTED_AT, Lifetime::Heap, Loc::UNKNOWN)?;
        for at in 0..POINTED_AT as i64 {
            memory.store(buffer, at, Some(Value::Int(numbers::int(8, &mut self.rng))))?;
        }
        let offset = if self.rng.u8(..4) == 0 { 8 } else { 0 };
        Ok(Pointer { buffer: Some(buffer), offset }.into())
    }

    /// An array or struct of the `llvm` dialect, as an array of its members.
    fn aggregate(&mut self, ty: TypeRef<'_>, memory: &mut Memory) -> Result<Value, String> {
        let members = match array_parts(ty) {
            Some((element, count)) => vec![element; few(&[i64::try_from(count).unwrap_or(i64::MAX)])?],
            None => struct_members(ty).unwrap_or_default(),
        };
        let members = members.iter().map(|&member| self.value(ty.cx().ty(member), memory));
        let members = members.collect::<Result<Vec<_>, _>>()?;
        Ok(Array::new(&[members.len() as i64], members).into())
    }

    /// Writes to what `memref` shows, as someone who was handed it may do.
    pub(crate) fn scribble(
        &mut self,
        memref: &MemRef,
        element: TypeRef<'_>,
        memory: &mut Memory,
    ) -> Result<(), String> {
        few(&memref.shape)?;
        let mut indices = dl_ir::interp::Odometer::new(&memref.shape);
        while let Some(index) = indices.next() {
            let value = self.value(element, memory)?;
            // What is constant stays as it is.
            let _ = memory.write(memref, index, Some(value));
        }
        Ok(())
    }
}

/// The number of elements, if they are few enough to be looked at often.
pub(crate) fn few(shape: &[i64]) -> Result<usize, String> {
    let count = num_elements(shape)?;
    if count > MOST_ELEMENTS { Err("unsupported: so many elements".to_owned()) } else { Ok(count) }
}
