//! `cargo xtask fuzz`: the fuzz targets under libFuzzer, guided by coverage.
//!
//! The compiler instruments the code with options that the stable one has; libFuzzer itself comes with the crate `libfuzzer-sys` and
//! needs a C++ compiler. All is built in a folder of its own, with the checks of a debug build and the speed of a release one.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
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
    let search = Search {
        program,
        target,
        corpus: folder("corpus")?,
        seeds: folder("seeds")?,
        findings: folder("findings")?,
        max_len: options.max_len,
        end: Instant::now() + Duration::from_secs(options.time),
    };
    let seeds = &search.seeds;
    cmd!(sh, "cargo run --quiet --package dl-fuzz --bin dl-fuzz -- seeds {target} {seeds}").quiet().run()?;
    println!("fuzzing {target} for {} s in {} processes", options.time, options.jobs);
    let start = Instant::now();
    let executions: Vec<Result<u64>> = thread::scope(|scope| {
        let processes: Vec<_> = (0..options.jobs).map(|_| scope.spawn(|| search.run())).collect();
        let ended = processes.into_iter().map(|process| process.join().expect("a thread that only reads"));
        ended.collect()
    });
    let executions = executions.into_iter().sum::<Result<u64>>()?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(&search.findings)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    println!("{target}: {executions} executions in {} s, {} inputs fail\n", start.elapsed().as_secs(), files.len());
    Ok(files)
}

/// A search for inputs that fail.
///
/// It is one process, or several that exchange what they find through the corpus, and goes on with a new one where an input ended it. libFuzzer's own way to go on,
/// `-fork`, reads the corpus anew and merges what is found every few seconds: it leaves a quarter of the executions.
struct Search<'a> {
    program: &'a Path,
    target: &'a str,
    corpus: PathBuf,
    seeds: PathBuf,
    findings: PathBuf,
    max_len: u32,
    end: Instant,
}

impl Search<'_> {
    /// Searches until the time is over; answers how many inputs were run.
    fn run(&self) -> Result<u64> {
        let mut executions = 0;
        loop {
            let left = self.end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(executions);
            }
            let run = self.process(left)?;
            executions += run.executions;
            // Where one of the inputs to begin with fails there is nothing to go on from.
            if !run.began {
                return Ok(executions);
            }
        }
    }

    /// One process, until an input fails or the time is over.
    fn process(&self, time: Duration) -> Result<Run> {
        let mut prefix = OsString::from("-artifact_prefix=");
        prefix.push(&self.findings);
        prefix.push("/");
        let mut command = Command::new(self.program);
        command.env("FUZZ_TARGET", self.target).arg(prefix).args([
            format!("-max_total_time={}", time.as_secs().max(1)),
            format!("-max_len={}", self.max_len),
            format!("-timeout={TIME_PER_INPUT}"),
            format!("-rss_limit_mb={MEMORY}"),
            "-len_control=0".to_owned(),
            // Weighing inputs by how rare their edges are takes longer than running most of them.
            "-entropic=0".to_owned(),
            "-reload=30".to_owned(),
            "-print_funcs=0".to_owned(),
        ]);
        let mut child = command
            .args([&self.corpus, &self.seeds])
            .stderr(Stdio::piped())
            .spawn()
            .context("the target does not start")?;
        let printed = child.stderr.take().expect("it is piped");
        thread::scope(|scope| {
            let reader = scope.spawn(|| Run::of(BufReader::new(printed)));
            // One that its own alarm interrupts while it allocates waits for ever.
            while child.try_wait()?.is_none() {
                if Instant::now() > self.end + GRACE {
                    child.kill().context("the target does not end")?;
                }
                thread::sleep(Duration::from_millis(100));
            }
            reader.join().expect("a thread that only reads")
        })
    }
}

/// What one process came to.
#[derive(Default)]
struct Run {
    /// Inputs that it ran.
    executions: u64,
    /// Whether it got past the inputs that it began with.
    began: bool,
}

impl Run {
    /// What the lines say that a process prints, of which those that matter are printed again.
    fn of(lines: impl BufRead) -> Result<Self> {
        let mut run = Self::default();
        for line in lines.split(b'\n') {
            let line = line.context("cannot read what the target prints")?;
            let line = String::from_utf8_lossy(&line);
            match Progress::of(&line) {
                Some(progress) => {
                    run.executions = progress.executions;
                    run.began |= progress.event != "READ";
                    if progress.is_rare() {
                        println!("{line}");
                    }
                }
                None => println!("{line}"),
            }
        }
        Ok(run)
    }
}

/// A line of progress: `#1234<tab>NEW    cov: ...`.
#[derive(PartialEq, Debug)]
struct Progress<'a> {
    executions: u64,
    event: &'a str,
}

impl<'a> Progress<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let (number, rest) = line.strip_prefix('#')?.split_once('\t')?;
        let executions = number.parse().ok()?;
        Some(Self { executions, event: rest.split_whitespace().next()? })
    }

    /// Whether it is no line about a single input that was kept.
    fn is_rare(&self) -> bool {
        !matches!(self.event, "NEW" | "REDUCE" | "RELOAD")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_counted() {
        let line = "#24093\tDONE   cov: 28126 ft: 89215 corp: 4011/4256Kb lim: 16384 exec/s: 587 rss: 118Mb";
        assert_eq!(Progress::of(line), Some(Progress { executions: 24093, event: "DONE" }));
        assert_eq!(Progress::of("#map1 = affine_map<(d0) -> (d0)>"), None);
    }
}
