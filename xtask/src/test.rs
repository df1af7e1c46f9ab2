//! `cargo xtask test`: the machine made ready, then every test in one `cargo test`.
//!
//! One invocation with one set of features means that nothing is built twice. The back end and its tests are part of it
//! unless `--no-llvm` leaves them out.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::llvm::PREFIX_VARIABLES;
use crate::setup;

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave out what links LLVM: its back end and the generator of op definitions. LLVM is hidden, so that nothing else can find it
    #[arg(long)]
    no_llvm: bool,
    /// Further arguments of `cargo test`, for instance `--test lit -- canonicalize`
    #[arg(last = true, value_name = "ARGUMENT")]
    cargo: Vec<OsString>,
}

/// The counts of all closing lines seen so far.
#[derive(Default, Debug, PartialEq, Eq)]
struct Tally {
    suites: u64,
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Tally {
    /// Counts `line` if it closes a suite: `test result: ok. 3 passed; 0 failed; 1 ignored; ...`.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else {
            return;
        };
        self.suites += 1;
        for part in counts.split("; ") {
            match part.split_once(' ').map(|(count, what)| (count.parse::<u64>(), what)) {
                Some((Ok(count), "passed")) => self.passed += count,
                Some((Ok(count), "failed")) => self.failed += count,
                Some((Ok(count), "ignored")) => self.ignored += count,
                _ => {}
            }
        }
    }
}

/// Runs the tests, printing what they print and then the sum of their closing lines.
pub(crate) fn run(sh: &Shell, options: &Options) -> Result<()> {
    let selection: &[&str] = if options.no_llvm {
        PREFIX_VARIABLES.iter().for_each(|name| sh.set_var(name, "no-llvm-here"));
        &[]
    } else {
        setup::run(sh)?.export_to(sh);
        &["--workspace", "--features", "dl-tools/llvm"]
    };
    let cargo = &options.cargo;
    let start = Instant::now();
    let (tally, success) = run_and_count(cmd!(sh, "cargo test --no-fail-fast {selection...} {cargo...}").into())?;
    let Tally { suites, passed, failed, ignored } = tally;
    let verdict = if success { "ok" } else { "FAILED" };
    println!(
        "\nall suites: {verdict}. {passed} passed; {failed} failed; {ignored} ignored; {suites} suites in {} s",
        start.elapsed().as_secs()
    );
    if !success {
        bail!("tests failed; the suites that did are named above");
    }
    Ok(())
}

/// Runs `command`, copies its standard output line by line, and adds up the closing lines in it. Also says whether it succeeded.
fn run_and_count(mut command: Command) -> Result<(Tally, bool)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("cargo does not start")?;
    let mut tally = Tally::default();
    for line in BufReader::new(child.stdout.take().expect("it is piped")).split(b'\n') {
        let line = line.context("cannot read what the tests print")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        tally.add(&line);
    }
    Ok((tally, child.wait()?.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_add_up() {
        let mut tally = Tally::default();
        tally.add("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s");
        tally.add("test ir::tests::prints_3_passed ... ok");
        tally.add("test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.21s");
        assert_eq!(tally, Tally { suites: 2, passed: 7, failed: 2, ignored: 1 });
    }
}
