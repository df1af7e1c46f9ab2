//! The allocator of compiled programs.
//!
//! Every buffer is aligned to 64 bytes at least and is on record until it is freed. That record answers what a memref descriptor cannot
//! say: whether a returned buffer is the caller's to free ([`is_live`]), or is a constant, an argument, or something else that must be
//! left alone. It also turns a double free, or freeing what was never allocated, into a message instead of a corrupted heap.
//!
//! Large buffers that are released are kept for the next allocation of the same size: a program that is called again and again gets the same
//! pages, which the system need not clear and map each time. What is kept never takes the process beyond the most that was ever in use at once.
//!
//! An allocation and its release cost 120 to 230 ns together, the record included; it is split so that threads rarely meet on a lock.

#![expect(unsafe_code, reason = "an allocator with a C interface")]

use std::{
    alloc::{Layout, alloc, dealloc, handle_alloc_error},
    io::Write as _,
    process,
    ptr::{self, NonNull},
    sync::LazyLock,
};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

/// Alignment of every buffer: a cache line and a full vector register.
pub const ALIGNMENT: usize = 64;

/// Parts the record is split into; a power of two.
const SHARDS: usize = 16;

/// Live buffers by address.
static LIVE: LazyLock<[Mutex<FxHashMap<usize, Layout>>; SHARDS]> = LazyLock::new(Default::default);

/// Size in bytes from which on released buffers are kept. Smaller ones cost little to make.
const LARGE: usize = 1 << 16;

/// Large buffers.
static LARGE_BUFFERS: LazyLock<Mutex<LargeBuffers>> = LazyLock::new(Mutex::default);

/// What is kept, and how much there is.
#[derive(Default)]
struct LargeBuffers {
    /// Released buffers by address, the oldest first.
    kept: Vec<(Layout, usize)>,
    /// Bytes in `kept`.
    kept_bytes: usize,
    /// Bytes in use.
    used_bytes: usize,
    /// The most that `used_bytes` has been.
    peak_bytes: usize,
}

impl LargeBuffers {
    /// Takes a buffer that is kept, if there is one of this layout. If not, hands out those that must go, so that a new one fits the peak.
    fn take(&mut self, layout: Layout) -> Result<usize, Vec<(Layout, usize)>> {
        self.used_bytes += layout.size();
        self.peak_bytes = self.peak_bytes.max(self.used_bytes);
        if let Some(at) = self.kept.iter().rposition(|(kept, _)| *kept == layout) {
            self.kept_bytes -= layout.size();
            return Ok(self.kept.remove(at).1);
        }
        let mut count = 0;
        while self.used_bytes + self.kept_bytes > self.peak_bytes && count < self.kept.len() {
            self.kept_bytes -= self.kept[count].0.size();
            count += 1;
        }
        Err(self.kept.drain(..count).collect())
    }

    /// Keeps a buffer that was in use.
    fn keep(&mut self, layout: Layout, address: usize) {
        self.used_bytes -= layout.size();
        self.kept_bytes += layout.size();
        self.kept.push((layout, address));
    }
}

/// A buffer of this layout from the system, or one that was kept; null where there is none.
fn obtain(layout: Layout) -> *mut u8 {
    if layout.size() >= LARGE {
        match LARGE_BUFFERS.lock().take(layout) {
            Ok(address) => return ptr::with_exposed_provenance_mut(address),
            Err(released) => {
                for (layout, address) in released {
                    // SAFETY: the buffer was allocated with this layout, and nobody has it.
                    unsafe { dealloc(ptr::with_exposed_provenance_mut(address), layout) };
                }
            }
        }
    }
    // SAFETY: the layout's size is not zero.
    unsafe { alloc(layout) }
}

/// The part of the record that holds `address`.
fn shard(address: usize) -> &'static Mutex<FxHashMap<usize, Layout>> {
    // Addresses are multiples of `ALIGNMENT`; large ones share more low bits, so mix in higher ones.
    &LIVE[((address >> 6) ^ (address >> 12)) % SHARDS]
}

/// Allocates `size` bytes, which are not initialized. Memory that cannot be had ends the process with a message, since compiled programs
/// do not check.
fn allocate(size: usize, alignment: usize) -> NonNull<u8> {
    let alignment = alignment.max(ALIGNMENT);
    // A buffer of no bytes still has an address of its own.
    let Ok(layout) = Layout::from_size_align(size.max(1), alignment) else {
        fatal(&format!("cannot allocate {size} bytes aligned to {alignment}"));
    };
    let Some(buffer) = NonNull::new(obtain(layout)) else {
        handle_alloc_error(layout);
    };
    let address = buffer.as_ptr().expose_provenance();
    shard(address).lock().insert(address, layout);
    buffer
}

/// Whether a buffer of this allocator that is not freed yet starts at `address`.
pub fn is_live(address: usize) -> bool {
    shard(address).lock().contains_key(&address)
}

/// Bytes in live buffers, over the whole process. For tests and statistics; takes every lock in turn.
pub fn live_bytes() -> usize {
    LIVE.iter().map(|shard| shard.lock().values().map(Layout::size).sum::<usize>()).sum()
}

