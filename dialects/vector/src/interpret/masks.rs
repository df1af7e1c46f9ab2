//! Masks.

use dl_ir::DialectBuilder;
use dl_ir::interp::{Flow, Machine, Outcome, Step, Value};

use super::lanes::{filled_by, ints, result_shape};
use crate::{ConstantMaskOp, CreateMaskOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<ConstantMaskOp<'_>>().interpret(constant_mask);
    b.on::<CreateMaskOp<'_>>().interpret(create_mask);
}

/// Set where the index is below the limit in every dimension. A mask without dimensions has one limit, as if it had one dimension of
/// size 1.
fn below<'a>(step: Step<'a, '_>, limits: &[i64]) -> Outcome<'a> {
    let shape = result_shape(step)?;
    let set = |index: &[i64]| {
        let index = if index.is_empty() { &[0] } else { index };
        Ok(Value::bool(index.iter().zip(limits).all(|(at, limit)| at < limit)))
    };
    filled_by(step, &shape, set).map(Flow::from)
}

fn constant_mask<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    below(step, &ints(step, "mask_dim_sizes"))
}

/// Limits below zero and past the end are as good as those.
fn create_mask<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    below(step, &step.indices(step.operands)?)
}
