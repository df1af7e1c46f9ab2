//! `scf-parallel-for-to-nested-fors`: parallel loops as nests of sequential ones.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{OpId, OpView, Rewriter, ValueId};
use dl_scf::ParallelOp;

use crate::nest::{build_nest, move_body};

/// Makes each `scf.parallel` without results a nest of `scf.for`. One that reduces stays.
#[derive(Clone, Copy, Default)]
pub struct ParallelToNestedFors;

impl Pass for ParallelToNestedFors {
    const INFO: PassInfo =
        PassInfo::new("scf-parallel-for-to-nested-fors", "Convert SCF parallel for loops to nested SCF for loops")
            .title("SCFParallelForToNestedFors");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        crate::rewrite_each::<ParallelOp<'_>>(cx, &mut |rw, op| {
            nest_of_parallel(rw, op);
            Ok(())
        })
    }
}

/// Replaces an `scf.parallel` without results by a nest. Answers the loops, outermost first; `None` where it has results.
pub(crate) fn nest_of_parallel(rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<OpId>> {
    let view = ParallelOp::wrap(rw.op(op));
    let body = view.region().entry().filter(|_| view.0.num_results() == 0)?;
    let bounds: Vec<[ValueId; 3]> = (view.lower_bound().iter().zip(view.upper_bound().iter()))
        .zip(view.step().iter())
        .map(|((lower, upper), step)| [lower.id(), upper.id(), step.id()])
        .collect();
    let (body, loc) = (body.id(), view.0.loc());
    rw.set_insertion_before(op);
    let nest = build_nest(rw, &bounds, loc);
    move_body(rw, body, &nest);
    rw.erase(op);
    Some(nest.loops)
}
