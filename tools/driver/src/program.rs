//! Programs on their way to a back end: read, and lowered where they are not yet.

use std::sync::Arc;

use dl_dl::kernels::{self, Kernel};
use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::bytecode::load_source;
use dl_ir::interfaces::FunctionOp;
use dl_ir::location::Source;
use dl_ir::pass::{PassRegistry, RunOptions, parse_pipeline, reproducer_text};
use dl_ir::rewrite::conversion::unresolved_cast;
use dl_ir::text::{PrintOptions, print_op};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, Loc, OpRef, Rewriter, Type, verify, walk};
use dl_runtime::call::EntryPoint;
use dl_tools_support::reproducer::write_reproducer;
use dl_tools_support::{files, messages};

use crate::backend::Backend;
use crate::codegen::CodegenOptions;
use crate::onnx::{self, Binding, Model};
use crate::progress::Progress;
use crate::run::signature::Entry;

/// A module and what it was read from.
pub struct Program<'c> {
    cx: &'c Context,
    origin: Origin,
    module: Box<Arena>,
    /// Whether a pass had something to say.
    warned: bool,
    /// Whether the pipeline of the back end has run.
    lowered: bool,
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

/// A program without its context, which can be changed meanwhile.
pub(crate) struct Detached {
    origin: Origin,
    /// The module.
    pub(crate) module: Box<Arena>,
    warned: bool,
    lowered: bool,
}

