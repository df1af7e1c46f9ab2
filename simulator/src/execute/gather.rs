//! Strided elements in memory to and from dense ones.

use super::Cx;
use crate::program::{Address, Shown, Tile};

/// The elements, dense and row-major.
///
/// # Errors
/// Which byte has not been written.
pub(super) fn gather(
    cx: &Cx<'_>,
    address: Address,
    shape: [u64; 3],
    strides: [u64; 3],
    size: u64,
) -> Result<Vec<u8>, String> {
    let mut dense = Vec::with_capacity((shape.iter().product::<u64>() * size) as usize);
    let rows = runs(shape, strides, size);
    for (offset, len) in rows {
        let start = address.offset + offset;
        match cx.memories.read(cx.core, address.base, start, len) {
            Ok(bytes) => dense.extend_from_slice(bytes),
            Err(offset) => {
                let byte = Shown(cx.program, Address { base: address.base, offset });
                return Err(format!("reads {byte}, which nothing has been written to"));
            }
        }
    }
    Ok(dense)
}

/// Puts dense elements where they belong.
pub(super) fn scatter(cx: &mut Cx<'_>, address: Address, shape: [u64; 3], strides: [u64; 3], size: u64, dense: &[u8]) {
    let mut rest = dense;
    for (offset, len) in runs(shape, strides, size) {
        let (now, later) = rest.split_at(len as usize);
        cx.memories.write(cx.core, address.base, address.offset + offset, now);
        rest = later;
    }
}

/// As [`gather`], of a matrix.
pub(super) fn gather_tile(cx: &Cx<'_>, tile: Tile, [rows, columns]: [u64; 2], size: u64) -> Result<Vec<u8>, String> {
    gather(cx, tile.address, [1, rows, columns], [0, tile.strides[0], tile.strides[1]], size)
}

/// As [`scatter`], of a matrix.
pub(super) fn scatter_tile(cx: &mut Cx<'_>, tile: Tile, [rows, columns]: [u64; 2], size: u64, dense: &[u8]) {
    scatter(cx, tile.address, [1, rows, columns], [0, tile.strides[0], tile.strides[1]], size, dense);
}

/// Offset and length of each contiguous run of elements, row-major.
fn runs(shape: [u64; 3], strides: [u64; 3], size: u64) -> impl Iterator<Item = (u64, u64)> {
    let [planes, rows, columns] = shape;
    let is_dense = strides[2] == size || columns == 1;
    let (count, step, len) = if is_dense { (1, 0, columns * size) } else { (columns, strides[2], size) };
    (0..planes).flat_map(move |plane| {
        (0..rows).flat_map(move |row| {
            (0..count).map(move |column| (plane * strides[0] + row * strides[1] + column * step, len))
        })
    })
}
