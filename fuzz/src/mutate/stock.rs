//! What mutations put in: texts, tokens, groups, types and attributes of the seeds.

use dl_ir::text::{attr_text, parse_source, type_text};
use dl_ir::{Arena, Context, OpRef, walk};
use fastrand::Rng;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::tokens::{Class, closing, tokens};
use crate::Lab;
use crate::corpus::{PIPELINE, Seed};

type Set<T> = IndexSet<T, FxBuildHasher>;

/// Types that tests seldom have.
const RARE_TYPES: [&str; 24] = [
    "i0",
    "i1",
    "i7",
    "i65",
    "i128",
    "si8",
    "ui16",
    "index",
    "none",
    "f8E5M2",
    "f8E4M3FN",
    "f4E2M1FN",
    "bf16",
    "tf32",
    "f80",
    "f128",
    "complex<f32>",
    "vector<i1>",
    "vector<[4]xf32>",
    "vector<2x[4]xi8>",
    "tensor<0x?xi4>",
    "tensor<9223372036854775807x2xf32>",
    "memref<?x4xf32, strided<[?, 1], offset: ?>, 3>",
    "memref<2x3xindex, affine_map<(i, j) -> (j, i)>>",
];

/// Attributes that tests seldom have.
const RARE_ATTRS: [&str; 14] = [
    "unit",
    "0 : i0",
    "-1 : i1",
    "9223372036854775807 : index",
    "-9223372036854775808 : i64",
    "170141183460469231731687303715884105727 : i128",
    "0x7FF0000000000001 : f64",
    "-0.0 : f32",
    "dense<> : tensor<0xi32>",
    "dense<true> : vector<4xi1>",
    "array<i64>",
    "array<i64: -1, 9223372036854775807>",
    "affine_map<(d0)[s0] -> (d0 floordiv 0, s0 * s0)>",
    "[[], {}, \"\\FF\"]",
];

/// Longest text of a type, attribute, group or line that is kept.
const MOST_TEXT: usize = 400;

/// Parts of seeds.
pub struct Stock {
    donors: Vec<Vec<u8>>,
    tokens: IndexMap<Class, Set<Vec<u8>>, FxBuildHasher>,
    groups: IndexMap<Vec<u8>, Set<Vec<u8>>, FxBuildHasher>,
    lines: Set<Vec<u8>>,
    types: Set<String>,
    attrs: Set<String>,
    /// The values of attributes, by `operation attribute`.
    attrs_by_name: IndexMap<String, Set<String>, FxBuildHasher>,
    ops: Vec<String>,
}

impl Stock {
    /// The parts of `seeds`. Types and attributes are those of the seeds that parse.
    pub fn new(lab: &mut Lab, seeds: &[Seed]) -> Self {
        let mut stock = Self {
            donors: Vec::new(),
            tokens: IndexMap::default(),
            groups: IndexMap::default(),
            lines: Set::default(),
            types: RARE_TYPES.map(str::to_owned).into_iter().collect(),
            attrs: RARE_ATTRS.map(str::to_owned).into_iter().collect(),
            attrs_by_name: IndexMap::default(),
            ops: Vec::new(),
        };
        let (bench, _) = lab.bench(b"");
        stock.ops.extend(bench.cx.ops().map(|op| op.name.to_string()));
        let words: Vec<Vec<u8>> = stock.ops.iter().map(|op| op.clone().into_bytes()).collect();
        stock.tokens.entry(Class::Word).or_default().extend(words);
        for seed in seeds {
            let text = match seed.bytes.strip_prefix(PIPELINE.as_bytes()) {
                Some(rest) => rest.splitn(2, |&b| b == b'\n').nth(1).unwrap_or_default(),
                None => &seed.bytes,
            };
            stock.add_text(text);
            let (bench, _) = lab.bench(text);
            let source = bench.cx.add_source(&seed.name, text);
            if let Ok(parsed) = parse_source(&bench.cx, &source) {
                stock.add_ir(&bench.cx, &parsed.module);
            }
        }
        stock
    }

