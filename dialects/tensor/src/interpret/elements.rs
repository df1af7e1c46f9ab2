//! Making tensors, and their single elements.

use dl_ir::interp::{Array, Flow, Machine, Odometer, Outcome, Shape, Step, Value, Values, concrete_shape, leave};
use dl_ir::{Diagnostic, DialectBuilder};

use crate::{EmptyOp, ExtractOp, FromElementsOp, GenerateOp, InsertOp, SplatOp, YieldOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<EmptyOp<'_>>().interpret(empty);
    b.on::<SplatOp<'_>>().interpret(splat);
    b.on::<FromElementsOp<'_>>().interpret(from_elements);
    b.on::<GenerateOp<'_>>().interpret(generate);
    b.on::<ExtractOp<'_>>().interpret(extract);
    b.on::<InsertOp<'_>>().interpret(insert);
    b.on::<YieldOp<'_>>().interpret(leave);
}

/// The shape of the result, its dynamic extents from operand definition `group`.
pub(super) fn result_shape(step: Step<'_, '_>, group: usize) -> Result<Shape, Diagnostic> {
    let sizes = step.indices(step.group(group))?;
    concrete_shape(step.op.result(0).ty(), &sizes).ok_or_else(|| step.op.error("has too few sizes"))
}

/// No element has a value yet.
fn empty<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let shape = result_shape(step, 0)?;
    step.defined(Array::filled(&shape, &Value::Poison)).map(Flow::from)
}

fn splat<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let shape = result_shape(step, 1)?;
    step.defined(Array::filled(&shape, step.one(0)?)).map(Flow::from)
}

fn from_elements<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let shape = concrete_shape(step.op.result(0).ty(), &[]).ok_or_else(|| step.op.error("has no static shape"))?;
    Ok(Array::new(&shape, step.operands.to_vec()).into())
}

/// The region runs for each index.
fn generate<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let shape = result_shape(step, 0)?;
    let mut array = step.defined(Array::filled(&shape, &Value::Poison))?;
    let mut indices = Odometer::new(&shape);
    for element in array.elements_mut() {
        let index: Values = indices.next().into_iter().flatten().map(|&i| Value::index(i)).collect();
        let yielded = machine.run_region(step.op.region(0), &index)?;
        *element = yielded.into_iter().next().ok_or_else(|| step.op.error("has a body without a result"))?;
    }
    Ok(array.into())
}

fn extract<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let index = step.indices(step.group(1))?;
    let element = step.defined(step.array(step.one(0)?)?.get(&index))?;
    Ok(element.clone().into())
}

fn insert<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let index = step.indices(step.group(2))?;
    let mut array = (**step.array(step.one(1)?)?).clone();
    let position = step.defined(array.position(&index))?;
    array.elements_mut()[position] = step.one(0)?.clone();
    Ok(array.into())
}
