//! Where blocks lie in the memories of a core.

use super::Product;
use crate::machine::{Machine, MatrixUnit};

/// A block that lies in one of some slots of a memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Slots {
    /// Where each begins.
    pub(super) offsets: Vec<u64>,
    /// Bytes from row to row.
    pub(super) stride: u64,
}

/// Slots of both operands and of the sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) lhs: Slots,
    pub(super) rhs: Slots,
    pub(super) sums: Slots,
}

/// Two slots for each operand, and two or, where there is no room, one for sums; nothing if that does not fit, or if tiles in a block would not be aligned.
pub(super) fn place(machine: &Machine, unit: &MatrixUnit, product: Product, [bm, bn, bk]: [u64; 3]) -> Option<Layout> {
    let (sizes, limits) = (product.types, unit.limits().map(u64::from));
    let operand = |memory: usize, rows: u64, columns: u64, size: u64, tile: u64| {
        let memory = &machine.memories[memory];
        let is_aligned = columns <= tile || (tile * size).is_multiple_of(memory.alignment);
        let stride = (columns * size).checked_next_multiple_of(memory.alignment)?;
        is_aligned.then_some((stride, rows.checked_mul(stride)?))
    };
    let (lhs_stride, lhs) = operand(unit.lhs, bm, bk, sizes.lhs.size(), limits[2])?;
    let (rhs_stride, rhs) = operand(unit.rhs, bk, bn, sizes.rhs.size(), limits[1])?;
    let (sums_stride, sums) = operand(unit.accumulator, bm, bn, sizes.accumulator.size(), limits[1])?;
    if !is_aligned_outside(machine, product, [bm, bn, bk]) {
        return None;
    }
    for sum_slots in [2, 1] {
        // What one step uses comes first, then what the next one uses, so that each has banks of its own.
        let mut regions =
            vec![(unit.lhs, lhs), (unit.rhs, rhs), (unit.accumulator, sums), (unit.lhs, lhs), (unit.rhs, rhs)];
        regions.extend((sum_slots == 2).then_some((unit.accumulator, sums)));
        if let Some(offsets) = allocate(machine, &regions) {
            let at = |indices: &[usize]| indices.iter().filter_map(|&index| offsets.get(index).copied()).collect();
            return Some(Layout {
                lhs: Slots { offsets: at(&[0, 3]), stride: lhs_stride },
                rhs: Slots { offsets: at(&[1, 4]), stride: rhs_stride },
                sums: Slots { offsets: at(&[2, 5]), stride: sums_stride },
            });
        }
    }
    None
}

/// Whether blocks begin at addresses that DRAM allows.
fn is_aligned_outside(machine: &Machine, product: Product, [bm, bn, bk]: [u64; 3]) -> bool {
    let alignment = machine.memories[machine.dram()].alignment;
    let types = product.types;
    let fits = |rows: u64, columns: u64, [block_rows, block_columns]: [u64; 2], size: u64| {
        (rows <= block_rows || (block_rows * columns * size).is_multiple_of(alignment))
            && (columns <= block_columns || (block_columns * size).is_multiple_of(alignment))
    };
    fits(product.m, product.k, [bm, bk], types.lhs.size())
        && fits(product.k, product.n, [bk, bn], types.rhs.size())
        && fits(product.m, product.n, [bm, bn], types.accumulator.size())
}

/// An offset for each region, a memory and its bytes: in equal parts of the memory if they fit, else one behind the other.
fn allocate(machine: &Machine, regions: &[(usize, u64)]) -> Option<Vec<u64>> {
    let mut offsets = vec![0; regions.len()];
    for (index, memory) in machine.memories.iter().enumerate() {
        let mine: Vec<usize> = (0..regions.len()).filter(|&region| regions[region].0 == index).collect();
        let largest = mine.iter().map(|&region| regions[region].1).max().unwrap_or_default();
        let part = memory.size / mine.len().max(1) as u64 / memory.alignment * memory.alignment;
        let mut end = 0_u64;
        for (i, &region) in mine.iter().enumerate() {
            offsets[region] = if largest <= part { i as u64 * part } else { end };
            end = offsets[region].checked_add(regions[region].1)?.checked_next_multiple_of(memory.alignment)?;
        }
        if end > memory.size {
            return None;
        }
    }
    Some(offsets)
}
