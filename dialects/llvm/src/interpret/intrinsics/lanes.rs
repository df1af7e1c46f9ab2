//! Lanes of vectors: parts of them, two of them in turn, and the mask of a loop.

use dl_ir::interp::{Array, Flow, Machine, Outcome, Step, Value};
use dl_ir::number::ApInt;
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, TypeRef};

use super::mask::{lane_count, vector};
use crate::interpret::aggregates::lane_at;
use crate::{GetActiveLaneMaskOp, VectorDeinterleave2Op, VectorExtractOp, VectorInsertOp, VectorInterleave2Op};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<VectorExtractOp<'_>>().interpret(extract);
    b.on::<VectorInsertOp<'_>>().interpret(insert);
    b.on::<VectorInterleave2Op<'_>>().interpret(interleave);
    b.on::<VectorDeinterleave2Op<'_>>().interpret(deinterleave);
    b.on::<GetActiveLaneMaskOp<'_>>().interpret(active_lanes);
}

/// The lane of a vector with `all` lanes at which a part of type `part` begins, which must lie in it: `None` where it does not, of which
/// comes poison. The position counts as the extent of the part does.
fn position(step: Step<'_, '_>, part: TypeRef<'_>, all: usize) -> Result<Option<usize>, Diagnostic> {
    let position = step.op.attr("pos").and_then(AttrRef::as_ap_int).and_then(ApInt::to_i64);
    let scale = if part.is_scalable_vector() { step.vscale } else { 1 };
    let position = position.and_then(|at| at.checked_mul(scale)).and_then(|at| usize::try_from(at).ok());
    let count = lane_count(step, part)?;
    Ok(position.filter(|at| at.checked_add(count).is_some_and(|end| end <= all)))
}

fn extract<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, part) = (step.one(0)?, step.op.result(0).ty());
    let at = position(step, part, lane_count(step, step.op.operand(0).ty())?)?;
    let lane = |lane| at.map_or(Value::Poison, |at| lane_at(source, at + lane));
    Ok(vector((0..lane_count(step, part)?).map(lane).collect()).into())
}

fn insert<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (into, part, ty) = (step.one(0)?, step.one(1)?, step.op.operand(1).ty());
    let all = lane_count(step, step.op.result(0).ty())?;
    let (at, count) = (position(step, ty, all)?, lane_count(step, ty)?);
    let lane = |lane: usize| match at {
        Some(at) if (at..at + count).contains(&lane) => lane_at(part, lane - at),
        Some(_) => lane_at(into, lane),
        None => Value::Poison,
    };
    Ok(vector((0..all).map(lane).collect()).into())
}

fn interleave<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let count = lane_count(step, step.op.operand(0).ty())?;
    Ok(vector((0..2 * count).map(|at| lane_at(&step.operands[at % 2], at / 2)).collect()).into())
}

/// A struct of the even lanes and the odd ones.
fn deinterleave<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, count) = (step.one(0)?, lane_count(step, step.op.operand(0).ty())? / 2);
    let half = |odd: usize| vector((0..count).map(|at| lane_at(source, 2 * at + odd)).collect());
    Ok(Flow::from(Array::new(&[2], vec![half(0), half(1)])))
}

/// Lane `i` says whether `base + i`, which does not wrap, is less than `n`.
fn active_lanes<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let count = lane_count(step, step.op.result(0).ty())?;
    let (Value::Int(base), Value::Int(n)) = (step.one(0)?, step.one(1)?) else {
        return Ok(vector(vec![Value::Poison; count]).into());
    };
    let width = base.width().max(n.width()).max(u64::BITS) + 1;
    let (base, n) = (base.zext_or_trunc(width), n.zext_or_trunc(width));
    let lane = |at| Value::bool(base.wrapping_add(&ApInt::from_u64(width, at)).ult(&n));
    Ok(vector((0..count as u64).map(lane).collect()).into())
}
