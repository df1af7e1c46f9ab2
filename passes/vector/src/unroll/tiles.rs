//! The parts of a box, of one shape and in an order.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns};
use dl_ir::{AttrRef, OpDefinition, OpRef, OpView, Type, TypeRef, ValueId, ValueRef};
use dl_vector::types::extents;
use dl_vector::{ExtractStridedSliceOp, InsertStridedSliceOp};

use super::Plan;
use crate::build::{VectorBuild, positions};

/// More parts than these are not made of one operation.
const MOST_PARTS: i64 = 1 << 12;

/// Parts of a box.
pub(super) struct Tiles {
    /// The extents of a part.
    pub(super) shape: Vec<i64>,
    /// How many there are along each dimension.
    counts: Vec<i64>,
    /// The dimensions from the outermost one on.
    order: Vec<usize>,
}

impl Plan {
    /// The parts of a box of these extents for elements of type `element`; `is_contract` tells which shape is meant.
    ///
    /// # Errors
    /// That there is no such shape, it does not divide the box, it is the box itself, or there are too many of it.
    pub(super) fn tiles(&self, box_: &[i64], element: TypeRef<'_>, is_contract: bool) -> Result<Tiles, NoMatch> {
        let (options, rank) = (&self.options, box_.len());
        let shape = if is_contract && !options.contract_shape.is_empty() {
            options.contract_shape.clone()
        } else if is_contract && options.native_shape.len() != rank {
            return Err(NoMatch("no shape for contractions"));
        } else if options.native_shape.is_empty() {
            let bits = element.int_or_float_width().ok_or(NoMatch("elements that registers do not hold"))?;
            let lanes = i64::from(self.register_bits.checked_div(bits).unwrap_or(0).max(1));
            let inner = box_.last().map_or(1, |&extent| extent.min(lanes));
            aligned(&[inner], rank)
        } else {
            aligned(&options.native_shape, rank)
        };
        if shape.len() != rank || rank == 0 {
            return Err(NoMatch("a shape of other dimensions"));
        }
        if box_.iter().zip(&shape).any(|(extent, part)| *extent <= 0 || extent % part != 0) {
            return Err(NoMatch("no multiple of the shape"));
        }
        let counts: Vec<i64> = box_.iter().zip(&shape).map(|(extent, part)| extent / part).collect();
        match counts.iter().try_fold(1_i64, |all, &count| all.checked_mul(count)) {
            Some(2..=MOST_PARTS) => {}
            Some(1) => return Err(NoMatch("of that shape already")),
            _ => return Err(NoMatch("too many parts")),
        }
        let order: Vec<usize> = if options.unroll_order.len() == rank {
            options.unroll_order.iter().map(|&dim| dim as usize).collect()
        } else {
            (0..rank).collect()
        };
        Ok(Tiles { shape, counts, order })
    }
}

/// The last entries of `shape`, with ones before them, to be `rank` many.
fn aligned(shape: &[i64], rank: usize) -> Vec<i64> {
    let missing = rank.saturating_sub(shape.len());
    let given = &shape[shape.len().saturating_sub(rank)..];
    (0..missing).map(|_| 1).chain(given.iter().copied()).collect()
}

impl Tiles {
    /// Where each part begins, in order.
    pub(super) fn offsets(&self) -> impl Iterator<Item = Vec<i64>> {
        let counts: Vec<i64> = self.order.iter().map(|&dim| self.counts[dim]).collect();
        positions(&counts).map(|numbers| {
            let mut offsets = vec![0; numbers.len()];
            for (&dim, number) in self.order.iter().zip(numbers) {
                offsets[dim] = number * self.shape[dim];
            }
            offsets
        })
    }

    /// Whether going through part after part comes to what lies along `dims` in the order of these dimensions.
    pub(super) fn keep_order(&self, dims: &[usize]) -> bool {
        let split = |dim: &&usize| self.counts[**dim] > 1;
        let by_parts = self.order.iter().filter(|dim| dims.contains(dim)).filter(split);
        let in_order = by_parts.clone().eq(dims.iter().filter(split));
        in_order && by_parts.skip(1).all(|&dim| dims.iter().take_while(|&&d| d != dim).all(|&d| self.shape[d] == 1))
    }
}

/// The part of a vector of the given shape at `offsets`; the vector itself where that is all of it.
pub(super) fn part(b: &mut Build<'_, '_>, vector: ValueId, offsets: &[i64], sizes: &[i64]) -> ValueId {
    if extents(b.value_type(vector)) == sizes { vector } else { b.slice(vector, offsets, sizes) }
}

/// Adds the pattern that a part taken where one was put in is that part.
pub(super) fn forward_parts(patterns: &mut Patterns) {
    patterns.add_fn("vector-forward-part", Some(ExtractStridedSliceOp::NAME), |op, rw| {
        let slice = ExtractStridedSliceOp::wrap(rw.op(op));
        let ints = |attr: AttrRef<'_>| attr.elements().filter_map(AttrRef::as_int).collect::<Vec<i64>>();
        let part = put_there(slice.source(), &ints(slice.offsets()), extents(slice.0.result(0).ty()));
        let part = part.ok_or(NoMatch("nothing was put there"))?;
        rw.replace(op, &[part]);
        Ok(())
    });
}

/// What was inserted at `offsets`, if it is of the given shape; what was inserted beside that since is looked through.
fn put_there(vector: ValueRef<'_>, offsets: &[i64], sizes: &[i64]) -> Option<ValueId> {
    let mut vector = vector;
    for _ in 0..MOST_PARTS {
        let inserted = vector.def::<InsertStridedSliceOp<'_>>()?;
        let (part, at) = (inserted.value_to_store(), inserted.offsets().elements().filter_map(AttrRef::as_int));
        let (shape, at) = (extents(part.ty()), at.collect::<Vec<i64>>());
        if shape.len() != sizes.len() || offsets.len() != sizes.len() {
            return None;
        }
        if shape == sizes && at == offsets {
            return Some(part.id());
        }
        let apart = |i: usize| at[i] + shape[i] <= offsets[i] || offsets[i] + sizes[i] <= at[i];
        if !(0..sizes.len()).any(apart) {
            return None;
        }
        vector = inserted.dest();
    }
    None
}

/// A vector that is put together from parts.
pub(super) struct Whole {
    ty: Type,
    so_far: Option<ValueId>,
}

impl Whole {
    /// Of nothing yet.
    pub(super) fn new(ty: Type) -> Self {
        Self { ty, so_far: None }
    }

    /// Puts in the part at `offsets`. Scalars and vectors are parts of themselves.
    pub(super) fn put(&mut self, b: &mut Build<'_, '_>, part: ValueId, offsets: &[i64]) {
        self.so_far = if b.ir().value_type(part) == self.ty {
            Some(part)
        } else {
            let so_far = self.so_far.or_else(|| b.zeros(self.ty));
            so_far.map(|whole| b.with_slice(part, whole, offsets))
        };
    }

    /// The vector.
    pub(super) fn value(self) -> Result<ValueId, NoMatch> {
        self.so_far.ok_or(NoMatch("no parts, or elements without zero"))
    }
}

/// Whether a vector of `op` is scalable.
pub(super) fn has_scalable(op: OpRef<'_>) -> bool {
    op.operands().iter().chain(op.results().iter()).any(|value| value.ty().is_scalable_vector())
}
