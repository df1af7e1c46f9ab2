//! Copies between memrefs of any strides: what `memref.copy` becomes where the compiler does not know the rank.

#![expect(unsafe_code, reason = "reads and writes memory of the compiled program")]

use std::ptr;
use std::slice;

use crate::descriptor;

/// A memref of unknown rank, as compiled programs pass it: a rank, and a pointer to a descriptor of that rank.
#[repr(C)]
#[derive(Clone, Copy)]
struct Unranked {
    rank: i64,
    words: *const u64,
}

/// One side of a copy.
struct Side<'a> {
    start: usize,
    sizes: &'a [u64],
    strides: &'a [u64],
}

impl Side<'_> {
    /// Reads a descriptor; its start is an address in bytes.
    ///
    /// # Safety
    /// There is a descriptor of that rank.
    unsafe fn read<'a>(memref: Unranked, element: usize) -> Side<'a> {
        let rank = usize::try_from(memref.rank).unwrap_or(0);
        // SAFETY: upheld by the caller.
        let words = unsafe { slice::from_raw_parts(memref.words, descriptor::words(rank)) };
        let (head, extents) = words.split_at(words.len() - 2 * rank);
        let (sizes, strides) = extents.split_at(rank);
        // The aligned pointer, and the offset in elements.
        let start = (head[1] as usize).wrapping_add((head[2] as usize).wrapping_mul(element));
        Side { start, sizes, strides }
    }

    /// Bytes from one index of a dimension to the next.
    fn step(&self, dim: usize, element: usize) -> usize {
        (self.strides[dim] as usize).wrapping_mul(element)
    }
}

/// Copies the elements of `from`, of `element` bytes each, to the same indices of `to`. Runs of elements that lie side by side on both
/// sides are copied at once; a copy costs the bytes and one addition for each run.
///
/// # Safety
/// Both are memrefs of the same sizes whose memory is there, and do not overlap.
unsafe extern "C" fn memref_copy(element: i64, from: *const Unranked, to: *const Unranked) {
    let element = usize::try_from(element).unwrap_or(0);
    // SAFETY: upheld by the caller.
    let (from, to) = unsafe { (Side::read(*from, element), Side::read(*to, element)) };
    if from.sizes.contains(&0) {
        return;
    }
    let mut outer = from.sizes.len();
    let mut run = element;
    while outer > 0 {
        let size = from.sizes[outer - 1] as usize;
        let gap_free = |side: &Side<'_>| size == 1 || side.step(outer - 1, element) == run;
        if !gap_free(&from) || !gap_free(&to) {
            break;
        }
        run *= size;
        outer -= 1;
    }
    let mut at = vec![0_u64; outer];
    let (mut source, mut target) = (from.start, to.start);
    loop {
        let (read, write) =
            (ptr::with_exposed_provenance::<u8>(source), ptr::with_exposed_provenance_mut::<u8>(target));
        // SAFETY: the run lies within both memrefs, as each index is less than its size.
        unsafe { ptr::copy_nonoverlapping(read, write, run) };
        // The next index: the innermost that is not at its end moves on, those behind it begin anew.
        let Some(dim) = (0..outer).rev().find(|&dim| {
            let moves = at[dim] + 1 < from.sizes[dim];
            let steps = if moves { 1 } else { (at[dim] as usize).wrapping_neg() };
            source = source.wrapping_add(from.step(dim, element).wrapping_mul(steps));
            target = target.wrapping_add(to.step(dim, element).wrapping_mul(steps));
            at[dim] = at[dim].wrapping_add(steps as u64);
            moves
        }) else {
            return;
        };
        debug_assert!(at[dim] > 0, "it moved");
    }
}

/// The function by the name under which compiled programs know it.
pub(crate) fn symbols() -> [(&'static str, usize); 1] {
    let copy = memref_copy as unsafe extern "C" fn(i64, *const Unranked, *const Unranked) as usize;
    [("memrefCopy", copy)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies between memrefs of i32 with these sizes, offsets and strides.
    fn copy(
        sizes: &[u64],
        (from, offset, strides): (&[i32], u64, &[i64]),
        (to, to_offset, to_strides): (&mut [i32], u64, &[i64]),
    ) {
        let words = |start: *const i32, offset: u64, strides: &[i64]| {
            let start = start.expose_provenance() as u64;
            let mut words = vec![start, start, offset];
            words.extend(sizes);
            words.extend(strides.iter().map(|&stride| stride as u64));
            words
        };
        let from = words(from.as_ptr(), offset, strides);
        let to = words(to.as_mut_ptr(), to_offset, to_strides);
        let unranked = |words: &[u64]| Unranked { rank: sizes.len() as i64, words: words.as_ptr() };
        let (from, to) = (unranked(&from), unranked(&to));
        // SAFETY: the tests stay within their arrays.
        unsafe { memref_copy(4, &raw const from, &raw const to) };
    }

    #[test]
    fn a_window_is_copied_and_its_frame_left_alone() {
        let from: Vec<i32> = (1..=6).collect();
        let mut to = [0; 20];
        copy(&[2, 3], (&from, 0, &[3, 1]), (&mut to, 6, &[5, 1]));
        assert_eq!(to, [0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn dimensions_are_permuted_and_reversed() {
        let from: Vec<i32> = (0..6).collect();
        let mut to = [9; 6];
        copy(&[3, 2], (&from, 0, &[1, 3]), (&mut to, 0, &[2, 1]));
        assert_eq!(to, [0, 3, 1, 4, 2, 5]);
        copy(&[6], (&from, 5, &[-1]), (&mut to, 0, &[1]));
        assert_eq!(to, [5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn no_elements_and_no_dimensions() {
        let mut to = [7; 2];
        copy(&[0, 2], (&[], 0, &[2, 1]), (&mut to, 0, &[2, 1]));
        assert_eq!(to, [7, 7]);
        copy(&[], (&[3, 4], 1, &[]), (&mut to, 0, &[]));
        assert_eq!(to, [4, 7]);
        copy(&[2, 1], (&[5, 6], 0, &[1, 100]), (&mut to, 0, &[1, 100]));
        assert_eq!(to, [5, 6]);
    }
}
