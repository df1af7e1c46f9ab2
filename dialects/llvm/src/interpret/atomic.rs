//! Atomic accesses. With one thread they are done at once, in any ordering.

use dl_ir::interp::{Array, Flow, Machine, Outcome, Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, DialectBuilder, FloatKind};

use super::memory::{load_as, store_as};
use super::pointer::Pointer;
use crate::{AtomicBinOp, AtomicCmpXchgOp, AtomicRMWOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<AtomicRMWOp<'_>>().interpret(atomicrmw);
    b.on::<AtomicCmpXchgOp<'_>>().interpret(cmpxchg);
}

/// Combines what is in memory with the operand there; the result is what was there before.
fn atomicrmw<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let op =
        step.op.attr("bin_op").and_then(AtomicBinOp::from_attr).ok_or_else(|| step.op.error("has no operation"))?;
    let (place, ty) = (step.one(0)?, step.op.operand(1).ty());
    let old = load_as(step, machine, place, ty)?;
    let new = combined(step, op, &old, step.one(1)?)?;
    store_as(step, machine, place, &new, ty)?;
    Ok(old.into())
}

fn combined(step: Step<'_, '_>, op: AtomicBinOp, old: &Value, new: &Value) -> Result<Value, Diagnostic> {
    use AtomicBinOp as Op;
    if op == Op::Xchg {
        return Ok(new.clone());
    }
    if old.is_poison() || new.is_poison() {
        return Ok(Value::Poison);
    }
    if old.as_array().is_some() {
        return Err(step.unsupported("atomic operations on vectors"));
    }
    let floats = |f: fn(FloatKind, u128, u128) -> u128| {
        let ((kind, a), (_, b)) = (step.float(old)?, step.float(new)?);
        Ok(Value::Float(kind, f(kind, a, b)))
    };
    let ints = |f: fn(&ApInt, &ApInt) -> ApInt| Ok(Value::Int(f(step.int(old)?, step.int(new)?)));
    match op {
        Op::Xchg => Ok(new.clone()),
        Op::Add => ints(ApInt::wrapping_add),
        Op::Sub => ints(ApInt::wrapping_sub),
        Op::And => ints(ApInt::and),
        Op::Nand => ints(|a, b| a.and(b).not()),
        Op::Or => ints(ApInt::or),
        Op::Xor => ints(ApInt::xor),
        Op::Max => ints(ApInt::smax),
        Op::Min => ints(ApInt::smin),
        Op::Umax => ints(ApInt::umax),
        Op::Umin => ints(ApInt::umin),
        Op::Fadd => floats(float::add),
        Op::Fsub => floats(float::sub),
        Op::Fmax => floats(float::maxnum),
        Op::Fmin => floats(float::minnum),
        Op::Fmaximum => floats(float::maximum),
        Op::Fminimum => floats(float::minimum),
        Op::UincWrap => {
            ints(|a, b| if a.ult(b) { a.wrapping_add(&ApInt::one(a.width())) } else { ApInt::zero(a.width()) })
        }
        Op::UdecWrap => {
            ints(|a, b| if a.is_zero() || a.ugt(b) { b.clone() } else { a.wrapping_sub(&ApInt::one(a.width())) })
        }
        Op::UsubCond => ints(|a, b| if a.uge(b) { a.wrapping_sub(b) } else { a.clone() }),
        Op::UsubSat => ints(|a, b| if a.uge(b) { a.wrapping_sub(b) } else { ApInt::zero(a.width()) }),
    }
}

/// Replaces what is in memory if it is what is expected; a struct of what was there and whether it was replaced.
fn cmpxchg<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (place, ty) = (step.one(0)?, step.op.operand(1).ty());
    let old = load_as(step, machine, place, ty)?;
    let equal = match (Pointer::of(&old), Pointer::of(step.one(1)?)) {
        (Some(a), Some(b)) => a == b,
        _ => step.int(&old)? == step.int(step.one(1)?)?,
    };
    if equal {
        store_as(step, machine, place, step.one(2)?, ty)?;
    }
    Ok(Flow::from(Array::new(&[2], vec![old, Value::bool(equal)])))
}
