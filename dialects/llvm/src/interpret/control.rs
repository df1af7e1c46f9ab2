//! Branches, calls and returns.

use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, branch, cond_branch, leave, switch};

use crate::types::is_void;
use crate::{BrOp, CallOp, CondBrOp, ReturnOp, SwitchOp, UnreachableOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<BrOp<'_>>().interpret(branch);
    b.on::<CondBrOp<'_>>().interpret(cond_branch);
    b.on::<SwitchOp<'_>>().interpret(switch);
    b.on::<CallOp<'_>>().interpret(call);
    b.on::<ReturnOp<'_>>().interpret(leave);
    b.on::<UnreachableOp<'_>>().interpret(unreachable);
}

fn unreachable<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Err(step.undefined("this is reached"))
}

/// By name, or by a pointer to a function, which is a value of its own.
fn call<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let operands = step.group(0);
    let results = match step.op.attr("callee") {
        Some(callee) => machine.call(step.op, callee, operands)?,
        None => match operands.split_first() {
            Some((Value::Function(callee), args)) => machine.call(step.op, step.op.cx().attr(*callee), args)?,
            Some((Value::Poison, _)) => return Err(step.undefined("call of poison")),
            _ => return Err(step.unsupported("a call of what is no function of the program")),
        },
    };
    let wanted = step.op.results().iter().filter(|result| !is_void(result.ty())).count();
    Ok(Flow::Next(results.into_iter().take(wanted).collect()))
}
