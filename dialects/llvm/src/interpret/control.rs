//! Branches, calls and returns.

use std::sync::Arc;

use dl_ir::interfaces::BranchOp;
use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, branch, cond_branch, leave, switch};
use dl_ir::{Attr, DialectBuilder};

use crate::types::is_void;
use crate::{BlockAddressOp, BlockTagOp, BrOp, CallOp, CondBrOp, IndirectBrOp, ReturnOp, SwitchOp, UnreachableOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<BrOp<'_>>().interpret(branch);
    b.on::<CondBrOp<'_>>().interpret(cond_branch);
    b.on::<SwitchOp<'_>>().interpret(switch);
    b.on::<BlockAddressOp<'_>>().interpret(block_address);
    b.on::<IndirectBrOp<'_>>().interpret(indirect_branch);
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

/// The address of a block: a function, and the tag of a block in it.
struct BlockAddress {
    function: Attr,
    tag: Attr,
}

fn block_address<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let address = step.op.attr("block_addr").ok_or_else(|| step.op.error("has no address"))?;
    let &[function, tag] = address.params() else { return Err(step.op.error("has no block")) };
    Ok(Value::Other(Arc::new(BlockAddress { function, tag })).into())
}

/// To the successor that the address is of; there must be one.
fn indirect_branch<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (op, cx) = (step.op, step.op.cx());
    let address = match step.one(0)? {
        Value::Other(other) => other.downcast_ref::<BlockAddress>(),
        _ => None,
    };
    let address = address.ok_or_else(|| step.undefined("a jump to what is no block"))?;
    let here = op.parent().and_then(|function| function.symbol_name());
    let is_target = |index: &usize| {
        let mut ops = op.successor(*index).ops();
        ops.any(|op| op.is::<BlockTagOp<'_>>() && op.attr("tag").is_some_and(|tag| tag.id() == address.tag))
    };
    let target = (0..op.num_successors()).find(is_target);
    let target = target.filter(|_| cx.attr(address.function).as_flat_symbol() == here);
    let (Some(target), Some(branch)) = (target, op.interface::<dyn BranchOp>()) else {
        return Err(step.undefined("a jump to a block that is not among the successors"));
    };
    Ok(Flow::Branch(op.successor(target), step.operands[branch.successor_operands(op, target).range()].into()))
}
