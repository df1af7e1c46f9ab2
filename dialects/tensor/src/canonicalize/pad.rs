//! Borders around tensors.

use dl_ir::effects::is_memory_effect_free;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, Rewriter, Type, ValueId, ValueRef};

use super::{cast_source, cast_to, extract_slice_state};
use crate::{CastOp, ExtractSliceOp, PadOp, YieldOp};

/// How much is added before and after each dimension.
pub(crate) struct Border {
    /// Before.
    pub(crate) low: Indices,
    /// After.
    pub(crate) high: Indices,
}

impl Border {
    /// The border that `op` adds.
    pub(crate) fn of(op: PadOp<'_>) -> Self {
        let list = |constants: dl_ir::AttrRef<'_>, values| mixed(&constants.as_i64_array().unwrap_or_default(), values);
        Self { low: list(op.static_low(), op.low()), high: list(op.static_high(), op.high()) }
    }

    /// The extent of each dimension with its border; dynamic where a part is.
    fn extents(&self, inner: &[i64]) -> Vec<i64> {
        let extent = |(i, &inner): (usize, &i64)| {
            let (low, high) = (self.low.get(i)?.as_static()?, self.high.get(i)?.as_static()?);
            if inner == DYNAMIC { None } else { inner.checked_add(low)?.checked_add(high) }
        };
        inner.iter().enumerate().map(|at| extent(at).unwrap_or(DYNAMIC)).collect()
    }
}

/// Whether nothing is added anywhere.
pub(crate) fn adds_nothing(op: PadOp<'_>) -> bool {
    let zero = |index: &Index| match *index {
        Index::Static(size) => size == 0,
        Index::Value(value) => {
            let value = ValueRef::new(op.0.cx(), op.0.arena(), value);
            value.constant().and_then(|constant| constant.as_int()) == Some(0)
        }
    };
    let border = Border::of(op);
    border.low.iter().chain(&border.high).all(zero)
}

