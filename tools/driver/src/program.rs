//! Programs on their way to LLVM IR: read, lowered where they are not yet, translated.

use std::sync::Arc;

use dl_codegen_llvm::{CodegenOptions, Error, LlvmModule, Severity};
use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::bytecode::load_source;
use dl_ir::interfaces::FunctionOp;
use dl_ir::location::Source;
use dl_ir::pass::{PassRegistry, RunOptions, parse_pipeline, reproducer_text};
use dl_ir::rewrite::conversion::unresolved_cast;
use dl_ir::text::{PrintOptions, print_op};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, Loc, OpRef, Type, verify, walk};

use dl_machine::Arch;
use dl_tools_support::reproducer::write_reproducer;
use dl_tools_support::{files, messages};

use crate::constants;
use crate::onnx::{self, Binding, Model};

/// What the back end's own messages call the text that it is handed.
const LOWERED: &str = "<lowered program>";

/// `cpu-pipeline` for the CPU that the options name, and a number of threads. One that has no description is taken for the plainest of its architecture.
fn cpu_pipeline(codegen: &CodegenOptions, threads: usize) -> String {
    let arch = codegen.target_triple.as_deref().map(|triple| triple.split('-').next().unwrap_or_default());
    let plainest = |arch: &str| dl_machine::baseline(Arch::of_name(arch).unwrap_or(Arch::X86_64)).cpu;
    let cpu = match (codegen.target_cpu.as_deref(), arch) {
        (Some(cpu), _) if cpu == "native" || dl_machine::named(cpu).is_some() => cpu.to_owned(),
        (Some(cpu), arch) => {
            let cpu_taken = plainest(arch.unwrap_or(std::env::consts::ARCH));
            tracing::warn!("no description of CPU '{cpu}'; code is made for '{cpu_taken}'");
            cpu_taken
        }
        (None, Some(arch)) => plainest(arch),
        (None, None) => "native".to_owned(),
    };
    let features = &codegen.target_features;
    format!("cpu-pipeline{{target-cpu={cpu} target-features='{features}' threads={threads}}}")
}

/// A module and what it was read from.
pub(crate) struct Program<'c> {
    cx: &'c Context,
    origin: Origin,
    module: Box<Arena>,
}

/// What a program was read from.
enum Origin {
    /// Text or bytecode.
    Source(Arc<Source>),
    /// An ONNX model.
    Model(Model),
}

impl Origin {
    /// The module anew.
    fn read(&self, cx: &Context) -> Result<Box<Arena>, Diagnostics> {
        match self {
            Self::Source(source) => Ok(load_source(cx, source)?.module),
            Self::Model(model) => model.import(cx),
        }
    }
}

impl<'c> Program<'c> {
    /// Reads and verifies a file; `-` is standard input. Warnings are shown.
    ///
    /// # Errors
    /// That the file cannot be read, or all that is wrong with it.
    pub(crate) fn read(cx: &'c Context, input: &str, bindings: &[Binding]) -> Result<Self, Diagnostics> {
        if onnx::is_model(input) {
            return Self::import(cx, Model::open(input, bindings)?);
        }
        if !bindings.is_empty() {
            return Err(messages::error("'--onnx-bind' is for ONNX models".to_owned()));
        }
        let (name, text) = files::read(input).map_err(messages::error)?;
        let source = cx.add_source(&name, text);
        let parsed = load_source(cx, &source)?;
        messages::show(cx, &parsed.warnings);
        verify::verify(cx, &parsed.module)?;
        Ok(Self { cx, origin: Origin::Source(source), module: parsed.module })
    }

