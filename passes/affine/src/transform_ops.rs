//! What operations of schedules do to loops of `affine` and `scf` alike: `transform.loop`.

use dl_affine::AffineForOp;
use dl_ir::dialect::Extension;
use dl_ir::{AttrRef, DialectBuilder, OpDefinition, OpRef, Rewriter};
use dl_passes_schedules::{Each, Entity, Failure, Interpreter, PayloadOp, Transformation};
use dl_scf::ForOp;
use dl_transform::{LoopCoalesceOp, LoopPromoteIfOneIterationOp, LoopUnrollAndJamOp, LoopUnrollOp};

use crate::coalescing::coalesce_affine_nest;
use crate::loops;
use crate::unroll::unroll_by;
use crate::unroll_jam::unroll_and_jam;

/// Attaches what they do.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, b: &mut DialectBuilder) {
        on::<LoopUnrollOp<'_>>(b, Each::consuming(unroll));
        on::<LoopUnrollAndJamOp<'_>>(b, Each::consuming(jam));
        on::<LoopCoalesceOp<'_>>(b, Each::consuming(coalesce));
        on::<LoopPromoteIfOneIterationOp<'_>>(b, Each::consuming(promote));
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, meaning: Box<dyn Transformation>) {
    builder.on::<T>().interface::<dyn Transformation>(meaning);
}

/// Changes `target` by what is for its kind of loop; answers whether that was possible. `None` for what is no loop.
fn change(
    run: &mut Interpreter<'_, '_>,
    target: PayloadOp,
    of_affine: impl FnOnce(&mut Rewriter<'_>) -> bool,
    of_scf: impl FnOnce(&mut Rewriter<'_>) -> bool,
) -> Option<bool> {
    let (is_affine, is_scf) = (run.op(target).is::<AffineForOp<'_>>(), run.op(target).is::<ForOp<'_>>());
    match (is_affine, is_scf) {
        (true, _) => Some(run.rewrite(target.arena, of_affine)),
        (_, true) => Some(run.rewrite(target.arena, of_scf)),
        _ => None,
    }
}

fn factor(op: OpRef<'_>) -> u64 {
    op.attr("factor").and_then(AttrRef::as_int).and_then(|factor| u64::try_from(factor).ok()).unwrap_or(1)
}

/// `transform.loop.unroll`.
fn unroll<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let factor = factor(op);
    let done = change(
        run,
        target,
        |rw| unroll_by(rw, target.id, factor, false),
        |rw| dl_passes_scf::unroll_by(rw, target.id, factor).is_ok(),
    );
    match done {
        Some(true) => Ok(Vec::new()),
        Some(false) => Err(Failure::silenceable(op, "failed to unroll")),
        None => Err(Failure::silenceable(op, "failed to unroll, incorrect type of payload")),
    }
}

/// `transform.loop.unroll_and_jam`.
fn jam<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    if run.op(target).is::<ForOp<'_>>() {
        return Err(Failure::unsupported(op, "to unroll and jam scf.for"));
    }
    let factor = factor(op);
    match change(run, target, |rw| unroll_and_jam(rw, target.id, factor), |_| false) {
        Some(true) => Ok(Vec::new()),
        Some(false) => Err(Failure::silenceable(op, "failed to unroll and jam")),
        None => Err(Failure::silenceable(op, "failed to unroll and jam, incorrect type of payload")),
    }
}

/// `transform.loop.coalesce`.
fn coalesce<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let done =
        change(run, target, |rw| coalesce_affine_nest(rw, target.id), |rw| dl_passes_scf::coalesce_nest(rw, target.id));
    if done != Some(true) {
        return Err(Failure::silenceable(op, "failed to coalesce"));
    }
    Ok(vec![Entity::Op(target)])
}

/// `transform.loop.promote_if_one_iteration`.
fn promote<'s>(_: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    // A loop that runs more often stays.
    change(
        run,
        target,
        |rw| loops::promote_single_iteration(rw, target.id),
        |rw| dl_passes_scf::promote_single_iteration(rw, target.id).is_ok(),
    );
    Ok(Vec::new())
}
