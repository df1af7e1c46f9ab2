//! LLVM's just-in-time linker, through its C interface.

#![expect(unsafe_code, reason = "calls LLVM's C interface and makes function pointers of addresses")]

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_void},
    ptr,
};

use dl_runtime::call::PackedFunction;
use inkwell::llvm_sys::{
    core::LLVMCreateMemoryBufferWithMemoryRangeCopy,
    error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage},
    orc2::{
        LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
        LLVMOrcCSymbolMapPair, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess, LLVMOrcDisposeMaterializationUnit,
        LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibAddGenerator, LLVMOrcJITDylibDefine,
        lljit::{
            LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile, LLVMOrcLLJITGetExecutionSession,
            LLVMOrcLLJITGetGlobalPrefix, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup, LLVMOrcLLJITMangleAndIntern,
            LLVMOrcLLJITRef,
        },
    },
};

use crate::error::{Error, Result};

/// Object files linked into this process; dropping it unmaps the code.
#[derive(Debug)]
pub(super) struct Jit {
    raw: LLVMOrcLLJITRef,
    /// Boxed, because LLVM holds its address.
    errors: Box<RefCell<Vec<String>>>,
}

impl Jit {
    /// Links object files. Their undefined symbols are looked up in each other and in `symbols`, then in this process.
    pub(super) fn link<'a>(objects: &[Vec<u8>], symbols: impl IntoIterator<Item = (&'a str, usize)>) -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: a null builder asks for the defaults, and the native target is initialized, since it made the object.
        check(unsafe { LLVMOrcCreateLLJIT(&raw mut raw, ptr::null_mut()) })?;
        let jit = Self { raw, errors: Box::default() };
        jit.collect_errors();
        jit.define(symbols)?;
        jit.search_process()?;
        let name = c"module.o";
        for object in objects {
            // SAFETY: the bytes are copied; the linker takes the buffer over, on failure too.
            unsafe {
                let buffer =
                    LLVMCreateMemoryBufferWithMemoryRangeCopy(object.as_ptr().cast(), object.len(), name.as_ptr());
                check(LLVMOrcLLJITAddObjectFile(raw, LLVMOrcLLJITGetMainJITDylib(raw), buffer))?;
            }
        }
        Ok(jit)
    }

    /// The address of a generated function, which stays valid as long as `self`. The first look-up links.
    pub(super) fn packed_function(&self, name: &str) -> Result<PackedFunction> {
        let name = CString::new(name).map_err(|_| Error::Entry("zero byte in a name".to_owned()))?;
        let mut address = 0;
        // SAFETY: the linker is live and the name a C string.
        let outcome = check(unsafe { LLVMOrcLLJITLookup(self.raw, &raw mut address, name.as_ptr()) });
        // What was reported on the way says more than that the look-up failed.
        let reported = self.errors.take();
        outcome.map_err(|error| match reported.first() {
            Some(first) => Error::Llvm(first.clone()),
            None => error,
        })?;
        let code: *const c_void = ptr::with_exposed_provenance(address as usize);
        // SAFETY: the symbol is a function that `packed` generated with this type, and a look-up that succeeds gives its address.
        Ok(unsafe { std::mem::transmute::<*const c_void, PackedFunction>(code) })
    }

    /// Collects the session's errors; by default LLVM prints them.
    fn collect_errors(&self) {
        let errors: *const RefCell<Vec<String>> = &raw const *self.errors;
        // SAFETY: the session is live as long as the linker, and the pointer is valid until after that is disposed of.
        unsafe {
            LLVMOrcExecutionSessionSetErrorReporter(
                LLVMOrcLLJITGetExecutionSession(self.raw),
                report,
                errors.cast_mut().cast(),
            );
        }
    }

    /// Defines functions and constants of this process by name.
    fn define<'a>(&self, symbols: impl IntoIterator<Item = (&'a str, usize)>) -> Result<()> {
        let mut pairs = Vec::new();
        for (name, address) in symbols {
            let name = CString::new(name).map_err(|_| Error::Entry("zero byte in a name".to_owned()))?;
            pairs.push(LLVMOrcCSymbolMapPair {
                // SAFETY: the linker is live and the name a C string.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.raw, name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address as u64,
                    Flags: LLVMJITSymbolFlags {
                        GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
                            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8,
                        TargetFlags: 0,
                    },
                },
            });
        }
        // SAFETY: the pairs are copied and their names taken over. The unit is taken over too, unless it is refused.
        unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            let refused = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.raw), unit);
            check(refused).inspect_err(|_| LLVMOrcDisposeMaterializationUnit(unit))
        }
    }

    /// Lets what is still undefined be found in this process: the C and mathematical libraries.
    fn search_process(&self) -> Result<()> {
        let mut generator = ptr::null_mut();
        // SAFETY: there is no filter, hence no context for one; the library takes the generator over.
        unsafe {
            check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &raw mut generator,
                LLVMOrcLLJITGetGlobalPrefix(self.raw),
                None,
                ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(self.raw), generator);
        }
        Ok(())
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: created by `link`; calls into its code borrow the module that owns `self`. There is no use for an error by now.
        unsafe {
            let _ = check(LLVMOrcDisposeLLJIT(self.raw));
        }
    }
}

// SAFETY: after `packed_function` was called for each entry, nothing touches the linker but `drop`, which LLVM allows on any thread; the
// errors are only reached during those calls.
unsafe impl Send for Jit {}
// SAFETY: as above; shared references give access to nothing by then.
unsafe impl Sync for Jit {}

/// LLVM's error reporter.
extern "C" fn report(errors: *mut c_void, error: LLVMErrorRef) {
    let Err(error) = check(error) else { return };
    // SAFETY: LLVM passes the pointer that `collect_errors` registered.
    let errors = unsafe { &*errors.cast::<RefCell<Vec<String>>>() };
    let text = match error {
        Error::Llvm(text) => text,
        other => other.to_string(),
    };
    errors.borrow_mut().push(text);
}

/// Takes over one of LLVM's error values; null is success.
fn check(error: LLVMErrorRef) -> Result<()> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is ours by the C interface's rules; reading the message consumes it, and the message is ours to dispose of.
    let text = unsafe {
        let message: *mut c_char = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        text
    };
    Err(Error::Llvm(text))
}
