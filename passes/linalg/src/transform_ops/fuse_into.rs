//! `transform.structured.fuse_into_containing_op`: producers computed inside of the loop that uses them.

use dl_ir::{DialectBuilder, OpRef, OpView};
use dl_passes_schedules::{Failure, Interpreter, Outcome, PayloadOp, Results, Transformation};
use dl_transform::FuseIntoContainingOp;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::tiling::fuse_into;

pub(super) fn attach(builder: &mut DialectBuilder) {
    builder.on::<FuseIntoContainingOp<'_>>().interface::<dyn Transformation>(Box::new(FuseInto));
}

struct FuseInto;

impl Transformation for FuseInto {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = FuseIntoContainingOp::wrap(op);
        let producers: IndexSet<PayloadOp, FxBuildHasher> = run.ops(view.producer_op()).into_iter().collect();
        let mut producers: Vec<PayloadOp> = producers.into_iter().collect();
        let containers = run.ops(view.containing_op());
        let [containing] = *containers.as_slice() else {
            let message = format!("requires exactly one containing_op handle (got {})", containers.len());
            return Err(Failure::definite(op, message));
        };
        let mut fused = Vec::new();
        while !producers.is_empty() {
            run.check_live(op, containing)?;
            let uses = |&producer: &PayloadOp| uses_inside(run, producer, containing);
            let Some(at) = producers.iter().position(|producer| uses(producer) > 0) else {
                let error = Failure::silenceable(op, "could not find next producer to fuse into container");
                return Err(error.note(run.op(containing).loc(), "containing op"));
            };
            let producer = producers[at];
            if uses(&producer) == 1 {
                producers.remove(at);
            }
            let Some(id) = run.rewrite(containing.arena, |rw| fuse_into(rw, producer.id, containing.id)) else {
                let (what, into) = (run.text_of(producer), run.text_of(containing));
                let message = format!("could not fuse {what} into {into}");
                let remark = dl_ir::Diagnostic::remark(run.op(producer).loc(), message);
                return Err(Failure::Silenceable(remark.into()));
            };
            fused.push(PayloadOp { arena: containing.arena, id });
            producers.retain(|&producer| run.is_live(producer));
        }
        results.set_ops(0, fused);
        results.set_ops(1, [containing]);
        Ok(())
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }

    fn allows_repeated_handles(&self, _: OpRef<'_>) -> bool {
        true
    }
}

/// How often operations in `containing`, or itself, use results of `producer`.
fn uses_inside(run: &Interpreter<'_, '_>, producer: PayloadOp, containing: PayloadOp) -> usize {
    if producer.arena != containing.arena {
        return 0;
    }
    let container = run.op(containing);
    let uses = run.op(producer).results().iter().flat_map(|result| result.uses());
    uses.filter(|(user, _)| container.is_ancestor_of(user.id())).count()
}
