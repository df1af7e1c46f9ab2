//! Masks: constant ones, and those of which a part, a cast or a transposition is taken.

use dl_ir::interfaces::Index;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Loc, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::position::{self, ints};
use crate::types::{extents, is_scalable};
use crate::{
    ConstantMaskOp, CreateMaskOp, ExtractOp, ExtractStridedSliceOp, MaskOp, ShapeCastOp, TransposeOp, VectorScaleOp,
    YieldOp,
};

/// `vector.constant_mask`; where one size is zero all are.
pub(super) fn constant_mask(rw: &mut Rewriter<'_>, op: OpId, mut sizes: Vec<i64>, ty: Type) {
    if sizes.contains(&0) {
        sizes.fill(0);
    }
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let state = OpState::of::<ConstantMaskOp<'_>>(loc);
    rw.replace_with(op, state.attr(cx, "mask_dim_sizes", cx.dense_i64_array(&sizes)).results([ty]));
}

/// Replaces a mask by one of sizes known when running.
fn replace_by_mask(rw: &mut Rewriter<'_>, op: OpId, sizes: impl IntoIterator<Item = ValueId>) {
    let (loc, ty) = (rw.op(op).loc(), rw.op(op).result(0).ty().id());
    rw.replace_with(op, OpState::of::<CreateMaskOp<'_>>(loc).operands(sizes).results([ty]));
}

/// Replaces a mask by one with no lane on.
fn no_lanes(rw: &mut Rewriter<'_>, op: OpId) -> Rewrite {
    let ty = rw.op(op).result(0).ty().id();
    let none = rw.cx().splat_attr(ty, rw.cx().bool_attr(false)).ok_or(NoMatch("not a mask"))?;
    let loc = rw.op(op).loc();
    rw.replace_with(op, dl_arith::constant_state(rw.cx(), none, loc));
    Ok(())
}

fn constant_of(value: ValueRef<'_>) -> Option<i64> {
    value.constant().and_then(|constant| constant.as_int())
}

/// The number `n` of a value that is `n` times the size of the machine's vectors, as far as that cannot overflow.
fn multiple_of_vscale(value: ValueRef<'_>) -> Option<i64> {
    if value.def::<VectorScaleOp<'_>>().is_some() {
        return Some(1);
    }
    let product = value.def::<dl_arith::MulIOp<'_>>()?.0;
    let (a, b) = (product.operand(0), product.operand(1));
    let by = |scale: ValueRef<'_>, factor: ValueRef<'_>| {
        scale.def::<VectorScaleOp<'_>>().and_then(|_| constant_of(factor)).filter(|n| i32::try_from(*n).is_ok())
    };
    by(a, b).or_else(|| by(b, a))
}

/// A mask of constant sizes, cut off at the extents, is a constant.
fn constant_sizes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let mask = CreateMaskOp(rw.op(op));
    let ty = mask.result().ty();
    let shape = ty.shape().filter(|shape| !shape.is_empty()).ok_or(NoMatch("no dimensions"))?;
    let mut sizes = Vec::with_capacity(shape.len());
    for (i, (operand, &extent)) in mask.operands().iter().zip(shape).enumerate() {
        let multiple = if is_scalable(ty, i) { multiple_of_vscale(operand) } else { None };
        if multiple.is_some_and(|n| n >= extent) {
            sizes.push(extent);
            continue;
        }
        let size = constant_of(operand).ok_or(NoMatch("a size is not constant"))?;
        // Of a dimension that grows with the machine, no more is known than whether anything is set.
        if is_scalable(ty, i) && size > 0 {
            return Err(NoMatch("a size of a scalable dimension"));
        }
        sizes.push(size.clamp(0, extent));
    }
    let ty = ty.id();
    constant_mask(rw, op, sizes, ty);
    Ok(())
}

/// A transposition of a mask has its sizes transposed.
fn transposed(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let transpose = TransposeOp(rw.op(op));
    let dims: Vec<usize> = transpose.permutation().dense_ints().filter_map(|dim| usize::try_from(dim).ok()).collect();
    if let Some(mask) = transpose.vector().def::<CreateMaskOp<'_>>() {
        let sizes: Option<SmallVec<[ValueId; 4]>> =
            dims.iter().map(|&dim| mask.operands().get(dim).map(|size| size.id())).collect();
        replace_by_mask(rw, op, sizes.ok_or(NoMatch("no permutation"))?);
        return Ok(());
    }
    let mask = transpose.vector().def::<ConstantMaskOp<'_>>().ok_or(NoMatch("the operand is no mask"))?;
    let old: Vec<i64> = mask.mask_dim_sizes().dense_ints().collect();
    let sizes: Option<Vec<i64>> = dims.iter().map(|&dim| old.get(dim).copied()).collect();
    let ty = transpose.result().ty().id();
    constant_mask(rw, op, sizes.ok_or(NoMatch("no permutation"))?, ty);
    Ok(())
}

