//! Parts of structs, arrays and vectors.

use dl_ir::interp::{Array, Flow, Machine, Outcome, Step, Value};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};

use super::layout;
use crate::{ExtractElementOp, ExtractValueOp, InsertElementOp, InsertValueOp, ShuffleVectorOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<ExtractValueOp<'_>>().interpret(extract_value);
    b.on::<InsertValueOp<'_>>().interpret(insert_value);
    b.on::<ExtractElementOp<'_>>().interpret(extract_element);
    b.on::<InsertElementOp<'_>>().interpret(insert_element);
    b.on::<ShuffleVectorOp<'_>>().interpret(shuffle_vector);
}

fn position(step: Step<'_, '_>) -> Result<Vec<usize>, Diagnostic> {
    let position = step.op.attr("position").and_then(AttrRef::as_i64_array).unwrap_or_default();
    let index = |&at: &i64| usize::try_from(at).map_err(|_| step.op.error("has a negative position"));
    position.iter().map(index).collect()
}

fn extract_value<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let mut value = step.one(0)?;
    for at in position(step)? {
        match value {
            Value::Array(parts) => {
                value = parts.elements().get(at).ok_or_else(|| step.op.error("extracts what is not there"))?;
            }
            Value::Poison => return Ok(Value::Poison.into()),
            _ => return Err(step.unsupported("members of a value that was made by another dialect")),
        }
    }
    Ok(value.clone().into())
}

fn insert_value<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let container = match step.one(0)? {
        Value::Poison => layout::poison(step.op.result(0).ty()),
        value => value.clone(),
    };
    let inserted = replaced(step, &container, &position(step)?, step.one(1)?)?;
    Ok(inserted.into())
}

/// `value` with `part` at `position`.
fn replaced(step: Step<'_, '_>, value: &Value, position: &[usize], part: &Value) -> Result<Value, Diagnostic> {
    let [at, rest @ ..] = position else { return Ok(part.clone()) };
    let Value::Array(parts) = value else { return Err(step.op.error("inserts into what has no members")) };
    let old = parts.elements().get(*at).ok_or_else(|| step.op.error("inserts where nothing is"))?;
    let new = replaced(step, old, rest, part)?;
    let mut parts = (**parts).clone();
    parts.elements_mut()[*at] = new;
    Ok(parts.into())
}

/// The lane that an operand names; `None` where there is none, which is poison.
fn lane(step: Step<'_, '_>, vector: &Array, index: &Value) -> Result<Option<usize>, Diagnostic> {
    if index.is_poison() {
        return Ok(None);
    }
    let index = step.int(index)?.to_u64().and_then(|index| usize::try_from(index).ok());
    Ok(index.filter(|&index| index < vector.elements().len()))
}

fn extract_element<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let Value::Array(vector) = step.one(0)? else { return Ok(Value::Poison.into()) };
    let lane = lane(step, vector, step.one(1)?)?;
    Ok(lane.map_or(Value::Poison, |lane| vector.elements()[lane].clone()).into())
}

fn insert_element<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let ty = step.op.result(0).ty();
    let container = match step.one(0)? {
        Value::Poison => layout::poison(ty),
        value => value.clone(),
    };
    let vector = step.array(&container)?;
    let Some(lane) = lane(step, vector, step.one(2)?)? else { return Ok(layout::poison(ty).into()) };
    let mut vector = (**vector).clone();
    vector.elements_mut()[lane] = step.one(1)?.clone();
    Ok(Flow::from(vector))
}

/// Lane `at` of a vector; poison where there is none.
pub(super) fn lane_at(vector: &Value, at: usize) -> Value {
    vector.as_array().and_then(|vector| vector.elements().get(at)).cloned().unwrap_or(Value::Poison)
}

/// Lanes of the first vector, then of the second, by number; -1 is poison.
fn shuffle_vector<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let shape = step.vector_shape(step.op.operand(0).ty()).unwrap_or_default();
    let (a, b) = (step.one(0)?, step.one(1)?);
    let lanes = usize::try_from(shape.first().copied().unwrap_or(0)).unwrap_or(0);
    let chosen = step.op.attr("mask").into_iter().flat_map(AttrRef::dense_ints).map(|at| match usize::try_from(at) {
        Ok(at) if at < lanes => lane_at(a, at),
        Ok(at) => lane_at(b, at - lanes),
        Err(_) => Value::Poison,
    });
    let chosen: Vec<Value> = chosen.collect();
    Ok(Flow::from(Array::new(&[chosen.len() as i64], chosen)))
}
