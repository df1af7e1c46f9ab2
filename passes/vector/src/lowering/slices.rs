//! Strided slices: along one dimension by shuffles, along several by the slices of each row.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, AttrRef, OpDefinition, OpId, OpView, Rewriter};
use dl_vector::types::extents;
use dl_vector::{ExtractStridedSliceOp, InsertStridedSliceOp};

use crate::build::{VectorBuild, without_leading};

/// Adds the patterns that lower slices completely.
pub fn slices(patterns: &mut Patterns) {
    decompose_slices(patterns);
    patterns
        .add_fn("vector-insert-slice-by-shuffle", Some(InsertStridedSliceOp::NAME), insert_of_same_rank)
        .add_fn("vector-slice-by-shuffle", Some(ExtractStridedSliceOp::NAME), extract_by_shuffle)
        .add_fn("vector-scalable-slice-by-elements", Some(ExtractStridedSliceOp::NAME), extract_by_elements);
}

/// Adds the patterns that take slices along several dimensions apart.
pub fn decompose_slices(patterns: &mut Patterns) {
    patterns
        .add_fn("vector-insert-slice-of-lower-rank", Some(InsertStridedSliceOp::NAME), insert_of_lower_rank)
        .add_fn("vector-slice-of-rows", Some(ExtractStridedSliceOp::NAME), extract_of_rows);
}

/// Adds the pattern that takes slices of vectors of one dimension element by element.
pub fn slice_elements(patterns: &mut Patterns) {
    patterns.add_fn("vector-slice-by-elements", Some(ExtractStridedSliceOp::NAME), |op, rw| {
        let view = ExtractStridedSliceOp::wrap(rw.op(op));
        let ty = view.source().ty();
        if extents(ty).len() != 1 || ty.is_scalable_vector() {
            return Err(NoMatch("not one dimension"));
        }
        by_elements(op, rw)
    });
}

fn ints(attr: AttrRef<'_>) -> Vec<i64> {
    attr.elements().filter_map(AttrRef::as_int).collect()
}

