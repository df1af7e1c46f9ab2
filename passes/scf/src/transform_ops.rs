//! What operations of schedules do to loops: `transform.loop`.

use dl_ir::dialect::Extension;
use dl_ir::rewrite::Patterns;
use dl_ir::{AttrRef, DialectBuilder, OpRef, OpView};
use dl_passes_schedules::{
    Each, Entity, Failure, Interpreter, Outcome, PatternSource, PayloadOp, Results, Transformation,
};
use dl_scf::{ForOp, ForallOp, ParallelOp};
use dl_transform as t;

use crate::forall::{forall_to_for, parallel_of_forall};
use crate::loop_canonicalization;
use crate::outline::outline;
use crate::parallel_to_nested::nest_of_parallel;
use crate::peeling::{peel_first, peel_last_and_simplify};

/// Attaches what they do.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, b: &mut DialectBuilder) {
        let canonicalizations: fn(OpRef<'_>, &mut Patterns) = |_, set| loop_canonicalization::add_patterns(set);
        b.on::<t::ApplyForLoopCanonicalizationPatternsOp<'_>>()
            .interface::<dyn PatternSource>(Box::new(canonicalizations));
        b.on::<t::LoopPeelOp<'_>>().interface::<dyn Transformation>(Each::consuming(peel));
        b.on::<t::LoopOutlineOp<'_>>().interface::<dyn Transformation>(Each::consuming(outline));
        b.on::<t::ForallToForOp<'_>>().interface::<dyn Transformation>(Box::new(ForallToFor));
        b.on::<t::ForallToParallelOp<'_>>().interface::<dyn Transformation>(Box::new(ForallToParallel));
        b.on::<t::ParallelForToNestedForOpsOp<'_>>().interface::<dyn Transformation>(Box::new(ParallelToFor));
    }
}

/// `transform.loop.peel`.
fn peel<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target);
    if !view.is::<ForOp<'_>>() {
        let error = Failure::definite(op, "transform applied to the wrong op kind");
        return Err(error.note(view.loc(), "when applied to this op"));
    }
    let front = op.attr_or_default("peel_front").and_then(AttrRef::as_bool).unwrap_or(false);
    let peeled = run.rewrite(target.arena, |rw| {
        if front { peel_first(rw, target.id) } else { peel_last_and_simplify(rw, target.id) }
    });
    let which = if front { "first" } else { "last" };
    let part = peeled.map_err(|_| Failure::silenceable(op, format!("failed to peel the {which} iteration")))?;
    Ok(vec![Entity::Op(target), Entity::Op(PayloadOp { arena: target.arena, id: part })])
}

/// The only operation that the operand of `op` stands for.
fn single<'s>(op: OpRef<'s>, run: &Interpreter<'s, '_>) -> Result<PayloadOp, Failure> {
    let [target] = *run.ops(op.operand(0)).as_slice() else {
        return Err(Failure::silenceable(op, "expected a single payload op"));
    };
    Ok(target)
}

/// `target`, if it is a `T`.
fn expect<'r, T: OpView<'r>>(op: OpRef<'_>, target: OpRef<'r>) -> Result<T, Failure> {
    target.cast::<T>().ok_or_else(|| {
        let message = format!("expected the payload to be {}", T::NAME);
        Failure::silenceable(op, message).note(target.loc(), "payload op")
    })
}

fn check_no_outputs(op: OpRef<'_>, loop_: ForallOp<'_>) -> Outcome {
    if loop_.outputs().is_empty() {
        return Ok(());
    }
    let error = Failure::silenceable(op, "unsupported shared outputs (didn't bufferize?)");
    Err(error.note(loop_.op().loc(), "payload op"))
}

/// Checks that `op` has one result for each of `loops`.
fn check_results(op: OpRef<'_>, target: OpRef<'_>, loops: usize) -> Outcome {
    let results = op.num_results();
    if results == loops {
        return Ok(());
    }
    let message = format!("op expects as many results ({results}) as payload has induction variables ({loops})");
    Err(Failure::silenceable(op, message).note(target.loc(), "payload op"))
}

fn set_loops(results: &mut Results, target: PayloadOp, op: OpRef<'_>, loops: Vec<dl_ir::OpId>) {
    for (at, id) in loops.into_iter().take(op.num_results()).enumerate() {
        results.set_ops(at, [PayloadOp { arena: target.arena, id }]);
    }
}

/// `transform.loop.forall_to_for`.
struct ForallToFor;

impl Transformation for ForallToFor {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let target = single(op, run)?;
        let forall = expect::<ForallOp<'_>>(op, run.op(target))?;
        check_no_outputs(op, forall)?;
        check_results(op, forall.op(), dl_scf::forall_bounds(forall)[0].len())?;
        let loops = run.rewrite(target.arena, |rw| forall_to_for(target.id, rw));
        let loops = loops.map_err(|_| Failure::silenceable(op, "failed to convert forall into for"))?;
        set_loops(results, target, op, loops);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, _: usize, _: &Interpreter<'s, '_>) -> bool {
        true
    }
}

/// `transform.loop.forall_to_parallel`.
struct ForallToParallel;

impl Transformation for ForallToParallel {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let target = single(op, run)?;
        let forall = expect::<ForallOp<'_>>(op, run.op(target))?;
        check_no_outputs(op, forall)?;
        if op.num_results() != 1 {
            let message = format!("op expects one result, given {}", op.num_results());
            return Err(Failure::silenceable(op, message).note(forall.op().loc(), "payload op"));
        }
        let made = run.rewrite(target.arena, |rw| parallel_of_forall(target.id, rw));
        let made = made.map_err(|_| Failure::silenceable(op, "failed to convert forall into parallel"))?;
        set_loops(results, target, op, vec![made]);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, _: usize, _: &Interpreter<'s, '_>) -> bool {
        true
    }
}

/// `transform.loop.parallel_for_to_nested_fors`.
struct ParallelToFor;

impl Transformation for ParallelToFor {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let target = single(op, run)?;
        let parallel = expect::<ParallelOp<'_>>(op, run.op(target))?;
        if op.num_results() != 1 {
            check_results(op, parallel.op(), parallel.lower_bound().len())?;
        }
        let loops = run.rewrite(target.arena, |rw| nest_of_parallel(rw, target.id));
        let loops = loops.ok_or_else(|| Failure::silenceable(op, "failed to convert parallel into nested fors"))?;
        set_loops(results, target, op, loops);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, _: usize, _: &Interpreter<'s, '_>) -> bool {
        true
    }
}
