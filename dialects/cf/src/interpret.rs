//! What the operations mean when run.

use dl_ir::interfaces::BranchOp as BranchInterface;
use dl_ir::interp::{Flow, Machine, Outcome, Step};
use dl_ir::{AttrRef, DialectBuilder};

use crate::{AssertOp, BranchOp, CondBranchOp, SwitchOp};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AssertOp<'_>>().interpret(assert);
    b.on::<BranchOp<'_>>().interpret(branch);
    b.on::<CondBranchOp<'_>>().interpret(cond_branch);
    b.on::<SwitchOp<'_>>().interpret(switch);
}

/// To successor `index`, with the operands passed to it.
fn to<'a>(step: Step<'a, '_>, index: usize) -> Outcome<'a> {
    let op = step.op;
    let Some(branch) = op.interface::<dyn BranchInterface>() else { return Err(op.error("is no branch")) };
    let passed = branch.successor_operands(op, index).range();
    Ok(Flow::Branch(op.successor(index), step.operands[passed].into()))
}

fn branch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    to(step, 0)
}

fn cond_branch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let condition = step.bool(step.one(0)?)?;
    to(step, usize::from(!condition))
}

fn switch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let flag = step.int(step.one(0)?)?;
    let cases = step.op.attr("case_values").and_then(AttrRef::dense_values);
    let case = cases.and_then(|mut cases| cases.position(|case| case.as_ap_int() == Some(flag)));
    to(step, case.map_or(0, |at| at + 1))
}

/// A failed assertion ends the program. That is no undefined behaviour, but an error all the same.
fn assert<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if step.bool(step.one(0)?)? {
        return Ok(Flow::none());
    }
    let message = step.op.attr("msg").and_then(AttrRef::as_str).unwrap_or_default();
    Err(step.op.error(format_args!("assertion failed: {message}")))
}
