//! Folds: what an operation equals when operands are constant or related.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, OpRef};

use crate::{
    BitCastOp, BroadcastOp, ConstantMaskOp, ExtractOp, InsertOp, MultiDimReductionOp, ShapeCastOp, TransposeOp,
};

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
    same_type(op).or_else(|| splat_of(op, k, 0))
}

/// A cast to the same type, a cast back, and a constant of one value.
pub(crate) fn shape_cast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(inner) = op.operand(0).def::<ShapeCastOp<'_>>().filter(|inner| inner.source().ty() == op.result(0).ty())
    {
        return folded(inner.source().id());
    }
    same_type(op).or_else(|| splat_of(op, k, 0))
}

/// A cast to the same type, and a cast back.
pub(crate) fn bitcast(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    if let Some(inner) = op.operand(0).def::<BitCastOp<'_>>().filter(|inner| inner.source().ty() == op.result(0).ty()) {
        return folded(inner.source().id());
    }
    same_type(op)
}

/// A permutation that moves nothing, and one of equal elements.
pub(crate) fn transpose(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if (0..).zip(TransposeOp(op).permutation().dense_ints()).all(|(i, position)| i == position) {
        return same_type(op);
    }
    splat_of(op, k, 0)
}

/// The whole vector, an element of equal ones, and what was broadcast from a scalar.
pub(crate) fn extract(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let extract = ExtractOp(op);
    if extract.static_position().dense_ints().next().is_none() {
        return same_type(op);
    }
    let scalar = extract.source().def::<BroadcastOp<'_>>().map(|broadcast| broadcast.source());
    if let Some(scalar) = scalar.filter(|scalar| scalar.ty() == op.result(0).ty()) {
        return folded(scalar.id());
    }
    splat_of(op, k, 0)
}

/// The whole vector replaced.
pub(crate) fn insert(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let whole = InsertOp(op).static_position().dense_ints().next().is_none();
    if whole { same_type(op) } else { None }
}

/// The whole vector, and a slice of equal elements.
pub(crate) fn extract_strided_slice(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    same_type(op).or_else(|| splat_of(op, k, 0))
}

/// A vector of one dimension that is not reduced.
pub(crate) fn multi_reduction(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let reduction = MultiDimReductionOp(op);
    let none_reduced = reduction.reduction_dims().dense_ints().next().is_none();
    if none_reduced && reduction.source().ty().rank() == Some(1) { same_type(op) } else { None }
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