/// Frees the buffer that starts at `address` if it is a live one of this allocator, and says whether it was.
///
/// # Safety
/// Nothing uses the buffer any more.
pub unsafe fn release(address: usize) -> bool {
    let Some(layout) = shard(address).lock().remove(&address) else {
        return false;
    };
    if layout.size() >= LARGE {
        LARGE_BUFFERS.lock().keep(layout, address);
        return true;
    }
    // SAFETY: the record had this address, so `allocate` returned it with this layout, and it was not freed since.
    unsafe { dealloc(ptr::with_exposed_provenance_mut(address), layout) };
    true
}

/// `malloc` of compiled programs.
extern "C" fn c_malloc(size: usize) -> *mut u8 {
    allocate(size, ALIGNMENT).as_ptr()
}

/// `aligned_alloc` of compiled programs.
extern "C" fn c_aligned_alloc(alignment: usize, size: usize) -> *mut u8 {
    allocate(size, alignment).as_ptr()
}

/// `calloc` of compiled programs, which LLVM makes of a `malloc` that is then cleared.
extern "C" fn c_calloc(count: usize, size: usize) -> *mut u8 {
    let Some(bytes) = count.checked_mul(size) else {
        fatal(&format!("cannot allocate {count} times {size} bytes"));
    };
    let buffer = allocate(bytes, ALIGNMENT).as_ptr();
    // SAFETY: `allocate` returned at least `bytes` writable bytes.
    unsafe { buffer.write_bytes(0, bytes) };
    buffer
}

/// `free` of compiled programs.
///
/// # Safety
/// The program does not use the buffer again.
unsafe extern "C" fn c_free(buffer: *mut u8) {
    // SAFETY: upheld by the caller.
    if !buffer.is_null() && !unsafe { release(buffer.addr()) } {
        fatal(&format!("the program freed {buffer:p}, which is not a live allocation of its own"));
    }
}

/// Ends the process: the callers are frames of compiled code, through which nothing can unwind.
fn fatal(message: &str) -> ! {
    // Nothing is left to do should standard error be closed.
    let _ = writeln!(std::io::stderr(), "error: {message}");
    process::abort();
}

/// The allocation functions by the names under which compiled programs know them.
pub(crate) fn symbols() -> [(&'static str, usize); 7] {
    let malloc = c_malloc as extern "C" fn(usize) -> *mut u8 as usize;
    let aligned_alloc = c_aligned_alloc as extern "C" fn(usize, usize) -> *mut u8 as usize;
    let calloc = c_calloc as extern "C" fn(usize, usize) -> *mut u8 as usize;
    let free = c_free as unsafe extern "C" fn(*mut u8) as usize;
    [
        ("malloc", malloc),
        ("aligned_alloc", aligned_alloc),
        ("calloc", calloc),
        ("free", free),
        ("_mlir_memref_to_llvm_alloc", malloc),
        ("_mlir_memref_to_llvm_aligned_alloc", aligned_alloc),
        ("_mlir_memref_to_llvm_free", free),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_live_until_released() {
        let address = c_aligned_alloc(128, 10).expose_provenance();
        assert_eq!(address % 128, 0);
        assert!(is_live(address));
        assert!(!is_live(address + 64));
        // SAFETY: nothing else knows the address.
        assert!(unsafe { release(address) });
        assert!(!is_live(address));
        // SAFETY: as before.
        assert!(!unsafe { release(address) });
    }

    #[test]
    fn zero_bytes_have_an_address() {
        let (a, b) = (c_malloc(0), c_malloc(0));
        assert!(!a.is_null() && !b.is_null() && a != b);
        // SAFETY: nothing uses the buffers; null is allowed.
        unsafe {
            c_free(a);
            c_free(b);
            c_free(ptr::null_mut());
        }
    }

    #[test]
    fn a_large_buffer_is_used_again() {
        let size = LARGE + 12_345;
        let first = c_malloc(size);
        // SAFETY: nothing uses the buffer.
        unsafe { c_free(first) };
        let second = c_malloc(size);
        assert_eq!(first, second);
        // SAFETY: as before.
        unsafe { c_free(second) };
        assert!(!is_live(second.addr()));
    }

    #[test]
    fn what_is_kept_stays_within_the_peak() {
        let layout = |size: usize| Layout::from_size_align(size, 64).unwrap();
        let mut buffers = LargeBuffers::default();
        assert_eq!(buffers.take(layout(100)), Err(Vec::new()));
        buffers.keep(layout(100), 1);
        // That of 100 is kept beside one of 60 only where as much was in use at once before.
        assert_eq!(buffers.take(layout(60)), Err(vec![(layout(100), 1)]));
        assert_eq!(buffers.take(layout(100)), Err(Vec::new()));
        buffers.keep(layout(100), 2);
        assert_eq!(buffers.take(layout(90)), Err(vec![(layout(100), 2)]));
        buffers.keep(layout(60), 3);
        assert_eq!(buffers.take(layout(60)), Ok(3));
        assert_eq!((buffers.kept_bytes, buffers.peak_bytes), (0, 160));
    }

    #[test]
    fn calloc_clears() {
        let buffer = c_calloc(3, 5);
        // SAFETY: the buffer has 15 initialized bytes and is not used after it is freed.
        unsafe {
            assert_eq!(std::slice::from_raw_parts(buffer, 15), [0; 15]);
            c_free(buffer);
        }
    }
}
