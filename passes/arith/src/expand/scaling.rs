//! Conversions between small floats and larger ones with a scale, by conversions without.

use dl_arith::{Build, DivFOp, ExtFOp, MulFOp, ScalingExtFOp, ScalingTruncFOp, TruncFOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, FloatKind, OpDefinition, OpId, OpRef, Rewriter, ValueId};

pub(super) fn patterns() -> Patterns {
    let mut patterns = Patterns::new();
    patterns.add_fn("arith-expand-scaling-extf", Some(ScalingExtFOp::NAME), extend).add_fn(
        "arith-expand-scaling-truncf",
        Some(ScalingTruncFOp::NAME),
        truncate,
    );
    patterns
}

/// The attributes of these names that `op` has.
fn attrs<'n>(op: OpRef<'_>, names: &[&'n str]) -> Vec<(&'n str, Attr)> {
    names.iter().filter_map(|&name| Some((name, op.attr(name)?.id()))).collect()
}

/// Whether the scale of `op` is, or can be made, a power of two in the format of scales.
fn takes_scale(op: OpRef<'_>) -> bool {
    let element = op.operand(1).ty().element_or_self();
    element.float_kind() == Some(FloatKind::F8E8M0FNU) || element.int_or_float_width().is_some_and(|width| width >= 16)
}

/// The scale in the format of scales.
fn scale(b: &mut Build<'_, '_>, value: ValueId, fastmath: &[(&str, Attr)]) -> ValueId {
    let cx = b.cx();
    let ty = b.value_type(value);
    if ty.element_or_self().float_kind() == Some(FloatKind::F8E8M0FNU) {
        return value;
    }
    let format = cx.float_type(FloatKind::F8E8M0FNU);
    let format = if ty.is_shaped() { ty.with_element(format) } else { format };
    b.value_with::<TruncFOp<'_>>(&[value], format, fastmath)
}

/// Both are extended, then multiplied.
fn extend(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if !takes_scale(view) {
        return Err(NoMatch("a scale of a format that has no powers of two enough"));
    }
    let (input, by, ty, loc) = (view.operand(0).id(), view.operand(1).id(), view.result(0).ty().id(), view.loc());
    let fastmath = attrs(view, &["fastmath"]);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let by = scale(&mut b, by, &fastmath);
    let by = b.value_with::<ExtFOp<'_>>(&[by], ty, &fastmath);
    let input = b.value_with::<ExtFOp<'_>>(&[input], ty, &fastmath);
    let product = b.value_with::<MulFOp<'_>>(&[input, by], ty, &fastmath);
    rw.replace(op, &[product]);
    Ok(())
}

/// The scale is extended; the quotient is truncated.
fn truncate(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if !takes_scale(view) {
        return Err(NoMatch("a scale of a format that has no powers of two enough"));
    }
    let (input, by, ty, loc) = (view.operand(0), view.operand(1).id(), view.result(0).ty().id(), view.loc());
    let (wide, input) = (input.ty().id(), input.id());
    let (fastmath, all) = (attrs(view, &["fastmath"]), attrs(view, &["roundingmode", "fastmath"]));
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let by = scale(&mut b, by, &fastmath);
    let by = b.value_with::<ExtFOp<'_>>(&[by], wide, &fastmath);
    let quotient = b.value_with::<DivFOp<'_>>(&[input, by], wide, &fastmath);
    let result = b.value_with::<TruncFOp<'_>>(&[quotient], ty, &all);
    rw.replace(op, &[result]);
    Ok(())
}
