//! Back ends of plugins.

use dl_ir::interp::Memory;
use dl_ir::{Diagnostics, OpRef};
use dl_plugin::Runner;
use dl_runtime::Array;
use dl_runtime::call::EntryPoint;

use super::boundary::Boundary;
use super::{Backend, Loaded};
use crate::codegen::CodegenOptions;
use crate::program::Program;

/// A back end that a plugin has brought.
pub(super) struct Plugged(pub(super) Runner);

impl Backend for Plugged {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn pipeline(&self, _: &CodegenOptions, _: bool, _: usize) -> Result<Option<String>, Diagnostics> {
        Ok((!self.0.pipeline.is_empty()).then(|| self.0.pipeline.to_owned()))
    }

    fn load<'p>(
        &self,
        program: &'p mut Program<'_>,
        entry: EntryPoint,
        _: &CodegenOptions,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics> {
        let module = program.root();
        Ok(Box::new(PluggedFunction { module, boundary: Boundary::new(module, entry)?, runner: self.0 }))
    }
}

/// A function of a program.
struct PluggedFunction<'p> {
    module: OpRef<'p>,
    boundary: Boundary<'p>,
    runner: Runner,
}

impl Loaded for PluggedFunction<'_> {
    fn run(&self, arguments: &mut [Array]) -> Result<Vec<Array>, Diagnostics> {
        let mut memory = Memory::default();
        let values = self.boundary.enter(arguments, &mut memory)?;
        let returned = (self.runner.call)(self.module, self.boundary.function, &values, &mut memory)?;
        self.boundary.leave(arguments, &values, &returned, &memory)
    }
}
