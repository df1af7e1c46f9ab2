//! What each pass takes, `dl-opt` against `mlir-opt`, on input in which it has work to do.
//!
//! The times are those that both tools report with `--mlir-timing`: the pass itself with the analyses that it asks for, without
//! reading, verifying and printing, which are measured elsewhere. They are wall times of one thread, so the least of several runs counts, one of
//! each tool in turn.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::levels::{self, Level};

/// The passes for the operations of one level.
struct Group {
    level: Level,
    /// What the peer makes of the module first.
    prepare: &'static [&'static str],
    /// What both tools have: flags without dashes, or pipelines of functions.
    passes: &'static [&'static str],
}

const fn group(level: Level, passes: &'static [&'static str]) -> Group {
    Group { level, prepare: &[], passes }
}

const GROUPS: &[Group] = &[
    group(
        Level::Scalar,
        &[
            "canonicalize",
            "cse",
            "sccp",
            "inline",
            "symbol-dce",
            "remove-dead-values",
            "control-flow-sink",
            "strip-debuginfo",
            "composite-fixed-point-pass=pipeline=cse",
            "int-range-optimizations",
            "arith-expand",
            "arith-int-range-narrowing=int-bitwidths-supported=8,16,32",
            "arith-unsigned-when-equivalent",
            "arith-emulate-unsupported-floats=source-types=f16 target-type=f32",
            "math-uplift-to-fma",
            "math-extend-to-supported-types",
            "math-sincos-fusion",
            "convert-math-to-libm",
            "convert-math-to-llvm",
            "convert-arith-to-llvm",
            "convert-func-to-llvm",
            "llvm-request-c-wrappers",
            "convert-to-llvm",
        ],
    ),
    group(
        Level::Branches,
        &[
            "canonicalize",
            "cse",
            "sccp",
            "mem2reg",
            "sroa",
            "int-range-optimizations",
            "remove-dead-values",
            "convert-cf-to-llvm",
            "convert-to-llvm",
        ],
    ),
    group(
        Level::Scf,
        &[
            "canonicalize",
            "cse",
            "sccp",
            "loop-invariant-code-motion",
            "control-flow-sink",
            "int-range-optimizations",
            "remove-dead-values",
            "scf-for-loop-canonicalization",
            "scf-for-loop-peeling",
            "scf-for-loop-range-folding",
            "scf-for-loop-specialization",
            "scf-for-to-while",
            "scf-forall-to-for",
            "scf-forall-to-parallel",
            "scf-parallel-for-to-nested-fors",
            "scf-parallel-loop-fusion",
            "scf-parallel-loop-specialization",
            "scf-parallel-loop-tiling=parallel-loop-tile-sizes=4,4",
            "convert-scf-to-cf",
        ],
    ),
    group(
        Level::Affine,
        &[
            "canonicalize",
            "cse",
            "loop-invariant-code-motion",
            "affine-expand-index-ops",
            "affine-expand-index-ops-as-affine",
            "affine-loop-fusion",
            "affine-loop-invariant-code-motion",
            "affine-loop-normalize",
            "affine-loop-tile=tile-size=8",
            "func.func(affine-loop-unroll{unroll-factor=4})",
            "func.func(affine-loop-unroll-jam{unroll-jam-factor=2})",
            "affine-parallelize=parallel-reductions=1",
            "affine-scalrep",
            "func.func(affine-simplify-min-max)",
            "affine-simplify-structures",
            "lower-affine",
        ],
    ),
    group(
        Level::Memref,
        &[
            "canonicalize",
            "cse",
            "affine-raise-from-memref",
            "affine-fold-memref-alias-ops",
            "expand-strided-metadata",
            "memref-expand",
            "expand-realloc",
            "resolve-ranked-shaped-type-result-dims",
            "resolve-shaped-type-result-dims",
            "finalize-memref-to-llvm",
        ],
    ),
    group(Level::Allocations, &["ownership-based-buffer-deallocation", "buffer-results-to-out-params"]),
    Group {
        level: Level::Allocations,
        prepare: &["--ownership-based-buffer-deallocation"],
        passes: &["canonicalize", "buffer-deallocation-simplification", "bufferization-lower-deallocations"],
    },
    group(
        Level::Tensor,
        &[
            "canonicalize",
            "cse",
            "convert-elementwise-to-linalg",
            "convert-tensor-to-linalg",
            "fold-tensor-subset-ops",
            "linalg-fold-unit-extent-dims",
            "linalg-fold-into-elementwise",
            "linalg-fuse-elementwise-ops",
            "linalg-generalize-named-ops",
            "linalg-inline-scalar-operands",
            "linalg-morph-ops=named-to-category",
            "linalg-specialize-generic-ops",
            "linalg-block-pack-matmul=block-factors=16,16,16",
            "func.func(linalg-detensorize{aggressive-mode})",
            "reify-result-shapes",
            "simplify-depthwise-conv",
        ],
    ),
    Group {
        level: Level::Tensor,
        prepare: &["--convert-elementwise-to-linalg"],
        passes: &["one-shot-bufferize=bufferize-function-boundaries"],
    },
    group(
        Level::Buffers,
        &[
            "canonicalize",
            "cse",
            "linalg-generalize-named-ops",
            "convert-linalg-to-loops",
            "convert-linalg-to-affine-loops",
            "convert-linalg-to-parallel-loops",
        ],
    ),
    group(
        Level::Vector,
        &[
            "canonicalize",
            "cse",
            "lower-vector-mask",
            "lower-vector-multi-reduction",
            "convert-vector-to-scf",
            "convert-vector-to-llvm",
            "convert-to-llvm",
        ],
    ),
];

