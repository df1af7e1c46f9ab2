//! The heap of the tools: that of the system, in which blocks that are not large grow by moving.
//!
//! glibc gives each thread a heap with a lock of its own, and keeps the small blocks that a thread has freed at hand for it, without a lock, whichever heap they are of.
//! Only `realloc` always takes the lock of the heap that the block is of, and leaves it there. What one thread has made and another one changes, as functions
//! are in the next pass, has both wait for one lock then, and for the scheduler. A new block is of the heap of the thread that works on it.

use std::alloc::{GlobalAlloc, Layout, System};

/// Bytes of the largest block that is copied. glibc maps those that are larger by themselves, and moves them by changing page tables.
const MAX_COPIED: usize = 120 * 1024;

/// The heap; a program names it as its `#[global_allocator]`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Heap;

// SAFETY: blocks are those of the system, each of the layout that it was asked for with.
#[expect(unsafe_code, reason = "the trait is unsafe")]
unsafe impl GlobalAlloc for Heap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.size().max(size) > MAX_COPIED {
            // SAFETY: as the caller says.
            return unsafe { System.realloc(block, layout, size) };
        }
        // SAFETY: the caller gives a size that is not zero and a block of `layout`, of which a new one with both sizes' common part is made.
        unsafe {
            let moved = System.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                System.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(unsafe_code, reason = "the trait is unsafe")]
    fn blocks_keep_their_content_and_alignment() {
        const SIZES: [usize; 8] = [1, 24, 1032, 1033, MAX_COPIED - 1, MAX_COPIED, MAX_COPIED + 1, 1 << 20];
        for align in [1, 8, 64, 4096] {
            for (from, to) in SIZES.into_iter().flat_map(|from| SIZES.map(|to| (from, to))) {
                let layout = Layout::from_size_align(from, align).unwrap();
                // SAFETY: no size is zero; each block is used within its size, and freed once.
                unsafe {
                    let block = Heap.alloc(layout);
                    for i in 0..from {
                        block.add(i).write(i as u8);
                    }
                    let block = Heap.realloc(block, layout, to);
                    assert_eq!(block.addr() % align, 0);
                    assert!((0..from.min(to)).all(|i| block.add(i).read() == i as u8), "{from} to {to}");
                    Heap.dealloc(block, Layout::from_size_align(to, align).unwrap());
                }
            }
        }
    }
}
