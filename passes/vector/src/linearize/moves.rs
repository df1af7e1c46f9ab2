//! Operations that pick elements at known places, as shuffles of vectors of one dimension.

use std::sync::Arc;

use dl_arith::Build;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpId, OpRef, TypeRef};
use dl_vector::types::{count, extents};
use dl_vector::{ExtractOp, ExtractStridedSliceOp, InsertOp, InsertStridedSliceOp, ShuffleOp};

use super::Limit;
use crate::build::{VectorBuild, positions};

/// Longer shuffles are not made: each element is written out in their mask.
const MOST_ELEMENTS: i64 = 1 << 16;

/// Adds the pattern.
pub(super) fn add(converter: &Arc<TypeConverter>, limit: Limit, patterns: &mut ConversionPatterns) {
    patterns.add(converter, LinearizeMove { limit });
}

struct LinearizeMove {
    limit: Limit,
}

impl ConversionPattern for LinearizeMove {
    const NAME: &'static str = "vector-linearize-move";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let places = Move::of(view).ok_or(NoMatch("does not pick elements at known places"))?;
        self.limit.wants(view, rw.converter())?;
        let (loc, scalar) = (view.loc(), !view.result(0).ty().is_vector());
        let scalar_stored = view.num_operands() > 0 && !view.operand(0).ty().is_vector();
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let first = operands.one(0);
        let value = match places {
            Move::Extract(places) if scalar => b.part(first, &places),
            Move::Extract(places) => b.shuffle(first, first, &places),
            Move::Insert(places) if scalar_stored => b.with_part(first, operands.one(1), &places),
            Move::Insert(places) => {
                let dest = operands.one(1);
                let length = extents(b.value_type(dest)).first().copied().unwrap_or(1);
                let mut mask: Vec<i64> = (0..length).collect();
                for (number, &place) in places.iter().enumerate() {
                    mask[place as usize] = length + number as i64;
                }
                b.shuffle(dest, first, &mask)
            }
            Move::Shuffle(mask) => b.shuffle(first, operands.one(1), &mask),
        };
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// Numbers of elements in row-major order.
enum Move {
    /// Of the source, in the order of the result.
    Extract(Vec<i64>),
    /// Of the destination, in the order of what is stored there.
    Insert(Vec<i64>),
    /// Of the first vector, then of the second, in the order of the result.
    Shuffle(Vec<i64>),
}

impl Move {
    /// What `op` does; `None` where it is something else, or not known before running, or on scalable or very long vectors.
    fn of(op: OpRef<'_>) -> Option<Self> {
        if let Some(op) = op.cast::<ExtractOp<'_>>() {
            let whole = Part::at(op.source().ty(), op.static_position())?;
            return Some(Self::Extract(whole.elements()));
        }
        if let Some(op) = op.cast::<InsertOp<'_>>() {
            let part = Part::at(op.dest().ty(), op.static_position())?;
            return Some(Self::Insert(part.elements()));
        }
        if let Some(op) = op.cast::<ExtractStridedSliceOp<'_>>() {
            let mut part = Part::whole(op.source().ty())?;
            part.restrict(0, op.offsets(), op.strides());
            for (size, given) in part.sizes.iter_mut().zip(op.sizes().elements().filter_map(AttrRef::as_int)) {
                *size = given;
            }
            return Some(Self::Extract(part.elements()));
        }
        if let Some(op) = op.cast::<InsertStridedSliceOp<'_>>() {
            let stored = op.value_to_store().ty();
            let mut part = Part::whole(op.dest().ty())?;
            let added = part.sizes.len().checked_sub(extents(stored).len())?;
            part.restrict(added, op.offsets(), op.strides());
            part.sizes[..added].fill(1);
            part.sizes[added..].copy_from_slice(extents(stored));
            return Some(Self::Insert(part.elements()));
        }
        let op = op.cast::<ShuffleOp<'_>>()?;
        let (first, second) = (Part::whole(op.v1().ty())?, Part::whole(op.v2().ty())?);
        let (&rows, row) = first.sizes.split_first()?;
        let length: i64 = row.iter().product();
        let mask: Vec<i64> = op.mask().dense_ints().collect();
        if length.checked_mul(mask.len() as i64)? > MOST_ELEMENTS || second.sizes.len() != first.sizes.len() {
            return None;
        }
        debug_assert!(mask.iter().all(|&at| at < rows + second.sizes[0]), "the mask names rows of both");
        let element = |at: i64, i| if at < 0 { at } else { at * length + i };
        Some(Self::Shuffle(mask.iter().flat_map(|&at| (0..length).map(move |i| element(at, i))).collect()))
    }
}

/// A part of a vector: along each dimension so many elements from an offset on, a stride apart.
struct Part<'c> {
    shape: &'c [i64],
    offsets: Vec<i64>,
    sizes: Vec<i64>,
    strides: Vec<i64>,
}

impl<'c> Part<'c> {
    /// All of a vector of this type.
    fn whole(ty: TypeRef<'c>) -> Option<Self> {
        let shape = extents(ty);
        if ty.is_scalable_vector() || shape.is_empty() || count(ty)? > MOST_ELEMENTS {
            return None;
        }
        Some(Self { shape, offsets: vec![0; shape.len()], sizes: shape.to_vec(), strides: vec![1; shape.len()] })
    }

    /// The part at `position`, if that is known and in bounds.
    fn at(ty: TypeRef<'c>, position: AttrRef<'_>) -> Option<Self> {
        let mut part = Self::whole(ty)?;
        for (dim, at) in position.dense_ints().enumerate() {
            if !(0..*part.shape.get(dim)?).contains(&at) {
                return None;
            }
            (part.offsets[dim], part.sizes[dim]) = (at, 1);
        }
        Some(part)
    }

    /// Begins at `offsets`, from the first dimension on, and goes by `strides`, from dimension `first` on.
    fn restrict(&mut self, first: usize, offsets: AttrRef<'_>, strides: AttrRef<'_>) {
        let ints = |attr: AttrRef<'_>| attr.elements().filter_map(AttrRef::as_int).collect::<Vec<i64>>();
        for (offset, given) in self.offsets.iter_mut().zip(ints(offsets)) {
            *offset = given;
        }
        for (stride, given) in self.strides.iter_mut().skip(first).zip(ints(strides)) {
            *stride = given;
        }
    }

    /// Numbers of its elements.
    fn elements(&self) -> Vec<i64> {
        let number = |position: &[i64]| {
            position
                .iter()
                .enumerate()
                .fold(0, |number, (dim, &at)| number * self.shape[dim] + self.offsets[dim] + at * self.strides[dim])
        };
        positions(&self.sizes).map(|position| number(&position)).collect()
    }
}
