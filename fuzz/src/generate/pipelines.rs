//! Pipelines for generated programs.

use dl_ir::pass::{OptionSpec, PassRegistry, RegisteredPass};
use fastrand::Rng;

/// Passes that are no matter of the oracle: they write files or talk, or call functions of a library, of which it knows nothing, or add up the
/// products of floats in another order, unrounded, as a contraction may be, or compute functions only nearly, or hide or merge the functions that it
/// runs, or give them other types, or do not ask whether they may do what they do.
const LEFT_OUT: [&str; 17] = [
    "snapshot-op-locations",
    "view-op-graph",
    "print-ir",
    "convert-linalg-to-std",
    "convert-math-to-libm",
    "convert-complex-to-libm",
    "convert-parallel-to-runtime",
    "vector-lower-contraction",
    "test-loop-permutation",
    "symbol-privatize",
    "duplicate-function-elimination",
    "arith-emulate-wide-int",
    "memref-emulate-wide-int",
    "memref-emulate-narrow-type",
    "linalg-lower-contractions",
    "math-approximate",
    "math-expand-ops",
];

/// The named pipelines that have some of these.
const APPROXIMATE_PIPELINES: [&str; 2] = ["cpu-pipeline", "cpu-lowering-pipeline"];

/// Options that say how wide an index is, so that programs may do something else.
const INDEX_WIDTH: &str = "index-bitwidth";

/// How the names of options begin by which a pass takes for granted what programs do not say.
const ASSUMED: &str = "assume-";

/// Options without which their pass does nothing, or not quite what is wanted, and values for them.
const NEEDED: [(&str, [&str; 4]); 8] = [
    ("virtual-vector-size", ["2", "4", "8", "2,4"]),
    ("tile-sizes", ["1", "2", "2,3", "0,2,1"]),
    ("block-factors", ["2,2,2", "1,2,3", "3,1,2", "4,4,4"]),
    ("parallel-loop-tile-sizes", ["1", "2", "3", "2,2"]),
    ("native-shape", ["1", "2", "4", "2,2"]),
    ("contract-shape", ["1,1,1", "2,2,2", "1,2,4", "2"]),
    ("signed-zeros", ["true"; 4]),
    ("generate-dma", ["false", "false", "true", "true"]),
];

/// Options that let sums of floats be added up in another order, which gives other results.
const REORDERING: [&str; 2] = ["vectorize-reductions", "reassociate-fp-reductions"];

/// The option by which a program calls functions of the runtime, of which the oracle knows nothing.
const TIME: &str = "time";

/// The inside of `builtin.module(...)`: some of `passes`, of which the names in `only` are taken alone if there are any.
pub fn pipeline(passes: &PassRegistry, only: &[String], rng: &mut Rng) -> String {
    let fitting: Vec<&RegisteredPass> = passes
        .passes()
        .iter()
        .copied()
        .filter(|pass| !LEFT_OUT.contains(&pass.info.name))
        .filter(|pass| only.is_empty() || only.iter().any(|name| name == pass.info.name))
        .collect();
    if only.is_empty() && rng.u8(..10) == 0 {
        let named: Vec<&str> = passes
            .pipelines()
            .iter()
            .map(|pipeline| pipeline.name)
            .filter(|name| !APPROXIMATE_PIPELINES.contains(name))
            .collect();
        if let Some(name) = rng.choice(&named) {
            return (*name).to_owned();
        }
    }
    let count = if only.is_empty() { rng.usize(1..5) } else { 1 };
    let chosen: Vec<String> = (0..count).filter_map(|_| Some(one(rng.choice(&fitting).copied()?, rng))).collect();
    chosen.join(",")
}

fn one(pass: &RegisteredPass, rng: &mut Rng) -> String {
    let mut options = Vec::new();
    let mut made = pass.make();
    let specs = made.options().map(|options| options.specs()).unwrap_or_default();
    let with_options = rng.u8(..3) == 0;
    for spec in &specs {
        if let Some((_, values)) = NEEDED.iter().find(|(name, _)| *name == spec.name) {
            options.extend(rng.choice(values).map(|value| format!("{}={value}", spec.name)));
        } else if with_options {
            options.extend(if rng.u8(..3) == 0 { value(spec, rng) } else { None });
        }
    }
    let options = if options.is_empty() { String::new() } else { format!("{{{}}}", options.join(" ")) };
    let text = format!("{}{options}", pass.info.name);
    match pass.info.anchor {
        Some("builtin.module") | None => text,
        Some(anchor) => format!("{anchor}({text})"),
    }
}

/// A value for an option.
fn value(spec: &OptionSpec, rng: &mut Rng) -> Option<String> {
    if spec.name == INDEX_WIDTH
        || spec.name == TIME
        || REORDERING.contains(&spec.name)
        || spec.name.starts_with(ASSUMED)
    {
        return None;
    }
    let value = match spec.value.trim_matches(['<', '>']) {
        _ if !spec.choices.is_empty() => rng.choice(spec.choices)?.0.to_owned(),
        "" | "bool" => rng.bool().to_string(),
        "int" | "long" | "uint" | "ulong" | "number" => (*rng.choice(&[0, 1, 2, 4, 8, 32])?).to_string(),
        _ => return None,
    };
    Some(format!("{}={value}", spec.name))
}
