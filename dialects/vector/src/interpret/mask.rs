//! Operations under a mask.

use dl_ir::interp::{Array, Flow, Interpret, Machine, Odometer, Outcome, Step, Value, Values};
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition, OpRef};

use super::memory::is_set;
use crate::MaskOp;

/// The meaning of an operation that can stand under a mask, and of the same operation without one.
type MaskedOp = for<'a> fn(Step<'a, '_>, &mut dyn Machine<'a>, Option<&Value>) -> Outcome<'a>;

/// An interface of operations that can stand under a mask.
#[derive(Clone, Copy)]
struct Maskable(MaskedOp);

impl Interpret for Maskable {
    fn interpret<'a>(&self, step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
        (self.0)(step, machine, None)
    }
}

/// Attaches the meaning of an operation that can stand under a mask.
pub(super) fn maskable<T: OpDefinition>(b: &mut DialectBuilder, meaning: MaskedOp) {
    b.on::<T>().interpret(Maskable(meaning)).interface::<Maskable>(Box::new(Maskable(meaning)));
}

/// Whether `mask`, where there is one, is set at `lane`.
pub(super) fn is_on(step: Step<'_, '_>, mask: Option<&Value>, lane: &[i64]) -> Result<bool, Diagnostic> {
    mask.map_or(Ok(true), |mask| is_set(step, mask, lane))
}

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<MaskOp<'_>>().interpret(mask);
}

/// What the operation in the region does where the mask is set. What it yields otherwise is the operand for that, or what the operation
/// itself has for lanes that are off.
fn mask<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (mask, otherwise) = (step.one(0)?, step.group(1).first());
    let mut ops = step.op.region(0).ops();
    let (first, second) = (ops.next(), ops.next());
    let (masked, last) = match (first, second) {
        (Some(last), None) => (None, last),
        (Some(masked), Some(last)) => (Some(masked), last),
        (None, _) => return Ok(Flow::none()),
    };
    let results = match masked {
        Some(op) => run(step, op, mask, machine)?,
        None => Values::new(),
    };
    let yielded = last.operands().iter().map(|value| match value.defining_op() {
        Some(op) if masked.is_some_and(|masked| masked.id() == op.id()) => Ok(results[value.index()].clone()),
        _ => machine.value(value),
    });
    let mut yielded = yielded.collect::<Result<Values, _>>()?;
    if let (Some(otherwise), [result]) = (otherwise, &mut yielded[..]) {
        *result = chosen(step, mask, result, otherwise)?;
    }
    Ok(Flow::Next(yielded))
}

/// `value` where the mask is set and `otherwise` elsewhere, if both have the mask's shape.
fn chosen(step: Step<'_, '_>, mask: &Value, value: &Value, otherwise: &Value) -> Result<Value, Diagnostic> {
    let (Value::Array(value), Value::Array(otherwise)) = (value, otherwise) else { return Ok(value.clone()) };
    if value.shape() != step.array(mask)?.shape() {
        return Ok(Value::Array(value.clone()));
    }
    let mut lanes = Odometer::new(value.shape());
    let mut elements = Vec::new();
    for (on, off) in value.elements().iter().zip(otherwise.elements()) {
        let Some(lane) = lanes.next() else { break };
        elements.push(if is_set(step, mask, lane)? { on.clone() } else { off.clone() });
    }
    Ok(Array::new(value.shape(), elements).into())
}

fn run<'a>(
    step: Step<'a, '_>,
    op: OpRef<'a>,
    mask: &Value,
    machine: &mut dyn Machine<'a>,
) -> Result<Values, Diagnostic> {
    let operands = op.operands().iter().map(|operand| machine.value(operand)).collect::<Result<Values, _>>()?;
    let (inner, mask) = (Step { op, operands: &operands, ..step }, Some(mask));
    let Some(meaning) = op.interface::<Maskable>() else { return Err(inner.unsupported("under a mask")) };
    let flow = (meaning.0)(inner, machine, mask);
    match flow? {
        Flow::Next(values) => Ok(values),
        Flow::Branch(..) | Flow::Leave(_) => Err(inner.op.error("leaves the mask around it")),
    }
}
