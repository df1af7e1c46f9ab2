//! `dl-translate` as a library: programs to LLVM IR, assembly, object files and shared libraries.

use std::path::Path;
use std::process::ExitCode;

use clap::builder::PossibleValue;
use clap::{ArgGroup, Parser, ValueEnum};
use dl_codegen_llvm::{CodegenOptions, EmitKind, Target};
use dl_ir::interfaces::FunctionOp;
use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Diagnostics};
use dl_plugin::Registry;
use dl_tools_support::{files, messages};

use crate::command_line;
use crate::onnx::{Binding, Model};
use crate::program::Program;

/// Turns text IR or an ONNX model into LLVM IR, assembly, an object file or a shared library.
///
/// The input is text in MLIR's `llvm` dialect. With `--emit`, one in higher dialects is lowered first, as `dl-opt --cpu-pipeline`
/// does it; an ONNX model is imported before that.
#[derive(Parser)]
#[command(name = "dl-translate", version, max_term_width = 100)]
#[command(group(ArgGroup::new("translation").required(true)))]
struct Options {
    /// Text or bytecode IR, or an ONNX model, `.onnx`; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    input: String,

    /// Import an ONNX model, and write it as text IR
    #[arg(long, group = "translation")]
    import_onnx: bool,

    /// Import an ONNX model, and write nothing: say all that is not supported
    #[arg(long, group = "translation")]
    check: bool,

    /// Make an input of an ONNX model a constant: one that decides shapes and is not known otherwise
    #[arg(long = "onnx-bind", value_name = "NAME=@FILE|NAME=VALUE")]
    bindings: Vec<Binding>,

    /// Translate the llvm dialect to LLVM IR, without optimizing it, as `mlir-translate` does
    #[arg(long, group = "translation")]
    mlir_to_llvmir: bool,

    /// Compile for a machine, and write this form
    #[arg(long, value_enum, value_name = "FORM", group = "translation")]
    emit: Option<Form>,

    /// Description of the accelerator, with `--emit=accelerator`; without, the program must be lowered to launches
    #[arg(long, value_name = "FILE.toml")]
    target: Option<String>,

    /// File to write; `-` is standard output
    #[arg(short, value_name = "FILE", default_value = "-")]
    output: String,

    #[command(flatten, next_help_heading = "Code generation, with --emit")]
    codegen: CodegenOptions,
}

/// What is written.
#[derive(Clone, Copy)]
enum Form {
    /// Of the LLVM back end.
    Native(EmitKind),
    /// A program for an accelerator in binary form.
    Accelerator,
    /// The same as text.
    AcceleratorAssembly,
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Form; 6] = [
            Form::Native(EmitKind::LlvmIr),
            Form::Native(EmitKind::Asm),
            Form::Native(EmitKind::Obj),
            Form::Native(EmitKind::Shared),
            Form::Accelerator,
            Form::AcceleratorAssembly,
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Native(kind) => kind.to_possible_value(),
            Self::Accelerator => Some(PossibleValue::new("accelerator").help("A program for an accelerator, .dlacc")),
            Self::AcceleratorAssembly => {
                Some(PossibleValue::new("accelerator-asm").help("A program for an accelerator as text"))
            }
        }
    }
}

/// The whole tool: reads the command line of the process, works, and answers its exit code.
pub fn main(mut registry: Registry) -> ExitCode {
    let Some(options) = command_line::parse::<Options>("dl-translate", &mut registry) else { return ExitCode::FAILURE };
    let cx = registry.context();
    match translate(&cx, &registry.passes, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(errors) => {
            messages::show(&cx, &errors);
            ExitCode::FAILURE
        }
    }
}

fn translate(cx: &Context, passes: &PassRegistry, options: &Options) -> Result<(), Diagnostics> {
    if options.import_onnx || options.check {
        let program = Program::import(cx, Model::open(&options.input, &options.bindings)?)?;
        return if options.check { Ok(()) } else { program.write(&options.output) };
    }
    let mut program = Program::read(cx, &options.input, &options.bindings)?;
    let kind = match options.emit {
        Some(Form::Native(kind)) => kind,
        Some(form) => return emit_accelerator(passes, options, program, form),
        None => {
            let module = program.translate()?;
            return files::write(&options.output, module.to_llvm_ir_text().as_bytes()).map_err(messages::error);
        }
    };
    program.lower(passes, &options.codegen, None, 1)?;
    // As text, constants are numbers.
    let mut module =
        if kind == EmitKind::LlvmIr { program.translate()? } else { program.translate_sharing_constants()? };
    let back_end = |error| program.back_end_errors(error);
    let target = Target::new(&options.codegen, &module).map_err(back_end)?;
    module.optimize(&target).map_err(back_end)?;
    if options.output == "-" {
        let bytes = module.emit(kind, &target).map_err(back_end)?;
        return files::write("-", &bytes).map_err(messages::error);
    }
    module.emit_file(kind, &target, Path::new(&options.output)).map_err(back_end)
}

/// The only function of the program as a program for the accelerator.
fn emit_accelerator(
    passes: &PassRegistry,
    options: &Options,
    mut program: Program<'_>,
    form: Form,
) -> Result<(), Diagnostics> {
    if let Some(target) = &options.target {
        program.lower_for(passes, target)?;
    }
    let functions = program.root().body().region(0).ops().filter(|op| op.interface::<dyn FunctionOp>().is_some());
    let [function] = functions.collect::<Vec<_>>()[..] else {
        return Err(messages::error("expected a program of one function".to_owned()));
    };
    let encoded = dl_accelerator::encode::function(function)?.program;
    let bytes = match form {
        Form::AcceleratorAssembly => encoded.to_string().into_bytes(),
        _ => encoded.to_bytes(),
    };
    files::write(&options.output, &bytes).map_err(messages::error)
}
