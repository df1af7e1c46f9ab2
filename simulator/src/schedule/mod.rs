//! Products of matrices of any size on a machine: how they are cut into blocks, and the program that results.
//!
//! A product is computed block by block of its result. For each block of `m` × `n`, blocks of both operands pass through the scratchpads, `k` columns or rows at a
//! time, each in one of two slots, so that the next ones are loaded while the array works on those before. What a slot still holds is not loaded
//! again. Sums stay in the accumulators until they are complete, and are stored while the next block begins.
//!
//! [`schedules`] finds all sizes of blocks that fit and orders them by predicted cycles ([`cost`]); [`Schedule::program`] makes the program. Blocks of the result are
//! shared out among the cores of the machine.

mod cost;
mod emit;
mod layout;

use std::fmt;

pub use cost::{Finish, Prediction, predict};

use self::layout::Layout;
use crate::machine::{Machine, MatrixTypes, MatrixUnit};
use crate::program::Program;

/// `c = a · b`, with `a` of `m` × `k` and `b` of `k` × `n`, all in DRAM and row-major. Sums are handed out as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// Rows of the result.
    pub m: u64,
    /// Columns of the result.
    pub n: u64,
    /// Terms of each sum.
    pub k: u64,
    /// Element types.
    pub types: MatrixTypes,
}

impl Product {
    fn extents(&self) -> [u64; 3] {
        [self.m, self.n, self.k]
    }
}

/// A way to compute a product on a machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// What is computed.
    pub product: Product,
    /// `m`, `n` and `k` of a block.
    pub block: [u64; 3],
    /// How long it should take.
    pub prediction: Prediction,
    layout: Layout,
}

/// All ways to compute a product that fit the machine, that with the fewest predicted cycles first.
///
/// Blocks are tiles of the unit times powers of two, and whole extents. O(log³ of the extents).
///
/// # Errors
/// Why the machine cannot compute it.
pub fn schedules(machine: &Machine, product: Product) -> Result<Vec<Schedule>, String> {
    let unit = unit(machine, product)?;
    let [m, n, k] = product.extents();
    let [rows, columns, terms] = block_extents(unit, product);
    let mut found = Vec::new();
    for &bm in &rows {
        for &bn in &columns {
            for &bk in &terms {
                let block = [bm, bn, bk];
                if let Some(layout) = layout::place(machine, unit, product, block) {
                    let slots = layout.sums.offsets.len();
                    let finish = Finish { slots, stored: product.types.accumulator, steps: 0, vector: 0, blocking: 0 };
                    let prediction = predict(machine, unit, product, block, finish);
                    found.push(Schedule { product, block, prediction, layout });
                }
            }
        }
    }
    // Of equal ones, the one with smaller blocks, which leaves more memory to others.
    found.sort_by_key(|schedule| (schedule.prediction.cycles, schedule.block));
    if found.is_empty() {
        return Err(format!("unsupported: no block of a product {m}x{n}x{k} fits the memories of '{}'", machine.name));
    }
    Ok(found)
}

/// The unit that computes a product.
///
/// # Errors
/// Why the machine cannot compute it.
pub fn unit(machine: &Machine, product: Product) -> Result<&MatrixUnit, String> {
    let Some(unit) = &machine.matrix else { return Err(format!("machine '{}' has no matrix unit", machine.name)) };
    if !unit.types.contains(&product.types) {
        return Err(format!("machine '{}' has no products {}", machine.name, product.types));
    }
    if machine.dma.dimensions < 2 {
        return Err(format!("unsupported: machine '{}' has no transfers of two dimensions", machine.name));
    }
    let [m, n, k] = product.extents();
    let fits = |extent: u64| (1..=MOST_EXTENT).contains(&extent);
    if !(fits(m) && fits(n) && fits(k)) {
        return Err(format!("expected extents from 1 to {MOST_EXTENT}, but got {m}x{n}x{k}"));
    }
    let types = product.types;
    let bytes =
        [(m * k, types.lhs), (k * n, types.rhs), (m * n, types.accumulator)].map(|(count, of)| count * of.size());
    let memory = &machine.memories[machine.dram()];
    if bytes.iter().map(|size| size.next_multiple_of(memory.alignment)).sum::<u64>() > memory.size {
        return Err(format!(
            "the matrices of a product {m}x{n}x{k} do not fit '{}', which has {} bytes",
            memory.name, memory.size
        ));
    }
    Ok(unit)
}

/// Greatest extent of a product: larger ones would give programs that no one can hold.
const MOST_EXTENT: u64 = 1 << 20;

/// The extents of blocks that are worth looking at: tiles of the unit times powers of two, and the whole.
pub fn block_extents(unit: &MatrixUnit, product: Product) -> [Vec<u64>; 3] {
    let tiles = tile_extents(unit);
    [0, 1, 2].map(|i| extents(tiles[i], product.extents()[i]))
}

/// What extents of blocks are multiples of. For a dimension that streams, there is no need for any; few sizes are enough to choose from.
fn tile_extents(unit: &MatrixUnit) -> [u64; 3] {
    let (rows, columns) = (u64::from(unit.rows), u64::from(unit.columns));
    // Weight-stationary: m streams, and k lies along the rows. Output-stationary: k streams, and m lies along the rows.
    [rows, columns, rows]
}

/// `tile`, twice that, and so on, and last the whole extent.
fn extents(tile: u64, whole: u64) -> Vec<u64> {
    let doubled = std::iter::successors(Some(tile), |extent| extent.checked_mul(2));
    doubled.take_while(|extent| *extent < whole).chain([whole]).collect()
}

impl Schedule {
    /// The program: inputs `a` and `b`, output `c`.
    ///
    /// # Errors
    /// That it would be too long.
    pub fn program(&self, machine: &Machine) -> Result<Program, String> {
        emit::program(machine, unit(machine, self.product)?, self)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([m, n, k], Prediction { cycles, compute, dma, dram, .. }) = (self.block, self.prediction);
        let block = format!("{m}x{n}x{k}");
        write!(f, "{block:>16} {cycles:>12} {compute:>12} {dma:>12} {dram:>12}")
    }
}

/// The first `count` of some schedules as a table.
pub fn explain(schedules: &[Schedule], count: usize) -> String {
    let header = ["block", "predicted", "compute", "dma", "dram"];
    let mut text = format!(
        "{} blocks fit\n{:>16} {:>12} {:>12} {:>12} {:>12}\n",
        schedules.len(),
        header[0],
        header[1],
        header[2],
        header[3],
        header[4]
    );
    schedules.iter().take(count).for_each(|schedule| text += &format!("{schedule}\n"));
    text
}
