//! The names of a target's CPUs and features, through a few lines of C++ (`subtarget.cpp`).

#![expect(unsafe_code, reason = "calls C++ and is called back with C strings")]

use std::ffi::{CStr, c_char, c_void};

use inkwell::{llvm_sys::target_machine::LLVMTargetMachineRef, targets::TargetMachine};

type Visitor = unsafe extern "C" fn(data: *mut c_void, name: *const c_char);

unsafe extern "C" {
    fn dl_llvm_visit_cpus(machine: LLVMTargetMachineRef, visit: Visitor, data: *mut c_void);
    fn dl_llvm_visit_features(machine: LLVMTargetMachineRef, visit: Visitor, data: *mut c_void);
}

/// The CPUs that LLVM knows for the machine's target, sorted.
pub(crate) fn cpus(machine: &TargetMachine) -> Vec<String> {
    let mut names = Vec::new();
    // SAFETY: the machine is live, and `push_name` gets the vector that it expects, during the call only.
    unsafe { dl_llvm_visit_cpus(machine.as_mut_ptr(), push_name, (&raw mut names).cast()) };
    names
}

/// The features that LLVM knows for the machine's target, sorted.
pub(crate) fn features(machine: &TargetMachine) -> Vec<String> {
    let mut names = Vec::new();
    // SAFETY: as above.
    unsafe { dl_llvm_visit_features(machine.as_mut_ptr(), push_name, (&raw mut names).cast()) };
    names
}

/// # Safety
/// `names` is a `Vec<String>` that nothing else uses, and `name` a C string.
unsafe extern "C" fn push_name(names: *mut c_void, name: *const c_char) {
    // SAFETY: upheld by the caller.
    let (names, name) = unsafe { (&mut *names.cast::<Vec<String>>(), CStr::from_ptr(name)) };
    names.push(name.to_string_lossy().into_owned());
}
