//! Reading and writing.

use dl_arith::AtomicRMWKind;
use dl_arith::interpret::combine;
use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Machine, Odometer, Outcome, Step, Value, leave, read_element, write_element};

use crate::{AtomicRMWOp, AtomicYieldOp, CopyOp, DimOp, GenericAtomicRMWOp, LoadOp, PrefetchOp, RankOp, StoreOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<LoadOp<'_>>().interpret(load);
    b.on::<StoreOp<'_>>().interpret(store);
    b.on::<CopyOp<'_>>().interpret(copy);
    b.on::<DimOp<'_>>().interpret(dim);
    b.on::<RankOp<'_>>().interpret(rank);
    b.on::<PrefetchOp<'_>>().interpret(prefetch);
    b.on::<AtomicRMWOp<'_>>().interpret(atomic_rmw);
    b.on::<GenericAtomicRMWOp<'_>>().interpret(generic_atomic_rmw);
    b.on::<AtomicYieldOp<'_>>().interpret(leave);
}

fn load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let index = step.indices(step.group(1))?;
    read_element(step, machine, 0, &index).map(Flow::from)
}

fn store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let index = step.indices(step.group(2))?;
    write_element(step, machine, step.memref(step.one(1)?)?, &index, step.one(0)?.clone())?;
    Ok(Flow::none())
}

/// Everything is read before anything is written. What was never written stays so.
fn copy<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, target) = (step.memref(step.one(0)?)?, step.memref(step.one(1)?)?);
    if source.shape != target.shape {
        return Err(step.undefined(format_args!("shapes {:?} and {:?} differ", source.shape, target.shape)));
    }
    let ty = step.op.operand(0).ty().element_or_self();
    let (mut read, mut indices) = (Vec::new(), Odometer::new(&source.shape));
    while let Some(index) = indices.next() {
        read.push(step.defined(machine.memory().read(source, index, ty))?);
    }
    let (mut values, mut indices) = (read.into_iter(), Odometer::new(&target.shape));
    while let (Some(value), Some(index)) = (values.next(), indices.next()) {
        step.defined(machine.memory().write(target, index, value))?;
    }
    Ok(Flow::none())
}

fn dim<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (memref, dim) = (step.memref(step.one(0)?)?, step.index(step.one(1)?)?);
    match usize::try_from(dim).ok().and_then(|dim| memref.shape.get(dim)) {
        Some(&extent) => Ok(Value::index(extent).into()),
        None => Err(step.undefined(format_args!("dimension {dim} of a memref of rank {}", memref.shape.len()))),
    }
}

fn rank<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Value::index(step.memref(step.one(0)?)?.shape.len() as i64).into())
}

/// A hint: nothing happens, also where the address is none.
fn prefetch<'a>(_: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::none())
}

fn atomic_rmw<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let kind = step.op.attr("kind").and_then(AtomicRMWKind::from_attr);
    let kind = kind.ok_or_else(|| step.op.error("has no kind"))?;
    let index = step.indices(step.group(2))?;
    let old = read_element(step, machine, 1, &index)?;
    let new = combine(step, kind, &old, step.one(0)?)?;
    write_element(step, machine, step.memref(step.one(1)?)?, &index, new)?;
    Ok(old.into())
}

/// The result is the old value, as of `atomic_rmw`: that is what upstream's lowering of both gives.
fn generic_atomic_rmw<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let index = step.indices(step.group(1))?;
    let old = read_element(step, machine, 0, &index)?;
    let new = machine.run_region(step.op.region(0), std::slice::from_ref(&old))?;
    let new = new.into_iter().next().ok_or_else(|| step.op.error("has a body without a result"))?;
    write_element(step, machine, step.memref(step.one(0)?)?, &index, new)?;
    Ok(old.into())
}
