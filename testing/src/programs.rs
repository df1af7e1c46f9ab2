//! The small programs that RUN lines call: `FileCheck`, `not` and `count`.
//!
//! The test executable is all three: under the name of one of them (a link that the suite makes) it acts as that
//! program. They do what LLVM's programs of these names do, so the same RUN lines work with those.

use std::env;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::file_check::file_check;

/// A program: its arguments without its own name, and its exit code or what went wrong.
type Program = fn(&[OsString]) -> Result<ExitCode, String>;

/// The programs by name.
const PROGRAMS: [(&str, Program); 3] = [("FileCheck", file_check), ("not", not), ("count", count)];

/// Their names.
pub(crate) const NAMES: [&str; 3] = [PROGRAMS[0].0, PROGRAMS[1].0, PROGRAMS[2].0];

/// Runs the program that this process was called as, if it is one of them, printing an error as lit users expect it.
pub(crate) fn called() -> Option<ExitCode> {
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let name = Path::new(&name).file_name().unwrap_or_default();
    let (name, program) = PROGRAMS.into_iter().find(|(program, _)| *program == name)?;
    Some(program(&arguments.collect::<Vec<_>>()).unwrap_or_else(|error| {
        eprintln!("{name}: {error}");
        ExitCode::from(2)
    }))
}

/// The exit code of a Rust program that panicked.
const PANIC: i32 = 101;

/// `not COMMAND`: succeeds if the command exits with a code other than zero. A signal or a panic is not such an exit; with
/// `not --crash COMMAND` it is the only one.
fn not(arguments: &[OsString]) -> Result<ExitCode, String> {
    let (crash, command) = match arguments.split_first() {
        Some((first, rest)) if first == "--crash" => (true, rest),
        _ => (false, arguments),
    };
    let (program, arguments) = command.split_first().ok_or("expected a command")?;
    let status = Command::new(program).args(arguments).status();
    let status = status.map_err(|error| format!("{}: {error}", program.display()))?;
    let crashed = matches!(status.code(), None | Some(PANIC));
    let as_expected = if crash { crashed } else { !crashed && !status.success() };
    Ok(if as_expected { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `count N`: succeeds if standard input has N lines.
fn count(arguments: &[OsString]) -> Result<ExitCode, String> {
    let expected: Option<usize> = arguments.first().and_then(|number| number.to_str()?.parse().ok());
    let expected = expected.ok_or("expected a number of lines")?;
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input).map_err(|error| error.to_string())?;
    let lines = input.split_inclusive(|&byte| byte == b'\n').count();
    if lines != expected {
        return Err(format!("expected {expected} lines, but got {lines}"));
    }
    Ok(ExitCode::SUCCESS)
}
