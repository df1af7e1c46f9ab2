//! Folds: what an operation equals when operands are constant or related.

mod constants;
mod transfer;

pub use transfer::transferred;
pub(crate) use transfer::{accessed, are_disjoint, is_defined_transfer, is_in_bounds, transfer_read, transfer_write};

use dl_arith::constants::is_poison;
use dl_ir::dialect::{Folded, FoldedValue, folded};
use dl_ir::{Attr, Context, OpRef, ValueRef};

use crate::position::{self, has_poison_index, ints};
use crate::types::{count, extents};
use crate::{
    BitCastOp, BroadcastOp, ConstantMaskOp, ExtractOp, ExtractStridedSliceOp, FromElementsOp, InsertOp,
    InsertStridedSliceOp, ShapeCastOp, ShuffleOp, ToElementsOp, TransposeOp, YieldOp,
};

/// The constant that stands for poison; `None` in a context without the dialect that has it.
fn poison(cx: &Context) -> Option<Folded> {
    cx.dialect("ub").and_then(|_| folded(cx.dialect_attr("ub.poison", &[])))
}

/// Poison, where operand `at` is.
fn poison_of(op: OpRef<'_>, k: &[Option<Attr>], at: usize) -> Option<Folded> {
    let constant = k.get(at).copied().flatten()?;
    is_poison(op.cx(), constant).then_some(constant).and_then(folded)
}

/// The scalar that is in all positions of `value`.
pub(crate) fn splat_source(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let scalar = value.def::<BroadcastOp<'_>>()?.source();
    (!scalar.ty().is_vector()).then_some(scalar)
}

/// The constant of result 0 with one value in all positions, that of operand `at`: a scalar, or what a splat repeats.
fn splat_of(op: OpRef<'_>, k: &[Option<Attr>], at: usize) -> Option<Folded> {
    let (cx, result) = (op.cx(), op.result(0).ty());
    let constant = cx.attr(k.get(at).copied().flatten()?);
    let element = if constant.is_elements() { constant.splat_value()? } else { constant };
    if element.ty() != Some(result.element_or_self()) || !(element.is_integer() || element.is_float()) {
        return None;
    }
    if !result.is_vector() {
        return folded(element.id());
    }
    folded(cx.splat_attr(result.id(), element.id())?)
}

/// The operand, when it has the type of the result.
fn same_type(op: OpRef<'_>) -> Option<Folded> {
    if op.operand(0).ty() == op.result(0).ty() { folded(op.operand(0).id()) } else { None }
}

/// A broadcast to the same type, and of a constant.
pub(crate) fn broadcast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    same_type(op).or_else(|| poison_of(op, k, 0)).or_else(|| splat_of(op, k, 0))
}

/// A cast to the same type, a cast back, also of what was broadcast along dimensions of extent 1, and a constant.
pub(crate) fn shape_cast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (source, result) = (op.operand(0), op.result(0).ty());
    let cast_back = source.def::<ShapeCastOp<'_>>().map(|inner| inner.source());
    let same_count = |inner: &BroadcastOp<'_>| count(inner.source().ty()) == count(result);
    let repeated = || source.def::<BroadcastOp<'_>>().filter(same_count).map(|inner| inner.source());
    if let Some(back) = cast_back.or_else(repeated).filter(|back| back.ty() == result) {
        return folded(back.id());
    }
    same_type(op).or_else(|| poison_of(op, k, 0)).or_else(|| splat_of(op, k, 0)).or_else(|| constants::reshape(op, k))
}

/// A cast to the same type, a cast back, and a constant of one value.
pub(crate) fn bitcast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(inner) = op.operand(0).def::<BitCastOp<'_>>().filter(|inner| inner.source().ty() == op.result(0).ty()) {
        return folded(inner.source().id());
    }
    same_type(op).or_else(|| poison_of(op, k, 0)).or_else(|| constants::bitcast(op, k))
}

/// A permutation that keeps the dimensions of extents other than 1 in order, and one of equal elements.
pub(crate) fn transpose(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if keeps_order(TransposeOp(op))
        && let Some(same) = same_type(op)
    {
        return Some(same);
    }
    poison_of(op, k, 0).or_else(|| splat_of(op, k, 0))
}

/// Whether a transposition leaves all elements where they are in row-major order.
pub(crate) fn keeps_order(op: TransposeOp<'_>) -> bool {
    let ty = op.vector().ty();
    let moves = |&dim: &usize| extents(ty).get(dim) != Some(&1) || crate::types::is_scalable(ty, dim);
    op.permutation().dense_ints().filter_map(|dim| usize::try_from(dim).ok()).filter(moves).is_sorted()
}

/// The whole vector, what was put at the position, an element of equal ones or of a constant.
pub(crate) fn extract(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let extract = ExtractOp(op);
    if has_poison_index(op) {
        return poison(op.cx());
    }
    if extract.static_position().dense_ints().next().is_none()
        && let Some(same) = same_type(op)
    {
        return Some(same);
    }
    if let Some(done) = poison_of(op, k, 0).or_else(|| splat_of(op, k, 0)).or_else(|| constants::extract(op, k)) {
        return Some(done);
    }
    let (value, rest) = position::origin(extract.source(), &position::of_extract(extract)?)?;
    if rest.is_empty() && value.ty() == op.result(0).ty() { folded(value.id()) } else { None }
}

