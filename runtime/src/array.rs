//! Dense arrays: the values that programs take and return.

use std::fmt;

use bytemuck::{Pod, Zeroable};
use half::{bf16, f16};
use thiserror::Error;

use crate::DType;

/// A dense row-major array.
///
/// Storage is aligned to 64 bytes, a cache line and a full vector register, which is what compiled code may be told to assume. The
/// byte length is always the element count times [`DType::size`]. A `bool` element is one byte, 0 or 1.
#[derive(Clone, PartialEq)]
pub struct Array {
    dtype: DType,
    shape: Vec<usize>,
    lines: Vec<Line>,
    len: usize,
}

/// One cache line: the unit of storage, so that a `Vec` of it is aligned.
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Why an array could not be made.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ArrayError {
    /// The number of bytes does not fit the address space.
    #[error("{dtype} {} has more elements than memory can hold", ShapeDisplay(shape))]
    TooLarge {
        /// Element type asked for.
        dtype: DType,
        /// Shape asked for.
        shape: Vec<usize>,
    },
    /// The data does not fill the shape.
    #[error("{dtype} {} takes {expected} bytes, got {got}", ShapeDisplay(shape))]
    Length {
        /// Element type asked for.
        dtype: DType,
        /// Shape asked for.
        shape: Vec<usize>,
        /// Bytes that this shape takes.
        expected: usize,
        /// Bytes given.
        got: usize,
    },
}

impl Array {
    /// An array of zeros.
    ///
    /// # Errors
    /// [`ArrayError::TooLarge`] when the size overflows. Memory the machine does not have aborts, as everywhere in Rust: check sizes that
    /// come from outside against something that bounds them first.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Self, ArrayError> {
        let len = byte_len(dtype, shape).ok_or_else(|| ArrayError::TooLarge { dtype, shape: shape.to_vec() })?;
        let lines = bytemuck::zeroed_vec(len.div_ceil(size_of::<Line>()));
        Ok(Self { dtype, shape: shape.to_vec(), lines, len })
    }

    /// An array holding a copy of `values` in row-major order.
    pub fn from_slice<T: Element>(shape: &[usize], values: &[T]) -> Result<Self, ArrayError> {
        Self::from_bytes(T::DTYPE, shape, bytemuck::cast_slice(values))
    }

    /// An array holding a copy of `bytes`: row-major elements in this machine's byte order. Non-zero bytes of `bool` become 1.
    pub fn from_bytes(dtype: DType, shape: &[usize], bytes: &[u8]) -> Result<Self, ArrayError> {
        let expected = byte_len(dtype, shape).ok_or_else(|| ArrayError::TooLarge { dtype, shape: shape.to_vec() })?;
        if bytes.len() != expected {
            return Err(ArrayError::Length { dtype, shape: shape.to_vec(), expected, got: bytes.len() });
        }
        let mut array = Self::zeros(dtype, shape)?;
        array.bytes_mut().copy_from_slice(bytes);
        array.normalize_bools();
        Ok(array)
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The extent of each dimension, outermost first; empty for a scalar.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many elements there are.
    pub fn element_count(&self) -> usize {
        self.len / self.dtype.size()
    }

    /// The elements' bytes, row-major, in this machine's byte order.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }

    /// Mutable access to the bytes. Whoever writes `bool` elements writes 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }

    /// The elements, when `T` is their type.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        (T::DTYPE == self.dtype).then(|| bytemuck::cast_slice(self.bytes()))
    }

    /// The elements for writing, when `T` is their type.
    pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        (T::DTYPE == self.dtype).then(|| bytemuck::cast_slice_mut(self.bytes_mut()))
    }

    /// The element type and shape in a diagnostic, `float32 [360x64]` say.
    pub fn describe(&self) -> impl fmt::Display {
        format!("{} {}", self.dtype, ShapeDisplay(&self.shape))
    }

    /// Restores the invariant of `bool` after bytes from outside were stored.
    pub(crate) fn normalize_bools(&mut self) {
        if self.dtype == DType::Bool {
            for byte in self.bytes_mut() {
                *byte = u8::from(*byte != 0);
            }
        }
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A Rust type that is the element of some array. `bool` arrays have no such type: use [`Array::bytes`].
pub trait Element: Pod {
    /// The element type that this is.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($rust:ty => $dtype:ident),* $(,)?) => {
        $(impl Element for $rust {
            const DTYPE: DType = DType::$dtype;
        })*
    };
}

elements! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, bf16 => BF16, f32 => F32, f64 => F64,
}

/// Bytes an array takes, unless that overflows what one allocation may have.
pub(crate) fn byte_len(dtype: DType, shape: &[usize]) -> Option<usize> {
    // A zero extent anywhere makes the array empty, whatever overflow the other extents would cause.
    if shape.contains(&0) {
        return Some(0);
    }
    let len = shape.iter().try_fold(dtype.size(), |len, &extent| len.checked_mul(extent))?;
    (len <= isize::MAX as usize - size_of::<Line>()).then_some(len)
}

/// A shape as diagnostics write it: `[360x64]`, and `[]` for a scalar.
struct ShapeDisplay<'a>(&'a [usize]);

impl fmt::Display for ShapeDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, extent) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "x" };
            write!(f, "{separator}{extent}")?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_aligned_to_a_cache_line() {
        let array = Array::from_slice(&[3], &[1.0_f32, 2.0, 3.0]).unwrap();
        assert_eq!(array.bytes().as_ptr().addr() % 64, 0);
        assert_eq!(array.bytes().len(), 12);
        assert_eq!(array.as_slice::<f32>(), Some(&[1.0, 2.0, 3.0][..]));
        assert_eq!(array.as_slice::<i32>(), None);
    }

    #[test]
    fn size_overflow_is_an_error() {
        let error = Array::zeros(DType::F64, &[usize::MAX, 2]).unwrap_err();
        assert_eq!(error.to_string(), "float64 [18446744073709551615x2] has more elements than memory can hold");
        assert_eq!(Array::zeros(DType::F64, &[usize::MAX, 2, 0]).unwrap().element_count(), 0);
    }

    #[test]
    fn data_must_fill_the_shape() {
        let error = Array::from_slice(&[2, 2], &[1_i16, 2, 3]).unwrap_err();
        assert_eq!(error.to_string(), "int16 [2x2] takes 8 bytes, got 6");
    }

    #[test]
    fn bools_are_normalized() {
        let array = Array::from_bytes(DType::Bool, &[3], &[0, 1, 200]).unwrap();
        assert_eq!(array.bytes(), &[0, 1, 1]);
    }
}
