//! Modules as assembly, object files, shared libraries and LLVM IR.

use std::{fs, path::Path};

use inkwell::targets::FileType;

use crate::{
    error::{Error, Result},
    link,
    module::LlvmModule,
    options::EmitKind,
    target::Target,
};

impl LlvmModule {
    /// The module in the given form, as bytes. Optimize it first.
    pub fn emit(&self, kind: EmitKind, target: &Target) -> Result<Vec<u8>> {
        let _span = tracing::info_span!("llvm-emit").entered();
        match kind {
            EmitKind::LlvmIr => Ok(self.to_llvm_ir_text().into_bytes()),
            EmitKind::Asm => self.generate(FileType::Assembly, target),
            EmitKind::Obj => self.generate(FileType::Object, target),
            EmitKind::Shared => {
                let object = self.generate(FileType::Object, target)?;
                let folder = tempfile::tempdir().map_err(|source| Error::Io { path: std::env::temp_dir(), source })?;
                let path = folder.path().join("module.so");
                link::shared_library(&object, target, &path)?;
                fs::read(&path).map_err(|source| Error::Io { path, source })
            }
        }
    }

    /// Writes the module in the given form to a file. Optimize it first.
    pub fn emit_file(&self, kind: EmitKind, target: &Target, path: &Path) -> Result<()> {
        if kind == EmitKind::Shared {
            let object = self.generate(FileType::Object, target)?;
            return link::shared_library(&object, target, path);
        }
        let bytes = self.emit(kind, target)?;
        fs::write(path, bytes).map_err(|source| Error::Io { path: path.to_owned(), source })
    }

    /// Generates machine code.
    pub(crate) fn generate(&self, kind: FileType, target: &Target) -> Result<Vec<u8>> {
        // Code generation rewrites the IR it works on.
        let module = self.inner().clone();
        let buffer =
            target.machine().write_to_memory_buffer(&module, kind).map_err(|error| Error::Llvm(error.to_string()))?;
        if let Some(errors) = self.take_errors() {
            return Err(Error::Llvm(errors));
        }
        Ok(buffer.as_slice().to_vec())
    }
}
