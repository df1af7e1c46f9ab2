//! What a cast of unknown meaning does when run: nothing but to be taken back.

use std::sync::Arc;

use crate::interp::{Flow, Machine, Outcome, Step, Value, Values};
use crate::types::Type;

/// Results of a cast, which only the cast back can use.
struct Cast {
    /// What was cast.
    values: Values,
    types: Vec<Type>,
    /// Which result this is.
    index: usize,
}

/// A cast to the same types gives the same values, a cast back those that were cast. Any other cast gives values that nothing can look into.
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
    let types: Vec<Type> = step.op.operands().iter().map(|operand| operand.ty().id()).collect();
    let values = Values::from(step.operands);
    let wrapped = |index| Value::Other(Arc::new(Cast { values: values.clone(), types: types.clone(), index }));
    Ok(Flow::Next((0..step.op.num_results()).map(wrapped).collect()))
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
