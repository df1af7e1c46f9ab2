//! Which products of matrices a contraction is.

use dl_arith::Build;
use dl_ir::ValueId;
use dl_vector::types::{extents, is_scalable};

use super::contract::Contraction;
use crate::build::VectorBuild;

/// An operand, perhaps to be transposed.
pub(super) struct Arranged {
    value: ValueId,
    permutation: Option<&'static [i64]>,
}

impl Arranged {
    fn new(value: ValueId, transposed: bool) -> Self {
        Self { value, permutation: transposed.then_some(&[1, 0]) }
    }

    pub(super) fn make(&self, b: &mut Build<'_, '_>) -> ValueId {
        self.permutation.map_or(self.value, |permutation| b.transpose(self.value, permutation))
    }
}

/// For a product of matrices, or of a matrix and a vector: the left one by rows and the right one by columns, each along the reduced dimension.
pub(super) fn dot_operands(it: &Contraction<'_>) -> Option<[Arranged; 2]> {
    let [lhs, rhs, _] = it.operands;
    let maps = [&it.maps[0][..], &it.maps[1][..], &it.maps[2][..]];
    if it.is_reduced.starts_with(&[false, false, true]) {
        const M: u32 = 0;
        const N: u32 = 1;
        const K: u32 = 2;
        // Whether an operand is along `k` first.
        let along = |map: &[u32], free: u32| match *map {
            [a, K] if a == free => Some(false),
            [K, a] if a == free => Some(true),
            _ => None,
        };
        let (left, right) = (along(maps[0], M)?, along(maps[1], N)?);
        return match maps[2] {
            [M, N] => Some([Arranged::new(lhs, left), Arranged::new(rhs, right)]),
            [N, M] => Some([Arranged::new(rhs, right), Arranged::new(lhs, left)]),
            _ => None,
        };
    }
    if it.is_reduced.starts_with(&[false, true]) {
        return match maps {
            [[0, 1], [1], [0]] => Some([Arranged::new(lhs, false), Arranged::new(rhs, false)]),
            [[1, 0], [1], [0]] => Some([Arranged::new(lhs, true), Arranged::new(rhs, false)]),
            [[1], [0, 1], [0]] => Some([Arranged::new(rhs, false), Arranged::new(lhs, false)]),
            [[1], [1, 0], [0]] => Some([Arranged::new(rhs, true), Arranged::new(lhs, false)]),
            _ => None,
        };
    }
    None
}

/// A sum of outer products: of column k of one matrix with row k of another.
pub(super) struct OuterProducts {
    pub(super) columns: Arranged,
    pub(super) rows: Arranged,
    pub(super) mask: Option<Arranged>,
    pub(super) count: i64,
}

/// The outer products that a contraction is the sum of. `None` where it is no product of matrices, or one along a scalable dimension.
pub(super) fn outer_products(it: &Contraction<'_>) -> Option<OuterProducts> {
    let [lhs, rhs, _] = it.operands;
    let maps = [&it.maps[0][..], &it.maps[1][..], &it.maps[2][..]];
    let mask = |permutation: Option<&'static [i64]>| it.root.mask.map(|value| Arranged { value, permutation });
    // How many there are, where the left operand has `k` at dimension `at`.
    let count = |at: usize| (!is_scalable(it.types[0], at)).then(|| extents(it.types[0])[at]);
    match it.is_reduced[..] {
        [false, false, true] => {
            const M: u32 = 0;
            const N: u32 = 1;
            const K: u32 = 2;
            let first = |map: &[u32], free: u32| match *map {
                [K, a] if a == free => Some(true),
                [a, K] if a == free => Some(false),
                _ => None,
            };
            let (left, right) = (first(maps[0], M)?, first(maps[1], N)?);
            let count = count(usize::from(!left))?;
            let (by_columns, by_rows) = (Arranged::new(lhs, !left), Arranged::new(rhs, !right));
            let (columns, rows, permutation): (_, _, &'static [i64]) = match maps[2] {
                [M, N] => (by_columns, by_rows, &[2, 0, 1]),
                // The mask has the order of the iteration, the result that of its map.
                [N, M] => (by_rows, by_columns, &[2, 1, 0]),
                _ => return None,
            };
            Some(OuterProducts { columns, rows, mask: mask(Some(permutation)), count })
        }
        [false, true] | [true, false] => {
            let (k, m) = if it.is_reduced[0] { (0, 1) } else { (1, 0) };
            let (matrix, vector, at, first) = match maps {
                [&[a, b], &[c], &[d]] if c == k && d == m && [a, b] == [m, k] => (lhs, rhs, 1, false),
                [&[a, b], &[c], &[d]] if c == k && d == m && [a, b] == [k, m] => (lhs, rhs, 0, true),
                [&[c], &[a, b], &[d]] if c == k && d == m && [a, b] == [m, k] => (rhs, lhs, 0, false),
                [&[c], &[a, b], &[d]] if c == k && d == m && [a, b] == [k, m] => (rhs, lhs, 0, true),
                _ => return None,
            };
            let permutation: Option<&'static [i64]> = (k == 1).then_some(&[1, 0]);
            Some(OuterProducts {
                columns: Arranged::new(matrix, !first),
                rows: Arranged::new(vector, false),
                mask: mask(permutation),
                count: count(at)?,
            })
        }
        _ => None,
    }
}
