//! Branches, calls and returns.

use dl_ir::interfaces::BranchOp as BranchInterface;
use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, leave};
use dl_ir::{AttrRef, DialectBuilder};

use crate::types::is_void;
use crate::{BrOp, CallOp, CondBrOp, ReturnOp, SwitchOp, UnreachableOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<BrOp<'_>>().interpret(br);
    b.on::<CondBrOp<'_>>().interpret(cond_br);
    b.on::<SwitchOp<'_>>().interpret(switch);
    b.on::<CallOp<'_>>().interpret(call);
    b.on::<ReturnOp<'_>>().interpret(leave);
    b.on::<UnreachableOp<'_>>().interpret(unreachable);
}

/// To successor `index`, with the operands passed to it.
fn to<'a>(step: Step<'a, '_>, index: usize) -> Outcome<'a> {
    let op = step.op;
    let Some(branch) = op.interface::<dyn BranchInterface>() else { return Err(op.error("is no branch")) };
    let passed = branch.successor_operands(op, index).range();
    Ok(Flow::Branch(op.successor(index), step.operands[passed].into()))
}

fn br<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    to(step, 0)
}

fn unreachable<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Err(step.undefined("this is reached"))
}

fn cond_br<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let condition = step.bool(step.one(0)?)?;
    to(step, usize::from(!condition))
}

fn switch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let flag = step.int(step.one(0)?)?;
    let cases = step.op.attr("case_values").and_then(AttrRef::dense_values);
    let case = cases.and_then(|mut cases| cases.position(|case| case.as_ap_int() == Some(flag)));
    to(step, case.map_or(0, |at| at + 1))
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
