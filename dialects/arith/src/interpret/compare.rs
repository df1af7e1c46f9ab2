//! Comparison and selection.

use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, lift};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder};

use super::elementwise;
use crate::flags::fastmath;
use crate::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, FastMathFlags, SelectOp};

pub(super) fn register(b: &mut DialectBuilder) {
    elementwise::<CmpIOp<'_>>(b, cmpi);
    elementwise::<CmpFOp<'_>>(b, cmpf);
    b.on::<SelectOp<'_>>().interpret(select);
}

fn cmpi(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let predicate = step.op.attr("predicate").and_then(CmpIPredicate::from_attr);
    let predicate = predicate.ok_or_else(|| step.op.error("has no predicate"))?;
    Ok(Value::bool(predicate.holds(step.int(&v[0])?, step.int(&v[1])?)))
}

fn cmpf(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let predicate = step.op.attr("predicate").and_then(CmpFPredicate::from_attr);
    let predicate = predicate.ok_or_else(|| step.op.error("has no predicate"))?;
    let ((kind, a), (_, b)) = (step.float(&v[0])?, step.float(&v[1])?);
    let flags = fastmath(step.op);
    let either = |is: fn(dl_ir::FloatKind, u128) -> bool| is(kind, a) || is(kind, b);
    if flags.contains(FastMathFlags::NNAN) && either(float::is_nan)
        || flags.contains(FastMathFlags::NINF) && either(float::is_infinite)
    {
        return Ok(Value::Poison);
    }
    Ok(Value::bool(predicate.holds(float::compare(kind, a, b))))
}

/// One condition for whole operands of any type, or one for each of their elements. The operand that is not chosen may be poison.
fn select<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let choose = |v: &[Value]| match &v[0] {
        Value::Poison => Ok(Value::Poison),
        condition => Ok(if step.bool(condition)? { v[1].clone() } else { v[2].clone() }),
    };
    let result = if step.operands[0].as_array().is_some() { lift(step, choose) } else { choose(step.operands) };
    result.map(Flow::from)
}
