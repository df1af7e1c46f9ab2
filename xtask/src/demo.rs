//! `cargo xtask demo`: the digit classifier from text IR to machine code, one file a stage, then its answers.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::{npy, setup};

/// The road down, one line a stage: the file it writes, what it holds, and the passes that lead to it.
const STAGES: &str = "examples/digits/stages.txt";

/// What `dl-translate` makes of the last stage: file, description, arguments.
const PRODUCTS: [(&str, &str, &[&str]); 2] =
    [("mlp.o", "object file", &["--emit=obj"]), ("libmlp.so", "shared library", &["--emit=shared"])];

/// What it makes besides where it has LLVM.
const LLVM_PRODUCTS: [(&str, &str, &[&str]); 2] =
    [("mlp.ll", "LLVM IR", &["--mlir-to-llvmir"]), ("mlp.s", "assembly for this machine", &["--emit=asm"])];

/// What to show.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Make machine code with LLVM, which is installed where it is missing, and with tools that took longer to build
    #[arg(long)]
    llvm: bool,
}

/// Calls of the compiled function of which the fastest counts.
const CALLS: &str = "200";

/// Class probabilities may differ by this much from the reference in double precision.
const TOLERANCE: f64 = 1e-5;

/// Builds the tools, runs all stages and the program, and prints what came out. Without LLVM the tools are built for a quick start, not for
/// speed of their own; the code that they make is the same.
pub(crate) fn run(sh: &Shell, options: &Options) -> Result<()> {
    println!("Building dl-opt, dl-translate and dl-run");
    let tools = if options.llvm {
        setup::run(sh)?.export_to(sh);
        cmd!(sh, "cargo build --release --package dl-tools --features llvm").run()?;
        Path::new("target/release")
    } else {
        cmd!(sh, "cargo build --package dl-tools --bins").run()?;
        Path::new("target/debug")
    };

    let out = Path::new("target/demo");
    sh.create_dir(out)?;
    println!("\nThe digit classifier, one file a stage, in {}:", out.display());
    let source = Path::new("examples/digits/mlp.mlir");
    println!("  {:16} {:48} {:>8}", "mlp.mlir", "linalg on tensors, as written by train.py", size(sh, source)?);
    let stages = sh.read_file(STAGES)?;
    let mut input = source.to_path_buf();
    for (file, what, passes) in parse_stages(&stages) {
        let output = out.join(file);
        let pipeline = format!("builtin.module({passes})");
        report(sh, &output, what, &tools.join("dl-opt"), &[input.to_str(), Some("--pass-pipeline"), Some(&pipeline)])?;
        input = output;
    }
    let more = LLVM_PRODUCTS.into_iter().filter(|_| options.llvm);
    for (file, what, arguments) in more.chain(PRODUCTS) {
        let arguments: Vec<_> = std::iter::once(input.to_str()).chain(arguments.iter().map(|&a| Some(a))).collect();
        report(sh, &out.join(file), what, &tools.join("dl-translate"), &arguments)?;
    }

    println!("\nRunning {} on the held-out images:", source.display());
    let probs = out.join("probs.npy");
    let (images, run) = ("examples/digits/images.npy", tools.join("dl-run"));
    let printed = cmd!(sh, "{run} {source} --entry=classify --input=@{images} --output=@{probs} --repeat={CALLS}")
        .quiet()
        .read()?;
    judge(&sh.current_dir().join(&probs), &sh.current_dir().join("examples/digits"), seconds_per_call(&printed)?)
}

/// The stages in `text`: file, description and passes, between bars. Comments and empty lines have no bars.
fn parse_stages(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    text.lines().filter_map(|line| {
        let mut parts = line.split('|').map(str::trim);
        Some((parts.next()?, parts.next()?, parts.next()?))
    })
}