/// The sizes of a mask, as far as they are known.
fn known_sizes(mask: ValueRef<'_>) -> Option<SmallVec<[Option<i64>; 4]>> {
    if let Some(mask) = mask.def::<ConstantMaskOp<'_>>() {
        return Some(mask.mask_dim_sizes().dense_ints().map(Some).collect());
    }
    mask.def::<CreateMaskOp<'_>>().map(|mask| mask.operands().iter().map(constant_of).collect())
}

/// A part of a mask: where the indices are inside the sizes, a mask of the sizes that are left; else no lane.
fn part_of_mask(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let (source, ty) = (extract.source(), extract.result().ty());
    let sizes = known_sizes(source).filter(|_| ty.is_vector()).ok_or(NoMatch("no vector of a mask"))?;
    let position = position::of_extract(extract).ok_or(NoMatch("an index is out of bounds"))?;
    if position.len() + extents(ty).len() != sizes.len() || position.is_empty() {
        return Err(NoMatch("no dimensions are left"));
    }
    let mut inside = true;
    for (i, (index, size)) in position.iter().zip(&sizes).enumerate() {
        let extent = extents(source.ty())[i];
        let on = match (index, size) {
            (Index::Static(index), Some(size)) => index < size,
            (Index::Value(_), Some(size)) if *size <= 0 => false,
            (Index::Value(_), Some(size)) if *size >= extent && !is_scalable(source.ty(), i) => true,
            _ => return Err(NoMatch("it is not known whether the part is on")),
        };
        inside &= on;
    }
    if !inside {
        return no_lanes(rw, op);
    }
    if let Some(mask) = source.def::<CreateMaskOp<'_>>() {
        let left: SmallVec<[ValueId; 4]> = mask.operands().iter().skip(position.len()).map(|size| size.id()).collect();
        replace_by_mask(rw, op, left);
        return Ok(());
    }
    let left: Option<Vec<i64>> = sizes[position.len()..].iter().copied().collect();
    let ty = ty.id();
    constant_mask(rw, op, left.ok_or(NoMatch("no constant mask"))?, ty);
    Ok(())
}

/// A slice of a constant mask is one.
fn slice_of_constant_mask(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let slice = ExtractStridedSliceOp(rw.op(op));
    let mask = slice.source().def::<ConstantMaskOp<'_>>().ok_or(NoMatch("the operand is no constant mask"))?;
    let (offsets, sizes) = (ints(slice.offsets()), ints(slice.sizes()));
    let on = mask.mask_dim_sizes().dense_ints().enumerate().map(|(i, on)| match (offsets.get(i), sizes.get(i)) {
        (Some(offset), Some(&size)) => (on - offset).clamp(0, size),
        _ => on,
    });
    let (on, ty) = (on.collect(), slice.result().ty().id());
    constant_mask(rw, op, on, ty);
    Ok(())
}

/// A slice of a mask has the sizes less the offsets.
fn slice_of_mask(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let slice = ExtractStridedSliceOp(rw.op(op));
    let mask = slice.source().def::<CreateMaskOp<'_>>().ok_or(NoMatch("the operand is no mask"))?;
    let offsets = ints(slice.offsets());
    let (sizes, loc) = (mask.operands().ids(), slice.0.loc());
    let mut left: SmallVec<[ValueId; 4]> = SmallVec::new();
    for (i, &size) in sizes.iter().enumerate() {
        left.push(match offsets.get(i) {
            Some(&offset) if offset != 0 => less(rw, size, offset, loc),
            _ => size,
        });
    }
    replace_by_mask(rw, op, left);
    Ok(())
}

/// `size - offset` at the insertion point.
fn less(rw: &mut Rewriter<'_>, size: ValueId, offset: i64, loc: Loc) -> ValueId {
    let ty = rw.cx().index_type();
    let offset = dl_arith::constant_index(rw, offset, loc);
    rw.create_value(OpState::of::<dl_arith::SubIOp<'_>>(loc).operands([size, offset]).results([ty]))
}

/// A cast of a mask that only removes trailing dimensions of extent 1, each of size 1, is a mask of the other sizes.
fn cast_of_mask(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cast = ShapeCastOp(rw.op(op));
    let (source, result) = (cast.source(), cast.result().ty());
    let sizes = known_sizes(source).ok_or(NoMatch("the operand is no mask"))?;
    let kept = extents(result).len();
    let trailing =
        |i: usize| extents(source.ty())[i] == 1 && !is_scalable(source.ty(), i) && sizes[i].is_some_and(|n| n >= 1);
    let leading = |i: usize| {
        extents(source.ty())[i] == extents(result)[i] && is_scalable(source.ty(), i) == is_scalable(result, i)
    };
    if kept >= sizes.len() || kept == 0 || !(0..kept).all(leading) || !(kept..sizes.len()).all(trailing) {
        return Err(NoMatch("more changes than trailing dimensions"));
    }
    if let Some(mask) = source.def::<CreateMaskOp<'_>>() {
        let left: SmallVec<[ValueId; 4]> = mask.operands().iter().take(kept).map(|size| size.id()).collect();
        replace_by_mask(rw, op, left);
        return Ok(());
    }
    let left: Option<Vec<i64>> = sizes[..kept].iter().copied().collect();
    let ty = result.id();
    constant_mask(rw, op, left.ok_or(NoMatch("no constant mask"))?, ty);
    Ok(())
}

