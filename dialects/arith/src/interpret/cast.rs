//! Conversions between integers, floats and `index`.

use dl_ir::interp::{Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::elementwise;
use super::float::promised;
use super::rounding;
use crate::flags::overflow;
use crate::{
    BitcastOp, ExtFOp, ExtSIOp, ExtUIOp, FPToSIOp, FPToUIOp, IndexCastOp, IndexCastUIOp, IntegerOverflowFlags,
    RoundingMode, SIToFPOp, ScalingExtFOp, ScalingTruncFOp, TruncFOp, TruncIOp, UIToFPOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    elementwise::<ExtUIOp<'_>>(b, |step, v| resize(step, v, ApInt::zext_or_trunc));
    elementwise::<ExtSIOp<'_>>(b, |step, v| resize(step, v, ApInt::sext_or_trunc));
    elementwise::<IndexCastOp<'_>>(b, |step, v| resize(step, v, ApInt::sext_or_trunc));
    elementwise::<IndexCastUIOp<'_>>(b, |step, v| resize(step, v, ApInt::zext_or_trunc));
    elementwise::<TruncIOp<'_>>(b, trunci);
    elementwise::<ExtFOp<'_>>(b, change_format);
    elementwise::<TruncFOp<'_>>(b, change_format);
    elementwise::<ScalingExtFOp<'_>>(b, scaling_extf);
    elementwise::<ScalingTruncFOp<'_>>(b, scaling_truncf);
    elementwise::<SIToFPOp<'_>>(b, |step, v| int_to_float(step, v, true));
    elementwise::<UIToFPOp<'_>>(b, |step, v| int_to_float(step, v, false));
    elementwise::<FPToSIOp<'_>>(b, |step, v| float_to_int(step, v, true));
    elementwise::<FPToUIOp<'_>>(b, |step, v| float_to_int(step, v, false));
    elementwise::<BitcastOp<'_>>(b, bitcast);
}

/// Bits of an element of the result.
fn result_width(step: Step<'_, '_>) -> Result<u32, Diagnostic> {
    let ty = step.op.result(0).ty().element_or_self();
    // A cast of memrefs is no cast of numbers.
    ty.storage_bits().ok_or_else(|| step.unsupported(format_args!("a cast to '{ty}'")))
}

/// Format of an element of the result.
fn result_kind(step: Step<'_, '_>) -> Result<FloatKind, Diagnostic> {
    let ty = step.op.result(0).ty().element_or_self();
    ty.float_kind().ok_or_else(|| step.op.error(format_args!("expected a float as result, but got '{ty}'")))
}

fn resize(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt, u32) -> ApInt) -> Result<Value, Diagnostic> {
    Ok(Value::Int(f(step.int(&v[0])?, result_width(step)?)))
}

/// Poison where a flag promises that no value is lost, and one is.
fn trunci(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (value, flags) = (step.int(&v[0])?, overflow(step.op));
    let result = value.zext_or_trunc(result_width(step)?);
    let poisoned = flags.contains(IntegerOverflowFlags::NSW) && &result.sext_or_trunc(value.width()) != value
        || flags.contains(IntegerOverflowFlags::NUW) && &result.zext_or_trunc(value.width()) != value;
    Ok(if poisoned { Value::Poison } else { Value::Int(result) })
}

fn change_format(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((from, bits), to) = (step.float(&v[0])?, result_kind(step)?);
    Ok(promised(step, v, to, rounding::convert(from, bits, to, mode(step))))
}

fn mode(step: Step<'_, '_>) -> RoundingMode {
    step.op.attr("roundingmode").and_then(RoundingMode::from_attr).unwrap_or(RoundingMode::ToNearestEven)
}

/// The scale as a power of two, in `kind`.
fn scale(step: Step<'_, '_>, scale: &Value, kind: FloatKind) -> Result<u128, Diagnostic> {
    let (from, bits) = step.float(scale)?;
    let power = float::convert(from, bits, FloatKind::F8E8M0FNU).0;
    Ok(float::convert(FloatKind::F8E8M0FNU, power, kind).0)
}

/// The input in the format of the result, times the scale.
fn scaling_extf(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((from, bits), to) = (step.float(&v[0])?, result_kind(step)?);
    let scale = scale(step, &v[1], to)?;
    let input = float::convert(from, bits, to).0;
    Ok(promised(step, v, to, float::mul(to, input, scale)))
}

/// The input divided by the scale, in the format of the result.
fn scaling_truncf(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((from, bits), to) = (step.float(&v[0])?, result_kind(step)?);
    let quotient = float::div(from, bits, scale(step, &v[1], from)?);
    Ok(promised(step, v, to, rounding::convert(from, quotient, to, mode(step))))
}

fn int_to_float(step: Step<'_, '_>, v: &[Value], signed: bool) -> Result<Value, Diagnostic> {
    let kind = result_kind(step)?;
    Ok(Value::Float(kind, float::from_int(kind, step.int(&v[0])?, signed)))
}

/// Rounded toward zero; poison where the result does not fit.
fn float_to_int(step: Step<'_, '_>, v: &[Value], signed: bool) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    let result = float::to_int(kind, bits, result_width(step)?, signed);
    Ok(result.map_or(Value::Poison, Value::Int))
}

/// The same bits as another type of one width; poison has none and stays.
fn bitcast(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    if matches!(v[0], Value::Poison) {
        return Ok(Value::Poison);
    }
    let ty = step.op.result(0).ty().element_or_self();
    let mut bytes = Vec::new();
    let result = v[0].write_bytes(&mut bytes).and_then(|()| Value::of_bytes(ty, &bytes));
    result.ok_or_else(|| step.unsupported(format_args!("a bitcast to '{ty}'")))
}
