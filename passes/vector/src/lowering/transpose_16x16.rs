//! The transpose of a 16 by 16 matrix of 32-bit elements in 64 shuffles of two vectors, each of which is one instruction of AVX-512.
//!
//! Pairs of rows are merged element by element, then by pairs of elements; what remains is to move whole groups of four lanes, twice.

use dl_arith::Build;
use dl_ir::ValueId;

use crate::build::VectorBuild;

/// Lanes of a row.
const LANES: i64 = 16;
/// Lanes of 128 bits.
const GROUP: i64 = 4;

/// The same choice of lanes, `LANES` and more for those of the second vector, in each group.
fn in_groups(choice: [i64; 4]) -> Vec<i64> {
    (0..LANES).step_by(GROUP as usize).flat_map(|group| choice.map(|lane| lane + group)).collect()
}

/// The even or the odd groups of two vectors.
fn groups(odd: i64) -> Vec<i64> {
    let of =
        |base: i64| [odd, odd + 2].into_iter().flat_map(move |group| (0..GROUP).map(move |i| base + group * GROUP + i));
    of(0).chain(of(LANES)).collect()
}

/// The transpose of `square`.
pub(super) fn transpose_16x16(b: &mut Build<'_, '_>, square: ValueId) -> ValueId {
    let mut rows: Vec<ValueId> = (0..LANES).map(|row| b.part(square, &[row])).collect();
    let (low, high) = (in_groups([0, LANES, 1, LANES + 1]), in_groups([2, LANES + 2, 3, LANES + 3]));
    rows = rows.chunks(2).flat_map(|pair| [&low, &high].map(|mask| b.shuffle(pair[0], pair[1], mask))).collect();
    let (low, high) = (in_groups([0, 1, LANES, LANES + 1]), in_groups([2, 3, LANES + 2, LANES + 3]));
    rows = rows
        .chunks(4)
        .flat_map(|four| {
            [(0, &low), (0, &high), (1, &low), (1, &high)].map(|(i, mask)| b.shuffle(four[i], four[i + 2], mask))
        })
        .collect();
    let masks = [groups(0), groups(1)];
    for half in [4, 8] {
        let mut next = Vec::with_capacity(rows.len());
        for block in rows.chunks(2 * half) {
            for mask in &masks {
                next.extend((0..half).map(|i| b.shuffle(block[i], block[half + i], mask)));
            }
        }
        rows = next;
    }
    let ty = b.ir().value_type(square);
    let poison = b.poison_of(ty);
    rows.into_iter().zip(0..).fold(poison, |whole, (row, at)| b.with_part(row, whole, &[at]))
}
