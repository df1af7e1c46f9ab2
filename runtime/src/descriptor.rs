//! Ranked memref descriptors, the form in which compiled functions take and return arrays.
//!
//! In memory a descriptor is `{ allocated, aligned, offset, sizes[rank], strides[rank] }`, all of 64 bits and strides counted in
//! elements, so it is kept here as a run of words. `allocated` is what may be freed, `aligned + offset` where the elements start.

#![expect(unsafe_code, reason = "a returned descriptor's memory is read through bare pointers")]

use std::{ptr, slice};

use thiserror::Error;

use crate::{Array, DType};

const _: () = assert!(size_of::<usize>() == 8, "descriptor words are pointers too");

/// Words of a descriptor before its sizes.
const HEAD: usize = 3;

/// Words a descriptor takes.
pub const fn words(rank: usize) -> usize {
    HEAD + 2 * rank
}

/// Appends the descriptor of `array`, which the callee may read and write through it until the array is next used.
pub fn push(words: &mut Vec<u64>, array: &mut Array) {
    let data = array.bytes_mut().as_mut_ptr().expose_provenance() as u64;
    words.extend([data, data, 0]);
    words.extend(array.shape().iter().map(|&extent| extent as u64));
    let first_stride = words.len();
    words.resize(first_stride + array.shape().len(), 1);
    for axis in (1..array.shape().len()).rev() {
        // Wrapping: an empty array may have other extents whose product overflows, and no element to reach with a stride.
        words[first_stride + axis - 1] = words[first_stride + axis].wrapping_mul(array.shape()[axis] as u64);
    }
}

/// A descriptor that a compiled function returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returned {
    /// Start of the allocation, or a value that marks none.
    pub allocated: usize,
    aligned: usize,
    offset: i64,
    sizes: Vec<i64>,
    strides: Vec<i64>,
}

/// A returned descriptor that describes no array.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DescriptorError {
    /// A size is negative, or the array is larger than memory.
    #[error("the program returned an array of impossible size {0:?}")]
    Size(Vec<i64>),
    /// There are elements, but no address.
    #[error("the program returned an array of size {0:?} at address null")]
    Null(Vec<i64>),
}

impl Returned {
    /// Reads a descriptor of this rank from its words.
    ///
    /// # Panics
    /// If there are not [`words`]`(rank)` words.
    pub fn from_words(words: &[u64], rank: usize) -> Self {
        assert_eq!(words.len(), self::words(rank), "a descriptor of rank {rank}");
        let signed = |words: &[u64]| words.iter().map(|&word| word as i64).collect();
        Self {
            allocated: words[0] as usize,
            aligned: words[1] as usize,
            offset: words[2] as i64,
            sizes: signed(&words[HEAD..HEAD + rank]),
            strides: signed(&words[HEAD + rank..]),
        }
    }

