//! `dl-translate` as a library: programs to LLVM IR, assembly, object files, shared libraries, executables, C headers and accelerator programs.

use std::path::Path;
use std::process::ExitCode;

use clap::builder::PossibleValue;
use clap::{ArgGroup, Parser, ValueEnum};
use dl_ir::interfaces::FunctionOp;
use dl_ir::pass::PassRegistry;
use dl_ir::{Context, Diagnostics};
use dl_plugin::Registry;
use dl_tools_support::{command_line, extensions, files, messages};

use crate::backend::Backends;
use crate::c_function;
use crate::codegen::{CodegenOptions, EmitKind, KernelFacts};
use crate::header::{self, CName};
use crate::kernels::{self, Ceilings, ReportFormat};
use crate::link;
use crate::onnx::{Binding, Model};
use crate::program::Program;
use crate::run::signature::Entry;

/// Turns text IR or an ONNX model into LLVM IR, assembly, an object file, a shared library, an executable or a C header.
///
/// The input is text in MLIR's `llvm` dialect. With `--emit`, one in higher dialects is lowered first, as `dl-opt --cpu-pipeline`
/// does it; an ONNX model is imported before that, and gets a C function, which `--emit=header` declares.
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
    #[arg(long, value_name = "FORM", group = "translation")]
    emit: Option<String>,

    /// Description of the accelerator, with `--emit=accelerator`; without, the program must be lowered to launches
    #[arg(long, value_name = "FILE.toml")]
    target: Option<String>,

    /// Give the program a C function of this name, with the interface of --emit=header [default: for a model, the name of its file]
    #[arg(long, value_name = "NAME")]
    c_name: Option<CName>,

    /// Print what each kernel computes, how much memory it touches, and whether with vectors; where code is made for this machine also how long it
    /// takes at best
    #[arg(long, requires = "emit", requires = "output")]
    perf_report: bool,

    /// How to print the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, requires = "perf_report")]
    perf_report_format: ReportFormat,

    /// File to write; `-` is standard output
    #[arg(short, value_name = "FILE", default_value = "-")]
    output: String,

    #[command(flatten, next_help_heading = "Code generation, with --emit")]
    codegen: CodegenOptions,
}

/// What to make of a program.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Optimized LLVM IR as text.
    LlvmIr,
    /// Assembly as text.
    Asm,
    /// A position-independent object file.
    Obj,
    /// A shared library.
    Shared,
    /// An executable, of a program with a `main`.
    Exe,
    /// A C header for the C function of the other forms.
    Header,
    /// A program for an accelerator, `.dlacc`.
    Accelerator,
    /// A program for an accelerator as text.
    #[value(name = "accelerator-asm")]
    AcceleratorAssembly,
}

impl Form {
    /// What a back end writes for it; none where it needs no back end.
    fn kind(self) -> Option<EmitKind> {
        match self {
            Self::LlvmIr => Some(EmitKind::LlvmIr),
            Self::Asm => Some(EmitKind::Asm),
            Self::Obj | Self::Shared | Self::Exe => Some(EmitKind::Obj),
            Self::Header | Self::Accelerator | Self::AcceleratorAssembly => None,
        }
    }
}

/// The whole tool: reads the command line of the process, works, and answers its exit code.
pub fn main(registry: Registry) -> ExitCode {
    main_with(registry, &Backends::standard())
}

/// The whole tool with these back ends.
pub fn main_with(mut registry: Registry, backends: &Backends) -> ExitCode {
    let options =
        command_line::parse::<Options>("dl-translate", &mut registry, &extensions::FLAGS, |command, registry| {
            command.mut_arg("emit", |arg| arg.value_parser(forms(registry)))
        });
    let Some(options) = options else { return ExitCode::FAILURE };
    let cx = registry.context();
    match translate(&cx, &registry, backends, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(errors) => {
            messages::show(&cx, &errors);
            ExitCode::FAILURE
        }
    }
}

/// The values of `--emit`: the forms of this tool, and those of plugins.
fn forms(registry: &Registry) -> Vec<PossibleValue> {
    let own = Form::value_variants().iter().filter_map(Form::to_possible_value);
    let more = registry.translations().iter().map(|form| PossibleValue::new(form.name).help(form.description));
    own.chain(more).collect()
}