    fn add_text(&mut self, text: &[u8]) {
        self.donors.push(text.to_vec());
        self.lines.extend(text.split_inclusive(|&b| b == b'\n').filter(|l| l.len() < MOST_TEXT).map(<[u8]>::to_vec));
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            self.tokens.entry(token.class).or_default().insert(token.text.to_vec());
            if token.class == Class::Open
                && let Some(close) = closing(&tokens, at)
            {
                let group: Vec<u8> = tokens[at..=close].iter().flat_map(|token| token.text.iter().copied()).collect();
                if group.len() < MOST_TEXT {
                    self.groups.entry(token.text.to_vec()).or_default().insert(group);
                }
            }
        }
    }

    fn add_ir(&mut self, cx: &Context, module: &Arena) {
        for op in walk::pre_order(OpRef::root(cx, module)) {
            let args =
                op.regions().flat_map(|region| region.blocks().collect::<Vec<_>>()).flat_map(|block| block.args());
            for value in op.results().iter().chain(args.collect::<Vec<_>>()) {
                let text = type_text(cx, value.ty().id());
                if text.len() < MOST_TEXT {
                    self.types.insert(text);
                }
            }
            for (name, attr) in op.attrs() {
                let text = attr_text(cx, attr.id());
                if text.len() < MOST_TEXT {
                    self.attrs.insert(text.clone());
                    let key = format!("{} {}", op.name(), cx.str(name));
                    self.attrs_by_name.entry(key).or_default().insert(text);
                }
            }
        }
    }

    /// The text of some seed.
    pub(super) fn donor(&self, rng: &mut Rng) -> &[u8] {
        rng.choice(&self.donors).map_or(b"", Vec::as_slice)
    }

    /// Some token of this class.
    pub(super) fn token(&self, class: Class, rng: &mut Rng) -> Option<&[u8]> {
        some(self.tokens.get(&class)?, rng).map(Vec::as_slice)
    }

    /// Some group that begins with this bracket, brackets included.
    pub(super) fn group(&self, open: &[u8], rng: &mut Rng) -> Option<&[u8]> {
        some(self.groups.get(open)?, rng).map(Vec::as_slice)
    }

    /// Some line.
    pub(super) fn line(&self, rng: &mut Rng) -> &[u8] {
        some(&self.lines, rng).map_or(b"", Vec::as_slice)
    }

    /// The name of some registered operation.
    pub(super) fn op(&self, rng: &mut Rng) -> Option<&str> {
        rng.choice(&self.ops).map(String::as_str)
    }

    /// Types, from some place on.
    pub(super) fn types(&self, rng: &mut Rng) -> impl Iterator<Item = &str> {
        rotated(&self.types, rng)
    }

    /// Attributes, from some place on: those that the operation `op` had under the name `name`.
    pub(super) fn attrs_of(&self, op: &str, name: &str, rng: &mut Rng) -> impl Iterator<Item = &str> {
        self.attrs_by_name.get(&format!("{op} {name}")).into_iter().flat_map(|set| rotated(set, rng))
    }

    /// Attributes, from some place on.
    pub(super) fn attrs(&self, rng: &mut Rng) -> impl Iterator<Item = &str> {
        rotated(&self.attrs, rng)
    }
}

fn some<'a, T>(set: &'a Set<T>, rng: &mut Rng) -> Option<&'a T> {
    if set.is_empty() { None } else { set.get_index(rng.usize(..set.len())) }
}

fn rotated<'a>(set: &'a Set<String>, rng: &mut Rng) -> impl Iterator<Item = &'a str> + use<'a> {
    let start = if set.is_empty() { 0 } else { rng.usize(..set.len()) };
    set.iter().cycle().skip(start).take(set.len()).map(String::as_str)
}
