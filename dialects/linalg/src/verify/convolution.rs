//! The maps of convolutions and pooling.

use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp, AffineStore};
use dl_ir::{Diagnostic, OpRef};

/// An attribute by which upstream remembers the maps of an operation; where it is given, they must be those of a convolution too.
pub(crate) const REMEMBERED_MAPS: &str = "linalg.memoized_indexing_maps";

/// Checks the maps of a convolution or pooling: windows move over the input, and each dimension of filter and output is a loop.
pub(super) fn convolution(op: OpRef<'_>, maps: &[AffineMap]) -> Result<(), Diagnostic> {
    let given =
        op.attr(REMEMBERED_MAPS).map(|attr| attr.elements().filter_map(|map| map.as_affine_map()).collect::<Vec<_>>());
    let maps = given.as_deref().unwrap_or(maps);
    let (Some(&input), Some(&filter), Some(&output)) = (maps.first(), maps.get(1), maps.last()) else { return Ok(()) };
    let affine = op.cx().affine();
    let fault = |message: &str| Err(Diagnostic::error(op.loc(), message.to_owned()));
    if !is_windowed(affine, input) {
        return fault("unexpected input index map for convolutions");
    }
    if ![filter, output].iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return fault("expected output/filter indexing maps to be projected permutations");
    }
    Ok(())
}

/// Whether each result is a loop, or the sum of two loops times a factor each, and no loop occurs twice.
fn is_windowed(affine: &AffineStore, map: AffineMap) -> bool {
    let loop_of = |expr: AffineExpr| match affine.expr(expr) {
        AffineExprData::Dim(dim) => Some(dim),
        AffineExprData::Binary { op: AffineOp::Mul, lhs, rhs } if affine.is_symbolic_or_constant(rhs) => {
            affine.dim_position(lhs)
        }
        _ => None,
    };
    let mut seen = Vec::new();
    for &result in &affine.map(map).results {
        let loops = match affine.expr(result) {
            AffineExprData::Dim(dim) => vec![Some(dim)],
            AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } => vec![loop_of(lhs), loop_of(rhs)],
            _ => return false,
        };
        for each in loops {
            match each {
                Some(dim) if !seen.contains(&dim) => seen.push(dim),
                _ => return false,
            }
        }
    }
    true
}
