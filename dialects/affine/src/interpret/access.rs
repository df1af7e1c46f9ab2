//! Memory at affine positions.

use dl_ir::Diagnostic;
use dl_ir::interp::{
    Array, Flow, Machine, Odometer, Outcome, Shape, Step, concrete_shape, read_element, write_element,
};

use super::maps::{eval, map_attr};

/// The position that the map makes of operand definition `group`.
fn position(step: Step<'_, '_>, group: usize) -> Result<Vec<i64>, Diagnostic> {
    eval(step, map_attr(step, "map")?, step.group(group))
}

pub(super) fn load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let position = position(step, 1)?;
    read_element(step, machine, 0, &position).map(Flow::from)
}

pub(super) fn store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let position = position(step, 2)?;
    write_element(step, machine, step.memref(step.one(1)?)?, &position, step.one(0)?.clone())?;
    Ok(Flow::none())
}

/// `start`, moved by `by` along its last dimensions.
fn moved(step: Step<'_, '_>, start: &[i64], by: &[i64]) -> Result<Shape, Diagnostic> {
    let mut index = Shape::from(start);
    let first = start.len().checked_sub(by.len());
    let first = first.ok_or_else(|| step.unsupported("a vector of more dimensions than the memref"))?;
    for (at, by) in index[first..].iter_mut().zip(by) {
        *at = at.saturating_add(*by);
    }
    Ok(index)
}

pub(super) fn vector_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let start = position(step, 1)?;
    let shape = concrete_shape(step.op.result(0).ty(), &[]).unwrap_or_default();
    let (mut elements, mut indices) = (Vec::new(), Odometer::new(&shape));
    while let Some(by) = indices.next() {
        elements.push(read_element(step, machine, 0, &moved(step, &start, by)?)?);
    }
    Ok(Array::new(&shape, elements).into())
}

pub(super) fn vector_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (start, value, memref) = (position(step, 2)?, step.array(step.one(0)?)?, step.memref(step.one(1)?)?);
    let mut indices = Odometer::new(value.shape());
    for element in value.elements() {
        let Some(by) = indices.next() else { break };
        write_element(step, machine, memref, &moved(step, &start, by)?, element.clone())?;
    }
    Ok(Flow::none())
}

/// A hint: nothing happens, also where the address is none.
pub(super) fn prefetch<'a>(_: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::none())
}
