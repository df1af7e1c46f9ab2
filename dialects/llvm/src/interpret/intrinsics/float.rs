//! Intrinsic functions of floats. The elementary ones are those of the `libm` crate in double precision, rounded to the format of the
//! operand; for wider formats there are none.

use dl_ir::interp::{Step, Value};
use dl_ir::number::float::{self, Rounding};
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use crate::interpret::float::{binary, promised};
use crate::interpret::on;
use crate::{
    ACosOp, ASinOp, ATan2Op, ATanOp, CopySignOp, CosOp, CoshOp, Exp2Op, Exp10Op, ExpOp, FAbsOp, FCeilOp, FFloorOp,
    FMAOp, FMulAddOp, FTruncOp, Log2Op, Log10Op, LogOp, MaxNumOp, MaximumOp, MinNumOp, MinimumOp, NearbyintOp, PowIOp,
    PowOp, RintOp, RoundEvenOp, RoundOp, SinOp, SinhOp, SqrtOp, TanOp, TanhOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<FAbsOp<'_>>(b, |step, v| exact(step, v, float::abs));
    on::<FFloorOp<'_>>(b, |step, v| exact(step, v, |kind, a| float::round_to_integral(kind, a, Rounding::Down)));
    on::<FCeilOp<'_>>(b, |step, v| exact(step, v, |kind, a| float::round_to_integral(kind, a, Rounding::Up)));
    on::<RoundEvenOp<'_>>(b, |step, v| exact(step, v, nearest));
    on::<RintOp<'_>>(b, |step, v| exact(step, v, nearest));
    on::<NearbyintOp<'_>>(b, |step, v| exact(step, v, nearest));
    on::<MaxNumOp<'_>>(b, |step, v| binary(step, v, float::maxnum));
    on::<MinNumOp<'_>>(b, |step, v| binary(step, v, float::minnum));
    on::<MaximumOp<'_>>(b, |step, v| binary(step, v, float::maximum));
    on::<MinimumOp<'_>>(b, |step, v| binary(step, v, float::minimum));
    on::<FMAOp<'_>>(b, fma);
    on::<FMulAddOp<'_>>(b, fma);
    on::<CopySignOp<'_>>(b, |step, v| {
        let ((kind, magnitude), (_, sign)) = (step.float(&v[0])?, step.float(&v[1])?);
        let positive = float::abs(kind, magnitude);
        let result = if float::is_negative(kind, sign) { float::neg(kind, positive) } else { positive };
        Ok(promised(step, v, kind, result))
    });
    on::<FTruncOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::trunc(x)));
    on::<RoundOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::round(x)));
    on::<SqrtOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::sqrt(x)));
    on::<SinOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::sin(x)));
    on::<CosOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::cos(x)));
    on::<TanOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::tan(x)));
    on::<ASinOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::asin(x)));
    on::<ACosOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::acos(x)));
    on::<ATanOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::atan(x)));
    on::<ATan2Op<'_>>(b, |step, v| elementary(step, v, |[y, x]| libm::atan2(y, x)));
    on::<SinhOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::sinh(x)));
    on::<CoshOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::cosh(x)));
    on::<TanhOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::tanh(x)));
    on::<ExpOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::exp(x)));
    on::<Exp2Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::exp2(x)));
    on::<Exp10Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::exp10(x)));
    on::<LogOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log(x)));
    on::<Log2Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log2(x)));
    on::<Log10Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log10(x)));
    on::<PowOp<'_>>(b, |step, v| elementary(step, v, |[x, y]| libm::pow(x, y)));
    on::<PowIOp<'_>>(b, powi);
}

fn nearest(kind: FloatKind, a: u128) -> u128 {
    float::round_to_integral(kind, a, Rounding::NearestEven)
}

fn exact(step: Step<'_, '_>, v: &[Value], f: fn(FloatKind, u128) -> u128) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    Ok(promised(step, v, kind, f(kind, bits)))
}

pub(super) fn fma(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((kind, x), (_, y), (_, z)) = (step.float(&v[0])?, step.float(&v[1])?, step.float(&v[2])?);
    Ok(promised(step, v, kind, float::fma(kind, x, y, z)))
}

/// The number of the format nearest to what a function of `v` gave.
pub(super) fn rounded(step: Step<'_, '_>, v: &[Value], kind: FloatKind, result: f64) -> Value {
    promised(step, v, kind, float::nearest(kind, result))
}

fn elementary<const N: usize>(step: Step<'_, '_>, v: &[Value], f: fn([f64; N]) -> f64) -> Result<Value, Diagnostic> {
    let (kind, args) = step.doubles(v)?;
    Ok(rounded(step, v, kind, f(args)))
}

fn powi(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((kind, base), exponent) = (step.double(&v[0])?, step.int(&v[1])?.to_i64());
    let exponent = exponent.and_then(|exponent| i32::try_from(exponent).ok());
    let exponent = exponent.ok_or_else(|| step.unsupported("exponents of more than 32 bits"))?;
    Ok(rounded(step, &v[..1], kind, libm::pow(base, exponent.into())))
}
