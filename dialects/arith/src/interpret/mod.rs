//! What the operations mean when run.

mod atomic;
mod cast;
mod compare;
mod extended;
mod float;
mod int;
pub mod rounding;

pub use atomic::{combine, identity};
pub use float::promised;

use dl_ir::interp::{Flow, Machine, Outcome, Step};
use dl_ir::{DialectBuilder, OpDefinition};

use crate::ConstantOp;

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<ConstantOp<'_>>().interpret(constant);
    int::register(b);
    extended::register(b);
    float::register(b);
    cast::register(b);
    compare::register(b);
}

/// Attaches a scalar function of operands that are not poison.
fn elementwise<T: OpDefinition>(
    b: &mut DialectBuilder,
    scalar: fn(Step<'_, '_>, &[dl_ir::interp::Value]) -> Result<dl_ir::interp::Value, dl_ir::Diagnostic>,
) {
    b.on::<T>().interpret(dl_ir::interp::Elementwise(scalar));
}

fn constant<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let Some(value) = step.op.attr("value") else { return Err(step.op.error("has no value")) };
    let value = machine.constant(value);
    step.defined(value).map(Flow::from)
}
