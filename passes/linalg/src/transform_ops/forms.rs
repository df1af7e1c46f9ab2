//! Loop nests in another form: general, or named.

use dl_ir::{DialectBuilder, OpRef};
use dl_linalg::{GenericOp, LinalgOp};
use dl_passes_schedules::{Each, Entity, Failure, Interpreter, PayloadOp, Transformation};
use dl_transform::{GeneralizeOp, SpecializeOp};

use crate::forms::{generalized, specialized};

pub(super) fn attach(builder: &mut DialectBuilder) {
    builder.on::<GeneralizeOp<'_>>().interface::<dyn Transformation>(Each::consuming(generalize));
    builder.on::<SpecializeOp<'_>>().interface::<dyn Transformation>(Each::consuming(specialize));
}

/// That a transformation does not work on operations like `target`.
pub(super) fn wrong_kind(op: OpRef<'_>, target: OpRef<'_>) -> Failure {
    Failure::definite(op, "transform applied to the wrong op kind").note(target.loc(), "when applied to this op")
}

/// That a transformation did not apply to `target`.
pub(super) fn failed_on(op: OpRef<'_>, target: OpRef<'_>) -> Failure {
    Failure::silenceable(op, "failed to apply").note(target.loc(), "when applied to this op")
}

/// `transform.structured.generalize`.
fn generalize<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target);
    if LinalgOp::of(view).is_none() {
        return Err(wrong_kind(op, view));
    }
    if view.is::<GenericOp<'_>>() {
        return Ok(vec![Entity::Op(target)]);
    }
    match run.rewrite(target.arena, |rw| generalized(target.id, rw)) {
        Ok(id) => Ok(vec![Entity::Op(PayloadOp { arena: target.arena, id })]),
        Err(_) => Err(Failure::silenceable(op, "failed to generalize").note(run.op(target).loc(), "target op")),
    }
}

/// `transform.structured.specialize`.
fn specialize<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target);
    if LinalgOp::of(view).is_none() {
        return Err(wrong_kind(op, view));
    }
    if !view.is::<GenericOp<'_>>() {
        return Ok(vec![Entity::Op(target)]);
    }
    match run.rewrite(target.arena, |rw| specialized(target.id, rw)) {
        Ok(id) => Ok(vec![Entity::Op(PayloadOp { arena: target.arena, id })]),
        Err(_) => Err(failed_on(op, run.op(target))),
    }
}
