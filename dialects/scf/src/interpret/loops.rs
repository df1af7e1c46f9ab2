//! Loops that carry values.

use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, Values};

/// The trip count is fixed before the first iteration. The induction variable never wraps: the loop ends where it would.
pub(super) fn for_<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let unsigned = step.op.attr("unsignedCmp").is_some();
    let (mut at, upper, by) = (step.int(step.one(0)?)?.clone(), step.int(step.one(1)?)?, step.int(step.one(2)?)?);
    if by.is_zero() || !unsigned && by.is_negative() {
        return Err(step.undefined("the step of a loop is not positive"));
    }
    let mut carried: Values = step.group(3).into();
    while if unsigned { at.ult(upper) } else { at.slt(upper) } {
        let args: Values = std::iter::once(Value::Int(at.clone())).chain(carried).collect();
        carried = machine.run_region(step.op.region(0), &args)?;
        let (next, wrapped) = if unsigned { at.uadd_overflow(by) } else { at.sadd_overflow(by) };
        if wrapped {
            break;
        }
        at = next;
    }
    Ok(Flow::Next(carried))
}

pub(super) fn while_<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mut carried: Values = step.operands.into();
    loop {
        let mut tested = machine.run_region(step.op.region(0), &carried)?;
        if tested.is_empty() {
            return Err(step.op.error("has a 'before' region that ends without a condition"));
        }
        let condition = tested.remove(0);
        if !step.bool(&condition)? {
            return Ok(Flow::Next(tested));
        }
        carried = machine.run_region(step.op.region(1), &tested)?;
    }
}
