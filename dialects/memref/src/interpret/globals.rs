//! Globals: buffers that live as long as the program, made when they are first asked for.

use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Lifetime, Machine, Odometer, Outcome, Step, Value};

use super::allocate::allocate;
use crate::{GetGlobalOp, GlobalOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<GetGlobalOp<'_>>().interpret(get_global);
}

fn get_global<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let global = step.op.attr("name").and_then(|name| machine.symbol(name)?.cast::<GlobalOp<'a>>());
    let Some(global) = global else { return Err(step.op.error("names no global")) };
    // One global of one program is one operation of one arena.
    let key = format!("memref.global {:p} {:?}", std::ptr::from_ref(global.0.arena()), global.0.id());
    if let Some(memref) = machine.kept(&key) {
        return Ok(memref.into());
    }
    let Some(initial) = global.0.attr("initial_value") else {
        return Err(
            step.unsupported(format_args!("the external global '{}'", global.0.symbol_name().unwrap_or_default()))
        );
    };
    let lifetime = if global.0.attr("constant").is_some() { Lifetime::Constant } else { Lifetime::Static };
    let ty = step.op.result(0).ty();
    let memref = if ty.has_identity_layout() {
        step.defined(machine.memory().allocate_shape(ty.shape().unwrap_or_default(), lifetime, global.0.loc()))?
    } else {
        allocate(step, machine, ty, &[], lifetime)?
    };
    // `uninitialized` is the unit attribute.
    if !initial.is_unit() {
        let value = machine.constant(initial);
        let value = step.defined(value)?;
        let mut indices = Odometer::new(&memref.shape);
        for element in step.array(&value)?.elements() {
            let Some(index) = indices.next() else { break };
            let at = step.defined(memref.position(index))?;
            step.defined(machine.memory().initialize(memref.buffer, at, Some(element.clone())))?;
        }
    }
    let memref = Value::from(memref);
    machine.keep(&key, memref.clone());
    Ok(Flow::from(memref))
}
