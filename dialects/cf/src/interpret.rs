//! What the operations mean when run.

use dl_ir::interp::{Flow, Machine, Outcome, Step, branch, cond_branch, switch};
use dl_ir::{AttrRef, DialectBuilder};

use crate::{AssertOp, BranchOp, CondBranchOp, SwitchOp};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AssertOp<'_>>().interpret(assert);
    b.on::<BranchOp<'_>>().interpret(branch);
    b.on::<CondBranchOp<'_>>().interpret(cond_branch);
    b.on::<SwitchOp<'_>>().interpret(switch);
}

/// A failed assertion ends the program. That is no undefined behaviour, but an error all the same.
fn assert<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if step.bool(step.one(0)?)? {
        return Ok(Flow::none());
    }
    let message = step.op.attr("msg").and_then(AttrRef::as_str).unwrap_or_default();
    Err(step.op.error(format_args!("assertion failed: {message}")))
}
