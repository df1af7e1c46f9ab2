//! The loops of contractions, as matrix products and their kin.

use dl_ir::affine::{AffineMap, AffineStore};
use dl_linalg::IteratorType;

/// The loops of a contraction of two inputs, each kind in ascending order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ContractionDims {
    /// Parallel, of both inputs and the result.
    pub batch: Vec<u32>,
    /// Parallel, of the left input and the result.
    pub m: Vec<u32>,
    /// Parallel, of the right input and the result.
    pub n: Vec<u32>,
    /// Reduced, of both inputs.
    pub k: Vec<u32>,
}

/// The loops that are a dimension of the operand with this map, and occur in no other of its dimensions.
fn own_dims(affine: &AffineStore, map: AffineMap, iterators: &[IteratorType], kind: IteratorType) -> Vec<u32> {
    let results = &affine.map(map).results;
    let once = |dim: u32| results.iter().filter(|&&expr| affine.is_function_of_dim(expr, dim)).count() == 1;
    let mut dims: Vec<u32> = results
        .iter()
        .filter_map(|&expr| affine.dim_position(expr))
        .filter(|&dim| iterators.get(dim as usize) == Some(&kind) && once(dim))
        .collect();
    dims.sort_unstable();
    dims
}

/// Sorts the loops of a nest with these maps, of two inputs and a result, by what they do in a contraction. Loops that do nothing of this are in
/// no list. `None` where the maps permute loops or select some of them otherwise than by position.
pub fn infer_dims(affine: &AffineStore, maps: &[AffineMap; 3], iterators: &[IteratorType]) -> Option<ContractionDims> {
    if !maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return None;
    }
    let [a, b, c] = maps.map(|map| own_dims(affine, map, iterators, IteratorType::Parallel));
    let [ra, rb, _] = maps.map(|map| own_dims(affine, map, iterators, IteratorType::Reduction));
    let of = |dims: &[u32], with: &[u32], without: &[u32]| -> Vec<u32> {
        dims.iter().copied().filter(|dim| with.contains(dim) && !without.contains(dim)).collect()
    };
    Some(ContractionDims {
        batch: of(&of(&a, &b, &[]), &c, &[]),
        m: of(&a, &c, &b),
        n: of(&b, &c, &a),
        k: of(&ra, &rb, &[]),
    })
}
