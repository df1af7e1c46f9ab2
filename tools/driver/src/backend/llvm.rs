//! LLVM: the best machine code, made of the program's bytecode, or of its text.

mod constants;
mod kept;
mod translatable;

use bytes::Bytes;
use dl_codegen_llvm as llvm;
use dl_codegen_llvm::{Error, LlvmModule, Target};
use dl_ir::bytecode::{WriteOptions, write_bytecode};
use dl_ir::text::{PrintOptions, print_op};
use dl_ir::{Diagnostic, Diagnostics, Loc, Severity};
use dl_runtime::call::EntryPoint;
use dl_tools_support::{files, messages};

use super::{Backend, Compiled, Loaded, cpu_pipeline};
use crate::codegen::{CodegenOptions, EmitKind, OptLevel};
use crate::program::Program;

/// What the back end's own messages call the text that it is handed.
const LOWERED: &str = "<lowered program>";

/// The LLVM back end.
pub struct Llvm;

impl Llvm {
    /// The program, which must be lowered, as LLVM IR that is not optimized.
    ///
    /// # Errors
    /// An operation that is not lowered, or what LLVM refuses.
    pub fn translate(program: &Program<'_>) -> Result<LlvmModule, Diagnostics> {
        program.check_lowered()?;
        translatable::check(program.root())?;
        let mut source = Vec::new();
        let written = if program.root().cx().has_distinct_attrs() {
            // In bytecode they lose their identity where they are in attributes of the dialect.
            let options = PrintOptions { generic: true, debug_info: true, ..PrintOptions::default() };
            print_op(program.root(), &options, &mut source).map(Ok)
        } else {
            let options = WriteOptions { max_nesting: llvm::MAX_NESTING, ..WriteOptions::default() };
            write_bytecode(program.root(), &[], &options, &mut source)
        };
        written.map_err(|error| messages::error(files::reason(&error)))??;
        LlvmModule::from_mlir(source, LOWERED).map_err(|error| errors(program, error))
    }

    /// The same but for the larger constants, which are handed over as they are.
    ///
    /// # Errors
    /// As for [`translate`](Self::translate).
    fn translate_sharing_constants(program: &mut Program<'_>) -> Result<LlvmModule, Diagnostics> {
        let (cx, module) = program.module_mut();
        let constants = constants::take(cx, module);
        Ok(Self::translate(program)?.with_constants(constants))
    }

    fn target(options: &CodegenOptions, module: &LlvmModule) -> Result<Target, Error> {
        let opt_level = match options.opt_level {
            OptLevel::O0 => llvm::OptLevel::O0,
            OptLevel::O1 => llvm::OptLevel::O1,
            OptLevel::O2 => llvm::OptLevel::O2,
            OptLevel::O3 => llvm::OptLevel::O3,
        };
        let options = llvm::CodegenOptions {
            target_triple: options.target_triple.clone(),
            target_cpu: options.target_cpu.clone(),
            target_features: options.target_features.clone(),
            opt_level,
        };
        Target::new(&options, module)
    }
}

impl Backend for Llvm {
    fn name(&self) -> &'static str {
        "llvm"
    }

    fn pipeline(&self, options: &CodegenOptions, buffers: bool, threads: usize) -> Result<Option<String>, Diagnostics> {
        Ok(Some(cpu_pipeline(options, buffers, "", None, threads)))
    }

    fn load<'p>(
        &self,
        program: &'p mut Program<'_>,
        entry: EntryPoint,
        options: &CodegenOptions,
    ) -> Result<Box<dyn Loaded + 'p>, Diagnostics> {
        program.check_lowered()?;
        let (cx, module) = program.module_mut();
        let constants = constants::take(cx, module);
        let failed = |error| errors(program, error);
        let entries = std::slice::from_ref(&entry);
        let module = Self::translate(program)?;
        let target = Self::target(options, &module).map_err(failed)?;
        let code = module.objects(entries, &target).map_err(failed)?;
        let kept = if options.keep { kept::parts(&code, &constants) } else { Vec::new() };
        let module = llvm::link(&code, entries, constants).map_err(failed)?;
        Ok(Compiled::boxed(entry, module, kept))
    }

    fn keeps(&self) -> Option<String> {
        Some(format!("{} {:?}", llvm::host_description(), dl_machine::host()))
    }

    fn reload(&self, kept: &[Bytes], entry: EntryPoint) -> Option<Box<dyn Loaded>> {
        let (code, constants) = kept::read(kept)?;
        // What cannot be linked is made anew.
        let module = llvm::link(&code, std::slice::from_ref(&entry), constants).ok()?;
        Some(Compiled::boxed(entry, module, Vec::new()))
    }

    fn emit(
        &self,
        program: &mut Program<'_>,
        kind: EmitKind,
        options: &CodegenOptions,
    ) -> Result<Vec<u8>, Diagnostics> {
        let kind = match kind {
            EmitKind::LlvmIr => llvm::EmitKind::LlvmIr,
            EmitKind::Asm => llvm::EmitKind::Asm,
            EmitKind::Obj => llvm::EmitKind::Obj,
        };
        // As text, constants are numbers.
        let mut module = if kind == llvm::EmitKind::LlvmIr {
            Self::translate(program)?
        } else {
            Self::translate_sharing_constants(program)?
        };
        let failed = |error| errors(program, error);
        let target = Self::target(options, &module).map_err(failed)?;
        module.optimize(&target).map_err(failed)?;
        module.emit(kind, &target).map_err(failed)
    }
}

/// LLVM's errors, those about a place in the program with its source line.
fn errors(program: &Program<'_>, error: Error) -> Diagnostics {
    match error {
        Error::Mlir(all) => {
            let mut diagnostics = Diagnostics::default();
            all.iter().for_each(|each| diagnostics.push(diagnostic(program, each)));
            diagnostics
        }
        other => messages::error(other.to_string()),
    }
}

fn diagnostic(program: &Program<'_>, message: &llvm::Diagnostic) -> Diagnostic {
    let severity = match message.severity {
        llvm::Severity::Error => Severity::Error,
        llvm::Severity::Warning => Severity::Warning,
        llvm::Severity::Remark => Severity::Remark,
        llvm::Severity::Note => Severity::Note,
    };
    let (loc, text) = match &message.position {
        Some(at) => match program.loc(&at.file, at.line, at.column) {
            Some(loc) => (loc, message.message.clone()),
            None => (Loc::UNKNOWN, format!("{}:{}:{}: {}", at.file, at.line, at.column, message.message)),
        },
        None => (Loc::UNKNOWN, message.message.clone()),
    };
    let mut converted = Diagnostic::new(severity, loc, text);
    converted.notes = message.notes.iter().map(|note| diagnostic(program, note)).collect();
    converted
}
