//! Elementary functions, computed in double precision and rounded to the format of the operand. For wider formats there are none.

use dl_ir::interp::{Step, Value};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::functions::C;
use super::parts::{complex, floats, on};
use crate::{
    AbsOp, AngleOp, Atan2Op, CosOp, DivOp, ExpOp, Expm1Op, Log1pOp, LogOp, PowOp, PowiOp, RsqrtOp, SignOp, SinOp,
    SqrtOp, TanOp, TanhOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<AbsOp<'_>>(b, |step, v| real(step, v, C::abs));
    on::<AngleOp<'_>>(b, |step, v| real(step, v, C::angle));
    on::<CosOp<'_>>(b, |step, v| unary(step, v, C::cos));
    on::<ExpOp<'_>>(b, |step, v| unary(step, v, C::exp));
    on::<Expm1Op<'_>>(b, |step, v| unary(step, v, C::expm1));
    on::<LogOp<'_>>(b, |step, v| unary(step, v, C::log));
    on::<Log1pOp<'_>>(b, |step, v| unary(step, v, C::log1p));
    on::<RsqrtOp<'_>>(b, |step, v| unary(step, v, C::rsqrt));
    on::<SignOp<'_>>(b, |step, v| unary(step, v, C::sign));
    on::<SinOp<'_>>(b, |step, v| unary(step, v, C::sin));
    on::<SqrtOp<'_>>(b, |step, v| unary(step, v, C::sqrt));
    on::<TanOp<'_>>(b, |step, v| unary(step, v, C::tan));
    on::<TanhOp<'_>>(b, |step, v| unary(step, v, C::tanh));
    on::<Atan2Op<'_>>(b, |step, v| binary(step, v, C::atan2));
    on::<DivOp<'_>>(b, |step, v| binary(step, v, C::over));
    on::<PowOp<'_>>(b, |step, v| binary(step, v, C::pow));
    on::<PowiOp<'_>>(b, powi);
}

/// The number in double precision, if that holds every number of its format.
fn double(step: Step<'_, '_>, value: &Value) -> Result<(FloatKind, C), Diagnostic> {
    match floats(step, value)? {
        (kind @ (FloatKind::F80 | FloatKind::F128), _) => {
            Err(step.unsupported(format_args!("elementary functions of complex {}", kind.keyword())))
        }
        (kind, [re, im]) => Ok((kind, C(float::to_f64(kind, re), float::to_f64(kind, im)))),
    }
}

fn real(step: Step<'_, '_>, v: &[Value], f: fn(C) -> f64) -> Result<Value, Diagnostic> {
    let (kind, z) = double(step, &v[0])?;
    Ok(Value::Float(kind, float::nearest(kind, f(z))))
}

fn unary(step: Step<'_, '_>, v: &[Value], f: fn(C) -> C) -> Result<Value, Diagnostic> {
    let (kind, z) = double(step, &v[0])?;
    let C(re, im) = f(z);
    Ok(complex(kind, float::nearest(kind, re), float::nearest(kind, im)))
}

fn binary(step: Step<'_, '_>, v: &[Value], f: fn(C, C) -> C) -> Result<Value, Diagnostic> {
    let ((kind, a), (_, b)) = (double(step, &v[0])?, double(step, &v[1])?);
    let C(re, im) = f(a, b);
    Ok(complex(kind, float::nearest(kind, re), float::nearest(kind, im)))
}

fn powi(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((kind, base), exponent) = (double(step, &v[0])?, step.int(&v[1])?.to_i64());
    let exponent = exponent.ok_or_else(|| step.unsupported("exponents of more than 64 bits"))?;
    let C(re, im) = base.powi(exponent);
    Ok(complex(kind, float::nearest(kind, re), float::nearest(kind, im)))
}
