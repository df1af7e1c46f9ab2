//! `dl-opt` against `mlir-opt`: time and memory of whole processes on generated modules.
//!
//! ```text
//! cargo xtask bench --sizes 10k,100k,1m --rounds 5
//! cargo xtask bench --passes --sizes 2k,20k
//! ```
//!
//! Both tools read the same files in turn, one thread each unless said otherwise: `dl-opt` before and after the peer in each round, as machines that
//! others share change their speed for a second or two, and the mean of both counts. Ratios are of the CPU time of the
//! process, `mlir-opt` over `dl-opt`: the median of those of each round, and that of the least times. Bytes an operation
//! are peak memory without that of an empty module. The row of a case in which the peer fails says so. The last part
//! compares `dl-opt` with itself: a large module with a small one, and two threads with one (the median of the rounds' ratios,
//! and that of the least times), beside two processes, whose throughput is what the machine gives. With `--threads`, that is all. With `--passes`, each pass is compared on its own.

#![expect(clippy::print_stdout, reason = "a command line program")]

#[path = "opt/generate.rs"]
mod generate;
#[path = "opt/levels.rs"]
mod levels;
#[path = "opt/measure.rs"]
mod measure;
#[path = "opt/passes.rs"]
mod passes;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};

use generate::Shape;
use measure::{Cost, Runs};

/// Compare dl-opt with mlir-opt on generated modules.
#[derive(Parser)]
struct Options {
    /// Operations a module
    #[arg(long, value_delimiter = ',', default_value = "10k,100k", value_parser = count)]
    sizes: Vec<usize>,
    /// Kinds of modules
    #[arg(long, value_delimiter = ',', default_value = "straight,nested,constants,redundant,mixed")]
    shapes: Vec<Shape>,
    /// What the tools do
    #[arg(long, value_delimiter = ',', default_value = "print,canonicalize,cse,both,lower")]
    cases: Vec<Case>,
    /// Runs of each command
    #[arg(long, default_value = "5")]
    rounds: NonZeroUsize,
    /// The tool to measure: the one beside this program if not given
    #[arg(long)]
    dl_opt: Option<PathBuf>,
    /// The peer
    #[arg(long, env = "MLIR_OPT", default_value = "mlir-opt-22")]
    mlir_opt: PathBuf,
    /// Compare two threads of dl-opt with one, nothing else
    #[arg(long, conflicts_with = "passes")]
    threads: bool,
    /// Compare each pass on its own: all, or those whose names contain one of these
    #[arg(long, value_delimiter = ',', num_args = 0.., value_name = "PART")]
    passes: Option<Vec<String>>,
    /// Keep the modules in this folder
    #[arg(long)]
    keep: Option<PathBuf>,
}

fn count(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.strip_suffix(['k', 'm']) {
        Some(digits) if text.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    digits.parse::<usize>().map(|n| n * factor).map_err(|error| error.to_string())
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
enum Case {
    /// Read, verify and print
    Print,
    /// The same with `canonicalize`
    Canonicalize,
    /// The same with `cse`
    Cse,
    /// The same with both, nested in functions
    Both,
    /// The same with the way to `llvm`
    Lower,
}

impl Case {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Print => &[],
            Self::Canonicalize => &["--canonicalize"],
            Self::Cse => &["--cse"],
            Self::Both => &["--pass-pipeline=builtin.module(func.func(canonicalize,cse))"],
            Self::Lower => &["--convert-linalg-to-loops", "--lower-affine", "--convert-scf-to-cf", "--convert-to-llvm"],
        }
    }

    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Two threads pay where there are many functions.
const MANY: usize = 1_000;

/// Sizes of modules with the nanoseconds that an operation took.
type Growth = Vec<(usize, f64)>;

fn main() -> Result<()> {
    let options = Options::parse();
    let rounds = options.rounds.get();
    let own = &options.dl_opt.clone().map_or_else(beside, Ok)?;
    let peer = options.mlir_opt.as_path();
    let temporary = tempfile::tempdir()?;
    let folder = options.keep.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder)?;

    if let Some(only) = &options.passes {
        let sizes = &options.sizes;
        return passes::compare(&passes::Setting { own, peer, folder, sizes, rounds, only });
    }

    if !options.threads {
        compare(&options, own, folder)?;
    }
    compare_threads(&options, own, folder)
}

/// Compares the two tools, and large modules with small ones.
fn compare(options: &Options, own: &Path, folder: &Path) -> Result<()> {
    let (peer, rounds) = (options.mlir_opt.as_path(), options.rounds.get());
    let empty = folder.join("empty.mlir");
    fs::write(&empty, "module {}\n")?;
    let empty = text(&empty)?;
    let start = measure::interleaved(&[(own, vec![empty], 1), (peer, vec![empty], 1)], rounds * 4)
        .context("is the peer installed? --mlir-opt or MLIR_OPT says where it is")?;
    let start = [0, 1].map(|tool| start[tool].median());
    println!("start-up                 dl-opt {}   mlir-opt {}\n", process(&start[0]), process(&start[1]));
    let tools = Tools { own, peer, empty: start.map(|cost| cost.peak), rounds };

    println!(
        "{:<34} {:<12} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "module", "case", "ns/op", "peer", "ratio", "least", "B/op", "peer"
    );
    let mut per_op: BTreeMap<(Shape, bool, Case), Growth> = BTreeMap::new();
    for &shape in &options.shapes {
        for &size in &options.sizes {
            for functions in [1, (size / 1_000).max(1)] {
                let file = folder.join(format!("{shape:?}-{size}-{functions}.mlir").to_lowercase());
                let ops = generate::module(&file, shape, size, functions)?;
                let name = format!("{shape:?} {size} in {functions}").to_lowercase();
                for &case in &options.cases {
                    let flags = case.flags().iter().copied();
                    let args: Vec<&str> = [text(&file)?, "--mlir-disable-threading"].into_iter().chain(flags).collect();
                    let ns = tools.compare(&format!("{name:<34} {:<12}", case.name()), args, ops)?;
                    per_op.entry((shape, functions == 1, case)).or_default().push((size, ns));
                }
            }
        }
    }
    if options.sizes.len() > 1 {
        print_growth(options, &per_op);
    }
    println!();
    Ok(())
}

