//! Folds that move the elements of constants.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, AttrRef, Context, OpRef, Type};

use crate::position::{self, ints};
use crate::types::extents;
use crate::{BitCastOp, ExtractOp, ExtractStridedSliceOp, InsertOp, InsertStridedSliceOp};

/// Elements of a constant that is copied though others use it as well: more are not worth the space.
const MOST_COPIED: usize = 256;

/// The constant of type `ty` with these elements of the constant `from`; a scalar where `ty` is none of vector.
fn select(cx: &Context, from: AttrRef<'_>, ty: Type, elements: impl Iterator<Item = usize>) -> Option<Attr> {
    let mut values = elements.map(|at| from.dense_value(at).map(|value| value.id()));
    if !cx.ty(ty).is_vector() {
        return values.next()?;
    }
    cx.dense_attr(ty, &values.collect::<Option<Vec<Attr>>>()?)
}

/// The constant that operand `at` is, if it is dense.
fn dense<'a>(op: OpRef<'a>, k: &[Option<Attr>], at: usize) -> Option<AttrRef<'a>> {
    let constant = op.cx().attr(k.get(at).copied().flatten()?);
    constant.is_dense_elements().then_some(constant)
}

/// The elements of a constant that is an operand of `op`, which may be copied: it is small, or nothing else uses it.
fn copied(op: OpRef<'_>, k: &[Option<Attr>], at: usize) -> Option<Vec<Attr>> {
    let constant = dense(op, k, at)?;
    let values = constant.dense_values()?;
    let cheap = values.len() <= MOST_COPIED || op.operand(at).has_one_use();
    cheap.then(|| values.map(|value| value.id()).collect())
}

/// An element or a sub-vector of a constant.
pub(super) fn extract(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, from) = (op.cx(), dense(op, k, 0)?);
    let extract = ExtractOp(op);
    let position = position::of_extract(extract)?;
    let first = position::linear_index(&position, extents(extract.source().ty()))?;
    let result = op.result(0).ty();
    let count = usize::try_from(result.num_elements().unwrap_or(1)).ok()?;
    folded(select(cx, from, result.id(), first..first.checked_add(count)?)?)
}

/// A constant, or the elements of one, put into another.
pub(super) fn insert(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, insert) = (op.cx(), InsertOp(op));
    if insert.dest().ty().is_scalable_vector() {
        return None;
    }
    let position = position::of_insert(insert)?;
    let first = position::linear_index(&position, extents(insert.dest().ty()))?;
    let mut elements = copied(op, k, 1)?;
    let stored = cx.attr(k.first().copied().flatten()?);
    let stored: Vec<Attr> = match stored.dense_values() {
        Some(values) => values.map(|value| value.id()).collect(),
        None => vec![stored.id()],
    };
    elements.get_mut(first..first.checked_add(stored.len())?)?.copy_from_slice(&stored);
    folded(cx.dense_attr(op.result(0).ty().id(), &elements)?)
}

/// The numbers, in row-major order of `shape`, of the elements in the box at `offsets` of extents `sizes`.
fn boxed(shape: &[i64], offsets: &[i64], sizes: &[i64]) -> Option<Vec<usize>> {
    let mut numbers = vec![0_i64];
    for (i, &extent) in shape.iter().enumerate() {
        let (offset, size) = (*offsets.get(i).unwrap_or(&0), *sizes.get(i).unwrap_or(&extent));
        let along = |&n: &i64| (offset..offset + size).map(move |at| n * extent + at);
        numbers = numbers.iter().flat_map(along).collect();
    }
    numbers.into_iter().map(|n| usize::try_from(n).ok()).collect()
}

/// A box of a constant.
pub(super) fn extract_strided_slice(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (from, slice) = (dense(op, k, 0)?, ExtractStridedSliceOp(op));
    let chosen = boxed(extents(slice.source().ty()), &ints(slice.offsets()), &ints(slice.sizes()))?;
    folded(select(op.cx(), from, op.result(0).ty().id(), chosen.into_iter())?)
}

