//! Sums of an input of a contraction over the loops that are summed over: what a zero point of the other input takes off.

use dl_arith::{AddIOp, Build, ExtSIOp, ExtUIOp};
use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::attributes::DenseData;
use dl_ir::types::row_major_strides;
use dl_ir::{AttrData, Loc, Rewriter, ValueId};
use dl_linalg::IteratorType;

use super::Loops;
use super::emit::{with_body, zeros};
use super::operand::Quantized;
use crate::generic::Generic;

/// Sums of the integers of an input: of type `i32`, over those loops that the result has.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// A tensor with a dimension for each of `loops`.
    pub(super) value: ValueId,
    /// Parallel loops of the contraction.
    pub(super) loops: Vec<u32>,
    /// What is still to be multiplied.
    pub(super) factor: i64,
}

/// What is to be summed, where that is possible.
pub(super) struct Plan {
    /// The loop that each dimension runs over.
    dims: Vec<u32>,
    loops: Vec<u32>,
    /// How often each sum counts: the product of the extents of summed loops that the input does not change along.
    times: i64,
    /// The sums and their extents, if they are known.
    known: Option<(Vec<i32>, Vec<i64>)>,
}

impl Plan {
    /// For `input`, which the contraction reads by `map`. `None` where a dimension does not run over one loop.
    pub(super) fn of(affine: &AffineStore, all: &Loops, input: &Quantized, map: AffineMap) -> Option<Self> {
        // A constant is summed as it lies, anything else as it is read.
        let as_it_lies =
            || input.indices.iter().map(|&index| affine.dim_position(index?)).collect::<Option<Vec<u32>>>();
        let as_it_is_read = || affine.result_positions(map).filter(|_| affine.is_projected_permutation(map, false));
        let dims = if input.known.is_some() { as_it_lies()? } else { as_it_is_read()? };
        let is = |&at: &u32, kind: IteratorType| all.iterators.get(at as usize) == Some(&kind);
        let mut loops: Vec<u32> = dims.iter().copied().filter(|at| is(at, IteratorType::Parallel)).collect();
        loops.sort_unstable();
        let mut times = 1_i64;
        for at in 0..all.iterators.len() as u32 {
            if is(&at, IteratorType::Reduction) && !dims.contains(&at) {
                times = times.checked_mul(all.extents[at as usize])?;
            }
        }
        let known = match &input.known {
            Some(data) => Some(sum(data, &input.shape, &dims, &loops, input.signed)?),
            None => None,
        };
        Some(Self { dims, loops, times, known })
    }

    /// `factor` times the sums of what is read as `moved`, at the insertion point.
    pub(super) fn make(self, rw: &mut Rewriter<'_>, input: &Quantized, moved: ValueId, factor: i64, loc: Loc) -> Sums {
        let Self { dims, loops, times, known } = self;
        let mut factor = factor * times;
        let value = match known {
            Some((sums, extents)) => {
                let cx = rw.cx();
                let all = sums.into_iter().map(|sum| sum.wrapping_mul(factor as i32));
                let bytes: Vec<u8> = all.flat_map(i32::to_le_bytes).collect();
                factor = 1;
                let ty = cx.tensor_type(&extents, cx.int_type(32));
                let data = DenseData::elements(bytes, size_of::<i32>());
                let attr = cx.intern_attr(AttrData::DenseElements { ty, data });
                dl_arith::constant(rw, attr, loc)
            }
            None => nest(rw, moved, input.signed, &dims, &loops, loc),
        };
        Sums { value, loops, factor }
    }
}

/// Sums of bytes of this shape, whose dimension `i` runs over loop `dims[i]`, for each position of `kept`; and the extents of these.
fn sum(data: &DenseData, shape: &[i64], dims: &[u32], kept: &[u32], signed: bool) -> Option<(Vec<i32>, Vec<i64>)> {
    let extents: Option<Vec<i64>> =
        kept.iter().map(|at| shape.get(dims.iter().position(|each| each == at)?).copied()).collect();
    let extents = extents?;
    let strides = row_major_strides(&extents);
    let steps: Vec<i64> =
        dims.iter().map(|at| kept.iter().position(|each| each == at).map_or(0, |at| strides[at])).collect();
    let count = |extents: &[i64]| extents.iter().try_fold(1_usize, |n, &e| n.checked_mul(usize::try_from(e).ok()?));
    let mut sums = vec![0_i32; count(&extents)?];
    let mut index = vec![0_i64; shape.len()];
    let mut at = 0_i64;
    for from in 0..count(shape)? {
        let byte = data.element(from, 1)[0];
        let number = if signed { i32::from(byte.cast_signed()) } else { i32::from(byte) };
        let sum = sums.get_mut(usize::try_from(at).ok()?)?;
        *sum = sum.wrapping_add(number);
        for dim in (0..index.len()).rev() {
            index[dim] += 1;
            at += steps[dim];
            if index[dim] < shape[dim] {
                break;
            }
            at -= steps[dim] * shape[dim];
            index[dim] = 0;
        }
    }
    Some((sums, extents))
}

/// A nest that sums up `value`, whose dimension `i` runs over loop `dims[i]`, for each position of the loops `kept`.
fn nest(rw: &mut Rewriter<'_>, value: ValueId, signed: bool, dims: &[u32], kept: &[u32], loc: Loc) -> ValueId {
    let cx = rw.cx();
    let affine = cx.affine();
    let places: Vec<usize> = kept.iter().filter_map(|at| dims.iter().position(|each| each == at)).collect();
    let sizes: Vec<_> = places.iter().map(|&dim| dl_tensor::extent(rw, value, dim, loc)).collect();
    let init = zeros(rw, &sizes, loc);
    let rank = dims.len() as u32;
    let kind = |dim: usize| if places.contains(&dim) { IteratorType::Parallel } else { IteratorType::Reduction };
    let iterators: Vec<_> = (0..dims.len()).map(|dim| kind(dim).attr(cx)).collect();
    let kept: Vec<AffineExpr> = places.iter().map(|&dim| affine.dim(dim as u32)).collect();
    let new = Generic {
        loc,
        inputs: vec![value],
        inits: vec![init],
        maps: vec![affine.identity_map(rank), affine.intern_map(rank, 0, kept)],
        iterators: Some(cx.array_attr(&iterators)),
        results: vec![rw.ir().value_type(init)],
    };
    with_body(rw, &new, |b, args| {
        let wide = extended(b, args[0], signed);
        b.same::<AddIOp<'_>>(&[args[1], wide])
    })
}

/// A byte as `i32`.
pub(super) fn extended(b: &mut Build<'_, '_>, byte: ValueId, signed: bool) -> ValueId {
    let ty = b.cx().int_type(32);
    if signed { b.value::<ExtSIOp<'_>>(&[byte], ty) } else { b.value::<ExtUIOp<'_>>(&[byte], ty) }
}
