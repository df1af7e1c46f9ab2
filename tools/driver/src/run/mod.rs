//! `dl-run` as a library: compiles a program into this process, calls a function of it, and hands out the results.

mod benchmark;
pub(crate) mod input;
mod kept;
mod literal;
pub(crate) mod signature;
mod timing;

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use dl_ir::{Context, Diagnostics};
use dl_plugin::Registry;
use dl_runtime::{Array, MismatchError, parallel};
use dl_tools_support::{command_line, extensions, files, messages};

use self::benchmark::Report;
use self::input::{Input, Output};
use self::kept::Place;
use self::signature::Entry;
use crate::backend::{Backends, Interpreter};
use crate::codegen::{CodegenOptions, KernelFacts};
use crate::kernels::{self, Ceilings, ReportFormat};
use crate::onnx::Binding;
use crate::program::Program;
use crate::progress::Progress;

/// Most calls that a profile shows.
const PROFILED_CALLS: usize = 10;

/// Compiles a program, text IR or an ONNX model, and runs a function of it.
///
/// The program may be at any stage above the llvm dialect. What is not lowered yet is lowered first, as `dl-opt --cpu-pipeline` does it.
///
/// Inputs and outputs are in the order of the function's arguments and results. A function without results hands out its memref
/// arguments, as they are after the call.
#[derive(Parser)]
#[command(name = "dl-run", version, max_term_width = 100)]
// Code for another machine would not run, and nothing is linked by a program.
#[command(mut_arg("target_triple", |arg| arg.hide(true)), mut_arg("linker", |arg| arg.hide(true)))]
struct Options {
    /// Text or bytecode IR, or an ONNX model, `.onnx`; `-` is standard input
    #[arg(value_name = "FILE")]
    program: String,

    /// Make an input of an ONNX model a constant: one that decides shapes and is not known otherwise
    #[arg(long = "onnx-bind", value_name = "NAME=@FILE|NAME=VALUE")]
    bindings: Vec<Binding>,

    /// Function to call [default: the only one there is, else main]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,

    /// The next argument: a `.npy` file, or its value, as in `3.5`, `[[1, 2], [3, 4]]` or `[1, 2]:f32`
    #[arg(long = "input", value_name = "@FILE|VALUE", allow_hyphen_values = true)]
    inputs: Vec<Input>,

    /// Where the next result goes: a `.npy` file, or `-`, which prints it [default: all are printed]
    #[arg(long = "output", value_name = "@FILE|-")]
    outputs: Vec<Output>,

    /// Call the function N more times, on copies of the arguments, and print how long a call takes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,

    /// Print the time that a call takes, that compiling took, and the peak of memory. Results are only written where --output says so
    #[arg(long, conflicts_with_all = ["repeat", "interpret"])]
    benchmark: bool,

    /// How to print what was measured
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, requires = "benchmark")]
    benchmark_format: benchmark::Format,

    /// Time calls for at least this long
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds, requires = "benchmark")]
    benchmark_min_time: Duration,

    /// Print what each kernel computes, how much memory it touches, how long that takes at best and how long it takes, and whether with vectors
    #[arg(long, conflicts_with_all = ["repeat", "benchmark", "interpret"])]
    perf_report: bool,

    /// How to print the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, requires = "perf_report")]
    perf_report_format: ReportFormat,

    /// Write when each kernel ran in a few calls to this file, for Perfetto
    #[arg(long, value_name = "FILE", conflicts_with_all = ["repeat", "benchmark", "interpret"])]
    profile: Option<String>,

    /// Run the program as it is in the reference interpreter, which stops at undefined behaviour, instead of compiling it: the same as
    /// `--backend=interpreter`
    #[arg(long, conflicts_with_all = ["repeat", "backend"])]
    interpret: bool,

    /// Move what the accelerator that this file describes can do to it: launches run in the simulator, the rest in the reference interpreter
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["repeat", "benchmark", "perf_report", "profile", "pass_pipeline", "backend"])]
    target: Option<String>,

    /// Stop the interpreter after N operations [default: no limit]
    #[arg(long, value_name = "N")]
    interpret_steps: Option<u64>,

    /// Compile the program, and keep nothing of it for the next time, as --benchmark, --pass-pipeline and plugins do
    #[arg(long)]
    no_cache: bool,

    /// Most MiB of machine code and weights to keep in `$XDG_CACHE_HOME/dl`, or `~/.cache/dl`
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    cache_size: u32,

    /// Most threads that the program may use [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Lower the program with this pipeline, as in `builtin.module(...)` [default: cpu-pipeline]
    #[arg(long, value_name = "PIPELINE", conflicts_with = "interpret")]
    pass_pipeline: Option<String>,

    #[command(flatten, next_help_heading = "Code generation")]
    codegen: CodegenOptions,
}