/// A slice along the leading dimension.
struct Slice {
    offset: i64,
    stride: i64,
    /// Number of entries of the attributes.
    len: usize,
    rest: Vec<(&'static str, Attr)>,
}

impl Slice {
    fn of(lists: &[(&'static str, AttrRef<'_>)]) -> Result<Self, NoMatch> {
        let first =
            |name: &str| lists.iter().find(|(n, _)| *n == name).and_then(|(_, attr)| ints(*attr).first().copied());
        let (offset, stride) = (first("offsets"), first("strides"));
        let (offset, stride) = offset.zip(stride).ok_or(NoMatch("no offsets"))?;
        let len = lists.first().map_or(0, |(_, attr)| ints(*attr).len());
        let rest = lists.iter().map(|&(name, attr)| {
            let tail: Vec<Attr> = attr.elements().skip(1).map(|attr| attr.id()).collect();
            (name, attr.cx().array_attr(&tail))
        });
        Ok(Self { offset, stride, len, rest: rest.collect() })
    }
}

/// A slice of fewer dimensions goes into the part at the leading offsets.
fn insert_of_lower_rank(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = InsertStridedSliceOp::wrap(rw.op(op));
    let (value, dest, loc) = (view.value_to_store().id(), view.dest().id(), view.0.loc());
    let (offsets, strides) = (ints(view.offsets()), view.strides().id());
    let added = extents(rw.value_type(dest)).len() - extents(rw.value_type(value)).len();
    if added == 0 {
        return Err(NoMatch("the ranks are the same"));
    }
    let cx = rw.cx();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let inner = b.part(dest, &offsets[..added]);
    let rest: Vec<Attr> = offsets[added..].iter().map(|&offset| cx.i64_attr(offset)).collect();
    let attrs = [("offsets", cx.array_attr(&rest)), ("strides", strides)];
    let ty = b.ir().value_type(inner);
    let inner = b.value_with::<InsertStridedSliceOp<'_>>(&[value, inner], ty, &attrs);
    let result = b.with_part(inner, dest, &offsets[..added]);
    rw.replace(op, &[result]);
    Ok(())
}

fn insert_of_same_rank(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = InsertStridedSliceOp::wrap(rw.op(op));
    let (value, dest, loc) = (view.value_to_store().id(), view.dest().id(), view.0.loc());
    let slice = Slice::of(&[("offsets", view.offsets()), ("strides", view.strides())])?;
    let (from, to) = (rw.value_type(value), rw.value_type(dest));
    let (old, new) = (extents(from), extents(to));
    if old.len() != new.len() {
        return Err(NoMatch("the ranks differ"));
    }
    if from == to {
        rw.replace(op, &[value]);
        return Ok(());
    }
    if old.len() == 1 && (from.is_scalable_vector() || to.is_scalable_vector()) {
        return Err(NoMatch("a scalable vector"));
    }
    if from.scalable_dims().first() == Some(&true) || to.scalable_dims().first() == Some(&true) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    let Slice { offset, stride, rest, .. } = slice;
    let (count, extent) = (old[0], new[0]);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    if old.len() == 1 {
        // First to the same length, then both by turns.
        let widened: Vec<i64> = (0..extent).map(|i| if i < count { i } else { 0 }).collect();
        let wide = b.shuffle(value, value, &widened);
        let end = offset + count * stride;
        let merged: Vec<i64> = (0..extent)
            .map(|i| {
                let inside = i >= offset && i < end && (i - offset) % stride == 0;
                if inside { (i - offset) / stride } else { extent + i }
            })
            .collect();
        let result = b.shuffle(wide, dest, &merged);
        rw.replace(op, &[result]);
        return Ok(());
    }
    let mut result = dest;
    for row in 0..count {
        let at = offset + row * stride;
        let (part, old) = (b.part(value, &[row]), b.part(dest, &[at]));
        let ty = b.ir().value_type(old);
        let part = b.value_with::<InsertStridedSliceOp<'_>>(&[part, old], ty, &rest);
        result = b.with_part(part, result, &[at]);
    }
    rw.replace(op, &[result]);
    Ok(())
}

/// The parts of an extraction.
fn extraction(view: ExtractStridedSliceOp<'_>) -> Result<(Slice, i64), NoMatch> {
    let slice = Slice::of(&[("offsets", view.offsets()), ("sizes", view.sizes()), ("strides", view.strides())])?;
    let size = ints(view.sizes()).first().copied().ok_or(NoMatch("no sizes"))?;
    Ok((slice, size))
}

fn extract_by_shuffle(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractStridedSliceOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let (slice, size) = extraction(view)?;
    let scalable = view.source().ty().is_scalable_vector() || view.result().ty().is_scalable_vector();
    if slice.len != 1 || scalable {
        return Err(NoMatch("along several dimensions, or of a scalable vector"));
    }
    let rows: Vec<i64> = (0..size).map(|i| slice.offset + i * slice.stride).collect();
    rw.set_insertion_before(op);
    let value = Build::new(rw, loc).shuffle(source, source, &rows);
    rw.replace(op, &[value]);
    Ok(())
}

/// Rows of which each is scalable cannot be shuffled.
fn extract_by_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractStridedSliceOp::wrap(rw.op(op));
    let source = view.source().id();
    let (slice, _) = extraction(view)?;
    let from = rw.value_type(source);
    if slice.len != 1 || !from.is_scalable_vector() || from.scalable_dims().first() == Some(&true) {
        return Err(NoMatch("along several dimensions, or not of scalable rows"));
    }
    by_elements(op, rw)
}

/// Of each row of the slice along the leading dimension, or each element.
fn by_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractStridedSliceOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let (slice, size) = extraction(view)?;
    let ty = rw.ir().value_type(rw.ir().result(op, 0));
    let zero = rw.cx().zero_attr(ty).ok_or(NoMatch("elements without zero"))?;
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let rows: Vec<_> = (0..size).map(|i| b.part(source, &[slice.offset + i * slice.stride])).collect();
    let mut value = b.constant(zero, ty);
    for (i, row) in rows.into_iter().enumerate() {
        value = b.with_part(row, value, &[i as i64]);
    }
    rw.replace(op, &[value]);
    Ok(())
}

/// A slice along several dimensions: of each row that is in it, the slice along the others.
fn extract_of_rows(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractStridedSliceOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let (slice, size) = extraction(view)?;
    let ty = rw.value_type(rw.ir().result(op, 0));
    if slice.len == 1 || ty.scalable_dims().first() == Some(&true) {
        return Err(NoMatch("along one dimension"));
    }
    let element = ty.element_or_self();
    let zero = rw.cx().zero_attr(element.id()).ok_or(NoMatch("elements without zero"))?;
    let row_type = without_leading(ty, 1);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let zero = b.constant(zero, element.id());
    let mut value = b.broadcast(zero, ty.id());
    for i in 0..size {
        let row = b.part(source, &[slice.offset + i * slice.stride]);
        let part = b.value_with::<ExtractStridedSliceOp<'_>>(&[row], row_type, &slice.rest);
        value = b.with_part(part, value, &[i]);
    }
    rw.replace(op, &[value]);
    Ok(())
}