    /// Copies the elements into an array. A contiguous row-major memref is one `memcpy`.
    ///
    /// # Safety
    /// The descriptor describes memory that holds elements of type `dtype`, at every index within its sizes, and nothing writes to it
    /// meanwhile.
    pub unsafe fn to_array(&self, dtype: DType) -> Result<Array, DescriptorError> {
        let impossible = || DescriptorError::Size(self.sizes.clone());
        let shape = self
            .sizes
            .iter()
            .map(|&size| usize::try_from(size))
            .collect::<Result<Vec<usize>, _>>()
            .map_err(|_| impossible())?;
        let mut array = Array::zeros(dtype, &shape).map_err(|_| impossible())?;
        if array.element_count() == 0 {
            return Ok(array);
        }
        if self.aligned == 0 {
            return Err(DescriptorError::Null(self.sizes.clone()));
        }
        let size = dtype.size();
        let base: *const u8 = ptr::with_exposed_provenance(self.aligned);
        let start = base.wrapping_offset((self.offset as isize).wrapping_mul(size as isize));

        // The innermost dimensions that lie as an array's own do are copied as one run.
        let (mut run, mut outer) = (1_usize, shape.len());
        while outer > 0 && (shape[outer - 1] == 1 || self.strides[outer - 1] == run as i64) {
            outer -= 1;
            run *= shape[outer];
        }
        let run_bytes = run * size;
        let mut index = vec![0; outer];
        let mut source = start;
        for target in array.bytes_mut().chunks_exact_mut(run_bytes) {
            // SAFETY: `source` is the address of the element at `index`, and the `run` elements from there on are contiguous; the
            // caller vouches for all of them.
            target.copy_from_slice(unsafe { slice::from_raw_parts(source, run_bytes) });
            for axis in (0..outer).rev() {
                let step = (self.strides[axis] as isize).wrapping_mul(size as isize);
                index[axis] += 1;
                source = source.wrapping_offset(step);
                if index[axis] < shape[axis] {
                    break;
                }
                source = source.wrapping_offset(step.wrapping_mul(shape[axis] as isize).wrapping_neg());
                index[axis] = 0;
            }
        }
        array.normalize_bools();
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_becomes_a_row_major_descriptor() {
        let mut array = Array::zeros(DType::F32, &[2, 3, 4]).unwrap();
        let data = array.bytes().as_ptr().addr() as u64;
        let mut words = Vec::new();
        push(&mut words, &mut array);
        assert_eq!(words, [data, data, 0, 2, 3, 4, 12, 4, 1]);
        assert_eq!(words.len(), super::words(3));
    }

    #[test]
    fn a_scalar_has_no_sizes() {
        let mut array = Array::from_slice(&[], &[7_i32]).unwrap();
        let mut words = Vec::new();
        push(&mut words, &mut array);
        assert_eq!(words.len(), 3);
        // SAFETY: the descriptor is that of a live array.
        let copy = unsafe { Returned::from_words(&words, 0).to_array(DType::I32) };
        assert_eq!(copy, Ok(array));
    }

    /// Reads a view of the elements 0, 1, ..., 11.
    fn view(offset: u64, sizes: &[i64], strides: &[i64]) -> Array {
        let mut base = Array::from_slice(&[12], &std::array::from_fn::<i16, 12, _>(|i| i as i16)).unwrap();
        let data = base.bytes_mut().as_mut_ptr().expose_provenance() as u64;
        let words: Vec<u64> =
            [data, data, offset].into_iter().chain(sizes.iter().chain(strides).map(|&word| word as u64)).collect();
        // SAFETY: the views of the tests stay within `base`.
        unsafe { Returned::from_words(&words, sizes.len()).to_array(DType::I16) }.unwrap()
    }

    #[test]
    fn strided_views_are_gathered() {
        let array = |shape: &[usize], values: &[i16]| Array::from_slice(shape, values).unwrap();
        assert_eq!(view(4, &[2, 2], &[4, 1]), array(&[2, 2], &[4, 5, 8, 9]));
        assert_eq!(view(0, &[4, 3], &[1, 4]), array(&[4, 3], &[0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]));
        assert_eq!(view(11, &[3], &[-2]), array(&[3], &[11, 9, 7]));
        assert_eq!(view(3, &[2, 2], &[0, 1]), array(&[2, 2], &[3, 4, 3, 4]));
        assert_eq!(view(1, &[2, 1, 3], &[6, 99, 2]), array(&[2, 1, 3], &[1, 3, 5, 7, 9, 11]));
    }

    #[test]
    fn impossible_descriptors_are_refused() {
        let negative = Returned::from_words(&[64, 64, 0, -1_i64 as u64, 1], 1);
        // SAFETY: no memory is read.
        let error = unsafe { negative.to_array(DType::I8) }.unwrap_err();
        assert_eq!(error.to_string(), "the program returned an array of impossible size [-1]");
        let null = Returned::from_words(&[0, 0, 0, 2, 1], 1);
        // SAFETY: no memory is read.
        let error = unsafe { null.to_array(DType::I8) }.unwrap_err();
        assert_eq!(error.to_string(), "the program returned an array of size [2] at address null");
    }
}