    /// Imports and verifies an ONNX model.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub(crate) fn import(cx: &'c Context, model: Model) -> Result<Self, Diagnostics> {
        let module = model.import(cx)?;
        verify::verify(cx, &module)?;
        Ok(Self { cx, origin: Origin::Model(model), module })
    }

    /// The module.
    pub(crate) fn root(&self) -> OpRef<'_> {
        OpRef::root(self.cx, &self.module)
    }

    /// Lowers the program to the `llvm` dialect, if that is still to be done: as `pipeline` says, where one is given. With more threads than
    /// one it calls the runtime.
    ///
    /// Without, one with tensors goes through `cpu-pipeline`. One without manages its memory itself, and goes through the part of it
    /// that comes after bufferization and deallocation.
    ///
    /// # Errors
    /// What a pass had to say, or what remains in another dialect.
    pub(crate) fn lower(
        &mut self,
        passes: &PassRegistry,
        codegen: &CodegenOptions,
        pipeline: Option<&str>,
        threads: usize,
    ) -> Result<(), Diagnostics> {
        if self.not_lowered().is_none() {
            return Ok(());
        }
        let name =
            if self.uses_tensors() { cpu_pipeline(codegen, threads) } else { "cpu-lowering-pipeline".to_owned() };
        let default = format!("builtin.module({name})");
        self.run_pipeline(passes, pipeline.unwrap_or(&default))
    }

    /// Moves what the accelerator that `target` describes, a file in TOML, can do to it.
    ///
    /// # Errors
    /// What is wrong with the description, or what a pass had to say.
    pub(crate) fn lower_for(&mut self, passes: &PassRegistry, target: &str) -> Result<(), Diagnostics> {
        let options = format!("{{target='{target}'}}");
        self.run_pipeline(passes, &format!("builtin.module(accelerator-pipeline{options})"))
    }

    fn run_pipeline(&mut self, passes: &PassRegistry, pipeline: &str) -> Result<(), Diagnostics> {
        let mut pipeline = parse_pipeline(self.cx, passes, pipeline)?;
        let options = RunOptions::default();
        let outcome = pipeline.run(self.cx, &mut self.module, &options);
        if outcome.failed {
            let mut diagnostics = outcome.diagnostics;
            if let Some(mut failure) = outcome.failure.filter(|_| outcome.crashed) {
                // What was read is no longer as it was: a crash should cost nothing before it happens.
                let input = self.origin.read(self.cx)?;
                let text = reproducer_text(self.cx, OpRef::root(self.cx, &input), &pipeline.text(), &options);
                write_reproducer(&mut failure, None, &text);
                diagnostics.push(failure);
            }
            return Err(diagnostics);
        }
        messages::show(self.cx, &outcome.diagnostics);
        Ok(())
    }

    /// Writes the program as text, with locations; `-` is standard output.
    ///
    /// # Errors
    /// That the file cannot be written.
    pub(crate) fn write(&self, output: &str) -> Result<(), Diagnostics> {
        let mut text = Vec::new();
        let options = PrintOptions { debug_info: true, ..PrintOptions::default() };
        print_op(self.root(), &options, &mut text).map_err(|error| messages::error(files::reason(&error)))?;
        files::write(output, &text).map_err(messages::error)
    }

    /// Translates the program, which must be lowered, to LLVM IR, but for its larger constants, which are handed over as they are.
    ///
    /// # Errors
    /// As for [`translate`](Self::translate).
    pub(crate) fn translate_sharing_constants(&mut self) -> Result<LlvmModule, Diagnostics> {
        let constants = constants::take(self.cx, &mut self.module);
        Ok(self.translate()?.with_constants(constants))
    }

    /// Translates the program, which must be lowered, to LLVM IR.
    ///
    /// # Errors
    /// An operation that is not lowered, or what the back end refuses.
    pub(crate) fn translate(&self) -> Result<LlvmModule, Diagnostics> {
        if let Some(op) = self.not_lowered() {
            if op.is::<UnrealizedConversionCastOp<'_>>() {
                return Err(unresolved_cast(op).into());
            }
            let message = format_args!(
                "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: {}",
                op.name()
            );
            let hint = "'dl-opt --cpu-pipeline' lowers a program to the llvm dialect";
            return Err(Diagnostic::error(op.loc(), message.to_string()).note(Loc::UNKNOWN, hint).into());
        }
        // The generic form needs least of the reader, and locations lead its messages back to the program.
        let options = PrintOptions { generic: true, debug_info: true, ..PrintOptions::default() };
        let mut text = Vec::new();
        print_op(self.root(), &options, &mut text).map_err(|error| messages::error(files::reason(&error)))?;
        LlvmModule::from_mlir(&String::from_utf8_lossy(&text), LOWERED).map_err(|error| self.back_end_errors(error))
    }

    /// Errors of the back end, those about a place in this program with its source line.
    pub(crate) fn back_end_errors(&self, error: Error) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        match error {
            Error::Mlir(all) => {
                for each in &all {
                    diagnostics.push(self.back_end_diagnostic(each));
                }
            }
            other => diagnostics.append(messages::error(other.to_string())),
        }
        diagnostics
    }

    fn back_end_diagnostic(&self, diagnostic: &dl_codegen_llvm::Diagnostic) -> Diagnostic {
        let severity = match diagnostic.severity {
            Severity::Error => dl_ir::Severity::Error,
            Severity::Warning => dl_ir::Severity::Warning,
            Severity::Remark => dl_ir::Severity::Remark,
            Severity::Note => dl_ir::Severity::Note,
        };
        let (loc, message) = match &diagnostic.position {
            Some(at) => {
                if let Some(loc) = self.loc(&at.file, at.line, at.column) {
                    return self.converted(severity, loc, diagnostic.message.clone(), diagnostic);
                }
                let place = format!("{}:{}:{}", at.file, at.line, at.column);
                (Loc::UNKNOWN, format!("{place}: {}", diagnostic.message))
            }
            None => (Loc::UNKNOWN, diagnostic.message.clone()),
        };
        self.converted(severity, loc, message, diagnostic)
    }

    /// A message of the back end at a place of ours, with its notes.
    fn converted(
        &self,
        severity: dl_ir::Severity,
        loc: Loc,
        message: String,
        diagnostic: &dl_codegen_llvm::Diagnostic,
    ) -> Diagnostic {
        let mut converted = Diagnostic::new(severity, loc, message);
        converted.notes = diagnostic.notes.iter().map(|note| self.back_end_diagnostic(note)).collect();
        converted
    }

    /// The location of a line and column, both from 1, of the source, if this is its name.
    fn loc(&self, file: &str, line: usize, column: usize) -> Option<Loc> {
        let Origin::Source(source) = &self.origin else { return None };
        if source.name() != file {
            return None;
        }
        let text = source.text();
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let start: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
        Some(source.loc(start.saturating_add(column.saturating_sub(1)).min(text.len())))
    }

    /// The first operation, if any, that has no counterpart in LLVM IR.
    fn not_lowered(&self) -> Option<OpRef<'_>> {
        let is_lowered = |op: &OpRef<'_>| op.info().dialect() == "llvm" || op.name() == "builtin.module";
        walk::pre_order(self.root()).find(|op| !is_lowered(op))
    }

    /// Whether any value is a tensor.
    fn uses_tensors(&self) -> bool {
        let is_tensor = |ty: Type| self.cx.ty(ty).is_tensor();
        walk::pre_order(self.root()).any(|op| {
            let function = op.interface::<dyn FunctionOp>();
            op.results().iter().any(|result| is_tensor(result.ty().id()))
                || function
                    .is_some_and(|function| function.inputs(op).into_iter().chain(function.results(op)).any(is_tensor))
        })
    }
}
