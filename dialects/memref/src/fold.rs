//! Folds: what an operation equals when operands are constant or related.

use dl_ir::dialect::{Folded, folded};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interfaces::{Index, reassociation};
use dl_ir::{Attr, DYNAMIC, OpRef, ValueId};

use crate::verify_cast::dropped_dims;
use crate::{AllocOp, AllocaOp, AssumeAlignmentOp, CastOp, SubViewOp, TransposeOp, ViewOp};

fn constant_index(operands: &[Option<Attr>], at: usize, op: OpRef<'_>) -> Option<usize> {
    let attr = operands.get(at).copied().flatten()?;
    usize::try_from(op.cx().attr(attr).as_int()?).ok()
}

/// A cast to the same type is its operand; a cast back is what was cast first.
pub(crate) fn cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let source = op.operand(0);
    if source.ty() == op.result(0).ty() {
        return folded(source.id());
    }
    let inner = source.def::<CastOp<'_>>()?;
    (inner.source().ty() == op.result(0).ty() && inner.source().ty().has_rank())
        .then(|| inner.source().id())
        .and_then(folded)
}

/// A cast to the same type is its operand.
pub(crate) fn same_type(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    (op.operand(0).ty() == op.result(0).ty()).then(|| op.operand(0).id()).and_then(folded)
}

/// The extent of a dimension that the type, or the operation that made the memref, knows.
pub(crate) fn dim(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let index = constant_index(operands, 1, op)?;
    let source = op.operand(0);
    let shape = source.ty().shape()?;
    let &extent = shape.get(index)?;
    if extent != DYNAMIC {
        return folded(op.cx().index_attr(extent));
    }
    let among_dynamic = shape[..index].iter().filter(|&&d| d == DYNAMIC).count();
    let made_by = source.defining_op()?;
    if let Some(alloc) = made_by.cast::<AllocOp<'_>>() {
        return folded(alloc.dynamic_sizes().get(among_dynamic)?.id());
    }
    if let Some(alloca) = made_by.cast::<AllocaOp<'_>>() {
        return folded(alloca.dynamic_sizes().get(among_dynamic)?.id());
    }
    if let Some(view) = made_by.cast::<ViewOp<'_>>() {
        return folded(view.sizes().get(among_dynamic)?.id());
    }
    made_by.cast::<SubViewOp<'_>>()?;
    folded(subview_size(made_by, index)?)
}

/// The operand that is the size of dimension `index` of the result of a subview.
fn subview_size(op: OpRef<'_>, index: usize) -> Option<ValueId> {
    let slice = Slice::of(op)?;
    let dropped = dropped_dims_of(op)?;
    let kept = slice.sizes.iter().zip(dropped).filter(|(_, dropped)| !dropped);
    match *kept.map(|(size, _)| size).nth(index)? {
        Index::Value(value) => Some(value),
        Index::Static(_) => None,
    }
}

/// Which dimensions of the source a subview leaves out of its result.
pub fn dropped_dims_of(op: OpRef<'_>) -> Option<Vec<bool>> {
    let slice = Slice::of(op)?;
    let base = op.operand(0).ty().strided_layout()?;
    let layout = crate::layout::sliced(&base, &slice);
    let sizes: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let result = op.result(0).ty();
    dropped_dims(&sizes, &layout.strides, result.shape()?, &result.strided_layout()?.strides)
}

pub(crate) fn rank(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let rank = i64::try_from(op.operand(0).ty().rank()?).ok()?;
    folded(op.cx().index_attr(rank))
}

/// The whole of a memref, seen with the same type.
pub(crate) fn subview(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let (source, result) = (op.operand(0), op.result(0).ty());
    if result.has_static_shape() && source.ty() == result && result.has_identity_layout() {
        return folded(source.id());
    }
    // A subview that takes all of another subview, of the same sizes.
    let inner = source.def::<SubViewOp<'_>>()?;
    let (outer, inner_slice) = (Slice::of(op)?, Slice::of(inner.0)?);
    let whole = source.ty() == result
        && outer.has_zero_offsets()
        && outer.has_unit_strides()
        && dropped_dims_of(inner.0)?.iter().all(|dropped| !dropped)
        && outer.sizes == inner_slice.sizes;
    whole.then(|| source.id()).and_then(folded)
}

/// Splitting what was merged from the same type, or the other way round, gives it back.
pub(crate) fn reshape_back(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    if op.operand(0).ty() == op.result(0).ty() {
        return folded(op.operand(0).id());
    }
    let inner = op.operand(0).defining_op()?;
    let opposite = match op.name() {
        "memref.expand_shape" => "memref.collapse_shape",
        _ => "memref.expand_shape",
    };
    let source = (inner.name() == opposite).then(|| inner.operand(0))?;
    // Of a merged group that had more than one dynamic extent it is not known how those were.
    let shape = source.ty().shape()?;
    let unknown = |group: &Vec<usize>| group.iter().filter(|&&dim| shape.get(dim) == Some(&DYNAMIC)).count() > 1;
    if inner.name() == "memref.collapse_shape"
        && reassociation::groups(inner.attr("reassociation")?).iter().any(unknown)
    {
        return None;
    }
    let same_groups = inner.attr("reassociation").map(|a| a.id()) == op.attr("reassociation").map(|a| a.id());
    let groups = op.attr("reassociation").map(reassociation::groups).unwrap_or_default();
    let shape = op.result(0).ty().shape().unwrap_or_default();
    let known = opposite == "memref.expand_shape" || reassociation::is_known_from_collapsed(shape, &groups);
    (source.ty() == op.result(0).ty() && same_groups && known).then(|| source.id()).and_then(folded)
}

/// A transposition that moves nothing.
pub(crate) fn transpose(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let map = TransposeOp(op).permutation().as_affine_map()?;
    let identity = op.cx().affine().is_identity(map);
    (identity && op.operand(0).ty() == op.result(0).ty()).then(|| op.operand(0).id()).and_then(folded)
}

/// A memref put together with the offset, sizes and strides that its source has by its type.
pub(crate) fn reinterpret_cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let (source, slice) = (op.operand(0), Slice::of(op)?);
    let known = |list: &[Index], numbers: &[i64]| {
        list.len() == numbers.len()
            && list.iter().zip(numbers).all(|(index, &number)| index.as_static() == Some(number))
    };
    let layout = source.ty().strided_layout()?;
    let same = source.ty() == op.result(0).ty()
        && known(&slice.sizes, source.ty().shape()?)
        && known(&slice.strides, &layout.strides)
        && known(&slice.offsets, &[layout.offset]);
    same.then(|| source.id()).and_then(folded)
}

/// A view of bytes as bytes, from the first one on.
pub(crate) fn view(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let view = ViewOp(op);
    let same = view.source().ty() == op.result(0).ty() && op.result(0).ty().has_static_shape();
    (same && constant_index(operands, 1, op) == Some(0)).then(|| view.source().id()).and_then(folded)
}

/// An alignment that has been assumed before, or follows from one that has.
pub(crate) fn assume_alignment(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let alignment = |op: OpRef<'_>| op.attr("alignment")?.as_int().filter(|&alignment| alignment > 0);
    let before = op.operand(0).def::<AssumeAlignmentOp<'_>>()?;
    let follows = alignment(before.0)? % alignment(op)? == 0;
    follows.then(|| op.operand(0).id()).and_then(folded)
}