/// The value that the border has everywhere: a constant, or one defined outside. None where it can be observed how often that is found out.
fn padding_value(op: PadOp<'_>) -> Option<ValueRef<'_>> {
    let block = op.0.region(0).entry()?;
    let value = block.terminator()?.cast::<YieldOp<'_>>()?.value();
    let inside = value.parent_block() == Some(block);
    (!inside && is_memory_effect_free(op.0)).then_some(value)
}

/// Replaces `op` by a pad of `source` with `border`, of type `ty`, cast to the old type where that differs. The region moves over.
fn replace_pad(rw: &mut Rewriter<'_>, op: OpId, source: ValueId, border: &Border, ty: Type) {
    let cx = rw.cx();
    let ((low, lows), (high, highs)) = (split(&border.low), split(&border.high));
    let view = rw.op(op);
    let (loc, old, nofold, from) =
        (view.loc(), view.result(0).ty().id(), view.attr("nofold").map(|attr| attr.id()), view.region(0).id());
    let region = rw.new_region();
    rw.move_blocks(from, region, None);
    let segments = [1, lows.len(), highs.len()];
    let state = OpState::of::<PadOp<'_>>(loc)
        .operands([source])
        .operands(lows)
        .operands(highs)
        .operand_segments(cx, &segments)
        .attr(cx, "static_low", cx.dense_i64_array(&low))
        .attr(cx, "static_high", cx.dense_i64_array(&high))
        .maybe_attr(cx, "nofold", nofold)
        .region(region)
        .results([ty]);
    let padded = rw.create_value(state);
    let value = cast_to(rw, padded, old, loc);
    rw.replace(op, &[value]);
}

/// A border of nothing is a cast.
fn pad_of_nothing(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pad = PadOp(rw.op(op));
    if pad.nofold().is_some() || !adds_nothing(pad) {
        return Err(NoMatch("something is added"));
    }
    let (source, result, loc) = (pad.source(), pad.result().ty(), pad.0.loc());
    if source.ty() != result && !crate::are_cast_compatible(source.ty(), result) {
        return Err(NoMatch("the types cannot be cast"));
    }
    let (source, result) = (source.id(), result.id());
    let value = cast_to(rw, source, result, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// `better` where it is known, else `old`.
fn refined(better: Vec<i64>, old: &[i64]) -> Vec<i64> {
    better.into_iter().zip(old).map(|(new, &old)| if new == DYNAMIC { old } else { new }).collect()
}

/// A border around a cast is one around its source.
fn pad_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let pad = PadOp(rw.op(op));
    let source = cast_source(pad.source()).ok_or(NoMatch("the source is no cast"))?;
    let (inner, result) = (source.ty().shape().ok_or(NoMatch("no rank"))?, pad.result().ty());
    let (border, old) = (Border::of(pad), result.shape().ok_or(NoMatch("no rank"))?);
    let new = refined(border.extents(inner), old);
    if agrees(&new, old) {
        let (source, ty) = (source.id(), cx.ty(result.id()).with_shape(&new).ok_or(NoMatch("no rank"))?);
        if ty == result.id() {
            rw.set_operand(op, 0, source);
        } else {
            replace_pad(rw, op, source, &border, ty);
        }
        return Ok(());
    }
    Err(NoMatch("the cast checks something"))
}

/// Whether no extent is known to be another than before.
fn agrees(new: &[i64], old: &[i64]) -> bool {
    new.iter().zip(old).all(|(new, old)| new == old || *old == DYNAMIC)
}

/// A cast that gives a border, which nothing else uses, a more static type makes it one of that type.
fn cast_of_pad(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pad = PadOp(rw.op(op));
    let user = pad.result().uses().next().filter(|_| pad.result().has_one_use()).map(|(user, _)| user);
    let cast = user.and_then(|user| user.cast::<CastOp<'_>>()).ok_or(NoMatch("no cast alone uses it"))?;
    let (from, to) = (pad.result().ty(), cast.dest().ty());
    let (Some(old), Some(new)) = (from.shape(), to.shape()) else { return Err(NoMatch("no rank")) };
    if old.len() != new.len() || !agrees(new, old) || from.encoding() != to.encoding() {
        return Err(NoMatch("the cast forgets something"));
    }
    let inner = pad.source().ty().shape().ok_or(NoMatch("no rank"))?;
    let known = Border::of(pad).extents(inner);
    let contradicts = |(new, known): (&i64, &i64)| *known != DYNAMIC && new != known;
    if new.iter().zip(&known).any(contradicts) {
        return Err(NoMatch("the cast contradicts the border"));
    }
    let (result, ty, cast) = (pad.result().id(), to.id(), cast.0.id());
    rw.set_value_type(result, ty);
    rw.replace(cast, &[result]);
    rw.notify_modified(op);
    Ok(())
}

/// The constant that an index is.
fn known(rw: &Rewriter<'_>, index: Index) -> Option<i64> {
    match index {
        Index::Static(size) => Some(size),
        Index::Value(value) => rw.value(value).constant()?.as_int().filter(|&size| size >= 0),
    }
}

/// A border of constant widths around a known extent gives a known extent.
fn constant_widths(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let pad = PadOp(rw.op(op));
    let (source, result) = (pad.source(), pad.result().ty());
    let (Some(inner), Some(old)) = (source.ty().shape(), result.shape()) else { return Err(NoMatch("no rank")) };
    let mut border = Border::of(pad);
    let mut new = old.to_vec();
    for i in 0..inner.len() {
        if inner[i] == DYNAMIC || old[i] != DYNAMIC {
            continue;
        }
        let (Some(low), Some(high)) = (known(rw, border.low[i]), known(rw, border.high[i])) else { continue };
        if let Some(sum) = inner[i].checked_add(low).and_then(|sum| sum.checked_add(high)) {
            (new[i], border.low[i], border.high[i]) = (sum, Index::Static(low), Index::Static(high));
        }
    }
    if new == old {
        return Err(NoMatch("no extent becomes known"));
    }
    for index in border.low.iter_mut().chain(&mut border.high) {
        *index = known(rw, *index).map_or(*index, Index::Static);
    }
    let ty = cx.ty(result.id()).with_shape(&new).ok_or(NoMatch("no rank"))?;
    let source = source.id();
    replace_pad(rw, op, source, &border, ty);
    Ok(())
}

/// A border around a border of the same value is one.
fn pad_of_pad(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let pad = PadOp(rw.op(op));
    let inner = pad.source().def::<PadOp<'_>>().ok_or(NoMatch("the source has no border"))?;
    let same = padding_value(pad).is_some_and(|value| {
        let other = padding_value(inner);
        other == Some(value) || value.constant().is_some_and(|c| other.and_then(|other| other.constant()) == Some(c))
    });
    if !same || pad.nofold().is_some() || inner.nofold().is_some() {
        return Err(NoMatch("another value, or not to be folded"));
    }
    let (outer, nested) = (Border::of(pad), Border::of(inner));
    let (source, ty, loc) = (inner.source().id(), pad.result().ty().id(), pad.0.loc());
    let mut sum = |a: &Indices, b: &Indices| -> Option<Indices> {
        a.iter().zip(b).map(|(&a, &b)| dl_affine::apply::sum(rw, op, a, b, loc)).collect()
    };
    let (low, high) = (sum(&outer.low, &nested.low), sum(&outer.high, &nested.high));
    let (Some(low), Some(high)) = (low, high) else { return Err(NoMatch("a width overflows")) };
    replace_pad(rw, op, source, &Border { low, high }, ty);
    Ok(())
}

/// Two borders of different dimensions, each behind a slice, are one behind one slice: see [`Chain`].
fn pad_of_slice_of_pad(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let chain = Chain::of(PadOp(rw.op(op))).ok_or(NoMatch("no slice of a border of a slice that agree"))?;
    let (ty, loc) = (rw.op(op).result(0).ty().id(), rw.op(op).loc());
    let extents: Vec<i64> = chain.slice.sizes.iter().map(|size| size.extent()).collect();
    let sliced = rw.value_type(chain.source).with_shape(&extents).ok_or(NoMatch("no rank"))?;
    let state = extract_slice_state(rw, chain.source, &chain.slice, sliced, loc);
    let source = rw.create_value(state);
    replace_pad(rw, op, source, &chain.border, ty);
    Ok(())
}

/// One slice and one border that do what two of each do, one after the other: when no slice has strides or drops a dimension, both borders are
/// of the same constant and come after the elements, and each dimension is cut and padded by at most one of the two.
struct Chain {
    source: ValueId,
    slice: Slice,
    border: Border,
}

impl Chain {
    fn of(outer: PadOp<'_>) -> Option<Self> {
        let second = outer.source().def::<ExtractSliceOp<'_>>()?;
        let inner = second.source().def::<PadOp<'_>>().filter(|inner| inner.nofold().is_none())?;
        let first = inner.source().def::<ExtractSliceOp<'_>>()?;
        let rank = outer.source().ty().shape()?.len();
        let ranks_agree = first.source().ty().shape()?.len() == rank && second.source().ty().shape()?.len() == rank;
        let (before, after) = (Slice::of(first.0)?, Slice::of(second.0)?);
        let (inside, outside) = (Border::of(inner), Border::of(outer));
        let is_zero = |index: &Index| index.as_static() == Some(0);
        let only_high = inside.low.iter().chain(&outside.low).all(is_zero);
        let constant = |pad| padding_value(pad).and_then(|value| value.constant());
        let same = constant(inner).is_some_and(|value| constant(outer) == Some(value));
        if !ranks_agree || !before.has_unit_strides() || !after.has_unit_strides() || !only_high || !same {
            return None;
        }
        let padded = second.source().ty().shape()?;
        let (mut slice, mut border) = (after.clone(), Border { low: outside.low.clone(), high: outside.high.clone() });
        for (dim, &extent) in padded.iter().enumerate() {
            let (pads_inside, pads_outside) = (!is_zero(&inside.high[dim]), !is_zero(&outside.high[dim]));
            if pads_inside && pads_outside {
                return None;
            }
            slice.offsets[dim] = if !pads_outside && is_zero(&after.offsets[dim]) {
                before.offsets[dim]
            } else if !pads_inside && is_zero(&before.offsets[dim]) {
                after.offsets[dim]
            } else {
                return None;
            };
            if pads_inside {
                // All of what the first border gives, or the second slice would cut the border.
                if after.sizes[dim].as_static()? != extent {
                    return None;
                }
                slice.sizes[dim] = before.sizes[dim];
                border.high[dim] = inside.high[dim];
            }
        }
        Some(Self { source: first.source().id(), slice, border })
    }
}

pub(crate) fn pad(patterns: &mut Patterns) {
    let root = Some(PadOp::NAME);
    patterns
        .add_fn("tensor-pad-of-nothing", root, pad_of_nothing)
        .add_fn("tensor-pad-of-cast", root, pad_of_cast)
        .add_fn("tensor-cast-of-pad", root, cast_of_pad)
        .add_fn("tensor-constant-widths", root, constant_widths)
        .add_fn("tensor-pad-of-slice-of-pad", root, pad_of_slice_of_pad)
        .add_fn("tensor-pad-of-pad", root, pad_of_pad);
}
