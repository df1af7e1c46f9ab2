//! `FileCheck`, as in LLVM: whether an input has what the CHECK lines of a file say, in their order.

mod checks;
mod extended;
mod number;
mod pattern;
mod run;

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::ExitCode;
use std::{fs, iter};

use clap::Parser;

use checks::Request;
use pattern::{Settings, Variables};
use run::Run;

/// Command line of `FileCheck`.
#[derive(Parser)]
#[command(name = "FileCheck")]
struct Options {
    /// The file with the CHECK lines
    match_file: String,
    /// The file to check; `-` is standard input
    #[arg(long, default_value = "-")]
    input_file: String,
    /// What CHECK lines begin with
    #[arg(long, alias = "check-prefixes", value_delimiter = ',', default_value = "CHECK")]
    check_prefix: Vec<String>,
    /// A pattern that may match nowhere between two checks
    #[arg(long)]
    implicit_check_not: Vec<String>,
    /// The input may be empty
    #[arg(long)]
    allow_empty: bool,
    /// A match is a whole line, but for blanks at its ends
    #[arg(long)]
    match_full_lines: bool,
    /// Blanks count
    #[arg(long)]
    strict_whitespace: bool,
    /// Capital letters are as good as others
    #[arg(long)]
    ignore_case: bool,
    /// Variables whose names do not begin with `$` last until the next label
    #[arg(long)]
    enable_var_scope: bool,
    /// The value of a variable
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// Prefixes that no line begins with are no error
    #[arg(long)]
    allow_unused_prefixes: bool,
}

/// A text with a name.
struct Text {
    name: String,
    text: String,
}

impl Text {
    fn new(name: String, bytes: &[u8], strict_blanks: bool) -> Self {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        Self { name, text: if strict_blanks { text } else { one_blank(&text) } }
    }

    /// A message at a place, with its line.
    fn report(&self, at: usize, severity: &str, message: &str) {
        let before = &self.text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let (row, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
        eprintln!("{}:{row}:{column}: {severity}: {message}\n{line}\n{:>column$}", self.name, "^");
    }
}

/// The program.
///
/// # Errors
/// That there is nothing to check, or nothing to check it with.
pub(crate) fn file_check(arguments: &[OsString]) -> Result<ExitCode, String> {
    let name = OsString::from("FileCheck");
    let options = Options::parse_from(iter::once(&name).chain(arguments));
    let mut bytes = Vec::new();
    let read = match &*options.input_file {
        "-" => io::stdin().read_to_end(&mut bytes),
        file => fs::read(file).map(|read| {
            bytes = read;
            bytes.len()
        }),
    };
    read.map_err(|error| format!("{}: {error}", options.input_file))?;
    if bytes.is_empty() && !options.allow_empty {
        return Err("the input is empty".to_owned());
    }
    let input = if options.input_file == "-" { "<stdin>".to_owned() } else { options.input_file.clone() };
    let input = Text::new(input, &bytes, options.strict_whitespace);
    let checks = fs::read(&options.match_file).map_err(|error| format!("{}: {error}", options.match_file))?;
    let checks = Text::new(options.match_file.clone(), &checks, options.strict_whitespace);

    let settings = Settings {
        whole_lines: options.match_full_lines,
        strict_blanks: options.strict_whitespace,
        ignore_case: options.ignore_case,
    };
    let request = Request { prefixes: &options.check_prefix, never: &options.implicit_check_not, settings };
    let (steps, used) = match checks::read(&checks.text, &request) {
        Ok(read) => read,
        Err((at, why)) => {
            checks.report(at, "error", &why);
            return Ok(ExitCode::from(2));
        }
    };
    let is_used = |prefix: &String| used.contains(prefix.as_str());
    let unused = options.check_prefix.iter().find(|prefix| !is_used(prefix) && !options.allow_unused_prefixes);
    if let Some(prefix) = unused.or(options.check_prefix.first().filter(|_| used.is_empty())) {
        return Err(format!("no check strings found with prefix '{prefix}:'"));
    }
    let defined = options.define.iter().map(|define| {
        let (name, value) = define.split_once('=').ok_or(format!("missing equal sign in '{define}'"))?;
        Ok((name.to_owned(), value.to_owned()))
    });
    let variables = defined.collect::<Result<Variables, String>>()?;
    let mut run = Run { input: &input.text, variables, scopes: options.enable_var_scope, failures: Vec::new() };
    run.all(&steps);
    for failure in &run.failures {
        checks.report(failure.check, "error", &failure.message);
        input.report(failure.input.0, "note", failure.input.1);
    }
    Ok(if run.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `text` with one space in the place of each row of spaces and tabs.
fn one_blank(text: &str) -> String {
    let mut to = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ' ' | '\t' if to.ends_with(' ') => {}
            ' ' | '\t' => to.push(' '),
            _ => to.push(letter),
        }
    }
    to
}
