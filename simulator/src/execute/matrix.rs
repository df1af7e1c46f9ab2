//! Products of tiles.

use super::gather::{gather_tile, scatter_tile};
use super::{Cx, Unit};
use crate::ElementType;
use crate::program::{Matmul, Tile};

pub(super) fn run(cx: &mut Cx<'_>, matmul: &Matmul, unit: &mut Unit) -> Result<(), String> {
    let [m, n, k] = [matmul.m, matmul.n, matmul.k].map(u64::from);
    let types = matmul.types;
    let dense = |address, stride, element: ElementType| Tile { address, strides: [stride, element.size()] };
    let lhs = gather_tile(cx, dense(matmul.lhs, matmul.lhs_stride, types.lhs), [m, k], types.lhs.size())?;
    if !matmul.resident {
        unit.held = gather_tile(cx, dense(matmul.rhs, matmul.rhs_stride, types.rhs), [k, n], types.rhs.size())?;
    }
    let sums = dense(matmul.sums, matmul.sums_stride, types.accumulator);
    let size = types.accumulator.size();
    let mut bytes =
        if matmul.accumulate { gather_tile(cx, sums, [m, n], size)? } else { vec![0; (m * n * size) as usize] };
    let [n, k] = [n as usize, k as usize];
    if types.accumulator.is_float() {
        let (lhs, rhs) = (floats(&lhs, types.lhs), floats(&unit.held, types.rhs));
        let mut values = floats(&bytes, types.accumulator);
        product(&mut values, &lhs, &rhs, n, k, |sum, a, b| sum + a * b);
        write(&mut bytes, values.iter().map(|value| value.to_le_bytes()));
    } else {
        let (lhs, rhs) = (narrow(&lhs, types.lhs), narrow(&unit.held, types.rhs));
        let mut values: Vec<i32> = bytes.chunks_exact(4).map(|bytes| types.accumulator.read_integer(bytes)).collect();
        product(&mut values, &lhs, &rhs, n, k, |sum: i32, a: i16, b: i16| {
            sum.wrapping_add(i32::from(a) * i32::from(b))
        });
        write(&mut bytes, values.iter().map(|value| value.to_le_bytes()));
    }
    scatter_tile(cx, sums, [m, n as u64], size, &bytes);
    Ok(())
}

/// Adds terms to each sum in ascending order of `k`. The inner loop is over columns, which do not depend on each other, so it becomes vector code.
fn product<S: Copy, T: Copy>(sums: &mut [S], lhs: &[T], rhs: &[T], n: usize, k: usize, add: impl Fn(S, T, T) -> S) {
    for (sums, lhs) in sums.chunks_exact_mut(n).zip(lhs.chunks_exact(k)) {
        for (&a, rhs) in lhs.iter().zip(rhs.chunks_exact(n)) {
            for (sum, &b) in sums.iter_mut().zip(rhs) {
                *sum = add(*sum, a, b);
            }
        }
    }
}

fn floats(bytes: &[u8], element: ElementType) -> Vec<f32> {
    bytes.chunks_exact(element.size() as usize).map(|bytes| element.read_f32(bytes)).collect()
}

/// 8-bit integers, signed or not: products of two such numbers are exact in 32 bits.
fn narrow(bytes: &[u8], element: ElementType) -> Vec<i16> {
    match element {
        ElementType::I8 => bytes.iter().map(|byte| i16::from(byte.cast_signed())).collect(),
        _ => bytes.iter().map(|byte| i16::from(*byte)).collect(),
    }
}

fn write(bytes: &mut [u8], values: impl Iterator<Item = [u8; 4]>) {
    bytes.chunks_exact_mut(4).zip(values).for_each(|(bytes, value)| bytes.copy_from_slice(&value));
}
