//! Memory, lane by lane.

use dl_ir::interp::{Flow, Machine, Odometer, Outcome, Shape, Step, Value, read_element, write_element};
use dl_ir::{Diagnostic, DialectBuilder};

use super::lanes::{filled_by, result_shape};
use crate::{LoadOp, MaskedLoadOp, MaskedStoreOp, StoreOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<LoadOp<'_>>().interpret(load);
    b.on::<StoreOp<'_>>().interpret(store);
    b.on::<MaskedLoadOp<'_>>().interpret(masked_load);
    b.on::<MaskedStoreOp<'_>>().interpret(masked_store);
}

/// `start`, moved by `by` along its last dimensions.
fn moved(start: &[i64], by: &[i64]) -> Shape {
    let mut index = Shape::from(start);
    let first = start.len().saturating_sub(by.len());
    for (at, by) in index[first..].iter_mut().zip(by) {
        *at = at.saturating_add(*by);
    }
    index
}

/// The element of the base, operand 0, that a lane stands for. A memref of vectors holds the whole result in one element.
fn load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let start = step.indices(step.group(1))?;
    if step.op.operand(0).ty().element_or_self().is_vector() {
        return read_element(step, machine, 0, &start).map(Flow::from);
    }
    let shape = result_shape(step)?;
    filled_by(step, &shape, |lane| read_element(step, machine, 0, &moved(&start, lane))).map(Flow::from)
}

fn store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (base, start) = (step.memref(step.one(1)?)?, step.indices(step.group(2))?);
    if step.op.operand(1).ty().element_or_self().is_vector() {
        write_element(step, machine, base, &start, step.one(0)?.clone())?;
        return Ok(Flow::none());
    }
    let value = step.array(step.one(0)?)?;
    let mut lanes = Odometer::new(value.shape());
    for element in value.elements() {
        let Some(lane) = lanes.next() else { break };
        write_element(step, machine, base, &moved(&start, lane), element.clone())?;
    }
    Ok(Flow::none())
}

/// Whether `mask` is set at `lane`.
pub(super) fn is_set(step: Step<'_, '_>, mask: &Value, lane: &[i64]) -> Result<bool, Diagnostic> {
    step.bool(step.defined(step.array(mask)?.get(lane))?)
}

fn masked_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (start, mask, otherwise) = (step.indices(step.group(1))?, step.one(2)?, step.array(step.one(3)?)?);
    let shape = result_shape(step)?;
    let result = filled_by(step, &shape, |lane| {
        if is_set(step, mask, lane)? {
            return read_element(step, machine, 0, &moved(&start, lane));
        }
        step.defined(otherwise.get(lane)).cloned()
    });
    result.map(Flow::from)
}

fn masked_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (base, start) = (step.memref(step.one(0)?)?, step.indices(step.group(1))?);
    let (mask, value) = (step.one(2)?, step.array(step.one(3)?)?);
    let mut lanes = Odometer::new(value.shape());
    for element in value.elements() {
        let Some(lane) = lanes.next() else { break };
        if is_set(step, mask, lane)? {
            write_element(step, machine, base, &moved(&start, lane), element.clone())?;
        }
    }
    Ok(Flow::none())
}
