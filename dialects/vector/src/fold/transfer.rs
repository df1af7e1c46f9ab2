//! Folds of transfers between vectors and tensors: reading what was just written, and writing what was just read.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, AttrRef, DYNAMIC, OpRef, Operands, TypeRef};

use crate::types::{extents, is_scalable};
use crate::{TransferReadOp, TransferWriteOp};

/// How many writes to other elements a read is looked for behind.
const MOST_STEPS: usize = 1024;

/// Whether all dimensions of a transfer are known to be in bounds.
pub(crate) fn is_in_bounds(bounds: AttrRef<'_>) -> bool {
    bounds.elements().all(|bound| bound.as_bool() == Some(true))
}

/// Along one dimension: where an access begins, if that is known, and over how many elements it runs.
type Range = (Option<i64>, i64);

/// How many elements a transfer runs over along each dimension of the base, from its indices on: at most, for there may be fewer. `None` where that
/// depends on the machine, or for another operation.
pub fn transferred(op: OpRef<'_>) -> Option<Vec<i64>> {
    Some(accessed(op)?.into_iter().map(|(_, len)| len).collect())
}

/// Along each dimension of the base: where a transfer begins, if that is known, and over how many elements it runs at most. `None` where
/// that depends on the machine.
pub(crate) fn accessed(op: OpRef<'_>) -> Option<Vec<Range>> {
    let (base, indices, vector, map): (TypeRef<'_>, Operands<'_>, TypeRef<'_>, _) =
        if let Some(read) = op.cast::<TransferReadOp<'_>>() {
            (read.base().ty(), read.indices(), read.vector().ty(), read.permutation_map())
        } else {
            let write = op.cast::<TransferWriteOp<'_>>()?;
            (write.base().ty(), write.indices(), write.value_to_store().ty(), write.permutation_map())
        };
    if base.element_or_self().is_vector() || vector.is_scalable_vector() {
        return None;
    }
    let known = |index: dl_ir::ValueRef<'_>| index.constant().and_then(AttrRef::as_int);
    let mut ranges: Vec<Range> = indices.iter().map(|index| (known(index), 1)).collect();
    let affine = op.cx().affine();
    for (i, &expr) in affine.map(map.as_affine_map()?).results.iter().enumerate() {
        if let Some(dim) = affine.dim_position(expr) {
            debug_assert!(!is_scalable(vector, i), "checked above");
            ranges.get_mut(dim as usize)?.1 = *extents(vector).get(i)?;
        }
    }
    Some(ranges)
}

/// Whether a transfer is from or to a tensor and has a meaning wherever its indices are: dimensions that it says are in bounds, and those that the
/// vector does not run over, are known to be.
pub(crate) fn is_defined_transfer(op: OpRef<'_>) -> bool {
    is_defined(op).unwrap_or(false)
}

fn is_defined(op: OpRef<'_>) -> Option<bool> {
    let (base, map, bounds) = if let Some(read) = op.cast::<TransferReadOp<'_>>() {
        (read.base().ty(), read.permutation_map(), read.in_bounds())
    } else {
        let write = op.cast::<TransferWriteOp<'_>>()?;
        (write.base().ty(), write.permutation_map(), write.in_bounds())
    };
    let affine = op.cx().affine();
    let map = affine.map(map.as_affine_map()?);
    let is_guarded = |dim: usize| {
        let mut along = map.results.iter().zip(bounds.elements());
        along.any(|(&expr, bound)| {
            affine.dim_position(expr) == u32::try_from(dim).ok() && bound.as_bool() == Some(false)
        })
    };
    let is_inside = |(&(start, len), &extent): (&Range, &i64)| {
        let end = start.filter(|&start| start >= 0).and_then(|start| start.checked_add(len));
        extent != DYNAMIC && end.is_some_and(|end| end <= extent)
    };
    let ranges = accessed(op)?;
    let mut dims = ranges.iter().zip(base.shape()?).enumerate();
    Some(base.is_tensor() && dims.all(|(dim, range)| is_guarded(dim) || is_inside(range)))
}

/// Whether two transfers of one base are known to have no element in common: along some dimension they are apart.
pub(crate) fn are_disjoint(a: &[Range], b: &[Range]) -> bool {
    let apart = |((a, len_a), (b, len_b)): (&Range, &Range)| match (a, b) {
        (Some(a), Some(b)) => {
            a.checked_add(*len_a).is_some_and(|end| end <= *b) || b.checked_add(*len_b).is_some_and(|end| end <= *a)
        }
        _ => false,
    };
    a.iter().zip(b).any(apart)
}

/// Whether a write and a read move the same lanes: they agree in indices, vector type and permutation, and mask nothing.
fn same_lanes(write: TransferWriteOp<'_>, read: TransferReadOp<'_>) -> bool {
    write.mask().is_none()
        && read.mask().is_none()
        && write.indices().iter().eq(read.indices().iter())
        && write.value_to_store().ty() == read.vector().ty()
        && write.permutation_map() == read.permutation_map()
}

/// What was written to the tensor at the same place, with only writes elsewhere since. Nothing of the write may be out of bounds: there,
/// the padding is read.
pub(crate) fn transfer_read(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let read = TransferReadOp(op);
    let mut base = read.base();
    for _ in 0..MOST_STEPS {
        let write = base.def::<TransferWriteOp<'_>>()?;
        if is_in_bounds(write.in_bounds()) && same_lanes(write, read) {
            return folded(write.value_to_store().id());
        }
        if !are_disjoint(&accessed(write.0)?, &accessed(op)?) {
            return None;
        }
        base = write.base();
    }
    None
}

/// A write of what was read at the same place, or of all of another tensor of the same type.
pub(crate) fn transfer_write(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let write = TransferWriteOp(op);
    write.result()?;
    let read = write.value_to_store().def::<TransferReadOp<'_>>()?;
    if !same_lanes(write, read) || read.base().ty() != write.base().ty() {
        return None;
    }
    if read.base() == write.base() || is_whole(write) { folded(read.base().id()) } else { None }
}

/// Whether a write replaces every element of its tensor, each by the lane of the same position.
fn is_whole(write: TransferWriteOp<'_>) -> bool {
    let (cx, base, vector) = (write.0.cx(), write.base().ty(), write.value_to_store().ty());
    let from_the_start = write.indices().iter().all(|i| i.constant().and_then(AttrRef::as_int) == Some(0));
    let map = write.permutation_map().as_affine_map();
    base.has_static_shape()
        && from_the_start
        && map.is_some_and(|map| cx.affine().is_permutation(map))
        && !vector.is_scalable_vector()
        && base.element_type() == vector.element_type()
        && accessed(write.0)
            .is_some_and(|ranges| ranges.iter().map(|range| range.1).eq(base.shape().unwrap_or(&[]).iter().copied()))
}
