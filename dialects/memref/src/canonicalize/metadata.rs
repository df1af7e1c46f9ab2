//! Memrefs taken apart into base, offset, sizes and strides, and put together from them.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, split};
use dl_ir::interfaces::offset_size_stride::{Slice, with_known_values};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::types::StridedLayout;
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, Rewriter, TypeRef, ValueRef};

use super::cast_to;
use crate::{CastOp, ExtractStridedMetadataOp, ReinterpretCastOp, SubViewOp};

/// What a type knows of the numbers that a memref is taken apart into: offset, sizes, strides.
fn numbers(ty: TypeRef<'_>) -> Option<Vec<i64>> {
    let layout = ty.strided_layout()?;
    Some(std::iter::once(layout.offset).chain(ty.shape()?.iter().copied()).chain(layout.strides).collect())
}

/// What the type knows of a memref is used in place of what is taken out of it.
fn known_numbers(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let known = numbers(view.operand(0).ty()).ok_or(NoMatch("not strided"))?;
    let mut found: Vec<_> = Vec::new();
    for (result, &number) in view.results().iter().skip(1).zip(&known) {
        if number != DYNAMIC && result.has_uses() {
            found.push((result.id(), number));
        }
    }
    if found.is_empty() {
        return Err(NoMatch("no number that is used is known"));
    }
    let loc = view.loc();
    for (result, number) in found {
        let constant = dl_arith::constant_index(rw, number, loc);
        rw.replace_all_uses(result, constant);
    }
    Ok(())
}

/// A cast is taken apart as its source; what only the cast knows is used.
fn metadata_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ExtractStridedMetadataOp(rw.op(op));
    let cast = view.source().def::<CastOp<'_>>().ok_or(NoMatch("the source is no cast"))?;
    let source = cast.source();
    let (Some(_), Some(learned)) = (numbers(source.ty()), numbers(view.source().ty())) else {
        return Err(NoMatch("not strided"));
    };
    let (source, loc, types) = (source.id(), view.0.loc(), view.0.results().types());
    let state = OpState::of::<ExtractStridedMetadataOp<'_>>(loc).operands([source]).results(types);
    let new = rw.create(state);
    let mut values = vec![rw.ir().result(new, 0)];
    for (i, number) in learned.into_iter().enumerate() {
        values.push(if number == DYNAMIC {
            rw.ir().result(new, i + 1)
        } else {
            dl_arith::constant_index(rw, number, loc)
        });
    }
    rw.replace(op, &values);
    Ok(())
}

/// A memref put together of another that is a view, which only the base counts of, is put together of what that views.
fn reinterpret_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ReinterpretCastOp(rw.op(op));
    let inner = view.source().defining_op().ok_or(NoMatch("the source is an argument"))?;
    let same_base = || {
        let slice = inner.cast::<SubViewOp<'_>>()?;
        slice.0.operand(0).ty().strided_layout()?;
        Slice::of(slice.0)?.has_zero_offsets().then_some(())
    };
    // The offset of the result counts from the base of the buffer, which views share.
    if !inner.is::<ReinterpretCastOp<'_>>() && !inner.is::<CastOp<'_>>() && same_base().is_none() {
        return Err(NoMatch("the source is no such view"));
    }
    let source = inner.operand(0);
    if source.ty().element_type() != view.result().ty().element_type() {
        return Err(NoMatch("of another element type"));
    }
    let source = source.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// Constant operands become constants of the attributes.
