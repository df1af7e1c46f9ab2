//! Conversions of floats that name their rounding. What they say of exceptions changes no result.

use std::cmp::Ordering;

use dl_ir::interp::{Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use crate::interpret::{convert, on};
use crate::{ConstrainedFPExtIntrOp, ConstrainedFPTruncIntrOp, ConstrainedSIToFPOp, ConstrainedUIToFPOp, RoundingMode};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<ConstrainedFPExtIntrOp<'_>>(b, convert::convert);
    on::<ConstrainedFPTruncIntrOp<'_>>(b, truncate);
    on::<ConstrainedSIToFPOp<'_>>(b, |step, v| from_int(step, v, true));
    on::<ConstrainedUIToFPOp<'_>>(b, |step, v| from_int(step, v, false));
}

fn truncate(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ((from, exact), kind) = (step.float(&v[0])?, convert::kind(step)?);
    let near = float::convert(from, exact, kind).0;
    // Numbers next to each other are so near that the difference is exact.
    let distance = |bits| float::abs(from, float::sub(from, float::convert(kind, bits, from).0, exact));
    let order = float::compare(from, float::convert(kind, near, from).0, exact);
    let rounded = rounded(step, kind, near, order, |other| {
        float::compare(from, distance(near), distance(other)) == Some(Ordering::Equal)
    });
    Ok(Value::Float(kind, rounded?))
}

fn from_int(step: Step<'_, '_>, v: &[Value], signed: bool) -> Result<Value, Diagnostic> {
    let (kind, value) = (convert::kind(step)?, step.int(&v[0])?);
    let near = float::from_int(kind, value, signed);
    // Floats that are not exact are integers, of at most one bit more; a sign, and one for differences.
    let width = value.width() + 3;
    let exact = if signed { value.sext_or_trunc(width) } else { value.zext_or_trunc(width) };
    let distance = |bits| float::to_int(kind, bits, width, true).map(|float: ApInt| float.wrapping_sub(&exact).abs());
    let order = match float::to_int(kind, near, width, true) {
        Some(near) => near.scmp(&exact),
        // Infinity.
        None if float::is_negative(kind, near) => Ordering::Less,
        None => Ordering::Greater,
    };
    let rounded = rounded(step, kind, near, Some(order), |other| distance(near) == distance(other));
    Ok(Value::Float(kind, rounded?))
}

/// What stands for an exact number, of which `near` is the nearest float, in the mode that the operation names. `order` is how `near`
/// compares to the exact number, `None` for NaN; `is_tie` whether another float is as near.
fn rounded(
    step: Step<'_, '_>,
    kind: FloatKind,
    near: u128,
    order: Option<Ordering>,
    is_tie: impl Fn(u128) -> bool,
) -> Result<u128, Diagnostic> {
    let mode = step.op.attr("roundingmode").and_then(RoundingMode::from_attr);
    let negative = float::is_negative(kind, near);
    let (Some(mode), Some(order @ (Ordering::Less | Ordering::Greater))) = (mode, order) else { return Ok(near) };
    // Whether the float on the other side of the exact number is further from zero.
    let outward = (order == Ordering::Less) != negative;
    let step_over = match mode {
        RoundingMode::TowardZero => !outward,
        RoundingMode::TowardPositive => order == Ordering::Less,
        RoundingMode::TowardNegative => order == Ordering::Greater,
        // Nothing changes the mode that a program begins with.
        RoundingMode::NearestTiesToEven | RoundingMode::Dynamic => false,
        RoundingMode::NearestTiesToAway => outward && !float::is_infinite(kind, near),
        RoundingMode::Invalid => return Err(step.op.error("has no rounding mode")),
    };
    if !step_over {
        return Ok(near);
    }
    if kind == FloatKind::F80 {
        return Err(step.unsupported(format_args!("rounding to {} in this mode", kind.keyword())));
    }
    // In the IEEE formats, encodings of one sign are in the order of the numbers.
    let other = if outward { near + 1 } else { near - 1 };
    Ok(if mode == RoundingMode::NearestTiesToAway && !is_tie(other) { near } else { other })
}
