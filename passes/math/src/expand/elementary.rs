//! Exponential, hyperbolic and other elementary functions, by the equations that define them.

use dl_arith::{CmpFPredicate, MaximumFOp, MinimumFOp, UIToFPOp};
use dl_ir::ValueId;
use dl_ir::rewrite::NoMatch;
use dl_math::{CosOp, ExpOp, LogOp, SinOp, SqrtOp};

use super::emit::Emit;

type Value = Result<ValueId, NoMatch>;

/// `e^x` and `e^-x`.
fn both_exponentials(e: &mut Emit<'_, '_>, x: ValueId) -> (ValueId, ValueId) {
    let up = e.on::<ExpOp<'_>>(&[x]);
    let opposite = e.neg(x);
    (up, e.on::<ExpOp<'_>>(&[opposite]))
}

/// `(e^x - e^-x) / 2`
pub(super) fn sinh(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let (up, down) = both_exponentials(e, x[0]);
    let difference = e.sub(up, down);
    let half = e.float(0.5);
    Ok(e.mul(difference, half))
}

/// `(e^x + e^-x) / 2`
pub(super) fn cosh(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let (up, down) = both_exponentials(e, x[0]);
    let sum = e.add(up, down);
    let half = e.float(0.5);
    Ok(e.mul(sum, half))
}

/// `s (1 - e^-2|x|) / (1 + e^-2|x|)`, where `s` is the sign of `x`.
pub(super) fn tanh(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let (zero, one, minus_two) = (e.float(0.0), e.float(1.0), e.float(-2.0));
    let is_negative = e.compare(CmpFPredicate::Olt, x[0], zero);
    let is_negative = e.cast::<UIToFPOp<'_>>(is_negative, e.ty);
    let step = e.mul(is_negative, minus_two);
    let sign = e.add(step, one);
    let positive = e.mul(sign, x[0]);
    let exponent = e.mul(positive, minus_two);
    let power = e.on::<ExpOp<'_>>(&[exponent]);
    let dividend = e.sub(one, power);
    let divisor = e.add(power, one);
    let quotient = e.div(dividend, divisor);
    Ok(e.mul(sign, quotient))
}

/// `sin x / cos x`
pub(super) fn tan(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let sine = e.on::<SinOp<'_>>(x);
    let cosine = e.on::<CosOp<'_>>(x);
    Ok(e.div(sine, cosine))
}

/// `log (x + sqrt (x^2 + c))`
fn inverse_of_hyperbolic(e: &mut Emit<'_, '_>, x: ValueId, c: f64) -> ValueId {
    let c = e.float(c);
    let square = e.mul(x, x);
    let sum = e.add(square, c);
    let root = e.on::<SqrtOp<'_>>(&[sum]);
    let sum = e.add(x, root);
    e.on::<LogOp<'_>>(&[sum])
}

pub(super) fn asinh(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    Ok(inverse_of_hyperbolic(e, x[0], 1.0))
}

pub(super) fn acosh(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    Ok(inverse_of_hyperbolic(e, x[0], -1.0))
}

/// `log ((x + 1) / (1 - x)) / 2`
pub(super) fn atanh(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let one = e.float(1.0);
    let above = e.add(x[0], one);
    let opposite = e.neg(x[0]);
    let below = e.add(opposite, one);
    let quotient = e.div(above, below);
    let log = e.on::<LogOp<'_>>(&[quotient]);
    let half = e.float(0.5);
    Ok(e.mul(log, half))
}

/// `x y + z`, rounded twice.
pub(super) fn fma(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let product = e.mul(x[0], x[1]);
    Ok(e.add(product, x[2]))
}

/// `e^(x log 2)`
pub(super) fn exp2(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let log = e.float(std::f64::consts::LN_2);
    let exponent = e.mul(x[0], log);
    Ok(e.on::<ExpOp<'_>>(&[exponent]))
}

/// `1 / sqrt x`
pub(super) fn rsqrt(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let one = e.float(1.0);
    let root = e.on::<SqrtOp<'_>>(x);
    Ok(e.div(one, root))
}

/// The greater of the lower bound and the lesser of `x` and the upper bound.
pub(super) fn clamp(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let below = e.on::<MinimumFOp<'_>>(&[x[0], x[2]]);
    Ok(e.on::<MaximumFOp<'_>>(&[below, x[1]]))
}
