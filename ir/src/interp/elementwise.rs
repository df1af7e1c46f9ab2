//! Scalar functions on whole vectors and tensors.

use super::machine::{Flow, Interpret, Machine, Outcome};
use super::step::Step;
use super::value::{Array, Value};
use crate::diagnostics::Diagnostic;

/// The meaning of a pure operation with one result: a function of scalars, done for each element where operands are vectors or tensors.
/// The function gets no poison: where any operand is poison, so is the result.
pub struct Elementwise(pub fn(Step<'_, '_>, &[Value]) -> Result<Value, Diagnostic>);

impl Interpret for Elementwise {
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        let result =
            lift(
                step,
                |values| {
                    if values.iter().any(Value::is_poison) { Ok(Value::Poison) } else { (self.0)(step, values) }
                },
            );
        Ok(Flow::from(result?))
    }
}

/// `scalar` of the operands, or of each of their elements: operands that are no arrays count as arrays of that element throughout.
///
/// # Errors
/// Those of `scalar`, and that shapes differ.
pub fn lift(
    step: Step<'_, '_>,
    mut scalar: impl FnMut(&[Value]) -> Result<Value, Diagnostic>,
) -> Result<Value, Diagnostic> {
    let Some(first) = step.operands.iter().find_map(Value::as_array) else { return scalar(step.operands) };
    let shape = first.shape();
    for array in step.operands.iter().filter_map(Value::as_array) {
        if array.shape() != shape {
            return Err(step.undefined(format_args!("shapes {shape:?} and {:?} differ", array.shape())));
        }
    }
    let mut values: Vec<Value> = step.operands.to_vec();
    let mut elements = Vec::with_capacity(first.elements().len());
    for at in 0..first.elements().len() {
        for (value, operand) in values.iter_mut().zip(step.operands) {
            if let Value::Array(array) = operand {
                *value = array.elements()[at].clone();
            }
        }
        elements.push(scalar(&values)?);
    }
    Ok(Array::new(shape, elements).into())
}
