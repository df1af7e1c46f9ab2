//! What a cast of unknown meaning does when run: nothing but to be taken back.

use std::sync::Arc;

use crate::interp::{Array, Flow, Machine, Outcome, Step, Value, Values, num_elements};
use crate::types::{Type, TypeData, TypeRef};

/// Results of a cast, which only the cast back can use.
struct Cast {
    /// What was cast.
    values: Values,
    types: Vec<Type>,
    /// Which result this is.
    index: usize,
}

/// A cast to the same types gives the same values, a cast back those that were cast, and an index is an integer of as many bits. Any other
/// cast gives values that nothing can look into.
pub(super) fn cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if step.operands.iter().any(Value::is_poison) {
        return Ok(Flow::Next(step.op.results().iter().map(|result| Value::poison(result.ty())).collect()));
    }
    if step.op.operands().types() == step.op.results().types() {
        return Ok(Flow::Next(step.operands.into()));
    }
    if let Some(values) = undone(step) {
        return Ok(Flow::Next(values));
    }
    if let (&[operand], Some(from)) = (&step.operands, step.op.operands().get(0))
        && step.op.num_results() == 1
        && is_same_number(from.ty(), step.op.result(0).ty())
    {
        return Ok(operand.clone().into());
    }
    if let [Value::Array(array)] = step.operands
        && step.op.num_results() == 1
        && let Some(other) = rearranged(array, step.op.result(0).ty())
    {
        return Ok(Value::from(other).into());
    }
    let types: Vec<Type> = step.op.operands().iter().map(|operand| operand.ty().id()).collect();
    let values = Values::from(step.operands);
    let wrapped = |index| Value::Other(Arc::new(Cast { values: values.clone(), types: types.clone(), index }));
    Ok(Flow::Next((0..step.op.num_results()).map(wrapped).collect()))
}

/// Whether values of both types are numbers, or vectors of as many numbers, of the same bits.
fn is_same_number(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let bits = |ty: TypeRef<'_>| {
        let element = ty.element_or_self();
        element.storage_bits().filter(|_| element.is_integer() || element.is_index())
    };
    let scalar_or_vector = |ty: TypeRef<'_>| ty.is_vector() || ty == ty.element_or_self();
    scalar_or_vector(from)
        && scalar_or_vector(to)
        && from.shape() == to.shape()
        && bits(from).is_some()
        && bits(from) == bits(to)
}

/// A vector of several dimensions as one of a type of another dialect, an array of vectors, and the other way round.
fn rearranged(array: &Array, to: TypeRef<'_>) -> Option<Array> {
    if !to.is_vector() {
        let rows = matches!(to.data(), TypeData::Dialect { .. }) && array.shape().len() > 1;
        return rows.then(|| nested(array.shape(), array.elements()));
    }
    let mut elements = Vec::new();
    flatten(array, &mut elements);
    let shape = to.shape()?;
    (array.shape().len() == 1 && num_elements(shape) == Ok(elements.len())).then(|| Array::new(shape, elements))
}

fn nested(shape: &[i64], elements: &[Value]) -> Array {
    match shape {
        [first, rest @ ..] if !rest.is_empty() => {
            let size = elements.len() / usize::try_from(*first).unwrap_or(1).max(1);
            let rows = elements.chunks(size.max(1)).map(|row| nested(rest, row).into()).collect();
            Array::new(&[*first], rows)
        }
        _ => Array::new(shape, elements.to_vec()),
    }
}

fn flatten(array: &Array, elements: &mut Vec<Value>) {
    for element in array.elements() {
        match element {
            Value::Array(inner) => flatten(inner, elements),
            other => elements.push(other.clone()),
        }
    }
}

/// The values before a cast whose results, all of them in order, are cast back to the types that they had.
fn undone(step: Step<'_, '_>) -> Option<Values> {
    let casts = step.operands.iter().map(|value| match value {
        Value::Other(other) => other.downcast_ref::<Cast>(),
        _ => None,
    });
    let casts: Vec<&Cast> = casts.collect::<Option<_>>()?;
    let first = casts.first()?;
    let in_order = casts.iter().enumerate().all(|(at, cast)| cast.index == at);
    let types: Vec<Type> = step.op.results().iter().map(|result| result.ty().id()).collect();
    (in_order && first.types == types).then(|| first.values.clone())
}