/// The whole vector replaced, a part of equal elements put among the same, and constants.
pub(crate) fn insert(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let insert = InsertOp(op);
    if has_poison_index(op) {
        return poison(op.cx());
    }
    if insert.static_position().dense_ints().next().is_none()
        && let Some(same) = same_type(op)
    {
        return Some(same);
    }
    same_splat(insert.value_to_store(), insert.dest()).or_else(|| constants::insert(op, k))
}

/// The vector that a part is put into, where all elements of both are one scalar.
fn same_splat(part: ValueRef<'_>, whole: ValueRef<'_>) -> Option<Folded> {
    let scalar = splat_source(whole)?;
    let same = if part.ty().is_vector() { splat_source(part) == Some(scalar) } else { part == scalar };
    if same { folded(whole.id()) } else { None }
}

/// The whole vector, a slice of equal elements, what was put there, and a constant.
pub(crate) fn extract_strided_slice(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let of_constant = || splat_of(op, k, 0).or_else(|| constants::extract_strided_slice(op, k));
    same_type(op).or_else(|| poison_of(op, k, 0)).or_else(of_constant).or_else(|| slice_put_there(op))
}

/// The slice that was inserted exactly where one is taken.
fn slice_put_there(op: OpRef<'_>) -> Option<Folded> {
    let slice = ExtractStridedSliceOp(op);
    let inserted = slice.source().def::<InsertStridedSliceOp<'_>>()?;
    let same = inserted.value_to_store().ty() == op.result(0).ty() && same_offsets(inserted, slice);
    if same { folded(inserted.value_to_store().id()) } else { None }
}

/// Whether two slices begin at one place. Offsets that are not given are 0.
fn same_offsets(a: InsertStridedSliceOp<'_>, b: ExtractStridedSliceOp<'_>) -> bool {
    let (a, b) = (ints(a.offsets()), ints(b.offsets()));
    let longer = a.len().max(b.len());
    (0..longer).all(|i| a.get(i).unwrap_or(&0) == b.get(i).unwrap_or(&0))
}

/// A slice of all of the destination, one put back where it was taken, one of equal elements, and constants.
pub(crate) fn insert_strided_slice(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let insert = InsertStridedSliceOp(op);
    let (part, whole) = (insert.value_to_store(), insert.dest());
    if part.ty() == whole.ty() {
        return folded(part.id());
    }
    let taken = part.def::<ExtractStridedSliceOp<'_>>();
    if taken.is_some_and(|taken| taken.source() == whole && same_offsets(insert, taken)) {
        return folded(whole.id());
    }
    same_splat(part, whole).or_else(|| constants::insert_strided_slice(op, k))
}

/// All of one operand, and elements of constants.
pub(crate) fn shuffle(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let shuffle = ShuffleOp(op);
    let mask: Vec<i64> = shuffle.mask().dense_ints().collect();
    if mask.iter().all(|&index| index == -1) || (poison_of(op, k, 0).is_some() && poison_of(op, k, 1).is_some()) {
        return poison(op.cx());
    }
    let (first, second) = (shuffle.v1(), shuffle.v2());
    let (&rows, &more) = (extents(first.ty()).first()?, extents(second.ty()).first()?);
    for (vector, rows, start) in [(first, rows, 0), (second, more, rows)] {
        if mask.len() as i64 == rows && (start..).zip(&mask).all(|(i, &index)| i == index) {
            return folded(vector.id());
        }
    }
    if extents(first.ty()).len() == 1 { constants::shuffle(op, k, &mask) } else { None }
}

/// The elements that a vector was made of.
pub(crate) fn to_elements(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let source = ToElementsOp(op).source();
    if let Some(made) = source.def::<FromElementsOp<'_>>() {
        return Some(made.elements().iter().map(|element| FoldedValue::Value(element.id())).collect());
    }
    let scalar = splat_source(source)?;
    Some(op.results().iter().map(|_| FoldedValue::Value(scalar.id())).collect())
}

/// All elements of a vector of the same type, in order, and constants.
pub(crate) fn from_elements(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let elements = FromElementsOp(op).elements();
    if k.iter().all(|constant| constant.is_some_and(|constant| is_poison(op.cx(), constant))) {
        return poison_of(op, k, 0);
    }
    let from = elements.get(0).and_then(|first| first.def::<ToElementsOp<'_>>());
    if let Some(from) = from.filter(|from| from.source().ty() == op.result(0).ty()) {
        let all = from.elements().len() == elements.len() && from.elements().iter().eq(elements.iter());
        if all {
            return folded(from.source().id());
        }
    }
    constants::from_elements(op, k)
}

/// A mask over nothing: what is yielded, where no lane is taken from elsewhere.
pub(crate) fn mask(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let mask = crate::MaskOp(op);
    let only = op.region(0).entry()?.first_op()?.cast::<YieldOp<'_>>()?;
    if mask.passthru().is_some() || op.num_results() == 0 {
        return None;
    }
    Some(only.operands().iter().map(|value| FoldedValue::Value(value.id())).collect())
}

/// All lanes set, or none.
pub(crate) fn constant_mask(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let (mask, cx) = (ConstantMaskOp(op), op.cx());
    let ty = mask.result().ty();
    let shape = ty.shape()?;
    let sizes: Vec<i64> = mask.mask_dim_sizes().dense_ints().collect();
    let set = if shape.is_empty() { sizes == [1] } else { sizes == shape };
    let clear = sizes.iter().all(|&size| size == 0);
    if set || clear { folded(cx.splat_attr(ty.id(), cx.bool_attr(set))?) } else { None }
}
