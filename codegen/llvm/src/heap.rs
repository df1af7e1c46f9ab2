//! The heap of the process, of which LLVM and MLIR leave pieces.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "calls a function of the C library that is its own")
)]

/// Gives the system back what has been freed. The C library keeps it where something behind it is still in use, and for each thread that was there.
/// Takes about a millisecond.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: it takes the locks of the heap, and changes no memory that is in use.
        unsafe { malloc_trim(0) };
    }
}