/// A constant put into a box of another.
pub(super) fn insert_strided_slice(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let slice = InsertStridedSliceOp(op);
    let (small, large) = (extents(slice.value_to_store().ty()), extents(slice.dest().ty()));
    let mut elements = copied(op, k, 1)?;
    let stored = dense(op, k, 0)?;
    let sizes: Vec<i64> = std::iter::repeat_n(1, large.len().checked_sub(small.len())?).chain(small.to_vec()).collect();
    let places = boxed(large, &ints(slice.offsets()), &sizes)?;
    for (i, place) in places.into_iter().enumerate() {
        *elements.get_mut(place)? = stored.dense_value(i)?.id();
    }
    folded(op.cx().dense_attr(op.result(0).ty().id(), &elements)?)
}

/// Elements of two vectors of one dimension, chosen by number; those that are poison are any.
pub(super) fn shuffle(op: OpRef<'_>, k: &[Option<Attr>], mask: &[i64]) -> Option<Folded> {
    let of = |at: usize| Some(dense(op, k, at)?.dense_values()?.map(|v| v.id()).collect::<Vec<Attr>>());
    let (a, b) = (of(0), of(1));
    let any = *a.as_ref().or(b.as_ref())?.first()?;
    let first = usize::try_from(*extents(op.operand(0).ty()).first()?).ok()?;
    let poison =
        |at: usize| k.get(at).copied().flatten().is_some_and(|attr| dl_arith::constants::is_poison(op.cx(), attr));
    let chosen = mask.iter().map(|&index| {
        let Ok(index) = usize::try_from(index) else { return Some(any) };
        let (from, operand, at) = if index < first { (&a, 0, index) } else { (&b, 1, index - first) };
        match from {
            Some(elements) => elements.get(at).copied(),
            None => poison(operand).then_some(any),
        }
    });
    folded(op.cx().dense_attr(op.result(0).ty().id(), &chosen.collect::<Option<Vec<Attr>>>()?)?)
}

/// One number in all positions, read as another of the same width, or several of it as a wider one.
pub(super) fn bitcast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, bitcast) = (op.cx(), BitCastOp(op));
    let value = dense(op, k, 0)?.splat_value()?;
    let (from, to) = (bitcast.source().ty().element_type()?, bitcast.result().ty().element_type()?);
    let (narrow, wide) = (from.int_or_float_width()?, to.int_or_float_width()?);
    if narrow == 0 || wide % narrow != 0 || narrow % 8 != 0 {
        return None;
    }
    let bytes = value.number_bytes()?.repeat(usize::try_from(wide / narrow).ok()?);
    folded(cx.splat_attr(op.result(0).ty().id(), cx.number_attr(to.id(), &bytes)?)?)
}

/// The same elements in another shape.
pub(super) fn reshape(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let values = dense(op, k, 0)?.dense_values()?;
    let values: Vec<Attr> = values.map(|value| value.id()).collect();
    folded(op.cx().dense_attr(op.result(0).ty().id(), &values)?)
}

/// The constant whose elements are the operands, where all are numbers.
pub(super) fn from_elements(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, result) = (op.cx(), op.result(0).ty());
    let element = result.element_type()?;
    let value = |attr: &Option<Attr>| as_number(cx.attr((*attr)?), element.id());
    folded(cx.dense_attr(result.id(), &k.iter().map(value).collect::<Option<Vec<Attr>>>()?)?)
}

/// A constant as a number of type `ty`. An `llvm` constant of an integer type may be a float, whose bits are then meant, or an integer of
/// another type, which is sign-extended.
fn as_number(constant: AttrRef<'_>, ty: Type) -> Option<Attr> {
    let (cx, from) = (constant.cx(), constant.ty()?);
    if from.id() == ty {
        return Some(constant.id());
    }
    let width = cx.ty(ty).int_width()?;
    if let Some(value) = constant.as_ap_int() {
        return Some(cx.ap_int_attr(ty, value.sext_or_trunc(width)));
    }
    let same_width = constant.is_float() && from.int_or_float_width() == Some(width);
    if same_width { cx.number_attr(ty, &constant.number_bytes()?) } else { None }
}
