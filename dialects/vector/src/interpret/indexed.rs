//! Memory at positions that differ from lane to lane.

use dl_ir::interp::{Flow, Machine, Odometer, Outcome, Shape, Step, Value, read_element, write_element};
use dl_ir::{Diagnostic, DialectBuilder};

use super::lanes::{filled_by, result_shape};
use super::mask::{is_on, maskable};
use super::memory::is_set;
use crate::{CompressStoreOp, ExpandLoadOp, GatherOp, ScatterOp};

pub(super) fn register(b: &mut DialectBuilder) {
    maskable::<GatherOp<'_>>(b, gather);
    b.on::<ScatterOp<'_>>().interpret(scatter);
    b.on::<ExpandLoadOp<'_>>().interpret(expand_load);
    b.on::<CompressStoreOp<'_>>().interpret(compress_store);
}

/// `start`, moved by `by` along its last dimension.
fn moved(start: &Shape, by: i64) -> Shape {
    let mut index = start.clone();
    if let Some(last) = index.last_mut() {
        *last = last.saturating_add(by);
    }
    index
}

/// Lanes that are off, by the operation's own mask or by `outer`, have the elements of the last operand.
fn gather<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, outer: Option<&Value>) -> Outcome<'a> {
    let (base, start) = (step.one(0)?, step.indices(step.group(1))?);
    let (offsets, mask, otherwise) = (step.array(step.one(2)?)?, step.one(3)?, step.array(step.one(4)?)?);
    let shape = result_shape(step)?;
    let result = filled_by(step, &shape, |lane| {
        if !is_set(step, mask, lane)? || !is_on(step, outer, lane)? {
            return step.defined(otherwise.get(lane)).cloned();
        }
        let index = moved(&start, step.index(step.defined(offsets.get(lane))?)?);
        match base {
            Value::Array(tensor) => step.defined(tensor.get(&index)).cloned(),
            _ => read_element(step, machine, 0, &index),
        }
    });
    result.map(Flow::from)
}

/// Lanes in order: the last one that writes to a place counts.
fn scatter<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (base, start) = (step.one(0)?, step.indices(step.group(1))?);
    let (offsets, mask, values) = (step.array(step.one(2)?)?, step.one(3)?, step.array(step.one(4)?)?);
    let mut result = base.as_array().map(|tensor| (**tensor).clone());
    let mut lanes = Odometer::new(values.shape());
    for value in values.elements() {
        let Some(lane) = lanes.next() else { break };
        if !is_set(step, mask, lane)? {
            continue;
        }
        let index = moved(&start, step.index(step.defined(offsets.get(lane))?)?);
        match &mut result {
            Some(tensor) => {
                let position = step.defined(tensor.position(&index))?;
                tensor.elements_mut()[position] = value.clone();
            }
            None => write_element(step, machine, step.memref(base)?, &index, value.clone())?,
        }
    }
    Ok(result.map_or_else(Flow::none, Flow::from))
}

/// Which lanes are on, and how many before each.
fn ranks(step: Step<'_, '_>, mask: &Value) -> Result<Vec<Option<i64>>, Diagnostic> {
    let mut before = 0;
    let rank = |lane: &Value| {
        let on = step.bool(lane)?;
        before += i64::from(on);
        Ok(on.then(|| before - 1))
    };
    step.array(mask)?.elements().iter().map(rank).collect()
}

/// Neighbours in memory go to the lanes that are on.
fn expand_load<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (start, ranks) = (step.indices(step.group(1))?, ranks(step, step.one(2)?)?);
    let (otherwise, shape) = (step.array(step.one(3)?)?, result_shape(step)?);
    let result = filled_by(step, &shape, |lane| match ranks.get(lane[0] as usize).copied().flatten() {
        Some(rank) => read_element(step, machine, 0, &moved(&start, rank)),
        None => step.defined(otherwise.get(lane)).cloned(),
    });
    result.map(Flow::from)
}

/// Lanes that are on become neighbours in memory.
fn compress_store<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (base, start) = (step.memref(step.one(0)?)?, step.indices(step.group(1))?);
    let (ranks, values) = (ranks(step, step.one(2)?)?, step.array(step.one(3)?)?);
    for (value, rank) in values.elements().iter().zip(ranks) {
        if let Some(rank) = rank {
            write_element(step, machine, base, &moved(&start, rank), value.clone())?;
        }
    }
    Ok(Flow::none())
}
