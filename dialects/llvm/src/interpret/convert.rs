//! Conversions.

use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, lift};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::int::promised;
use super::{layout, on};
use crate::{
    AddrSpaceCastOp, BitcastOp, FPExtOp, FPToSIOp, FPToUIOp, FPTruncOp, FreezeOp, SExtOp, SIToFPOp, SelectOp, TruncOp,
    UIToFPOp, ZExtOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<SExtOp<'_>>(b, sext);
    on::<ZExtOp<'_>>(b, zext);
    on::<TruncOp<'_>>(b, trunc);
    on::<FPExtOp<'_>>(b, convert);
    on::<FPTruncOp<'_>>(b, convert);
    on::<SIToFPOp<'_>>(b, |step, v| from_int(step, v, true));
    on::<UIToFPOp<'_>>(b, |step, v| from_int(step, v, false));
    on::<FPToSIOp<'_>>(b, |step, v| to_int(step, v, true));
    on::<FPToUIOp<'_>>(b, |step, v| to_int(step, v, false));
    b.on::<SelectOp<'_>>().interpret(select);
    b.on::<FreezeOp<'_>>().interpret(freeze);
    b.on::<BitcastOp<'_>>().interpret(bitcast);
    // Address spaces are one.
    b.on::<AddrSpaceCastOp<'_>>().interpret(same);
}

fn same<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(step.one(0)?.clone().into())
}

/// Bits of an element of the result.
pub(super) fn width(step: Step<'_, '_>) -> Result<u32, Diagnostic> {
    let ty = step.op.result(0).ty().element_or_self();
    ty.int_width().ok_or_else(|| step.op.error(format_args!("expected an integer as result, but got '{ty}'")))
}

/// Format of an element of the result.
pub(super) fn kind(step: Step<'_, '_>) -> Result<FloatKind, Diagnostic> {
    let ty = step.op.result(0).ty().element_or_self();
    ty.float_kind().ok_or_else(|| step.unsupported(format_args!("floats of type '{ty}'")))
}

pub(super) fn sext(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    Ok(Value::Int(step.int(&v[0])?.sext_or_trunc(width(step)?)))
}

/// Poison where a negative number is promised away.
pub(super) fn zext(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let value = step.int(&v[0])?;
    let broken = step.op.attr("nonNeg").is_some() && value.is_negative();
    Ok(if broken { Value::Poison } else { Value::Int(value.zext_or_trunc(width(step)?)) })
}

/// Poison where a flag promises that nothing is lost, and something is.
pub(super) fn trunc(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (value, promised) = (step.int(&v[0])?, promised(step));
    let result = value.zext_or_trunc(width(step)?);
    let broken = promised.signed && &result.sext_or_trunc(value.width()) != value
        || promised.unsigned && &result.zext_or_trunc(value.width()) != value;
    Ok(if broken { Value::Poison } else { Value::Int(result) })
}

pub(super) fn convert(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((from, bits), to) = (step.float(&v[0])?, kind(step)?);
    Ok(super::float::promised(step, v, to, float::convert(from, bits, to).0))
}

pub(super) fn from_int(step: Step<'_, '_>, v: &[Value], signed: bool) -> Result<Value, Diagnostic> {
    let (kind, value) = (kind(step)?, step.int(&v[0])?);
    let broken = step.op.attr("nonNeg").is_some() && value.is_negative();
    Ok(if broken { Value::Poison } else { Value::Float(kind, float::from_int(kind, value, signed)) })
}

/// Rounded toward zero; poison where the result does not fit.
pub(super) fn to_int(step: Step<'_, '_>, v: &[Value], signed: bool) -> Result<Value, Diagnostic> {
    let (kind, bits) = step.float(&v[0])?;
    Ok(float::to_int(kind, bits, width(step)?, signed).map_or(Value::Poison, Value::Int))
}

/// One condition for whole operands, or one for each of their lanes. The operand that is not chosen may be poison.
fn select<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let choose = |v: &[Value]| match &v[0] {
        Value::Poison => Ok(Value::Poison),
        condition => Ok(if step.bool(condition)? { v[1].clone() } else { v[2].clone() }),
    };
    let lanes = step.operands[0].as_array().is_some();
    Ok(if lanes { lift(step, choose)? } else { choose(step.operands)? }.into())
}

/// Poison becomes zero, here and everywhere.
fn freeze<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    layout::frozen(step.one(0)?, step.op.result(0).ty())
        .map(Flow::from)
        .ok_or_else(|| step.unsupported(format_args!("poison of type '{}'", step.op.result(0).ty())))
}

/// The same bytes as another type.
fn bitcast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (from, to) = (step.op.operand(0).ty(), step.op.result(0).ty());
    let same = from == to;
    if same {
        return Ok(step.one(0)?.clone().into());
    }
    let bytes = step.defined(layout::to_bytes(step.one(0)?, from))?;
    let result = layout::of_bytes(&bytes, to);
    step.defined(result).map(Flow::from)
}
