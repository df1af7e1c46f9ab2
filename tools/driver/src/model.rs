//! ONNX models as functions of a Rust program.

use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Diagnostics};
use dl_runtime::{Array, Signature, parallel};

use crate::backend::Backend;
use crate::codegen::CodegenOptions;
use crate::onnx::Model;
use crate::program::Program;
use crate::run::signature::Entry;

/// Imports a model, makes it callable by `backend`, and calls it with what `arguments` makes of its type.
///
/// # Errors
/// All that is wrong with the model or not supported, what the back end refuses, or what `arguments` answers.
pub fn call(
    cx: &Context,
    passes: &PassRegistry,
    model: Model,
    backend: &dyn Backend,
    options: &CodegenOptions,
    arguments: impl FnOnce(&Signature) -> Result<Vec<Array>, Diagnostics>,
) -> Result<Vec<Array>, Diagnostics> {
    let mut program = Program::import(cx, model)?;
    let entry = Entry::find(program.root(), None)?;
    program.lower_for(backend, passes, options, parallel::threads())?;
    let loaded = backend.load(&mut program, entry.point(), options)?;
    let mut arguments = arguments(&entry.signature)?;
    let results = loaded.run(&mut arguments)?;
    Ok(entry.values_after_call(results, arguments))
}