/// The whole tool: reads the command line of the process, works, and answers its exit code.
pub fn main(registry: Registry) -> ExitCode {
    main_with(registry, Backends::standard())
}

/// The whole tool with these back ends.
pub fn main_with(mut registry: Registry, mut backends: Backends) -> ExitCode {
    let options = command_line::parse::<Options>("dl-run", &mut registry, &extensions::FLAGS, |command, _| command);
    let Some(options) = options else { return ExitCode::FAILURE };
    let mut cx = registry.context();
    backends.add_plugged(&registry);
    if options.interpret_steps.is_some() {
        backends.add(Box::new(Interpreter { steps: options.interpret_steps }));
    }
    match run(&mut cx, &registry, &backends, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(errors) => {
            messages::show(&cx, &errors);
            ExitCode::FAILURE
        }
    }
}

fn run(cx: &mut Context, registry: &Registry, backends: &Backends, options: &Options) -> Result<(), Diagnostics> {
    let passes = &registry.passes;
    let interprets = options.interpret || options.target.is_some();
    let backend = backends.find(if interprets { "interpreter" } else { &options.codegen.backend })?;
    let mut program = Program::read(cx, &options.program, &options.bindings)?;
    // The function's type tells shapes and element types; lowering leaves only pointers and numbers.
    let mut entry = Entry::find(program.root(), options.entry.as_deref())?;
    entry.check_output_count(options.outputs.len())?;
    let mut arguments = read_inputs(&mut entry, &options.inputs)?;

    if let Some(target) = &options.target {
        program.offload(passes, target)?;
    }

    let mut codegen = options.codegen.clone();
    if options.perf_report || options.profile.is_some() {
        codegen.kernels = KernelFacts::Timed;
    }
    if let Some(threads) = options.threads {
        parallel::set_threads(threads);
    }
    let reports = codegen.kernels == KernelFacts::Timed;
    let measures = options.benchmark || options.repeat.is_some() || reports;
    // A measurement is one of compiling, too, or tells of what only the pipeline knows. What the passes of plugins, or those in another order, do may
    // depend on more than what is known here.
    let keeps = !(options.no_cache || options.benchmark || reports || options.pass_pipeline.is_some());
    let mut place = None;
    if keeps && registry.plugins().is_empty() {
        place = Place::of(&program, &entry.point(), backend, &codegen, u64::from(options.cache_size) << 20)?;
    }
    codegen.keep = place.is_some();

    let start = Instant::now();
    let (mut lowered, mut kernels) = (start.elapsed(), Vec::new());
    let mut attached;
    let compiled = if let Some(kept) = place.as_ref().and_then(|place| backend.reload(&place.get()?, entry.point())) {
        place = None;
        kept
    } else {
        let was_lowered = program.is_lowered();
        match &options.pass_pipeline {
            Some(pipeline) => program.lower(passes, pipeline)?,
            None => program.lower_for(backend, passes, &codegen, parallel::threads())?,
        }
        kernels = kernels::listed(&mut program, was_lowered, backend, &codegen)?;
        if program.has_warned() {
            place = None;
        }
        // Weights that were packed, say, are not needed any more.
        let program = program.detach();
        cx.free_unused_constants(&program.module);
        attached = program.attach(cx);
        lowered = start.elapsed();
        let progress = Progress::of("making machine code");
        let compiled = backend.load(&mut attached, entry.point(), &codegen)?;
        drop(progress);
        compiled
    };
    // What the code reads has been copied to where it reads it, but for what lay right in a file.
    cx.give_back_all();
    let compile = start.elapsed();

    let shows = !(options.benchmark || reports) || !options.outputs.is_empty();
    let mut measured = measures.then(|| if shows { arguments.clone() } else { std::mem::take(&mut arguments) });
    if shows {
        let results = compiled.run(&mut arguments)?;
        let values = entry.values_after_call(results, arguments);
        write_outputs(&values, &options.outputs)?;
    }
    if let Some(place) = place {
        place.put(compiled.kept());
    }
    let Some(measured) = &mut measured else { return Ok(()) };
    let mut call = compiled.prepare(measured)?;
    if let Some(file) = &options.profile {
        let times = kernels::measure(PROFILED_CALLS, &mut *call);
        let trace = kernels::profile(&entry.name, &kernels, &times);
        files::write(file, trace.as_bytes()).map_err(messages::error)?;
    }
    if options.perf_report {
        let times = kernels::measure(usize::MAX, &mut *call);
        let ceilings = Ceilings::measure(cx, passes, backend, &codegen, parallel::threads())?;
        let report = kernels::Report { kernels: &kernels, ceilings: Some(&ceilings), times: Some(&times) };
        return print(&report.format(options.perf_report_format));
    }
    if reports {
        return Ok(());
    }
    if let Some(calls) = options.repeat {
        let times = timing::measure(calls, &mut *call);
        return print(&format!("{}: {times}\n", entry.name));
    }
    let times = benchmark::measure(options.benchmark_min_time, &mut *call);
    let (name, threads, peak_rss) = (entry.name.clone(), parallel::threads(), benchmark::peak_rss());
    let report = Report { name, threads, compile, back_end: compile.saturating_sub(lowered), times, peak_rss };
    print(&report.format(options.benchmark_format))
}

