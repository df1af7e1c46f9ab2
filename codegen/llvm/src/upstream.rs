//! MLIR itself, in this process: its verifier and its passes on a module that comes and goes as bytecode.

#![expect(unsafe_code, reason = "calls MLIR's C interface where melior has no wrapper")]

use std::cell::RefCell;
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::Once;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::ir::operation::OperationLike;
use melior::pass::PassManager;
use melior::utility::{parse_pass_pipeline, register_all_dialects, register_all_passes};
use mlir_sys::{MlirStringRef, mlirModuleCreateParse, mlirOperationWriteBytecode};

use crate::aligned::Aligned;
use crate::error::{Diagnostic, Error, Result, Severity};
use crate::translate::convert;

/// MLIR takes bytecode from memory that is aligned like its contents; nothing that it writes asks for more.
const ALIGNMENT: usize = 64;

/// What was done with a module, and what MLIR said meanwhile.
#[derive(Debug)]
pub struct Upstream {
    /// The module afterwards, as bytecode.
    pub bytecode: Vec<u8>,
    /// Warnings and remarks, in order.
    pub messages: Vec<Diagnostic>,
}

/// Has MLIR read and verify a module of dialects of its own, given as bytecode, run `pipeline` on it if there is one
/// (`builtin.module(canonicalize)`), and write it again. Operations of dialects that MLIR does not know pass through.
///
/// # Errors
/// [`Error::Mlir`] with all that MLIR said: of the bytecode, of the module, of the pipeline, or of a pass that failed.
pub fn run_upstream(bytecode: &[u8], pipeline: Option<&str>) -> Result<Upstream> {
    let _span = tracing::info_span!("upstream", pipeline).entered();
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    context.set_allow_unregistered_dialects(true);
    let said = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&said);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(convert(&diagnostic, "<module>"));
        true
    });
    let result = run(&context, bytecode, pipeline);
    context.detach_diagnostic_handler(handler);
    let mut messages = said.take();
    match result {
        Ok(bytecode) => Ok(Upstream { bytecode, messages }),
        Err(why) => {
            if !messages.iter().any(|message| message.severity == Severity::Error) {
                messages.push(Diagnostic {
                    severity: Severity::Error,
                    position: None,
                    message: why,
                    notes: Vec::new(),
                });
            }
            Err(Error::Mlir(messages))
        }
    }
}

/// What went wrong, where MLIR does not say it.
fn run(context: &Context, bytecode: &[u8], pipeline: Option<&str>) -> std::result::Result<Vec<u8>, String> {
    let aligned = Aligned::new(bytecode, ALIGNMENT);
    let bytes = aligned.bytes();
    let text = MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() };
    // SAFETY: the context is live and the bytes outlive the call. The byte after them, which MLIR may look at, is there and zero.
    let module = unsafe { Module::from_option_raw(mlirModuleCreateParse(context.to_raw(), text)) };
    let mut module = module.ok_or("MLIR rejects the module")?;
    if !module.as_operation().verify() {
        return Err("MLIR's verifier rejects the module".to_owned());
    }
    if let Some(pipeline) = pipeline {
        // The registry of passes is that of the process.
        static PASSES: Once = Once::new();
        PASSES.call_once(register_all_passes);
        let manager = PassManager::new(context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).map_err(|error| match error {
            melior::Error::ParsePassPipeline(why) => {
                format!("MLIR does not take the pipeline '{pipeline}': {}", why.trim_end())
            }
            other => other.to_string(),
        })?;
        manager.run(&mut module).map_err(|_| "a pass of MLIR's failed".to_owned())?;
    }
    let mut written = Vec::new();
    // SAFETY: the module is live, and the callback gets the vector that outlives the call.
    unsafe {
        mlirOperationWriteBytecode(module.as_operation().to_raw(), Some(append), (&raw mut written).cast::<c_void>());
    };
    Ok(written)
}

/// Adds a piece of output to the vector behind `to`.
extern "C" fn append(piece: MlirStringRef, to: *mut c_void) {
    // SAFETY: `run` hands over a vector, and MLIR a piece that is valid during the call.
    let (to, piece) = unsafe {
        let piece =
            if piece.length == 0 { &[] } else { std::slice::from_raw_parts(piece.data.cast::<u8>(), piece.length) };
        (&mut *to.cast::<Vec<u8>>(), piece)
    };
    to.extend_from_slice(piece);
}
