//! The texts of `--help`, `--help-list`, `--help-hidden`, `--version` and `--list-passes`.

use std::fmt::Write as _;

use dl_ir::pass::{OptionSpec, PassRegistry};
use dl_tools_support::extensions::FLAGS;

use super::table::{Flag, GROUPS, Value, all};
use crate::Registry;

/// Column of the explanations.
const COLUMN: usize = 48;

pub(super) fn version() -> String {
    format!("dl-opt {} (text form, flags and pass names of MLIR 22)\n", env!("CARGO_PKG_VERSION"))
}

/// Flags by group, then passes; with the groups that are mostly left out if `hidden`.
pub(super) fn help(registry: &Registry, hidden: bool) -> String {
    let mut out = head(registry);
    for group in GROUPS.iter().filter(|group| hidden || !group.hidden) {
        let _ = writeln!(out, "\n{}:", group.title);
        group.flags.iter().for_each(|each| flag(&mut out, each));
    }
    out.push_str("\nExtensions:\n");
    extensions(&mut out);
    out.push('\n');
    out.push_str(&passes(&registry.passes));
    out
}

/// Flags and passes as one list, by name.
pub(super) fn list(registry: &Registry) -> String {
    let mut out = head(registry);
    out.push_str("\nOptions:\n");
    let mut flags: Vec<&Flag> = all().collect();
    flags.sort_by_key(|flag| flag.name);
    flags.into_iter().for_each(|each| flag(&mut out, each));
    extensions(&mut out);
    out.push('\n');
    out.push_str(&passes(&registry.passes));
    out
}

fn head(registry: &Registry) -> String {
    let mut out = String::from(
        "Runs passes on text IR.\n\nUsage: dl-opt [options] [input file]\n\nWithout a file, or with '-', standard input is \
         read. Passes run in the order of their flags on the\noutermost operation; '--pass-pipeline' says more exactly what \
         runs where.\n",
    );
    let _ = writeln!(out, "\nDialects: {}", registry.dialect_names().join(", "));
    out
}

fn extensions(out: &mut String) {
    FLAGS.iter().for_each(|(name, value, what)| line(out, 2, &format!("--{name}=<{value}>"), what));
}

fn flag(out: &mut String, flag: &Flag) {
    let dashes = if flag.name.len() == 1 { "-" } else { "--" };
    let value = match flag.value {
        Value::Bool | Value::Required("") => String::new(),
        Value::Required(what) if flag.name.len() == 1 => format!(" <{what}>"),
        Value::Required(what) => format!("=<{what}>"),
        Value::Optional(what) => format!("[=<{what}>]"),
    };
    line(out, 2, &format!("{dashes}{}{value}", flag.name), flag.help);
}

pub(super) fn passes(registry: &PassRegistry) -> String {
    let mut out = String::from("Passes:\n");
    for pass in registry.passes() {
        line(&mut out, 2, &format!("--{}", pass.info.name), pass.info.description);
        if let Some(own) = pass.make().options() {
            options(&mut out, &own.specs());
        }
    }
    let pipelines = registry.pipelines();
    if !pipelines.is_empty() {
        out.push_str("\nPass pipelines:\n");
    }
    for pipeline in pipelines {
        line(&mut out, 2, &format!("--{}", pipeline.name), pipeline.description);
        options(&mut out, &pipeline.options().specs());
    }
    out
}

fn options(out: &mut String, specs: &[OptionSpec]) {
    for spec in specs {
        let value = if spec.value.is_empty() { String::new() } else { format!("=<{}>", spec.value) };
        line(out, 4, &format!("--{}{value}", spec.name), spec.help);
        for (choice, meaning) in spec.choices {
            line(out, 6, &format!("={choice}"), meaning);
        }
    }
}

/// A name and its explanation, which begins in a new line where the name is long.
fn line(out: &mut String, indent: usize, name: &str, help: &str) {
    let _ = write!(out, "{:indent$}{name}", "");
    let used = indent + name.len();
    if used + 2 > COLUMN {
        let _ = writeln!(out, "\n{:COLUMN$}- {help}", "");
    } else {
        let _ = writeln!(out, "{:width$}- {help}", "", width = COLUMN - used);
    }
}