/// Runs a tool on `arguments`, has it write `output`, and prints a line about that file.
fn report(sh: &Shell, output: &Path, what: &str, tool: &Path, arguments: &[Option<&str>]) -> Result<()> {
    let start = Instant::now();
    cmd!(sh, "{tool}").args(arguments.iter().flatten()).arg("-o").arg(output).quiet().run()?;
    let milliseconds = start.elapsed().as_millis();
    let file = output.file_name().unwrap_or_default().display().to_string();
    println!("  {file:16} {what:48} {:>8} {milliseconds:>5} ms", size(sh, output)?);
    Ok(())
}

fn size(sh: &Shell, file: &Path) -> Result<String> {
    let bytes = fs::metadata(sh.current_dir().join(file)).with_context(|| format!("no {}", file.display()))?.len();
    Ok(format!("{} KB", bytes.div_ceil(1000)))
}

/// The fastest call in what `dl-run --repeat` prints: `classify: best 0.00336 s, median 0.00340 s of 200 calls`.
fn seconds_per_call(printed: &str) -> Result<f64> {
    let best = printed.split_once(": best ").and_then(|(_, rest)| rest.split_once(" s,"));
    best.and_then(|(seconds, _)| seconds.parse().ok())
        .with_context(|| format!("no time in what dl-run printed: {printed}"))
}

/// Compares the probabilities with the reference and the labels in folder `reference`, and prints the result.
fn judge(probs: &Path, reference: &Path, seconds: f64) -> Result<()> {
    let (ours, theirs) = (npy::read(probs)?, npy::read(&reference.join("probs.npy"))?);
    let labels = npy::read(&reference.join("labels.npy"))?;
    let (images, right) = (labels.len(), count_right(&ours, &labels));
    ensure!(ours.len() == theirs.len(), "expected {} probabilities, but got {}", theirs.len(), ours.len());
    let difference = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);

    println!("  accuracy           {right} of {images} right, {:.2} %", 100.0 * right as f64 / images as f64);
    println!("  reference          {} of {images} right", count_right(&theirs, &labels));
    println!("  probabilities      at most {difference:.1e} from the reference");
    println!("  time per image     {:.2} us, in a batch of {images}", 1e6 * seconds / images as f64);
    // Not `difference > TOLERANCE`: a NaN must not pass.
    ensure!(difference <= TOLERANCE, "expected probabilities within {TOLERANCE:e} of the reference");
    ensure!(right == count_right(&theirs, &labels), "expected the accuracy of the reference");
    Ok(())
}

/// The number of rows of `probs`, one a label, whose largest entry is at its label.
fn count_right(probs: &[f64], labels: &[f64]) -> usize {
    let classes = (probs.len() / labels.len().max(1)).max(1);
    let largest = |row: &[f64]| (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
    let rows = probs.chunks(classes).zip(labels);
    rows.filter(|&(row, &label)| largest(row) == Some(label as usize)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_call_is_found() {
        let printed = "classify: best 0.00336 s, median 0.00340 s of 200 calls";
        assert!((seconds_per_call(printed).unwrap() - 0.00336).abs() < 1e-12);
        assert!(seconds_per_call("classify: 3 ms").is_err());
    }

    #[test]
    fn stages_end_in_the_llvm_dialect() {
        let text = std::fs::read_to_string(crate::root().join(STAGES)).unwrap();
        let (file, _, passes) = parse_stages(&text).last().unwrap();
        assert_eq!((file, passes.ends_with(",reconcile-unrealized-casts,cse")), ("6-llvm.mlir", true));
    }

    #[test]
    fn rows_are_judged_by_their_largest_entry() {
        assert_eq!(count_right(&[0.1, 0.9, 0.8, 0.2, 0.4, 0.6], &[1.0, 0.0, 0.0]), 2);
    }

    #[test]
    fn the_committed_reference_is_right_95_percent_of_the_time() {
        let digits = crate::root().join("examples/digits");
        let (probs, labels) =
            (npy::read(&digits.join("probs.npy")).unwrap(), npy::read(&digits.join("labels.npy")).unwrap());
        assert_eq!((labels.len(), count_right(&probs, &labels)), (360, 344));
    }
}
