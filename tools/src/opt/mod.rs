//! `dl-opt` as a library: reads text IR, runs passes, prints text IR. Flags are spelled as in `mlir-opt`.

mod actions;
mod dumps;
mod flags;
mod help;
mod job;
mod new_dialect;
mod oracle;
mod output;
mod run;
mod split;
mod table;
mod trace;
mod verify_diagnostics;

use std::io::Write as _;
use std::process::ExitCode;

use dl_tools_support::extensions;

use crate::Registry;

/// The whole tool: reads the command line of the process, works, and answers its exit code.
pub fn main(mut registry: Registry) -> ExitCode {
    let args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    let result = extensions::take("dl-opt", &extensions::FLAGS, args, &mut registry)
        .and_then(|args| main_with(&registry, &args));
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nobody is left to be told where standard error is closed.
            let _ = writeln!(std::io::stderr(), "dl-opt: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Works on a given command line, without the name of the program and without [flags that extend the tool](extensions); answers whether all
/// went well.
///
/// # Errors
/// What is wrong with the command line, or which file cannot be read or written.
pub fn main_with(registry: &Registry, args: &[String]) -> Result<bool, String> {
    let options = flags::parse(args, &registry.passes)?;
    let text = match options.action {
        flags::Action::Help => help::help(registry, false),
        flags::Action::HelpHidden => help::help(registry, true),
        flags::Action::HelpList => help::list(registry),
        flags::Action::Version => help::version(),
        flags::Action::ListPasses => help::passes(&registry.passes),
        flags::Action::ShowDialects => {
            format!("Available Dialects: {}\n", registry.dialect_names().join(","))
        }
        flags::Action::ShowPlugins => extensions::shown(registry),
        flags::Action::NewDialect => new_dialect::write(&options.new_dialect, &options.input)?,
        flags::Action::Run => return observed(registry, &options),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(true),
    }
}

/// Works, with the log and the trace that are asked for.
fn observed(registry: &Registry, options: &flags::Options) -> Result<bool, String> {
    let trace = trace::install(options.log.as_deref(), options.trace.is_some())?;
    let result = match options.threads {
        None => run::run(registry, options),
        Some(count) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
            pool.map_err(|error| format!("cannot start threads: {error}"))?.install(|| run::run(registry, options))
        }
    };
    if let (Some(trace), Some(file)) = (trace, &options.trace) {
        dl_tools_support::files::write(file, trace.json().as_bytes())?;
    }
    result
}
