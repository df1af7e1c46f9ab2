//! `dl-sim` as a library: executes and times a program on a machine that a TOML file describes, or in a simulator that a plugin brings.

#![forbid(unsafe_code)]

mod plugged;

use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Parser;
use clap::builder::PossibleValue;
use dl_plugin::Registry;
use dl_runtime::Array;
use dl_runtime::npy::NpyError;
use dl_simulator::timing::{to_chrome_trace, to_html};
use dl_simulator::{Machine, Program, Simulation};
use dl_tools_support::{command_line, extensions, files, messages};

/// Executes and times a program on an accelerator.
///
/// The program is in binary form (.dlacc) or in text. Inputs and outputs are in the order of the program's buffers. Results do not depend on time, nor time
/// on data.
#[derive(Parser)]
#[command(name = "dl-sim", version, max_term_width = 100)]
struct Options {
    /// Program, in either form; `-` is standard input
    #[arg(value_name = "FILE")]
    program: String,

    /// Description of the machine
    #[arg(long, value_name = "FILE.toml", required_unless_present_any = ["emit_assembly", "emit_binary", "simulator"])]
    target: Option<String>,

    /// Simulator of a plugin, with programs and descriptions of its own
    #[arg(long, value_name = "NAME", conflicts_with_all = ["trace", "timeline", "emit_assembly", "emit_binary"])]
    simulator: Option<String>,

    /// The next input: a `.npy` file
    #[arg(long = "input", value_name = "@FILE")]
    inputs: Vec<NpyFile>,

    /// Where the next output goes: a `.npy` file [default: all are printed]
    #[arg(long = "output", value_name = "@FILE")]
    outputs: Vec<NpyFile>,

    /// Print cycles, utilization of units, waiting times and traffic
    #[arg(long)]
    report: bool,

    /// Write a timeline in JSON, for the trace viewers of Chrome and Perfetto
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,

    /// Write a timeline as a page for a browser
    #[arg(long, value_name = "FILE.html")]
    timeline: Option<String>,

    /// Do not execute the program, so that it needs no inputs
    #[arg(long, conflicts_with_all = ["inputs", "outputs"])]
    timing_only: bool,

    /// Write the program as text; `-` is standard output
    #[arg(long, value_name = "FILE")]
    emit_assembly: Option<String>,

    /// Write the program in binary form
    #[arg(long, value_name = "FILE")]
    emit_binary: Option<String>,
}

/// A `.npy` file on a command line.
#[derive(Clone)]
struct NpyFile(String);

impl FromStr for NpyFile {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let file = text.strip_prefix('@').filter(|file| !file.is_empty());
        file.map(|file| Self(file.to_owned())).ok_or("expected '@FILE'")
    }
}

/// The whole tool: reads the command line of the process, works, and answers its exit code.
pub fn main(mut registry: Registry) -> ExitCode {
    let options = command_line::parse::<Options>("dl-sim", &mut registry, &extensions::PLUGINS, |command, registry| {
        let names = registry.simulators().iter().map(|one| PossibleValue::new(one.name).help(one.description));
        command.mut_arg("simulator", |arg| arg.value_parser(names.collect::<Vec<_>>()))
    });
    let Some(options) = options else { return ExitCode::FAILURE };
    match run(&registry, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            messages::eprint(&format!("{error}\n"));
            ExitCode::FAILURE
        }
    }
}

fn run(registry: &Registry, options: &Options) -> Result<(), String> {
    let simulator = registry.simulators().iter().find(|one| options.simulator.as_deref() == Some(one.name));
    if let Some(simulator) = simulator {
        return plugged::run(simulator, options);
    }
    let program = read_program(&options.program)?;
    if let Some(file) = &options.emit_assembly {
        files::write(file, program.to_string().as_bytes()).map_err(error)?;
    }
    if let Some(file) = &options.emit_binary {
        files::write(file, &program.to_bytes()).map_err(error)?;
    }
    let Some(target) = &options.target else { return Ok(()) };
    let machine = read_machine(target)?;
    let simulation = Simulation::new(&machine, &program).map_err(error)?;
    if !options.timing_only {
        execute(&simulation, options)?;
    }
    let report = if options.trace.is_some() || options.timeline.is_some() {
        let report = simulation.trace();
        if let Some(file) = &options.trace {
            files::write(file, to_chrome_trace(&machine, &program, &report.spans).as_bytes()).map_err(error)?;
        }
        if let Some(file) = &options.timeline {
            files::write(file, to_html(&program, &report).as_bytes()).map_err(error)?;
        }
        report
    } else if options.report || options.timing_only {
        simulation.time()
    } else {
        return Ok(());
    };
    if options.report || options.timing_only { print(&report.to_string()) } else { Ok(()) }
}

fn error(what: impl std::fmt::Display) -> String {
    format!("error: {what}")
}

fn print(text: &str) -> Result<(), String> {
    files::write("-", text.as_bytes()).map_err(error)
}

/// A program in either form.
fn read_program(file: &str) -> Result<Program, String> {
    let (name, bytes) = files::read(file).map_err(error)?;
    if Program::is_binary(&bytes) {
        return Program::from_bytes(&bytes).map_err(|why| error(format!("cannot load '{name}': {why}")));
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Program::from_text(text).map_err(|why| format!("{name}:{why}")),
        Err(_) => Err(error(format!("'{name}' is not an accelerator program"))),
    }
}

fn read_machine(file: &str) -> Result<Machine, String> {
    let (name, bytes) = files::read(file).map_err(error)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| error(format!("'{name}' is not text")))?;
    Machine::parse(text).map_err(|errors| {
        let lines = errors.0.iter().map(|one| format!("{name}:{}:{}: error: {}", one.line, one.column, one.message));
        lines.collect::<Vec<_>>().join("\n")
    })
}

fn execute(simulation: &Simulation<'_>, options: &Options) -> Result<(), String> {
    let outputs = simulation.execute(&read_inputs(options)?).map_err(error)?;
    write_outputs(&outputs, options)
}

fn read_inputs(options: &Options) -> Result<Vec<Array>, String> {
    let read = |NpyFile(file): &NpyFile| {
        Array::read_npy(Path::new(file)).map_err(|why| {
            let why = match why {
                NpyError::Io(why) => files::reason(&why),
                other => other.to_string(),
            };
            error(format!("cannot read input file '{file}': {why}"))
        })
    };
    options.inputs.iter().map(read).collect()
}

/// Writes outputs to the files that there are for them, or prints them.
fn write_outputs(outputs: &[Array], options: &Options) -> Result<(), String> {
    if options.outputs.is_empty() {
        // A report is read by people; large arrays before it are not.
        return if options.report {
            Ok(())
        } else {
            outputs.iter().try_for_each(|output| print(&format!("{output}\n")))
        };
    }
    if options.outputs.len() > outputs.len() {
        return Err(error(format!("expected at most {} outputs, but got {}", outputs.len(), options.outputs.len())));
    }
    for (output, NpyFile(file)) in outputs.iter().zip(&options.outputs) {
        let written = output.write_npy(Path::new(file));
        written.map_err(|why| error(format!("cannot write output file '{file}': {}", files::reason(&why))))?;
    }
    Ok(())
}
