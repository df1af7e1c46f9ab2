//! Padding.

use dl_ir::interfaces::index_list::mixed;
use dl_ir::interp::{Array, Machine, Odometer, Outcome, Shape, Step, Value, Values};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};

use super::shapes::conforms;
use crate::PadOp;

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<PadOp<'_>>().interpret(pad);
}

fn amounts(step: Step<'_, '_>, name: &str, group: usize) -> Result<Shape, Diagnostic> {
    let constants: Vec<i64> = step.op.attr(name).into_iter().flat_map(AttrRef::dense_ints).collect();
    let amounts = step.mixed(&mixed(&constants, step.op.operand_group(group)), group)?;
    if let Some(amount) = amounts.iter().find(|&&amount| amount < 0) {
        return Err(step.undefined(format_args!("padding by {amount}")));
    }
    Ok(amounts)
}

/// The source, surrounded by what the region gives for each index of the result.
fn pad<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.array(step.one(0)?)?;
    let (low, high) = (amounts(step, "static_low", 1)?, amounts(step, "static_high", 2)?);
    let extents = source.shape().iter().zip(&low).zip(&high);
    let shape: Shape =
        extents.map(|((&extent, &low), &high)| extent.saturating_add(low).saturating_add(high)).collect();
    conforms(step, &shape)?;
    let mut result = step.defined(Array::filled(&shape, &Value::Poison))?;
    let mut indices = Odometer::new(&shape);
    for element in result.elements_mut() {
        let Some(index) = indices.next() else { break };
        let inner: Shape = index.iter().zip(&low).map(|(&at, &low)| at - low).collect();
        *element = if let Ok(inside) = source.get(&inner) {
            inside.clone()
        } else {
            let index: Values = index.iter().map(|&at| Value::index(at)).collect();
            let yielded = machine.run_region(step.op.region(0), &index)?;
            yielded.into_iter().next().ok_or_else(|| step.op.error("has a body without a result"))?
        };
    }
    Ok(result.into())
}
