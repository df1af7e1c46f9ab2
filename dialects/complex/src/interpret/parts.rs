//! What works on the parts alone, exactly.

use std::sync::Arc;

use dl_arith::interpret::promised;
use dl_ir::interp::{Elementwise, Machine, Outcome, Step, Value};
use dl_ir::number::float;
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, FloatKind, OpDefinition};

use crate::{AddOp, BitcastOp, ConjOp, ConstantOp, CreateOp, EqualOp, ImOp, MulOp, NegOp, NotEqualOp, ReOp, SubOp};

type Scalar = fn(Step<'_, '_>, &[Value]) -> Result<Value, Diagnostic>;

pub(super) fn on<T: OpDefinition>(b: &mut DialectBuilder, scalar: Scalar) {
    b.on::<T>().interpret(Elementwise(scalar));
}

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<ConstantOp<'_>>().interpret(constant);
    on::<CreateOp<'_>>(b, |_, v| Ok(Value::Complex(Arc::new([v[0].clone(), v[1].clone()]))));
    on::<ReOp<'_>>(b, |step, v| Ok(parts(step, &v[0])?[0].clone()));
    on::<ImOp<'_>>(b, |step, v| Ok(parts(step, &v[0])?[1].clone()));
    on::<BitcastOp<'_>>(b, bitcast);
    on::<EqualOp<'_>>(b, |step, v| Ok(Value::bool(equal(step, v)?)));
    on::<NotEqualOp<'_>>(b, |step, v| Ok(Value::bool(!equal(step, v)?)));
    on::<ConjOp<'_>>(b, |step, v| {
        let (kind, [re, im]) = floats(step, &v[0])?;
        Ok(complex(kind, re, float::neg(kind, im)))
    });
    on::<NegOp<'_>>(b, |step, v| {
        let (kind, parts) = floats(step, &v[0])?;
        let [re, im] = parts.map(|part| promised(step, &[Value::Float(kind, part)], kind, float::neg(kind, part)));
        Ok(if re.is_poison() || im.is_poison() { Value::Poison } else { Value::Complex(Arc::new([re, im])) })
    });
    on::<AddOp<'_>>(b, |step, v| pairwise(step, v, float::add));
    on::<SubOp<'_>>(b, |step, v| pairwise(step, v, float::sub));
    on::<MulOp<'_>>(b, |step, v| {
        let ((kind, [a, b]), (_, [c, d])) = (floats(step, &v[0])?, floats(step, &v[1])?);
        let times = |x, y| float::mul(kind, x, y);
        let (re, im) = (float::sub(kind, times(a, c), times(b, d)), float::add(kind, times(a, d), times(b, c)));
        Ok(complex(kind, re, im))
    });
}

/// Both parts.
fn parts<'v>(step: Step<'_, '_>, value: &'v Value) -> Result<&'v [Value; 2], Diagnostic> {
    match value {
        Value::Complex(parts) => Ok(parts),
        _ => Err(step.op.error(format_args!("expected a complex number when run, but got {value}"))),
    }
}

/// Both parts as floats of one format.
pub(super) fn floats(step: Step<'_, '_>, value: &Value) -> Result<(FloatKind, [u128; 2]), Diagnostic> {
    let [re, im] = parts(step, value)?;
    let ((kind, re), (_, im)) = (step.float(re)?, step.float(im)?);
    Ok((kind, [re, im]))
}

/// The number of these parts.
pub(super) fn complex(kind: FloatKind, re: u128, im: u128) -> Value {
    Value::Complex(Arc::new([Value::Float(kind, re), Value::Float(kind, im)]))
}

fn pairwise(step: Step<'_, '_>, v: &[Value], f: fn(FloatKind, u128, u128) -> u128) -> Result<Value, Diagnostic> {
    let ((kind, [a, b]), (_, [c, d])) = (floats(step, &v[0])?, floats(step, &v[1])?);
    Ok(complex(kind, f(kind, a, c), f(kind, b, d)))
}

fn equal(step: Step<'_, '_>, v: &[Value]) -> Result<bool, Diagnostic> {
    let ((kind, a), (_, b)) = (floats(step, &v[0])?, floats(step, &v[1])?);
    Ok(a.iter().zip(b).all(|(&a, b)| float::compare(kind, a, b) == Some(std::cmp::Ordering::Equal)))
}

/// The same bits, the real part the lower ones.
fn bitcast(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ty = step.op.result(0).ty();
    let mut bytes = Vec::new();
    let result = v[0].write_bytes(&mut bytes).and_then(|()| Value::of_bytes(ty, &bytes));
    result.ok_or_else(|| step.unsupported(format_args!("a bitcast to '{ty}'")))
}

fn constant<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mut parts = step.op.attr("value").into_iter().flat_map(AttrRef::elements);
    let mut part = || {
        let attr = parts.next().ok_or_else(|| step.op.error("has fewer than two parts"))?;
        let value = machine.constant(attr);
        step.defined(value)
    };
    Ok(Value::Complex(Arc::new([part()?, part()?])).into())
}
