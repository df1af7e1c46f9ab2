//! Floats as integers, as fraction and exponent, and as members of a class.

use dl_ir::interp::{Array, Flow, Interpret, Machine, Outcome, Step, Value, lift};
use dl_ir::number::ApInt;
use dl_ir::number::float::{self, Rounding};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, FloatKind};

use super::float::rounded;
use crate::interpret::{Scalar, convert, on};
use crate::{FractionExpOp, IsFPClassOp, LlrintOp, LlroundOp, LoadExpOp, LrintOp, LroundOp, SincosOp};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<LoadExpOp<'_>>(b, scale);
    on::<LrintOp<'_>>(b, nearest_even);
    on::<LlrintOp<'_>>(b, nearest_even);
    on::<LroundOp<'_>>(b, nearest_away);
    on::<LlroundOp<'_>>(b, nearest_away);
    on::<IsFPClassOp<'_>>(b, is_of_class);
    b.on::<FractionExpOp<'_>>().interpret(Both(fraction, exponent));
    b.on::<SincosOp<'_>>().interpret(Both(
        |step, v| step.double(&v[0]).map(|(kind, x)| rounded(step, v, kind, libm::sin(x))),
        |step, v| step.double(&v[0]).map(|(kind, x)| rounded(step, v, kind, libm::cos(x))),
    ));
}

/// The meaning of an operation whose result is a struct: of two scalars, or of two vectors of them.
struct Both(Scalar, Scalar);

impl Interpret for Both {
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        let part = |scalar: Scalar| {
            lift(step, |v| if v.iter().any(Value::is_poison) { Ok(Value::Poison) } else { scalar(step, v) })
        };
        Ok(Flow::from(Array::new(&[2], vec![part(self.0)?, part(self.1)?])))
    }
}

/// The first operand times two to the power of the second. A double holds every number of its format; what it cannot hold of the result is
/// beyond that format too.
fn scale(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((kind, x), power) = (step.double(&v[0])?, step.int(&v[1])?);
    let furthest = if power.is_negative() { i32::MIN } else { i32::MAX };
    let power = power.to_i64().and_then(|power| i32::try_from(power).ok()).unwrap_or(furthest);
    Ok(rounded(step, &v[..1], kind, libm::scalbn(x, power)))
}

/// From one half up to one; zero, infinity and NaN as they are.
fn fraction(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (kind, x) = step.double(&v[0])?;
    Ok(rounded(step, v, kind, libm::frexp(x).0))
}

/// Poison for infinity and NaN, whose exponent may be any number.
fn exponent(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (_, x) = step.double(&v[0])?;
    let ty = step.op.result(0).ty();
    let member = crate::types::struct_members(ty).and_then(|members| members.get(1).copied());
    let width = member.and_then(|member| ty.cx().ty(member).element_or_self().int_width());
    let width = width.ok_or_else(|| step.op.error("has no integer as exponent"))?;
    Ok(if x.is_finite() { Value::Int(ApInt::from_i64(width, libm::frexp(x).1.into())) } else { Value::Poison })
}

/// An integral number as an integer; poison where it does not fit, where the result may be any number.
fn fitting(step: Step<'_, '_>, kind: FloatKind, integral: u128) -> Result<Value, Diagnostic> {
    Ok(float::to_int(kind, integral, convert::width(step)?, true).map_or(Value::Poison, Value::Int))
}

fn nearest_even(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    fitting(step, kind, float::round_to_integral(kind, bits, Rounding::NearestEven))
}

/// Halves away from zero.
fn nearest_away(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (_, x) = step.double(&v[0])?;
    fitting(step, FloatKind::F64, libm::round(x).to_bits().into())
}

/// Whether the class of a number is in the set that is a bit mask: signaling NaN, quiet NaN, then the others from negative infinity to
/// positive infinity as they lie on the line of numbers.
fn is_of_class(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    let classes = step.op.attr("bit").and_then(AttrRef::as_ap_int).ok_or_else(|| step.op.error("has no classes"))?;
    let class = if float::is_nan(kind, bits) {
        bits >> (float::precision(kind) - 2) & 1
    } else {
        let size = if float::is_zero(kind, bits) {
            0
        } else if float::is_infinite(kind, bits) {
            3
        } else {
            1 + u128::from(float::is_normal(kind, bits))
        };
        if float::is_negative(kind, bits) { 5 - size } else { 6 + size }
    };
    Ok(Value::bool(classes.bit(class as u32)))
}
