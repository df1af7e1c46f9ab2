//! Folds: what an operation equals when operands are constant or related.

use dl_ir::attributes::AttrData;
use dl_ir::dialect::{Folded, folded};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::{Attr, DYNAMIC, OpRef, TypeRef, ValueRef};

use crate::{
    CastOp, CollapseShapeOp, EmptyOp, ExpandShapeOp, ExtractSliceOp, FromElementsOp, GenerateOp, InsertSliceOp,
};

fn constant(k: &[Option<Attr>], at: usize) -> Option<Attr> {
    k.get(at).copied().flatten()
}

fn constant_index(op: OpRef<'_>, k: &[Option<Attr>], at: usize) -> Option<usize> {
    usize::try_from(op.cx().attr(constant(k, at)?).as_int()?).ok()
}

/// A cast to the same type is its operand.
pub(crate) fn same_type(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    (op.operand(0).ty() == op.result(0).ty()).then(|| op.operand(0).id()).and_then(folded)
}

/// The extent of a dimension that the type, or the operation that made the tensor, knows.
pub(crate) fn dim(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let index = constant_index(op, k, 1)?;
    let source = op.operand(0);
    let shape = source.ty().shape()?;
    let &extent = shape.get(index)?;
    if extent != DYNAMIC {
        return folded(op.cx().index_attr(extent));
    }
    let made_by = source.defining_op()?;
    let among_dynamic = shape[..index].iter().filter(|&&d| d == DYNAMIC).count();
    if let Some(generate) = made_by.cast::<GenerateOp<'_>>() {
        return folded(generate.dynamic_extents().get(among_dynamic)?.id());
    }
    if let Some(empty) = made_by.cast::<EmptyOp<'_>>() {
        return folded(empty.dynamic_sizes().get(among_dynamic)?.id());
    }
    if made_by.is::<ExtractSliceOp<'_>>() {
        // Only where the slice leaves out no dimension: the others are for the pass that resolves shapes.
        let sizes = Slice::of(made_by)?.sizes;
        if let (true, Index::Value(value)) = (sizes.len() == shape.len(), *sizes.get(index)?) {
            return folded(value);
        }
    }
    None
}

pub(crate) fn rank(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    folded(op.cx().index_attr(i64::try_from(op.operand(0).ty().rank()?).ok()?))
}

/// The position of constant indices in row-major order; `None` when one is out of bounds.
fn linear_index(shape: &[i64], indices: &[Option<Attr>], op: OpRef<'_>) -> Option<usize> {
    let mut linear = 0_usize;
    for (&extent, index) in shape.iter().zip(indices) {
        let (extent, index) = (usize::try_from(extent).ok()?, op.cx().attr((*index)?).as_int()?);
        let index = usize::try_from(index).ok().filter(|&index| index < extent)?;
        linear = linear.checked_mul(extent)?.checked_add(index)?;
    }
    Some(linear)
}

/// The element of a constant or of `from_elements`.
pub(crate) fn extract(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let tensor = op.operand(0);
    let cx = op.cx();
    if let Some(splat) = constant(k, 0).and_then(|c| cx.attr(c).splat_value()) {
        return folded(splat.id());
    }
    let shape = tensor.ty().shape()?;
    let indices = k.get(1..)?;
    if let Some(elements) = tensor.def::<FromElementsOp<'_>>() {
        return folded(elements.elements().get(linear_index(shape, indices, op)?)?.id());
    }
    let insert = tensor.def::<crate::InsertOp<'_>>();
    if let Some(insert) = insert.filter(|insert| insert.indices().iter().eq(op.operands().iter().skip(1))) {
        return folded(insert.scalar().id());
    }
    let elements = cx.attr(constant(k, 0)?);
    match elements.data() {
        AttrData::DenseElements { .. } => folded(elements.dense_value(linear_index(shape, indices, op)?)?.id()),
        AttrData::SparseElements { .. } => {
            let position: Option<Vec<i64>> = indices.iter().map(|index| cx.attr((*index)?).as_int()).collect();
            folded(elements.sparse_value(&position?)?.id())
        }
        _ => None,
    }
}

/// A splat with its own element inserted.
pub(crate) fn insert(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (scalar, dest) = (constant(k, 0)?, constant(k, 1)?);
    let splat = op.cx().attr(dest).splat_value()?;
    (splat.id() == scalar).then_some(dest).and_then(folded)
}

/// Constants make a constant.
pub(crate) fn from_elements(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let elements: Option<Vec<Attr>> = k.iter().copied().collect();
    op.cx().dense_attr(op.result(0).ty().id(), &elements?).and_then(folded)
}

/// A constant element and a static shape make a constant.
pub(crate) fn splat(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let ty = op.result(0).ty();
    if !ty.has_static_shape() {
        return None;
    }
    op.cx().splat_attr(ty.id(), constant(k, 0)?).and_then(folded)
}

/// One tensor joined with nothing.
pub(crate) fn concat(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    (op.num_operands() == 1 && op.operand(0).ty() == op.result(0).ty()).then(|| op.operand(0).id()).and_then(folded)
}

/// A slice that is all of a static shape.
fn is_whole(op: OpRef<'_>, whole: TypeRef<'_>) -> bool {
    let (Some(slice), Some(shape)) = (Slice::of(op), whole.shape()) else { return false };
    whole.has_static_shape()
        && slice.has_zero_offsets()
        && slice.has_unit_strides()
        && slice.sizes.iter().zip(shape).all(|(size, &extent)| size.as_static() == Some(extent))
}