/// The operation in the region of `mask`, where there is one besides the terminator.
pub(super) fn masked_op(mask: MaskOp<'_>) -> Option<OpRef<'_>> {
    let first = mask.0.region(0).entry()?.first_op()?;
    (!first.is::<YieldOp<'_>>()).then_some(first)
}

/// A mask with all lanes on does nothing.
fn all_lanes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let mask = MaskOp(rw.op(op));
    let inner = masked_op(mask).ok_or(NoMatch("the region is empty"))?;
    let yields_it = inner.next().is_some_and(|end| end.operands().iter().eq(inner.results().iter()));
    if !yields_it || crate::masks::uniform(mask.mask()) != Some(true) {
        return Err(NoMatch("not all lanes are on"));
    }
    let inner = inner.id();
    rw.move_before(inner, op);
    let results: SmallVec<[ValueId; 2]> = rw.ir().results(inner).collect();
    rw.replace(op, &results);
    Ok(())
}

/// A mask over nothing chooses between what is yielded and what is passed through.
fn over_nothing(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let mask = MaskOp(rw.op(op));
    let first = mask.0.region(0).entry().and_then(|block| block.first_op());
    let only = first.and_then(|first| first.cast::<YieldOp<'_>>()).ok_or(NoMatch("the region is not empty"))?;
    if mask.0.num_results() == 0 {
        rw.erase(op);
        return Ok(());
    }
    let passthru = mask.passthru().ok_or(NoMatch("nothing is passed through"))?;
    let chosen = only.operands().get(0).ok_or(NoMatch("nothing is yielded"))?;
    let fits = mask.mask().ty().shape() == chosen.ty().shape()
        && mask.mask().ty().scalable_dims() == chosen.ty().scalable_dims()
        && mask.0.num_results() == 1;
    if !fits {
        return Err(NoMatch("the mask has another shape"));
    }
    let (operands, ty, loc) = ([mask.mask().id(), chosen.id(), passthru.id()], chosen.ty().id(), mask.0.loc());
    rw.replace_with(op, OpState::of::<dl_arith::SelectOp<'_>>(loc).operands(operands).results([ty]));
    Ok(())
}

pub(crate) fn create_mask(patterns: &mut Patterns) {
    patterns.add_fn("vector-constant-mask-sizes", Some(CreateMaskOp::NAME), constant_sizes);
}

pub(crate) fn mask(patterns: &mut Patterns) {
    super::reduce::of_mask(patterns);
    patterns.add_fn("vector-mask-over-nothing", Some(MaskOp::NAME), over_nothing).add_fn(
        "vector-mask-all-lanes",
        Some(MaskOp::NAME),
        all_lanes,
    );
}

pub(super) fn of_transpose(patterns: &mut Patterns) {
    patterns.add_fn("vector-transposed-mask", Some(TransposeOp::NAME), transposed);
}

pub(super) fn of_extract(patterns: &mut Patterns) {
    patterns.add_fn("vector-part-of-mask", Some(ExtractOp::NAME), part_of_mask);
}

pub(super) fn of_shape_cast(patterns: &mut Patterns) {
    patterns.add_fn("vector-cast-of-mask", Some(ShapeCastOp::NAME), cast_of_mask);
}

pub(super) fn of_slice(patterns: &mut Patterns) {
    let root = Some(ExtractStridedSliceOp::NAME);
    patterns.add_fn("vector-slice-of-constant-mask", root, slice_of_constant_mask).add_fn(
        "vector-slice-of-mask",
        root,
        slice_of_mask,
    );
}

/// Slices and transpositions of masks that are masks.
pub fn constant_mask_patterns(patterns: &mut Patterns) {
    let root = Some(ExtractStridedSliceOp::NAME);
    patterns.add_fn("vector-slice-of-constant-mask", root, slice_of_constant_mask);
    of_transpose(patterns);
}
