//! What LLVM holds to be its own bug, and ends the process for: an intrinsic that the target has no instruction for, above all.

#![expect(unsafe_code, reason = "LLVM calls back with a C string, and nothing may run after it")]

use std::ffi::{CStr, c_char, c_int};
use std::sync::Once;

use inkwell::support::error_handling::install_fatal_error_handler;

/// Has such an error end the process as any other does, with a message and exit status 1, where LLVM would abort.
pub(crate) fn report_before_exit() {
    static INSTALLED: Once = Once::new();
    // SAFETY: the handler is a plain function, which is there for as long as the process is.
    INSTALLED.call_once(|| unsafe { install_fatal_error_handler(report) });
}

/// Never returns: LLVM aborts on return. Other threads may be in LLVM, so nothing of the process is torn down.
#[expect(clippy::print_stderr, reason = "nobody is left to hand it to")]
extern "C" fn report(reason: *const c_char) {
    unsafe extern "C" {
        fn _exit(status: c_int) -> !;
    }
    // SAFETY: LLVM hands over a string that ends with a zero and outlives the call.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    eprintln!("error: unsupported: LLVM makes no code of this program for this target: {}", reason.trim_end());
    // SAFETY: ends the process.
    unsafe { _exit(1) }
}
