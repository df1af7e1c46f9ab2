//! `cargo xtask test`: the machine made ready, then every test, in up to two steps: `cargo test` for the whole workspace with the LLVM back end, and
//! `cargo test` as it is, with LLVM hidden, which proves that all but the crates that link it need none.
//!
//! Each step is one invocation with one set of features, so that nothing is built twice in it. The second builds anew what depends on the feature
//! `llvm`, the tools and their tests: see `syn` in `xtask/Cargo.toml`. After the first it runs no other tests, [`OF_TOOLS`]: the crates below are the
//! same program again.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::llvm::{Llvm, PREFIX_VARIABLES};
use crate::setup;

/// The tests of the tools, but for those of the accelerator, to which the back end makes no difference.
const OF_TOOLS: [&str; 11] =
    ["aot", "back_ends", "book", "cli", "crash", "end_to_end", "lit", "onnx", "plugins", "reference", "threads"];

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only the second step: leave out what links LLVM, its back end and the generator of op definitions, and hide LLVM from the rest
    #[arg(long)]
    no_llvm: bool,
    /// Both steps, and one sum of their results
    #[arg(long, conflicts_with = "no_llvm")]
    also_without_llvm: bool,
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
    let cargo = &options.cargo;
    let (start, mut tally, mut success) = (Instant::now(), Tally::default(), true);
    if !options.no_llvm {
        setup::run(sh)?.export_to(sh);
        let all = cmd!(sh, "cargo test --no-fail-fast --workspace --features dl-tools/llvm {cargo...}");
        success &= run_and_count(all.into(), &mut tally)?;
    }
    if options.no_llvm || options.also_without_llvm {
        let hiding = hide(sh);
        let mut words: Vec<&str> =
            hiding.iter().map(String::as_str).chain(["cargo", "test", "--no-fail-fast"]).collect();
        if options.also_without_llvm {
            // All default members decide which features there are, so that nothing is built anew.
            words.extend([
                "--workspace",
                "--exclude=dl-codegen-llvm",
                "--exclude=dl-tblgen",
                "--exclude=dl-fuzz",
                "--exclude=dl-benches",
            ]);
            words.extend(OF_TOOLS.iter().flat_map(|name| ["--test", name]));
        }
        let (program, words) = words.split_first().expect("cargo at least");
        success &= run_and_count(cmd!(sh, "{program} {words...} {cargo...}").into(), &mut tally)?;
    }
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

/// Hides LLVM from later commands of `sh`: no variable names it, and its programs are not on the `PATH`. The answer is what to write before a
/// command so that it finds an empty folder where LLVM is installed: nothing where there is none, and where that may not be done, which is said.
fn hide(sh: &Shell) -> Vec<String> {
    let llvm = Llvm::find(sh);
    PREFIX_VARIABLES.iter().for_each(|name| sh.set_var(name, "no-llvm-here"));
    let Some(llvm) = llvm else { return Vec::new() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let others = std::env::split_paths(&path).filter(|folder| !folder.starts_with(llvm.prefix()));
    if let Ok(path) = std::env::join_paths(others) {
        sh.set_var("PATH", path);
    }
    let mount = r#"mount -t tmpfs none "$0" && exec "$@""#;
    for rights in [&["--mount"][..], &["--mount", "--map-root-user"]] {
        let words = ["unshare"].into_iter().chain(rights.iter().copied()).chain(["sh", "-c", mount]);
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.push(llvm.prefix().display().to_string());
        let (program, rest) = words.split_first().expect("a command");
        if cmd!(sh, "{program} {rest...} true").quiet().ignore_stderr().run().is_ok() {
            println!("\nWithout LLVM: {} is empty in this step", llvm.prefix().display());
            return words;
        }
    }
    println!("\nWithout LLVM: no variable names {}, which may not be hidden from here", llvm.prefix().display());
    Vec::new()
}

/// Runs `command`, copies its standard output line by line, and adds the closing lines in it to `tally`. Says whether it succeeded.
fn run_and_count(mut command: Command, tally: &mut Tally) -> Result<bool> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("cargo does not start")?;
    for line in BufReader::new(child.stdout.take().expect("it is piped")).split(b'\n') {
        let line = line.context("cannot read what the tests print")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        tally.add(&line);
    }
    Ok(child.wait()?.success())
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