fn reinterpret_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let known = |list: &Indices| with_known_values(view, list);
    let (offsets, sizes, strides) = (known(&slice.offsets), known(&slice.sizes), known(&slice.strides));
    if offsets.is_none() && sizes.is_none() && strides.is_none() {
        return Err(NoMatch("no operand is constant"));
    }
    let negative = |list: &Option<Indices>| list.iter().flatten().any(|i| i.as_static().is_some_and(|n| n < 0));
    if negative(&offsets) || negative(&sizes) {
        return Err(NoMatch("a constant is negative"));
    }
    let new = Slice {
        offsets: offsets.unwrap_or(slice.offsets),
        sizes: sizes.unwrap_or(slice.sizes),
        strides: strides.unwrap_or(slice.strides),
    };
    let old = view.result(0).ty();
    let extents = |list: &Indices| list.iter().map(|index| index.extent()).collect::<Vec<i64>>();
    let offset = extents(&new.offsets).first().copied().unwrap_or(0);
    let layout = StridedLayout { strides: extents(&new.strides), offset };
    let space = old.memory_space().map(|space| space.id());
    let ty = cx.strided_memref_type(&extents(&new.sizes), old.element_or_self().id(), &layout, space);
    if !crate::are_cast_compatible(cx.ty(ty), old) {
        return Err(NoMatch("the constants contradict the type"));
    }
    let (source, loc, old) = (view.operand(0).id(), view.loc(), old.id());
    let ((o, ov), (s, sv), (t, tv)) = (split(&new.offsets), split(&new.sizes), split(&new.strides));
    let segments = [1, ov.len(), sv.len(), tv.len()];
    let state = OpState::of::<ReinterpretCastOp<'_>>(loc)
        .operands([source])
        .operands(ov)
        .operands(sv)
        .operands(tv)
        .operand_segments(cx, &segments)
        .attr(cx, "static_offsets", cx.dense_i64_array(&o))
        .attr(cx, "static_sizes", cx.dense_i64_array(&s))
        .attr(cx, "static_strides", cx.dense_i64_array(&t))
        .results([ty]);
    let made = rw.create_value(state);
    let value = cast_to(rw, made, old, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// Whether `index` is number `at` of what `metadata` takes apart: its result, or a constant that the type knows.
fn is_number(index: Index, metadata: ExtractStridedMetadataOp<'_>, known: &[i64], at: usize) -> bool {
    let cx = metadata.0.cx();
    match index {
        Index::Static(number) => known.get(at) == Some(&number),
        Index::Value(value) => {
            let value = ValueRef::new(cx, metadata.0.arena(), value);
            let same = metadata.0.results().get(at + 1) == Some(value);
            let constant = value.constant().and_then(|constant| constant.as_int());
            same || constant.is_some_and(|number| known.get(at) == Some(&number))
        }
    }
}

/// A memref put together again as it was taken apart is that memref, cast; one put together otherwise is of the memref.
fn reinterpret_of_metadata(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ReinterpretCastOp(rw.op(op));
    let metadata = view.source().def::<ExtractStridedMetadataOp<'_>>().ok_or(NoMatch("the source is no base"))?;
    let (source, result) = (metadata.source(), view.result().ty());
    let known = numbers(source.ty()).ok_or(NoMatch("not strided"))?;
    let slice = Slice::of(view.0).ok_or(NoMatch("no slice"))?;
    let given: Indices = slice.offsets.iter().chain(&slice.sizes).chain(&slice.strides).copied().collect();
    let again = given.len() == known.len()
        && given.iter().enumerate().all(|(at, &index)| is_number(index, metadata, &known, at));
    let (source_id, ty, loc) = (source.id(), result.id(), view.0.loc());
    if again && (source.ty() == result || crate::are_cast_compatible(source.ty(), result)) {
        let value = cast_to(rw, source_id, ty, loc);
        rw.replace(op, &[value]);
        return Ok(());
    }
    if source.ty().memory_space() != result.memory_space() {
        return Err(NoMatch("of another memory space"));
    }
    rw.set_operand(op, 0, source_id);
    Ok(())
}

pub(crate) fn extract_strided_metadata(patterns: &mut Patterns) {
    let root = Some(ExtractStridedMetadataOp::NAME);
    patterns.add_fn("memref-metadata-of-cast", root, metadata_of_cast).add_fn(
        "memref-known-metadata",
        root,
        known_numbers,
    );
}

pub(crate) fn reinterpret_cast(patterns: &mut Patterns) {
    let root = Some(ReinterpretCastOp::NAME);
    patterns
        .add_fn("memref-reinterpret-of-metadata", root, reinterpret_of_metadata)
        .add_fn("memref-reinterpret-of-view", root, reinterpret_of_view)
        .add_fn("memref-reinterpret-constants", root, reinterpret_constants);
}
