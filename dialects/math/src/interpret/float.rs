//! Functions of floats.
//!
//! What is exact is exact in every format. The elementary functions are those of the `libm` crate in double precision, the same on every
//! host, rounded to the format of the operand: correct to the last bit but for rare cases up to `f32`, and to about one unit of
//! the last place in `f64`. For wider formats there are none.

use dl_arith::interpret::promised;
use dl_ir::interp::{Elementwise, Flow, Machine, Outcome, Step, Value, lift};
use dl_ir::number::float::{self, Rounding};
use dl_ir::{Diagnostic, DialectBuilder, FloatKind, OpDefinition};
use smallvec::smallvec;

use crate::{
    AbsFOp, AcosOp, AcoshOp, AsinOp, AsinhOp, Atan2Op, AtanOp, AtanhOp, CbrtOp, CeilOp, ClampFOp, CopySignOp, CosOp,
    CoshOp, ErfOp, ErfcOp, Exp2Op, ExpM1Op, ExpOp, FPowIOp, FloorOp, FmaOp, IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp,
    Log1pOp, Log2Op, Log10Op, LogOp, PowFOp, RoundEvenOp, RoundOp, RsqrtOp, SinOp, SincosOp, SinhOp, SqrtOp, TanOp,
    TanhOp, TruncOp,
};

type Scalar = fn(Step<'_, '_>, &[Value]) -> Result<Value, Diagnostic>;

fn on<T: OpDefinition>(b: &mut DialectBuilder, scalar: Scalar) {
    b.on::<T>().interpret(Elementwise(scalar));
}

pub(super) fn register(b: &mut DialectBuilder) {
    register_exact(b);
    register_elementary(b);
    on::<IsFiniteOp<'_>>(b, |step, v| is(step, v, float::is_finite));
    on::<IsInfOp<'_>>(b, |step, v| is(step, v, float::is_infinite));
    on::<IsNaNOp<'_>>(b, |step, v| is(step, v, float::is_nan));
    on::<IsNormalOp<'_>>(b, |step, v| is(step, v, float::is_normal));
    b.on::<SincosOp<'_>>().interpret(sincos);
}

fn register_exact(b: &mut DialectBuilder) {
    on::<AbsFOp<'_>>(b, |step, v| exact(step, v, float::abs));
    on::<CeilOp<'_>>(b, |step, v| exact(step, v, |kind, a| float::round_to_integral(kind, a, Rounding::Up)));
    on::<FloorOp<'_>>(b, |step, v| exact(step, v, |kind, a| float::round_to_integral(kind, a, Rounding::Down)));
    on::<RoundEvenOp<'_>>(b, |step, v| {
        exact(step, v, |kind, a| float::round_to_integral(kind, a, Rounding::NearestEven))
    });
    on::<RoundOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::round(x)));
    on::<TruncOp<'_>>(b, |step, v| {
        exact(step, v, |kind, a| {
            let toward_zero = if float::is_negative(kind, a) { Rounding::Up } else { Rounding::Down };
            float::round_to_integral(kind, a, toward_zero)
        })
    });
    on::<SqrtOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::sqrt(x)));
    on::<FmaOp<'_>>(b, |step, v| {
        let ((kind, x), (_, y), (_, z)) = (step.float(&v[0])?, step.float(&v[1])?, step.float(&v[2])?);
        Ok(promised(step, v, kind, float::fma(kind, x, y, z)))
    });
    on::<CopySignOp<'_>>(b, |step, v| {
        let ((kind, magnitude), (_, sign)) = (step.float(&v[0])?, step.float(&v[1])?);
        let positive = float::abs(kind, magnitude);
        let result = if float::is_negative(kind, sign) { float::neg(kind, positive) } else { positive };
        Ok(promised(step, v, kind, result))
    });
    // The maximum with the lower limit, then the minimum with the upper one.
    on::<ClampFOp<'_>>(b, |step, v| {
        let ((kind, x), (_, low), (_, high)) = (step.float(&v[0])?, step.float(&v[1])?, step.float(&v[2])?);
        Ok(promised(step, v, kind, float::minimum(kind, float::maximum(kind, x, low), high)))
    });
}

fn register_elementary(b: &mut DialectBuilder) {
    on::<AcosOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::acos(x)));
    // `libm` gives numbers for some arguments below -1.
    on::<AcoshOp<'_>>(b, |step, v| elementary(step, v, |[x]| if x < 1.0 { f64::NAN } else { libm::acosh(x) }));
    on::<AsinOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::asin(x)));
    on::<AsinhOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::asinh(x)));
    on::<AtanOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::atan(x)));
    on::<AtanhOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::atanh(x)));
    on::<Atan2Op<'_>>(b, |step, v| elementary(step, v, |[y, x]| libm::atan2(y, x)));
    on::<CbrtOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::cbrt(x)));
    on::<CosOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::cos(x)));
    on::<CoshOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::cosh(x)));
    on::<ErfOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::erf(x)));
    on::<ErfcOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::erfc(x)));
    on::<ExpOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::exp(x)));
    on::<Exp2Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::exp2(x)));
    on::<ExpM1Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::expm1(x)));
    on::<LogOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log(x)));
    on::<Log1pOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log1p(x)));
    on::<Log2Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log2(x)));
    on::<Log10Op<'_>>(b, |step, v| elementary(step, v, |[x]| libm::log10(x)));
    on::<PowFOp<'_>>(b, |step, v| elementary(step, v, |[x, y]| libm::pow(x, y)));
    on::<FPowIOp<'_>>(b, fpowi);
    on::<RsqrtOp<'_>>(b, |step, v| elementary(step, v, |[x]| 1.0 / libm::sqrt(x)));
    on::<SinOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::sin(x)));
    on::<SinhOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::sinh(x)));
    on::<TanOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::tan(x)));
    on::<TanhOp<'_>>(b, |step, v| elementary(step, v, |[x]| libm::tanh(x)));
}

/// A function that is exact in every format.
fn exact(step: Step<'_, '_>, v: &[Value], f: fn(FloatKind, u128) -> u128) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    Ok(promised(step, v, kind, f(kind, bits)))
}

fn is(step: Step<'_, '_>, v: &[Value], f: fn(FloatKind, u128) -> bool) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    Ok(Value::bool(f(kind, bits)))
}

/// `result` in the format `kind`.
fn rounded(step: Step<'_, '_>, v: &[Value], kind: FloatKind, result: f64) -> Value {
    promised(step, v, kind, float::nearest(kind, result))
}

/// A function computed in double precision.
fn elementary<const N: usize>(step: Step<'_, '_>, v: &[Value], f: fn([f64; N]) -> f64) -> Result<Value, Diagnostic> {
    let (kind, args) = step.doubles(v)?;
    Ok(rounded(step, v, kind, f(args)))
}

/// A whole power.
fn fpowi(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((kind, base), exponent) = (step.double(&v[0])?, step.int(&v[1])?.to_i64());
    // Exponents beyond 2^53 lose their last bits, on which only the sign of a negative base depends.
    let exponent = exponent.filter(|exponent| exponent.unsigned_abs() <= 1 << 53);
    let exponent = exponent.ok_or_else(|| step.unsupported("exponents beyond 2^53"))?;
    Ok(rounded(step, &v[..1], kind, libm::pow(base, exponent as f64)))
}

fn sincos<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let apply = |f: fn([f64; 1]) -> f64| {
        lift(step, |v| if v[0].is_poison() { Ok(Value::Poison) } else { elementary(step, v, f) })
    };
    Ok(Flow::Next(smallvec![apply(|[x]| libm::sin(x))?, apply(|[x]| libm::cos(x))?]))
}
