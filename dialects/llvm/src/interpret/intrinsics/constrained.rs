//! Conversions of floats that name their rounding. What they say of exceptions changes no result.

use std::cmp::Ordering;

use dl_arith::interpret::rounding;
use dl_ir::interp::{Step, Value};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder};

use crate::interpret::{convert, on};
use crate::{ConstrainedFPExtIntrOp, ConstrainedFPTruncIntrOp, ConstrainedSIToFPOp, ConstrainedUIToFPOp, RoundingMode};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<ConstrainedFPExtIntrOp<'_>>(b, convert::convert);
    on::<ConstrainedFPTruncIntrOp<'_>>(b, truncate);
    on::<ConstrainedSIToFPOp<'_>>(b, |step, v| from_int(step, v, true));
    on::<ConstrainedUIToFPOp<'_>>(b, |step, v| from_int(step, v, false));
}

fn mode(step: Step<'_, '_>) -> Result<dl_arith::RoundingMode, Diagnostic> {
    Ok(match step.op.attr("roundingmode").and_then(RoundingMode::from_attr) {
        Some(RoundingMode::TowardZero) => dl_arith::RoundingMode::TowardZero,
        Some(RoundingMode::TowardPositive) => dl_arith::RoundingMode::Upward,
        Some(RoundingMode::TowardNegative) => dl_arith::RoundingMode::Downward,
        Some(RoundingMode::NearestTiesToAway) => dl_arith::RoundingMode::ToNearestAway,
        // Nothing changes the mode that a program begins with.
        Some(RoundingMode::NearestTiesToEven | RoundingMode::Dynamic) => dl_arith::RoundingMode::ToNearestEven,
        Some(RoundingMode::Invalid) | None => return Err(step.op.error("has no rounding mode")),
    })
}

fn truncate(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((from, bits), kind) = (step.float(&v[0])?, convert::kind(step)?);
    Ok(Value::Float(kind, rounding::convert(from, bits, kind, mode(step)?)))
}

fn from_int(step: Step<'_, '_>, v: &[Value], signed: bool) -> Result<Value, Diagnostic> {
    let (kind, value) = (convert::kind(step)?, step.int(&v[0])?);
    let near = float::from_int(kind, value, signed);
    let negative = signed && value.is_negative();
    // Where they are not exact, floats of this magnitude are integers, of at most one bit more; a sign, and one for differences.
    let width = value.width() + 3;
    let exact = if signed { value.sext_or_trunc(width) } else { value.zext_or_trunc(width) }.abs();
    let magnitude = |bits| float::to_int(kind, float::abs(kind, bits), width, true);
    let size = magnitude(near).map_or(Ordering::Greater, |near| near.ucmp(&exact));
    let distance = |bits| magnitude(bits).map(|magnitude| magnitude.wrapping_sub(&exact).abs());
    let rounded = rounding::round(kind, near, negative, size, mode(step)?, |other| distance(near) == distance(other));
    Ok(Value::Float(kind, rounded))
}
