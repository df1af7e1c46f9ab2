//! Indexing maps from the words of the table.

use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp, AffineStore};
use dl_ir::{Context, OpRef};

use super::{NamedOp, Nest};
use crate::IteratorType;
use crate::structured::{LinalgStructured, elementwise_maps, maps_of_attr, rank};

/// The loop nest of a named operation.
pub struct NamedNest(pub &'static NamedOp);

impl LinalgStructured for NamedNest {
    fn indexing_maps(&self, op: OpRef<'_>) -> Vec<AffineMap> {
        match self.0.nest {
            Nest::Elementwise => elementwise_maps(op.cx(), init_rank(op), op.operands().iter().map(|v| rank(v.ty()))),
            Nest::Attr(_) => maps_of_attr(op),
            Nest::Fixed(letters, maps) => {
                let window = Windows { strides: window_sizes(op, "strides"), dilations: window_sizes(op, "dilations") };
                let map = |&words: &&str| parse_map(op.cx().affine(), letters.len() as u32, words, &window);
                maps.iter().map(map).collect()
            }
        }
    }

    fn iterator_types(&self, op: OpRef<'_>) -> Vec<IteratorType> {
        self.0.nest.iterators(init_rank(op))
    }
}

/// The rank of the first init.
fn init_rank(op: OpRef<'_>) -> usize {
    op.operand_group(1).get(0).map_or(0, |init| rank(init.ty()))
}

/// How a window moves over the input and how far apart its elements are.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Windows {
    /// For each dimension that it moves along, by how much.
    pub strides: Vec<i64>,
    /// For each of them, how far apart its elements are.
    pub dilations: Vec<i64>,
}

/// The numbers of a `dense<...> : tensor<nxi64>` attribute; 1 stands for all where there is none.
fn window_sizes(op: OpRef<'_>, name: &str) -> Vec<i64> {
    let attr = op.attr_or_default(name);
    attr.and_then(|attr| attr.dense_values()).into_iter().flatten().filter_map(|v| v.as_int()).collect()
}

/// The map of words as [`Nest::Fixed`] writes them.
fn parse_map(affine: &AffineStore, loops: u32, words: &str, window: &Windows) -> AffineMap {
    let mut moves = 0;
    let results: Vec<AffineExpr> = words
        .split_ascii_whitespace()
        .map(|word| {
            let expr = word.split('+').map(|term| parse_term(affine, term, window, moves));
            let expr = expr.reduce(|sum, term| affine.add(sum, term));
            moves += usize::from(word.contains('s'));
            expr.expect("a word has a term")
        })
        .collect();
    affine.intern_map(loops, 0, results)
}

/// `3`, `1s` or `4t`.
fn parse_term(affine: &AffineStore, term: &str, window: &Windows, at: usize) -> AffineExpr {
    let number = |digits: &str| affine.dim(digits.parse().expect("a dimension number"));
    let factor = |sizes: &[i64]| sizes.get(at).copied().unwrap_or(1);
    if let Some(digits) = term.strip_suffix('s') {
        affine.mul_constant(number(digits), factor(&window.strides))
    } else if let Some(digits) = term.strip_suffix('t') {
        affine.mul_constant(number(digits), factor(&window.dilations))
    } else {
        number(term)
    }
}

/// The strides and dilations for which the maps that `words` describe are `maps`.
pub(super) fn match_windows(affine: &AffineStore, loops: u32, words: &[&str], maps: &[AffineMap]) -> Option<Windows> {
    let mut windows = Windows::default();
    for (words, &map) in words.iter().zip(maps) {
        for (word, &result) in words.split_ascii_whitespace().zip(&affine.map(map).results) {
            if word.contains('s') {
                let (stride, dilation) = factors(affine, result)?;
                windows.strides.push(stride);
                windows.dilations.push(dilation);
            }
        }
    }
    let same = |(words, &map): (&&str, &AffineMap)| parse_map(affine, loops, words, &windows) == map;
    (words.len() == maps.len() && words.iter().zip(maps).all(same)).then_some(windows)
}

/// `a` and `b` of `dx * a + dy * b`, if both are positive.
fn factors(affine: &AffineStore, expr: AffineExpr) -> Option<(i64, i64)> {
    let AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } = affine.expr(expr) else { return None };
    let factor = |expr| match affine.expr(expr) {
        AffineExprData::Dim(_) => Some(1),
        AffineExprData::Binary { op: AffineOp::Mul, rhs, .. } => affine.constant_value(rhs).filter(|&n| n > 0),
        _ => None,
    };
    Some((factor(lhs)?, factor(rhs)?))
}

/// The maps that `matmul` and its kin have where none are given.
pub fn default_maps(cx: &Context, name: &str) -> Option<Vec<AffineMap>> {
    let (loops, words): (u32, [&str; 3]) = match name {
        "linalg.matmul" => (3, ["0 2", "2 1", "0 1"]),
        "linalg.batch_matmul" => (4, ["0 1 3", "0 3 2", "0 1 2"]),
        "linalg.batch_reduce_matmul" => (4, ["0 1 3", "0 3 2", "1 2"]),
        _ => return None,
    };
    let window = Windows { strides: Vec::new(), dilations: Vec::new() };
    Some(words.iter().map(|words| parse_map(cx.affine(), loops, words, &window)).collect())
}