/// A time in seconds, as a decimal number.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// The arguments, checked against the entry's signature.
fn read_inputs(entry: &mut Entry, inputs: &[Input]) -> Result<Vec<Array>, Diagnostics> {
    let mismatch = |entry: &Entry, error| messages::error(format!("function '{}': {error}", entry.name));
    let expected = &entry.signature.inputs;
    if inputs.len() != expected.len() {
        let error = MismatchError::Count { expected: expected.clone(), got: inputs.len() };
        return Err(mismatch(entry, error));
    }
    let mut arrays = Vec::with_capacity(inputs.len());
    for (i, (input, expected)) in inputs.iter().zip(expected).enumerate() {
        let array = input
            .read(expected)
            .map_err(|why| messages::error(format!("input {} ({}): {why}", i + 1, input.name())))?;
        arrays.push(array);
    }
    entry.accept_unsigned(&arrays);
    let name = |i: usize| inputs.get(i).map(Input::name);
    let checked = entry.signature.check_inputs(&arrays, name);
    checked.map_err(|error| mismatch(entry, error))?;
    Ok(arrays)
}

/// Writes each value where it should go; prints them all where nothing is said.
fn write_outputs(values: &[Array], outputs: &[Output]) -> Result<(), Diagnostics> {
    if outputs.is_empty() {
        return values.iter().try_for_each(|value| print(&format!("{value}\n")));
    }
    for (value, output) in values.iter().zip(outputs) {
        match output {
            Output::Print => print(&format!("{value}\n"))?,
            Output::File(file) => value.write_npy(Path::new(file)).map_err(|error| {
                messages::error(format!("cannot write output file '{file}': {}", files::reason(&error)))
            })?,
        }
    }
    Ok(())
}

fn print(text: &str) -> Result<(), Diagnostics> {
    files::write("-", text.as_bytes()).map_err(messages::error)
}
