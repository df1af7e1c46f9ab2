//! What the operations mean when run.

use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, leave};

use crate::{CallIndirectOp, CallOp, ConstantOp, ReturnOp};

/// Attaches the meaning of every operation that runs.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<ReturnOp<'_>>().interpret(leave);
    b.on::<ConstantOp<'_>>().interpret(constant);
    b.on::<CallOp<'_>>().interpret(call);
    b.on::<CallIndirectOp<'_>>().interpret(call_indirect);
}

fn constant<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    match step.op.attr("value") {
        Some(symbol) => Ok(Value::Function(symbol.id()).into()),
        None => Err(step.op.error("has no value")),
    }
}

fn call<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    match step.op.attr("callee") {
        Some(callee) => machine.call(step.op, callee, step.operands).map(Flow::Next),
        None => Err(step.op.error("has no callee")),
    }
}

fn call_indirect<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    match step.one(0)? {
        Value::Function(callee) => machine.call(step.op, step.op.cx().attr(*callee), step.group(1)).map(Flow::Next),
        Value::Poison => Err(step.undefined("call of poison")),
        other => Err(step.op.error(format_args!("calls {other}, which is no function"))),
    }
}
