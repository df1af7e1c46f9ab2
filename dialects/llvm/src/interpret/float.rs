//! Floating-point arithmetic, rounded to nearest even. Of the fast-math flags, those that promise the absence of NaN or infinity make poison
//! of what breaks the promise; the others allow more results than this one.

use std::cmp::Ordering;

use dl_ir::interp::{Step, Value};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::on;
use crate::{FAddOp, FCmpOp, FCmpPredicate, FDivOp, FMulOp, FNegOp, FRemOp, FSubOp, FastmathFlags};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<FAddOp<'_>>(b, |step, v| binary(step, v, float::add));
    on::<FSubOp<'_>>(b, |step, v| binary(step, v, float::sub));
    on::<FMulOp<'_>>(b, |step, v| binary(step, v, float::mul));
    on::<FDivOp<'_>>(b, |step, v| binary(step, v, float::div));
    on::<FRemOp<'_>>(b, |step, v| binary(step, v, float::rem));
    on::<FNegOp<'_>>(b, negated);
    on::<FCmpOp<'_>>(b, fcmp);
}

fn flags(step: Step<'_, '_>) -> FastmathFlags {
    step.op.attr("fastmathFlags").and_then(FastmathFlags::from_attr).unwrap_or(FastmathFlags::NONE)
}

fn breaks(step: Step<'_, '_>, value: &Value) -> bool {
    let flags = flags(step);
    value.as_float().is_some_and(|(kind, bits)| {
        flags.contains(FastmathFlags::NNAN) && float::is_nan(kind, bits)
            || flags.contains(FastmathFlags::NINF) && float::is_infinite(kind, bits)
    })
}

/// The result of an operation on these operands, or poison where one of them is what its flags promise is not there.
pub(super) fn promised(step: Step<'_, '_>, operands: &[Value], kind: FloatKind, result: u128) -> Value {
    let result = Value::Float(kind, result);
    if operands.iter().chain([&result]).any(|value| breaks(step, value)) { Value::Poison } else { result }
}

pub(super) fn binary(
    step: Step<'_, '_>,
    v: &[Value],
    f: fn(FloatKind, u128, u128) -> u128,
) -> Result<Value, Diagnostic> {
    let ((kind, a), (_, b)) = (step.float(&v[0])?, step.float(&v[1])?);
    Ok(promised(step, v, kind, f(kind, a, b)))
}

pub(super) fn negated(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    Ok(promised(step, v, kind, float::neg(kind, bits)))
}

fn fcmp(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let predicate = step.op.attr("predicate").and_then(FCmpPredicate::from_attr);
    let predicate = predicate.ok_or_else(|| step.op.error("has no predicate"))?;
    if v.iter().any(|value| breaks(step, value)) {
        return Ok(Value::Poison);
    }
    let ((kind, a), (_, b)) = (step.float(&v[0])?, step.float(&v[1])?);
    let order = float::compare(kind, a, b);
    let (equal, less, greater, unordered) = (
        order == Some(Ordering::Equal),
        order == Some(Ordering::Less),
        order == Some(Ordering::Greater),
        order.is_none(),
    );
    Ok(Value::bool(match predicate {
        FCmpPredicate::False => false,
        FCmpPredicate::Oeq => equal,
        FCmpPredicate::Ogt => greater,
        FCmpPredicate::Oge => greater || equal,
        FCmpPredicate::Olt => less,
        FCmpPredicate::Ole => less || equal,
        FCmpPredicate::One => less || greater,
        FCmpPredicate::Ord => !unordered,
        FCmpPredicate::Ueq => unordered || equal,
        FCmpPredicate::Ugt => unordered || greater,
        FCmpPredicate::Uge => unordered || greater || equal,
        FCmpPredicate::Ult => unordered || less,
        FCmpPredicate::Ule => unordered || less || equal,
        FCmpPredicate::Une => !equal,
        FCmpPredicate::Uno => unordered,
        FCmpPredicate::True => true,
    }))
}
