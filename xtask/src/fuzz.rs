//! `cargo xtask fuzz`: the fuzz targets under libFuzzer, guided by coverage.
//!
//! The compiler instruments the code with options that the stable one has; libFuzzer itself comes with the crate `libfuzzer-sys` and
//! needs a C++ compiler. All is built in a folder of its own, with the checks of a debug build and the speed of a release one.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// What to fuzz; all targets, one after the other, when it is not given
    target: Option<String>,
    /// For how many seconds, each target
    #[arg(long, default_value_t = 60)]
    time: u64,
    /// How many processes at once
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Most bytes of an input
    #[arg(long, default_value_t = 1 << 14)]
    max_len: u32,
}

/// Counters at each edge, which libFuzzer reads. Branches stay apart, so that each is an edge of its own. Comparisons are not traced:
/// that serves libFuzzer's own mutations, in whose place we have ours, and takes longer than all else.
const INSTRUMENTATION: [&str; 5] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];

/// Longest time for one input, in seconds.
const TIME_PER_INPUT: u32 = 20;

/// Most memory of a process, in MiB.
const MEMORY: u32 = 2560;

/// How long the processes get to end by themselves.
const GRACE: Duration = Duration::from_secs(30);

/// Builds the targets and runs them.
pub(crate) fn run(sh: &Shell, options: &Options) -> Result<()> {
    let list = cmd!(sh, "cargo run --quiet --package dl-fuzz --bin dl-fuzz -- list").quiet().read()?;
    let known: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let targets = match &options.target {
        Some(target) if known.contains(&target.as_str()) => vec![target.as_str()],
        Some(target) => bail!("there is no fuzz target '{target}'; the targets are {}", known.join(", ")),
        None => known,
    };
    let root = crate::root().join("target/fuzz");
    let program = build(sh, &root)?;
    let mut findings = Vec::new();
    for target in targets {
        findings.extend(fuzz(sh, &root, &program, target, options)?);
    }
    if !findings.is_empty() {
        let files: Vec<String> = findings.iter().map(|file| file.display().to_string()).collect();
        bail!("{} inputs fail (docs/fuzzing.md says what to do):\n  {}", files.len(), files.join("\n  "));
    }
    Ok(())
}

/// The instrumented program.
fn build(sh: &Shell, root: &Path) -> Result<PathBuf> {
    let version = cmd!(sh, "rustc --version --verbose").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not name its host")?;
    // With a target, the flags are for the program and not for build scripts.
    let _flags = sh.push_env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\x1f"));
    cmd!(sh, "cargo build --package dl-fuzz --features libfuzzer --bin fuzz-target")
        .args(["--profile", "fuzz", "--target", host, "--target-dir"])
        .arg(root)
        .run()?;
    Ok(root.join(host).join("fuzz/fuzz-target"))
}

/// Runs one target; answers the inputs that fail, those of earlier runs too.
fn fuzz(sh: &Shell, root: &Path, program: &Path, target: &str, options: &Options) -> Result<Vec<PathBuf>> {
    let folder = |kind: &str| -> Result<PathBuf> {
        let folder = root.join(kind).join(target);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let (corpus, seeds, findings) = (folder("corpus")?, folder("seeds")?, folder("findings")?);
    cmd!(sh, "cargo run --quiet --package dl-fuzz --bin dl-fuzz -- seeds {target} {seeds}").quiet().run()?;
    let mut prefix = OsString::from("-artifact_prefix=");
    prefix.push(&findings);
    prefix.push("/");
    println!("fuzzing {target} for {} s in {} processes", options.time, options.jobs);
    let mut command = Command::new(program);
    command.env("FUZZ_TARGET", target).arg(prefix).args([
        format!("-fork={}", options.jobs),
        format!("-max_total_time={}", options.time),
        format!("-max_len={}", options.max_len),
        format!("-timeout={TIME_PER_INPUT}"),
        format!("-rss_limit_mb={MEMORY}"),
        "-len_control=0".to_owned(),
        "-ignore_crashes=1".to_owned(),
        "-ignore_timeouts=1".to_owned(),
        "-ignore_ooms=1".to_owned(),
    ]);
    let start = Instant::now();
    let mut child =
        command.args([&corpus, &seeds]).stderr(Stdio::piped()).spawn().context("the target does not start")?;
    let mut executions = 0;
    for line in BufReader::new(child.stderr.take().expect("it is piped")).split(b'\n') {
        let line = line.context("cannot read what the target prints")?;
        let line = String::from_utf8_lossy(&line);
        executions = executions_in(&line).unwrap_or(executions);
        println!("{line}");
        if start.elapsed() > Duration::from_secs(options.time) + GRACE {
            child.kill().context("the target does not end")?;
        }
    }
    child.wait()?;
    let mut files: Vec<PathBuf> = fs::read_dir(&findings)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    println!("{target}: {executions} executions in {} s, {} inputs fail\n", start.elapsed().as_secs(), files.len());
    Ok(files)
}

/// The number of inputs run so far: `#1234: cov: ...`.
fn executions_in(line: &str) -> Option<u64> {
    let (number, rest) = line.strip_prefix('#')?.split_once(':')?;
    rest.starts_with(" cov: ").then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_counted() {
        let line = "#5396: cov: 38231 ft: 122573 corp: 887 exec/s: 342 oom/timeout/crash: 0/0/2 time: 28s job: 6";
        assert_eq!(executions_in(line), Some(5396));
        assert_eq!(executions_in("#map1 = affine_map<(d0) -> (d0)>"), None);
    }
}