/// The whole of a tensor; a slice of a splat; the slice that has just been inserted there.
pub(crate) fn extract_slice(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (source, result) = (op.operand(0), op.result(0).ty());
    if let Some(splat) = constant(k, 0).and_then(|c| op.cx().attr(c).splat_value())
        && result.has_static_shape()
    {
        return op.cx().splat_attr(result.id(), splat.id()).and_then(folded);
    }
    if source.ty() == result && is_whole(op, result) {
        return folded(source.id());
    }
    let insert = source.def::<InsertSliceOp<'_>>()?;
    let same = insert.source().ty() == result && Slice::of(insert.0) == Slice::of(op);
    same.then(|| insert.source().id()).and_then(folded)
}

/// A slice that replaces everything; a slice put back where it was taken; a slice that the next one overwrites.
pub(crate) fn insert_slice(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let (source, dest) = (op.operand(0), op.operand(1));
    if source.ty() == op.result(0).ty() && is_whole(op, dest.ty()) {
        return folded(source.id());
    }
    if source.ty().shape().is_some_and(|shape| shape.contains(&0)) {
        return folded(dest.id());
    }
    let extract = source.def::<ExtractSliceOp<'_>>()?;
    let back = extract.source() == dest && Slice::of(extract.0) == Slice::of(op);
    back.then(|| dest.id()).and_then(folded)
}

/// A border of nothing.
pub(crate) fn pad(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let (source, result) = (op.operand(0).ty(), op.result(0).ty());
    let known = result.has_static_shape() || crate::canonicalize::adds_nothing(crate::PadOp(op));
    let unchanged = known && source == result && op.attr("nofold").is_none();
    unchanged.then(|| op.operand(0).id()).and_then(folded)
}

/// The source of a reshape of one kind, where `op` is of the other kind and undoes it.
fn undone<'a>(op: OpRef<'a>, inner: OpRef<'a>) -> Option<ValueRef<'a>> {
    let groups = |op: OpRef<'_>| op.attr("reassociation").map(|attr| attr.id());
    let source = inner.operand(0);
    let same = source.ty() == op.result(0).ty() && groups(op) == groups(inner);
    (same && (op.is::<CollapseShapeOp<'_>>() || has_known_shape(op))).then_some(source)
}

/// Whether what an expansion makes has no other shape than what was collapsed before, if it is of the same type.
fn has_known_shape(expand: OpRef<'_>) -> bool {
    let groups = expand.attr("reassociation").map(reassociation::groups).unwrap_or_default();
    expand.result(0).ty().shape().is_some_and(|shape| reassociation::is_known_from_collapsed(shape, &groups))
}

/// A reshape to the same type, of a constant, or back.
fn reshape_by_groups(op: OpRef<'_>, k: &[Option<Attr>], undoes: fn(OpRef<'_>) -> bool) -> Option<Folded> {
    let result = op.result(0).ty();
    // Without a rank, an equal type says nothing of the shape.
    if op.operand(0).ty() == result && result.has_rank() {
        return folded(op.operand(0).id());
    }
    if let Some(source) = op.operand(0).defining_op().filter(|&d| undoes(d)).and_then(|inner| undone(op, inner)) {
        return folded(source.id());
    }
    reshaped_constant(constant(k, 0)?, result).and_then(folded)
}

/// The same elements in another static shape.
fn reshaped_constant(attr: Attr, ty: TypeRef<'_>) -> Option<Attr> {
    let cx = ty.cx();
    match cx.attr_data(attr) {
        AttrData::DenseElements { ty: of, data }
            if ty.has_static_shape()
                && cx.ty(*of).num_elements() == ty.num_elements()
                && cx.ty(*of).element_type() == ty.element_type() =>
        {
            Some(cx.intern_attr(AttrData::DenseElements { ty: ty.id(), data: data.clone() }))
        }
        _ => None,
    }
}

pub(crate) fn collapse_shape(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    reshape_by_groups(op, k, |inner| inner.is::<ExpandShapeOp<'_>>())
}

pub(crate) fn expand_shape(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    reshape_by_groups(op, k, |inner| inner.is::<CollapseShapeOp<'_>>())
}

/// A reshape of a constant, or to the same static type.
pub(crate) fn reshape(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let result = op.result(0).ty();
    if let Some(attr) = constant(k, 0).and_then(|c| reshaped_constant(c, result)) {
        return folded(attr);
    }
    let unchanged = (op.operand(0).ty() == result && result.has_static_shape())
        || crate::canonicalize::unchanged_by_reshape(crate::ReshapeOp(op));
    unchanged.then(|| op.operand(0).id()).and_then(folded)
}

/// Elements of a tensor whose elements are all the same.
pub(crate) fn gather(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, result) = (op.cx(), op.result(0).ty());
    let splat = cx.attr(constant(k, 0)?).splat_value().filter(|_| result.has_static_shape())?;
    cx.splat_attr(result.id(), splat.id()).and_then(folded)
}

/// A cast back to the type that was cast first, which knows at least as much.
pub(crate) fn cast(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(same) = same_type(op, k) {
        return Some(same);
    }
    let inner = op.operand(0).def::<CastOp<'_>>()?;
    (inner.source().ty() == op.result(0).ty()).then(|| inner.source().id()).and_then(folded)
}
