//! Floating-point arithmetic, rounded to nearest even. Of the fast-math flags, those that promise the absence of NaN or infinity make
//! poison of what breaks the promise; the others allow more results than this one.

use dl_ir::interp::{Step, Value};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::elementwise;
use crate::flags::fastmath;
use crate::{
    AddFOp, DivFOp, FastMathFlags, MaxNumFOp, MaximumFOp, MinNumFOp, MinimumFOp, MulFOp, NegFOp, RemFOp, SubFOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    elementwise::<NegFOp<'_>>(b, |step, v| {
        let (kind, bits) = step.float(&v[0])?;
        Ok(promised(step, v, kind, float::neg(kind, bits)))
    });
    elementwise::<AddFOp<'_>>(b, |step, v| binary(step, v, float::add));
    elementwise::<SubFOp<'_>>(b, |step, v| binary(step, v, float::sub));
    elementwise::<MulFOp<'_>>(b, |step, v| binary(step, v, float::mul));
    elementwise::<DivFOp<'_>>(b, |step, v| binary(step, v, float::div));
    elementwise::<RemFOp<'_>>(b, |step, v| binary(step, v, float::rem));
    elementwise::<MaximumFOp<'_>>(b, |step, v| binary(step, v, float::maximum));
    elementwise::<MinimumFOp<'_>>(b, |step, v| binary(step, v, float::minimum));
    elementwise::<MaxNumFOp<'_>>(b, |step, v| binary(step, v, float::maxnum));
    elementwise::<MinNumFOp<'_>>(b, |step, v| binary(step, v, float::minnum));
}

fn binary(step: Step<'_, '_>, v: &[Value], f: fn(FloatKind, u128, u128) -> u128) -> Result<Value, Diagnostic> {
    let ((kind, a), (_, b)) = (step.float(&v[0])?, step.float(&v[1])?);
    Ok(promised(step, v, kind, f(kind, a, b)))
}

/// The result of an operation on these operands, or poison where one of them is what its fast-math flags promise is not there.
pub fn promised(step: Step<'_, '_>, operands: &[Value], kind: FloatKind, result: u128) -> Value {
    let result = Value::Float(kind, result);
    let flags = fastmath(step.op);
    let broken = |value: &Value| {
        value.as_float().is_some_and(|(kind, bits)| {
            flags.contains(FastMathFlags::NNAN) && float::is_nan(kind, bits)
                || flags.contains(FastMathFlags::NINF) && float::is_infinite(kind, bits)
        })
    };
    if operands.iter().chain([&result]).any(broken) { Value::Poison } else { result }
}