fn translate(cx: &Context, registry: &Registry, backends: &Backends, options: &Options) -> Result<(), Diagnostics> {
    let passes = &registry.passes;
    if options.import_onnx || options.check {
        let program = Program::import(cx, Model::open(&options.input, &options.bindings)?)?;
        return if options.check { Ok(()) } else { program.write(&options.output) };
    }
    let mut program = Program::read(cx, &options.input, &options.bindings)?;
    let Some(form) = &options.emit else {
        if options.c_name.is_some() {
            return Err(messages::error("'--c-name' is for '--emit'".to_owned()));
        }
        return llvm_ir(&program, &options.output);
    };
    if let Some(translation) = registry.translations().iter().find(|translation| translation.name == *form) {
        if !translation.pipeline.is_empty() {
            program.run_pipeline(passes, translation.pipeline)?;
        }
        let bytes = (translation.write)(program.root())?;
        return files::write(&options.output, &bytes).map_err(messages::error);
    }
    let form = Form::from_str(form, false).map_err(messages::error)?;
    let c_name = || options.c_name.clone().or_else(|| program.is_model().then(|| CName::of_file(&options.input)));
    let Some(kind) = form.kind() else {
        if form != Form::Header {
            return emit_accelerator(passes, options, program, form);
        }
        let name = c_name().ok_or_else(|| messages::error("'--emit=header' needs '--c-name=NAME'".to_owned()))?;
        let text = header::text(&name, &Entry::find(program.root(), None)?);
        return files::write(&options.output, text.as_bytes()).map_err(messages::error);
    };
    let backend = match (kind, options.codegen.backend.as_str()) {
        // Only one has these forms.
        (EmitKind::LlvmIr | EmitKind::Asm, "auto") => backends.find("llvm")?,
        (_, name) => backends.find(name)?,
    };
    // The function's type tells shapes and element types; lowering leaves only pointers and numbers.
    let exported = match c_name() {
        Some(name) => Some((Entry::find(program.root(), None)?.point(), name)),
        None => None,
    };
    let mut codegen = options.codegen.clone();
    if options.perf_report {
        codegen.kernels = KernelFacts::Listed;
    }
    let was_lowered = program.is_lowered();
    // The runtime is not linked into a file of code, so its loops stay on one thread.
    program.lower_for(backend, passes, &codegen, 1)?;
    let kernels = kernels::listed(&mut program, was_lowered, backend, &codegen)?;
    // Of a program that is not lowered, the back end says what it thinks.
    if let Some((entry, name)) = exported.filter(|_| program.check_lowered().is_ok()) {
        c_function::add(&mut program, &entry, &name)?;
    }
    let bytes = backend.emit(&mut program, kind, &codegen)?;
    if options.perf_report {
        let is_host =
            codegen.target_triple.is_none() && codegen.target_cpu.as_deref().is_none_or(|cpu| cpu == "native");
        let ceilings = is_host.then(|| Ceilings::measure(cx, passes, backend, &codegen, 1)).transpose()?;
        let report = kernels::Report { kernels: &kernels, ceilings: ceilings.as_ref(), times: None };
        let text = report.format(options.perf_report_format);
        files::write("-", text.as_bytes()).map_err(messages::error)?;
    }
    if !matches!(form, Form::Shared | Form::Exe) {
        return files::write(&options.output, &bytes).map_err(messages::error);
    }
    let is_shared = form == Form::Shared;
    if options.output != "-" {
        return link::link(&bytes, &options.codegen, is_shared, Path::new(&options.output));
    }
    let folder = tempfile::tempdir().map_err(|error| messages::error(files::reason(&error)))?;
    let path = folder.path().join("linked");
    link::link(&bytes, &options.codegen, is_shared, &path)?;
    let bytes = std::fs::read(&path).map_err(|error| messages::error(files::reason(&error)))?;
    files::write("-", &bytes).map_err(messages::error)
}

/// Writes the program, which is lowered, as LLVM IR.
#[cfg(feature = "llvm")]
fn llvm_ir(program: &Program<'_>, output: &str) -> Result<(), Diagnostics> {
    let module = crate::backend::Llvm::translate(program)?;
    files::write(output, module.to_llvm_ir_text().as_bytes()).map_err(messages::error)
}

/// There is no LLVM IR without LLVM.
#[cfg(not(feature = "llvm"))]
fn llvm_ir(_: &Program<'_>, _: &str) -> Result<(), Diagnostics> {
    Err(messages::error("this build has no LLVM back end; build with '--features llvm'".to_owned()))
}

/// The only function of the program as a program for the accelerator.
fn emit_accelerator(
    passes: &PassRegistry,
    options: &Options,
    mut program: Program<'_>,
    form: Form,
) -> Result<(), Diagnostics> {
    if let Some(target) = &options.target {
        program.offload(passes, target)?;
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

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, FromArgMatches as _};

    use super::*;

    #[test]
    fn forms_are_named_with_dashes() {
        let form = |arguments: &[&str]| -> Result<String, clap::Error> {
            let command = Options::command().mut_arg("emit", |arg| arg.value_parser(forms(&Registry::new())));
            let options = Options::from_arg_matches(&command.try_get_matches_from(arguments)?)?;
            Ok(options.emit.unwrap_or_default())
        };
        let parsed = |name: &str| form(&["dl-translate", &format!("--emit={name}")]).ok();
        assert_eq!(parsed("llvm-ir").as_deref(), Some("llvm-ir"));
        assert_eq!(Form::from_str("llvm-ir", false), Ok(Form::LlvmIr));
        assert_eq!(parsed("accelerator-asm").as_deref(), Some("accelerator-asm"));
        assert_eq!(Form::from_str("accelerator-asm", false), Ok(Form::AcceleratorAssembly));
        assert_eq!(parsed("llvm_ir"), None);
        // Something is to be made, and one thing only.
        assert!(form(&["dl-translate"]).is_err());
        assert!(form(&["dl-translate", "--emit=obj", "--mlir-to-llvmir"]).is_err());
    }
}
