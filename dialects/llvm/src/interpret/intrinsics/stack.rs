//! The stack as it was.

use std::sync::Arc;

use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Machine, Outcome, StackMark, Step, Value};

use crate::{StackRestoreOp, StackSaveOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<StackSaveOp<'_>>().interpret(save);
    b.on::<StackRestoreOp<'_>>().interpret(restore);
}

fn save<'a>(_: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Value::Other(Arc::new(machine.memory().mark_stack())).into())
}

/// Ends the life of what was put on the stack since it was saved.
fn restore<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mark = match step.one(0)? {
        Value::Other(saved) => saved.downcast_ref::<StackMark>(),
        _ => None,
    };
    let mark = mark.ok_or_else(|| step.undefined("a stack is restored that was not saved"))?;
    machine.memory().release_stack(*mark);
    Ok(Flow::none())
}