/// Compares two threads with one.
fn compare_threads(options: &Options, own: &Path, folder: &Path) -> Result<()> {
    println!(
        "wall time of one thread over that of two, {MANY} functions: median, of the least times (what two processes of one thread do in the time of one)"
    );
    let size = options.sizes.iter().copied().max().unwrap_or_default().max(MANY);
    for &shape in &options.shapes {
        let file = folder.join(format!("{shape:?}-{size}-threads.mlir").to_lowercase());
        generate::module(&file, shape, size, MANY)?;
        let mut speed_up = Vec::new();
        for case in &options.cases {
            let two: Vec<&str> = [text(&file)?].into_iter().chain(case.flags().iter().copied()).collect();
            let one: Vec<&str> = two.iter().copied().chain(["--mlir-disable-threading"]).collect();
            let commands = [(own, one.clone(), 1), (own, two, 1), (own, one, 2)];
            let costs = measure::interleaved(&commands, options.rounds.get())?;
            let [two, both] = [1, 2].map(|i| costs[0].over(&costs[i], |cost| cost.wall));
            let [one, least] = [0, 1].map(|i| costs[i].least(|cost| cost.wall).as_secs_f64());
            speed_up.push(format!("{} {two:.2} {:.2} ({:.2})", case.name(), one / least, 2.0 * both));
        }
        println!("{:<34} {}", format!("{shape:?} {size}").to_lowercase(), speed_up.join(", "));
    }
    Ok(())
}

/// Prints how the time of an operation grows with the module.
fn print_growth(options: &Options, per_op: &BTreeMap<(Shape, bool, Case), Growth>) {
    println!("\nns/op of the largest size over that of the smallest");
    for &shape in &options.shapes {
        for (single, what) in [(true, "one function"), (false, "1000 operations a function")] {
            let growth = options.cases.iter().map(|&case| {
                let figures = &per_op[&(shape, single, case)];
                let (small, large) = (figures.iter().min_by_key(|f| f.0), figures.iter().max_by_key(|f| f.0));
                let growth = large.map_or(0.0, |f| f.1) / small.map_or(1.0, |f| f.1);
                format!("{} {growth:.2}", case.name())
            });
            let growth: Vec<String> = growth.collect();
            println!("{:<34} {}", format!("{shape:?}, {what}").to_lowercase(), growth.join(", "));
        }
    }
}

/// The two tools, with the memory that each takes for an empty module.
struct Tools<'a> {
    own: &'a Path,
    peer: &'a Path,
    empty: [u64; 2],
    rounds: usize,
}

impl Tools<'_> {
    /// Runs both with `args` on a module of `ops` operations and prints the figures behind `name`: nanoseconds that an operation took `dl-opt`.
    ///
    /// # Errors
    /// If `dl-opt` fails. Where `mlir-opt` does, the row says so, and how.
    fn compare(&self, name: &str, args: Vec<&str>, ops: usize) -> Result<f64> {
        let per_op = |tool: usize, runs: &Runs| {
            let Cost { cpu, peak, .. } = runs.median();
            (cpu.as_secs_f64() * 1e9 / ops as f64, peak.saturating_sub(self.empty[tool]) as f64 / ops as f64)
        };
        let own = (self.own, args.clone(), 1);
        match measure::interleaved(&[own.clone(), (self.peer, args, 1), own.clone()], self.rounds) {
            Ok(runs) => {
                let mean = runs[0].mean(&runs[2]);
                let [(ns, bytes), (peer_ns, peer_bytes)] = [per_op(0, &mean), per_op(1, &runs[1])];
                let ratio = runs[1].over(&mean, |cost| cost.cpu);
                let [before, peer, after] = [0, 1, 2].map(|at| runs[at].least(|cost| cost.cpu).as_secs_f64());
                let least = peer / before.min(after);
                println!("{name} {ns:>9.0} {peer_ns:>9.0} {ratio:>7.1} {least:>7.1} {bytes:>7.0} {peer_bytes:>7.0}");
                Ok(ns)
            }
            Err(error) => {
                let (ns, bytes) = per_op(0, &measure::interleaved(&[own], self.rounds)?[0]);
                println!("{name} {ns:>9.0} {:>9} {:>7} {:>7} {bytes:>7.0} {:>7} {error}", "failed", "", "", "");
                Ok(ns)
            }
        }
    }
}

/// The `dl-opt` that was built with this program.
fn beside() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let tool = program.with_file_name("dl-opt");
    anyhow::ensure!(tool.exists(), "there is no {}: build it, or run `cargo xtask bench`", tool.display());
    Ok(tool)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("the folder has a name that is not Unicode")
}

fn process(cost: &Cost) -> String {
    format!("{:.1} ms, {:.1} MB", cost.wall.as_secs_f64() * 1e3, cost.peak as f64 / 1e6)
}
