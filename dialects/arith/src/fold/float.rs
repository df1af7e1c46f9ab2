//! Floating-point arithmetic, rounded to nearest even.

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::float;
use dl_ir::{Attr, FloatKind, OpRef};

use super::Consts;
use crate::constants::{is_float, uniform_float};
use crate::flags::fastmath;
use crate::{FastMathFlags, NegFOp};

pub(crate) fn negf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    // -(-x) = x
    if let Some(inner) = op.operand(0).def::<NegFOp<'_>>() {
        return folded(inner.operand().id());
    }
    Consts::new(op, k).float(|kind, a| Some(float::neg(kind, a)))
}

/// `x` when the right operand is the constant `neutral`, else `f` of constants.
fn binary(op: OpRef<'_>, k: &[Option<Attr>], neutral: f64, f: fn(FloatKind, u128, u128) -> u128) -> Option<Folded> {
    let k = Consts::new(op, k);
    if k.get(1).is_some_and(|c| is_float(op.cx(), c, neutral)) {
        return folded(op.operand(0).id());
    }
    k.floats(|kind, a, b| Some(f(kind, a, b)))
}

pub(crate) fn addf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    binary(op, k, -0.0, float::add)
}

pub(crate) fn subf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    binary(op, k, 0.0, float::sub)
}

pub(crate) fn mulf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    // x * 0 = 0, where neither NaN nor the sign of a zero matters
    let flags = fastmath(op);
    let zero = |c: Attr| is_float(op.cx(), c, 0.0) || is_float(op.cx(), c, -0.0);
    if flags.contains(FastMathFlags::NNAN.union(FastMathFlags::NSZ)) && k.get(1).copied().flatten().is_some_and(zero) {
        return folded(op.operand(1).id());
    }
    binary(op, k, 1.0, float::mul)
}

pub(crate) fn divf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    binary(op, k, 1.0, float::div)
}

pub(crate) fn remf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    Consts::new(op, k).floats(|kind, a, b| Some(float::rem(kind, a, b)))
}

/// Minimum and maximum: `f(x, x) = x`, and `x` when the right operand is neutral.
fn extremum(
    op: OpRef<'_>,
    k: &[Option<Attr>],
    neutral: fn(FloatKind, u128) -> bool,
    f: fn(FloatKind, u128, u128) -> u128,
) -> Option<Folded> {
    let (k, lhs) = (Consts::new(op, k), op.operand(0));
    if lhs == op.operand(1) {
        return folded(lhs.id());
    }
    let right = k.get(1).and_then(|c| uniform_float(op.cx(), c));
    if right.is_some_and(|(kind, bits)| neutral(kind, bits)) {
        return folded(lhs.id());
    }
    k.floats(|kind, a, b| Some(f(kind, a, b)))
}

pub(crate) fn maximumf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, |kind, bits| float::infinity(kind, true) == Some(bits), float::maximum)
}

pub(crate) fn minimumf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, |kind, bits| float::infinity(kind, false) == Some(bits), float::minimum)
}

pub(crate) fn maxnumf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, float::is_nan, float::maxnum)
}

pub(crate) fn minnumf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, float::is_nan, float::minnum)
}