impl Detached {
    /// The program in its context again.
    pub(crate) fn attach(self, cx: &Context) -> Program<'_> {
        Program { cx, origin: self.origin, module: self.module, warned: self.warned, lowered: self.lowered }
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
        Ok(Self { cx, origin: Origin::Source(source), module: parsed.module, warned: false, lowered: false })
    }

    /// Reads and verifies text or bytecode that is in memory; `name` stands for it in messages. Warnings are lost.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(cx: &'c Context, name: &str, text: &str) -> Result<Self, Diagnostics> {
        let source = cx.add_source(name, text);
        let parsed = load_source(cx, &source)?;
        verify::verify(cx, &parsed.module)?;
        Ok(Self { cx, origin: Origin::Source(source), module: parsed.module, warned: false, lowered: false })
    }

    /// The public function of this name and its type, before lowering; without a name the only one there is, else `main`.
    ///
    /// # Errors
    /// That there is none, or one with a type that cannot be handed over.
    pub fn entry(&self, name: Option<&str>) -> Result<EntryPoint, Diagnostics> {
        Ok(Entry::find(self.root(), name)?.point())
    }

    /// Imports and verifies an ONNX model.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub(crate) fn import(cx: &'c Context, model: Model) -> Result<Self, Diagnostics> {
        let module = model.import(cx)?;
        verify::verify(cx, &module)?;
        Ok(Self { cx, origin: Origin::Model(model), module, warned: false, lowered: false })
    }

    /// Leaves its context.
    pub(crate) fn detach(self) -> Detached {
        Detached { origin: self.origin, module: self.module, warned: self.warned, lowered: self.lowered }
    }

    /// The module.
    pub fn root(&self) -> OpRef<'_> {
        OpRef::root(self.cx, &self.module)
    }

    /// Whether it was imported from a model.
    pub(crate) fn is_model(&self) -> bool {
        matches!(self.origin, Origin::Model(_))
    }

    /// The module to change, and its context.
    pub fn module_mut(&mut self) -> (&'c Context, &mut Arena) {
        (self.cx, &mut self.module)
    }

    /// Lowers the program to what `backend` takes, if that is still to be done. With more `threads` than one, the code calls the runtime.
    ///
    /// # Errors
    /// What is wrong with the options, or what a pass had to say.
    pub fn lower_for(
        &mut self,
        backend: &dyn Backend,
        passes: &PassRegistry,
        options: &CodegenOptions,
        threads: usize,
    ) -> Result<(), Diagnostics> {
        match backend.pipeline(options, !self.uses_tensors(), threads)? {
            Some(pipeline) => self.lower(passes, &pipeline)?,
            None => return Ok(()),
        }
        self.lowered = true;
        Ok(())
    }

    /// Lowers the program to the `llvm` dialect with this pipeline, if that is still to be done.
    ///
    /// # Errors
    /// What a pass had to say, or what remains in another dialect.
    pub fn lower(&mut self, passes: &PassRegistry, pipeline: &str) -> Result<(), Diagnostics> {
        if self.not_lowered().is_none() {
            return Ok(());
        }
        self.run_pipeline(passes, pipeline)
    }

    /// Moves what the accelerator that `target` describes, a file in TOML, can do to it.
    ///
    /// # Errors
    /// What is wrong with the description, or what a pass had to say.
    pub(crate) fn offload(&mut self, passes: &PassRegistry, target: &str) -> Result<(), Diagnostics> {
        let options = format!("{{target='{target}'}}");
        self.run_pipeline(passes, &format!("builtin.module(accelerator-pipeline{options})"))
    }

    /// Runs a pipeline on the program, which is verified at its end; after each pass only where debug assertions are on, as verifying takes up to a
    /// quarter of the time.
    ///
    /// # Errors
    /// What a pass had to say, or the verifier.
    pub(crate) fn run_pipeline(&mut self, passes: &PassRegistry, pipeline: &str) -> Result<(), Diagnostics> {
        let mut pipeline = parse_pipeline(self.cx, passes, pipeline)?;
        let progress = Progress::of("lowering");
        let instrumentations = progress.of_passes().into_iter().collect();
        let options = RunOptions { verify: cfg!(debug_assertions), instrumentations, ..RunOptions::default() };
        let outcome = pipeline.run(self.cx, &mut self.module, &options);
        drop(progress);
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
        self.warned |= !outcome.diagnostics.is_empty();
        if options.verify { Ok(()) } else { verify::verify(self.cx, &self.module) }
    }

    /// Writes the program as text, with locations; `-` is standard output.
    ///
    /// # Errors
    /// That the file cannot be written.
    pub(crate) fn write(&self, output: &str) -> Result<(), Diagnostics> {
        let mut text = Vec::new();
        let options = PrintOptions { debug_info: true, assume_verified: true, ..PrintOptions::default() };
        print_op(self.root(), &options, &mut text).map_err(|error| messages::error(files::reason(&error)))?;
        files::write(output, &text).map_err(messages::error)
    }

    /// Whether a pass had something to say that a later run should say again.
    pub(crate) fn has_warned(&self) -> bool {
        self.warned
    }

    /// Checks that each operation has a counterpart in LLVM IR.
    ///
    /// # Errors
    /// The first operation that has none.
    pub fn check_lowered(&self) -> Result<(), Diagnostics> {
        let Some(op) = self.not_lowered() else { return Ok(()) };
        if op.is::<UnrealizedConversionCastOp<'_>>() {
            return Err(unresolved_cast(op).into());
        }
        if self.lowered {
            let ty = self.cx.function_type(&op.operands().types(), &op.results().types());
            let message = format!("unsupported: nothing lowers '{}' : {}", op.name(), self.cx.ty(ty));
            return Err(Diagnostic::error(op.loc(), message).into());
        }
        let message = format_args!(
            "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: {}",
            op.name()
        );
        let hint = "'dl-opt --cpu-pipeline' lowers a program to the llvm dialect";
        Err(Diagnostic::error(op.loc(), message.to_string()).note(Loc::UNKNOWN, hint).into())
    }

    /// The location of a line and column, both from 1, of the source, if this is its name.
    pub fn loc(&self, file: &str, line: usize, column: usize) -> Option<Loc> {
        let Origin::Source(source) = &self.origin else { return None };
        if source.name() != file {
            return None;
        }
        let text = source.text();
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let start: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
        Some(source.loc(start.saturating_add(column.saturating_sub(1)).min(text.len())))
    }

    /// Whether there is nothing left to lower.
    pub(crate) fn is_lowered(&self) -> bool {
        self.not_lowered().is_none()
    }

    /// The kernels that a pipeline has listed on the module, which loses the list: it means nothing to a back end.
    pub(crate) fn take_kernels(&mut self) -> Option<Vec<Kernel>> {
        let listed = kernels::of_module(self.root());
        let name = self.cx.ident(kernels::NAME);
        Rewriter::new(self.cx, &mut self.module).remove_attr(Arena::ROOT, name);
        listed
    }

    /// The first operation, if any, that has no counterpart in LLVM IR.
    fn not_lowered(&self) -> Option<OpRef<'_>> {
        let is_lowered = |op: &OpRef<'_>| op.info().dialect() == "llvm" || op.name() == "builtin.module";
        walk::pre_order(self.root()).find(|op| !is_lowered(op))
    }

    /// Whether any value is a tensor. A program without tensors manages its memory itself.
    pub fn uses_tensors(&self) -> bool {
        let is_tensor = |ty: Type| self.cx.ty(ty).is_tensor();
        walk::pre_order(self.root()).any(|op| {
            let function = op.interface::<dyn FunctionOp>();
            op.results().iter().any(|result| is_tensor(result.ty().id()))
                || function
                    .is_some_and(|function| function.inputs(op).into_iter().chain(function.results(op)).any(is_tensor))
        })
    }
}
