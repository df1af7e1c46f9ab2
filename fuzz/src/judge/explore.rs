//! Which rewrites there are, and functions to judge them on.

use std::collections::BTreeSet;

use dl_ir::{Context, Trait, clone_arena};
use fastrand::Rng;
use rustc_hash::FxHashMap;

use super::rewrites::Rewrite;
use super::{Judge, Report};
use crate::Lab;
use crate::corpus::Seed;
use crate::mutate::{Stock, small};

/// The dialects whose operations have full semantics.
pub const DIALECTS: [&str; 16] = [
    "builtin",
    "func",
    "arith",
    "math",
    "index",
    "ub",
    "complex",
    "cf",
    "scf",
    "affine",
    "tensor",
    "linalg",
    "memref",
    "bufferization",
    "vector",
    "llvm",
];

/// All folds and canonicalization patterns of those dialects. A pattern for operations of any name stands under `*`.
pub fn registered(cx: &Context) -> BTreeSet<Rewrite> {
    let mut all = BTreeSet::new();
    for op in cx.ops().filter(|op| DIALECTS.contains(&op.dialect())) {
        let by_trait = [Trait::Commutative, Trait::Idempotent, Trait::Involution].iter().any(|of| op.has_trait(of));
        if (op.hooks.fold.is_some() || by_trait) && !op.has_trait(&Trait::ConstantLike) {
            all.insert(Rewrite::Fold(op.name.to_string()));
        }
    }
    for pattern in &dl_passes::transforms::canonicalization_patterns(cx) {
        let root = pattern.root.unwrap_or("*");
        let dialect = root.split('.').next().unwrap_or_default();
        if root == "*" || DIALECTS.contains(&dialect) {
            all.insert(Rewrite::Pattern(pattern.name.to_owned(), root.to_owned()));
        }
    }
    all
}

/// Judges rewrites on functions of the tests, and on generated ones.
pub struct Explorer {
    lab: Lab,
    stock: Stock,
    /// Operations that can be rewritten, by dialect.
    names: FxHashMap<String, Vec<String>>,
}

impl Explorer {
    /// One that generates functions of the types and attributes in `seeds`.
    pub fn new(seeds: &[Seed]) -> Self {
        let mut lab = Lab::new();
        let stock = Stock::new(&mut lab, seeds);
        let mut names: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let (bench, _) = lab.bench(b"");
        for rewrite in registered(&bench.cx) {
            let op = rewrite.operation();
            let dialect = op.split('.').next().unwrap_or_default().to_owned();
            names.entry(dialect).or_default().push(op.to_owned());
        }
        Self { lab, stock, names }
    }

    /// The rewrites to judge.
    pub fn registered(&mut self) -> BTreeSet<Rewrite> {
        registered(&self.lab.bench(b"").0.cx)
    }

    /// Judges what applies in the functions of a test, each on so many inputs. `None` where it does not parse or verify.
    pub fn seed(&mut self, seed: &Seed, inputs: u64) -> Option<Report> {
        let (bench, _) = self.lab.bench(&seed.bytes);
        let source = bench.cx.add_source(&seed.name, &seed.bytes);
        let mut module = dl_ir::bytecode::load_source(&bench.cx, &source).ok()?.module;
        dl_ir::verify::verify(&bench.cx, &module).ok()?;
        let mut copy = clone_arena(&bench.cx, &module);
        let mut judge = Judge::new(&bench.cx, inputs);
        judge.check(&mut module);
        judge.check_backwards(&mut copy);
        Some(judge.report)
    }

    /// Judges what applies in a function around an operation called `name`, which is generated from `number`. `None` where none comes of it.
    pub fn small(&mut self, name: &str, number: u64, inputs: u64) -> Option<Report> {
        let mut rng = Rng::with_seed(number ^ dl_ir::opdef::name_hash(name));
        let (bench, _) = self.lab.bench(b"");
        let dialect = name.split('.').next().unwrap_or_default();
        let own = self.names.get(dialect).map(Vec::as_slice).unwrap_or_default();
        let other = *rng.choice(&DIALECTS)?;
        let others = self.names.get(other).map(Vec::as_slice).unwrap_or_default();
        let names: Vec<&str> = if rng.u8(..4) == 0 { others } else { own }.iter().map(String::as_str).collect();
        let mut module = small::function(bench, name, &names, &self.stock, &mut rng)?;
        let mut judge = Judge::new(&bench.cx, inputs);
        judge.check(&mut module);
        Some(judge.report)
    }
}
