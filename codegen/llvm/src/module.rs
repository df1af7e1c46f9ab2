//! An LLVM module together with the context it lives in.

#![expect(unsafe_code, reason = "ties a module's lifetime to its context's, which inkwell leaves to its user")]

use std::{
    cell::RefCell,
    ffi::{CStr, c_void},
};

use inkwell::{
    llvm_sys::{
        LLVMDiagnosticSeverity,
        core::{
            LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler, LLVMDisposeMessage,
            LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
        },
        prelude::{LLVMContextRef, LLVMDiagnosticInfoRef, LLVMModuleRef},
    },
    module::Module,
};

use crate::constants::Constant;

/// An LLVM module, owned.
///
/// Made by [`from_mlir`](Self::from_mlir), changed by [`optimize`](Self::optimize), and turned into code by
/// [`emit`](Self::emit) or [`compile`](Self::compile).
#[derive(Debug)]
pub struct LlvmModule {
    // Fields drop in order: the module before the context that it lives in.
    module: Module<'static>,
    context: OwnedContext,
    /// What the module declares as constants that are not its own.
    pub(crate) constants: Vec<Constant>,
}

impl LlvmModule {
    /// The module that `build` makes in the context it is given; `None` if it returns null.
    pub(crate) fn create(build: impl FnOnce(LLVMContextRef) -> LLVMModuleRef) -> Option<Self> {
        let context = OwnedContext::new();
        let module = build(context.raw);
        if module.is_null() {
            return None;
        }
        // SAFETY: the module was just made and nobody else disposes of it. It claims to outlive everything, but only `Self` holds it,
        // and keeps its context alive for longer.
        Some(Self { module: unsafe { Module::new(module) }, context, constants: Vec::new() })
    }

    /// Hands over constants that the module declares as external globals.
    #[must_use]
    pub fn with_constants(mut self, constants: Vec<Constant>) -> Self {
        self.constants.extend(constants);
        self
    }

    /// The module, which must not be kept beyond `self`.
    pub(crate) fn inner(&self) -> &Module<'static> {
        &self.module
    }

    /// The errors that LLVM reported since this was last asked, joined; `None` if there were none.
    pub(crate) fn take_errors(&self) -> Option<String> {
        let errors = self.context.errors.take();
        (!errors.is_empty()).then(|| errors.join("\n"))
    }

    /// The textual LLVM IR, exactly as LLVM's own tools print it. Constants that were [handed over](Self::with_constants) are declared only.
    pub fn to_llvm_ir_text(&self) -> String {
        self.module.print_to_string().to_string()
    }

    /// The names of the functions that have a body, in order.
    pub fn function_names(&self) -> Vec<String> {
        self.module
            .get_functions()
            .filter(|function| function.count_basic_blocks() > 0)
            .map(|function| function.get_name().to_string_lossy().into_owned())
            .collect()
    }
}

/// An LLVM context whose errors are collected; by default LLVM prints them and ends the process.
#[derive(Debug)]
struct OwnedContext {
    raw: LLVMContextRef,
    /// Boxed, because LLVM holds its address.
    errors: Box<RefCell<Vec<String>>>,
}

impl OwnedContext {
    fn new() -> Self {
        let errors = Box::<RefCell<Vec<String>>>::default();
        // SAFETY: the context is new; the handler gets a pointer that is valid until `self` is dropped, and the context with it.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let errors: *const RefCell<Vec<String>> = &raw const *errors;
            LLVMContextSetDiagnosticHandler(raw, Some(collect_error), errors.cast_mut().cast());
            raw
        };
        Self { raw, errors }
    }
}

impl Drop for OwnedContext {
    fn drop(&mut self) {
        // SAFETY: created by `new`, and whatever lives in it is gone: see the field order of `LlvmModule`.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// LLVM's diagnostic handler: keeps errors, logs warnings, drops remarks.
extern "C" fn collect_error(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic, whose description is a C string that is ours to dispose of.
    let (severity, text) = unsafe {
        let description = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(description).to_string_lossy().into_owned();
        LLVMDisposeMessage(description);
        (LLVMGetDiagInfoSeverity(info), text)
    };
    match severity {
        LLVMDiagnosticSeverity::LLVMDSError => {
            // SAFETY: LLVM passes the pointer that `OwnedContext::new` registered.
            let errors = unsafe { &*errors.cast::<RefCell<Vec<String>>>() };
            errors.borrow_mut().push(text);
        }
        LLVMDiagnosticSeverity::LLVMDSWarning => tracing::warn!("{text}"),
        _ => {}
    }
}