/// What is compared.
pub(crate) struct Setting<'a> {
    pub own: &'a Path,
    pub peer: &'a Path,
    pub folder: &'a Path,
    pub sizes: &'a [usize],
    pub rounds: usize,
    /// Passes whose flag contains one of these; all if there are none.
    pub only: &'a [String],
}

/// Measures all passes and prints a table: nanoseconds an operation of the input, the ratio, and for each tool how much more an
/// operation takes in the largest module than in the smallest.
///
/// # Errors
/// If a process fails.
pub(crate) fn compare(setting: &Setting<'_>) -> Result<()> {
    println!(
        "{:<12} {:<46} {:>9} {:>9} {:>7} {:>7} {:>7}",
        "level", "pass", "ns/op", "peer", "ratio", "growth", "peer"
    );
    let mut ratios = Vec::new();
    for group in GROUPS {
        for pass in group.passes {
            if !setting.only.is_empty() && !setting.only.iter().any(|wanted| pass.contains(wanted.as_str())) {
                continue;
            }
            for functions in [Functions::One, Functions::Many] {
                ratios.extend(row(setting, group, pass, functions)?);
            }
        }
    }
    ensure!(!ratios.is_empty(), "there is no such pass");
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let slower = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    println!("\n{} rows: geometric mean of the ratios {mean:.1}, least {least:.1}, {slower} below 1", ratios.len());
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Functions {
    One,
    Many,
}

/// Measures one pass and prints its line. Answers the ratio of the times on the largest module; `None` where a tool fails, or the pass takes less
/// than either can show.
fn row(setting: &Setting<'_>, group: &Group, pass: &str, functions: Functions) -> Result<Option<f64>> {
    let name = pass.trim_start_matches("func.func(").split(['=', '{', ')']).next().unwrap_or(pass);
    let name = if functions == Functions::One { format!("{name}, one function") } else { name.to_owned() };
    let mut figures = Vec::new();
    for &size in setting.sizes {
        let count = if functions == Functions::One { 1 } else { (size / 1_000).max(2) };
        let (file, ops) = input(setting, group, size, count)?;
        let flag = if pass.starts_with("func.func") {
            format!("--pass-pipeline=builtin.module({pass})")
        } else {
            format!("--{pass}")
        };
        let mut least = [f64::INFINITY; 2];
        for _ in 0..setting.rounds {
            for (tool, least) in [setting.own, setting.peer].into_iter().zip(&mut least) {
                match time(tool, &file, &flag) {
                    Ok(seconds) => *least = least.min(seconds),
                    Err(error) => {
                        let reason = error.to_string();
                        let reason = reason.lines().next().unwrap_or_default();
                        println!("{:<12} {name:<46} {reason}", group.level.name());
                        return Ok(None);
                    }
                }
            }
        }
        figures.push(least.map(|seconds| seconds * 1e9 / ops as f64));
    }
    let (first, last) = (figures[0], figures[figures.len() - 1]);
    let ratio = Some(last[1] / last[0]).filter(|_| last.iter().all(|&ns| ns > 0.0));
    let shown = |ratio: Option<f64>| ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
    let growth = |i: usize| shown(Some(last[i] / first[i]).filter(|_| first[i] > 0.0));
    println!(
        "{:<12} {name:<46} {:>9.1} {:>9.1} {:>7} {:>7} {:>7}",
        group.level.name(),
        last[0],
        last[1],
        shown(ratio),
        growth(0),
        growth(1)
    );
    Ok(ratio)
}

/// The file of a module, which is made if it is not there yet, and how many operations are in it.
fn input(setting: &Setting<'_>, group: &Group, size: usize, functions: usize) -> Result<(String, usize)> {
    let module = levels::module(group.level, size, functions);
    let path = |kind: &str| {
        let path = setting.folder.join(format!("{}-{size}-{functions}{kind}.mlir", group.level.name()));
        path.to_str().map(str::to_owned).context("the folder has a name that is not Unicode")
    };
    let plain = path("")?;
    fs::write(&plain, module.text)?;
    if group.prepare.is_empty() {
        return Ok((plain, module.ops));
    }
    let prepared = path("-prepared")?;
    let status = Command::new(setting.peer).args(group.prepare).args([&plain, "-o", &prepared]).status()?;
    ensure!(status.success(), "{} {} failed", setting.peer.display(), group.prepare.join(" "));
    Ok((prepared, module.ops))
}

/// The seconds that `tool` says the pass `flag` took.
fn time(tool: &Path, file: &str, flag: &str) -> Result<f64> {
    let output = Command::new(tool)
        .args([
            file,
            flag,
            "--mlir-disable-threading",
            "--verify-each=0",
            "--mlir-timing",
            "--mlir-timing-display=tree",
        ])
        .args(["-o", "/dev/null"])
        .stdin(Stdio::null())
        .output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} {flag} {file} failed: {report}", tool.display());
    pass_seconds(&report).with_context(|| format!("{} {flag}: no times in {report}", tool.display()))
}

/// The sum of the outermost lines of a report that stand for passes.
fn pass_seconds(report: &str) -> Option<f64> {
    let (_, lines) = report.split_once("----Name----")?;
    let mut sum = None;
    for line in lines.lines() {
        // `    0.0012 ( 12.3%)  Name`, two spaces more for each level.
        let Some((time, name)) = line.split_once(')') else { continue };
        let is_outermost = name.starts_with("  ") && !name.starts_with("   ");
        if !is_outermost || matches!(name.trim(), "Parser" | "Output" | "Rest" | "Total" | "root") {
            continue;
        }
        *sum.get_or_insert(0.0) += time.split('(').next()?.trim().parse::<f64>().ok()?;
    }
    sum
}
