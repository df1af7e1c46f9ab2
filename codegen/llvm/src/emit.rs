//! Modules as assembly, object files and LLVM IR.

use inkwell::module::Module;
use inkwell::targets::FileType;

use crate::{
    constants,
    error::{Error, Result},
    module::LlvmModule,
    options::EmitKind,
    target::Target,
};

impl LlvmModule {
    /// The module in the given form, as bytes. Optimize it first.
    pub fn emit(&self, kind: EmitKind, target: &Target) -> Result<Vec<u8>> {
        let _span = tracing::info_span!("llvm-emit").entered();
        match kind {
            EmitKind::LlvmIr => {
                let module = self.whole(target)?;
                Ok(module.print_to_string().to_string().into_bytes())
            }
            EmitKind::Asm => self.generate(FileType::Assembly, target),
            EmitKind::Obj => self.generate(FileType::Object, target),
        }
    }

    /// Generates machine code, constants included.
    fn generate(&self, kind: FileType, target: &Target) -> Result<Vec<u8>> {
        self.code(&self.whole(target)?, kind, target)
    }

    /// Optimizes, and generates machine code that refers to the constants that were handed over as symbols.
    pub(crate) fn into_object(mut self, target: &Target) -> Result<Vec<u8>> {
        self.optimize(target)?;
        self.code(self.inner(), FileType::Object, target)
    }

    /// A copy of the module that holds the constants which it declares.
    fn whole(&self, target: &Target) -> Result<Module<'static>> {
        let module = self.inner().clone();
        constants::define(&self.constants, &module, target.machine())?;
        Ok(module)
    }

    /// Machine code of a module in the context of this one. Code generation rewrites the IR it works on.
    fn code(&self, module: &Module<'static>, kind: FileType, target: &Target) -> Result<Vec<u8>> {
        let buffer =
            target.machine().write_to_memory_buffer(module, kind).map_err(|error| Error::Llvm(error.to_string()))?;
        if let Some(errors) = self.take_errors() {
            return Err(Error::Llvm(errors));
        }
        Ok(buffer.as_slice().to_vec())
    }
}
