//! Every fold and every canonicalization pattern, checked by execution: `dl_fuzz::judge` tells how.
//!
//! A rewrite that changes what a function does fails here, with the function before and after. So does one that no function was found for
//! on which it could be judged: write one, as a case of the dialect's `canonicalize.mlir` or in `fuzz/corpus/rewrites`. And so does a
//! function that the interpreter cannot run for a reason that is not listed here.
//!
//! `DL_REWRITES=100 cargo test -p dl-fuzz --test rewrites` generates a hundred times as many functions; `cargo xtask fuzz rewrites` searches
//! for as long as it is told to.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dl_fuzz::corpus::{self, Seed};
use dl_fuzz::guard::catch;
use dl_fuzz::judge::{Explorer, Report, Rewrite};

/// How many inputs each function runs on.
const INPUTS: u64 = 16;

/// How many functions are generated around each operation.
const FUNCTIONS: u64 = 4;

/// How many are generated for a rewrite that has not applied to any.
const MOST_FUNCTIONS: u64 = 40;

/// What the interpreter may answer for a function that it does not run, and why that is fine.
const NOT_RUN: [(&str, &str); 29] = [
    ("elementary functions of f", "of f80 and f128: they are computed in double precision"),
    ("a tensor that stands for a buffer, which may be written to", "it is open which of its states the tensor has"),
    ("the interpreter has no meaning for this operation", "`interpreter/tests/meanings.rs` lists which, and why"),
    ("calls and regions nested more than", "recursion without end"),
    ("stopped here: the program runs for more than", "a loop without end"),
    ("stopped here: the program computes more than", "runs are many, so arrays are small"),
    ("cannot be made", "values of types that have no meaning when run"),
    ("calls @any_function_at_all", "an argument that is a function, of which nothing is known"),
    ("a value of its dialect", "a cast of unknown meaning is used"),
    ("allocation with the layout of", "only strided layouts have meaning, and `normalize-memrefs` for the others"),
    ("so many elements", "runs are many, so arrays are small"),
    ("a buffer so large", "runs are many, so arrays are small"),
    ("elements of memory", "runs are many, so arrays are small"),
    ("more than 33554432 elements", "no machine has so much memory"),
    ("values for a block of", "a branch of unknown meaning to a block with arguments"),
    ("bytes of a pointer", "addresses are not numbers"),
    ("the bits of '!llvm.ptr'", "addresses are not numbers"),
    ("the order of pointers", "addresses are not numbers"),
    ("unsupported: the size of", "a step by elements of a type without a size, which no verifier refuses"),
    ("'llvm.bitcast' op unsupported", "one that LLVM does not have"),
    ("unsupported: the constant ", "sparse elements"),
    ("unsupported: a constant of type", "quantized and other elements without a value"),
    ("unsupported: a bitcast to", "between types of different sizes, or of memrefs"),
    ("when run, but got", "casts of memrefs, and integer reductions of floats, that no verifier refuses"),
    ("that is neither a tensor nor a memref", "named operations of linalg on vectors"),
    ("a vector of more dimensions than the memref", "an access that no verifier refuses"),
    ("a loop that runs over no dimension of an operand", "a loop nest of linalg without bounds"),
    ("op was run to", "a scatter whose result and base disagree, which no verifier refuses"),
    ("number of elements", "casts and parts of vectors, scalable and not, that no verifier refuses"),
];

/// Reports whose findings are words.
#[derive(Default)]
struct Findings {
    report: Report,
    text: String,
}

impl Findings {
    /// Adds what is said of `subject`, which a panic may have kept from saying anything.
    fn add(&mut self, subject: &str, check: impl FnOnce() -> Option<Report>) {
        let mut report = None;
        let caught = catch(|| {
            report = check();
            Ok(())
        });
        if let Err(panic) = caught {
            let _ = writeln!(self.text, "{subject}: {panic}\n");
        }
        let Some(report) = report else { return };
        for wrong in &report.wrong {
            let _ = writeln!(self.text, "{subject}: {wrong}\n");
        }
        self.report.add(report);
    }
}

fn effort() -> u64 {
    let wanted = std::env::var_os("DL_REWRITES");
    wanted.and_then(|text| text.to_str()?.parse().ok()).unwrap_or(1)
}

/// A function to judge rewrites on: of a test, or generated around an operation from a number.
enum Function<'a> {
    Seed(&'a Seed),
    Small(&'a str, u64),
}

impl Function<'_> {
    fn judge(&self, explorer: &mut Explorer, found: &mut Findings) {
        match *self {
            Self::Seed(seed) => found.add(&seed.name, || explorer.seed(seed, INPUTS)),
            Self::Small(operation, number) => {
                found.add(&format!("{operation} #{number}"), || explorer.small(operation, number, INPUTS));
            }
        }
    }
}

/// What is found on all of these functions, on every core.
fn judge_all(functions: &[Function<'_>], seeds: &[Seed]) -> Findings {
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let judge_part = |first: usize| {
        let (mut explorer, mut found) = (Explorer::new(seeds), Findings::default());
        functions.iter().skip(first).step_by(threads).for_each(|function| function.judge(&mut explorer, &mut found));
        found
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|first| scope.spawn(move || judge_part(first))).collect();
        parts.into_iter().fold(Findings::default(), |mut all, part| {
            let part = part.join().expect("panics are caught");
            all.report.add(part.report);
            all.text += &part.text;
            all
        })
    })
}

#[test]
fn rewrites_leave_what_functions_do() {
    let (effort, seeds) = (effort(), corpus::seeds("rewrites").unwrap());
    let mut explorer = Explorer::new(&seeds);
    let about_rewrites = |seed: &Seed| {
        let pipeline = seed.bytes.split(|&b| b == b'\n').next().unwrap_or_default();
        seed.name.contains("corpus/rewrites") || String::from_utf8_lossy(pipeline).contains("canonicalize")
    };
    let registered = explorer.registered();
    let operations: BTreeSet<&str> = registered.iter().map(Rewrite::operation).filter(|op| *op != "*").collect();
    let of_tests = seeds.iter().filter(|seed| effort > 1 || about_rewrites(seed)).map(Function::Seed);
    let numbers = 0..FUNCTIONS * effort;
    let generated = operations.iter().flat_map(|op| numbers.clone().map(|number| Function::Small(op, number)));
    let mut found = judge_all(&of_tests.chain(generated).collect::<Vec<_>>(), &seeds);
    for rewrite in &registered {
        let operation = rewrite.operation();
        for number in FUNCTIONS * effort..MOST_FUNCTIONS * effort {
            if found.report.has_judged(rewrite) {
                break;
            }
            Function::Small(operation, number).judge(&mut explorer, &mut found);
        }
    }
    let Findings { report, mut text } = found;
    for rewrite in registered.iter().filter(|rewrite| !report.has_judged(rewrite)) {
        let _ = writeln!(text, "{rewrite} is not judged by any function");
    }
    for (why, times) in &report.unknown {
        if !NOT_RUN.iter().any(|(listed, _)| why.contains(listed)) {
            let _ = writeln!(text, "not run {times} times: {why}");
        }
    }
    assert!(text.is_empty(), "{text}");
}

#[test]
fn hand_written_functions_are_valid() {
    let seeds = corpus::regressions("rewrites").unwrap();
    let mut explorer = Explorer::new(&[]);
    for seed in seeds.iter().filter(|seed| seed.name.contains("corpus/rewrites")) {
        assert!(explorer.seed(seed, 1).is_some(), "{} does not parse or verify", seed.name);
    }
}
