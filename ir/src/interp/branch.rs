//! Branches between blocks, for operations that have [`BranchOp`](crate::interfaces::BranchOp).

use super::machine::{Flow, Machine, Outcome};
use super::step::Step;
use crate::AttrRef;
use crate::interfaces::BranchOp;

/// To successor `index`, with the operands passed to it.
fn to<'a>(step: Step<'a, '_>, index: usize) -> Outcome<'a> {
    let op = step.op;
    let Some(branch) = op.interface::<dyn BranchOp>() else { return Err(op.error("is no branch")) };
    let passed = branch.successor_operands(op, index).range();
    Ok(Flow::Branch(op.successor(index), step.operands[passed].into()))
}

/// To the only successor.
///
/// # Errors
/// That the operation is no branch.
pub fn branch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    to(step, 0)
}

/// To the first successor where the first operand is true, else to the second.
///
/// # Errors
/// That the condition is poison, or the operation no branch.
pub fn cond_branch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let condition = step.bool(step.one(0)?)?;
    to(step, usize::from(!condition))
}

/// To the successor of the first of `case_values` that is the first operand, of which the first successor is none: it is for all else.
///
/// # Errors
/// That the flag is poison, or the operation no branch.
pub fn switch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let flag = step.int(step.one(0)?)?;
    let cases = step.op.attr("case_values").and_then(AttrRef::dense_values);
    let case = cases.and_then(|mut cases| cases.position(|case| case.as_ap_int() == Some(flag)));
    to(step, case.map_or(0, |at| at + 1))
}
