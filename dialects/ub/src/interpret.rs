//! What the operations mean when run.

use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Machine, Outcome, Step, Value};

use crate::{PoisonOp, UnreachableOp};

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<PoisonOp<'_>>().interpret(poison);
    b.on::<UnreachableOp<'_>>().interpret(unreachable);
}

fn poison<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::from(Value::poison(step.op.result(0).ty())))
}

fn unreachable<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Err(step.undefined("this is reached"))
}
