//! The reference interpreter as a back end.

use dl_interpreter::Options;
use dl_ir::{Diagnostics, OpRef};
use dl_runtime::Array;
use dl_runtime::call::EntryPoint;
use dl_tools_support::{files, messages};

use super::boundary::Boundary;
use super::{Backend, Loaded};
use crate::codegen::CodegenOptions;
use crate::program::Program;

/// The reference interpreter, which takes programs of any stage and stops at undefined behaviour.
pub struct Interpreter {
    /// Most operations that it runs.
    pub steps: Option<u64>,
}

impl Backend for Interpreter {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn pipeline(&self, _: &CodegenOptions, _: bool, _: usize) -> Result<Option<String>, Diagnostics> {
        Ok(None)
    }

    fn load<'p>(
        &self,
        program: &'p mut Program<'_>,
        entry: EntryPoint,
        _: &CodegenOptions,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics> {
        let boundary = Boundary::new(program.root(), entry)?;
        Ok(Box::new(Interpreted { module: program.root(), boundary, steps: self.steps }))
    }
}

/// A function of a program.
struct Interpreted<'p> {
    module: OpRef<'p>,
    boundary: Boundary<'p>,
    steps: Option<u64>,
}

impl Loaded for Interpreted<'_> {
    fn run(&self, arguments: &mut [Array]) -> Result<Vec<Array>, Diagnostics> {
        let Self { module, boundary, steps } = self;
        let mut interpreter =
            dl_interpreter::Interpreter::new(*module, Options { steps: *steps, ..Options::default() });
        let values = boundary.enter(arguments, interpreter.memory())?;
        let run = interpreter.run(boundary.function, &values);
        files::write("-", run.printed.as_bytes()).map_err(messages::error)?;
        let returned = run.results.map_err(Diagnostics::from)?;
        boundary.leave(arguments, &values, &returned, interpreter.memory())
    }
}
