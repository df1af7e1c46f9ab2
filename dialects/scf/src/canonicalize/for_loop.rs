//! Patterns for `scf.for`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite, add_region_branch_patterns};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};
use smallvec::SmallVec;

use super::{Values, inline_before};
use crate::ForOp;
use crate::trips::for_trip_count;

pub(crate) fn for_patterns(patterns: &mut Patterns) {
    add_region_branch_patterns(patterns, ForOp::NAME);
    patterns.add(SimplifyTrivialLoop);
}

/// A loop that never runs is its initial values; one that runs once is its body.
struct SimplifyTrivialLoop;

impl Pattern for SimplifyTrivialLoop {
    const NAME: &'static str = "scf-for-simplify-trivial-loop";
    const ROOT: Option<&'static str> = Some(ForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForOp::wrap(rw.op(op));
        let trips = for_trip_count(view);
        let mut args: Values = SmallVec::from_slice(&[view.lower_bound().id()]);
        args.extend(view.init_args().ids());
        let region = view.region().id();
        let values = match trips {
            Some(0) => SmallVec::from_slice(&args[1..]),
            Some(1) => inline_before(rw, op, region, &args),
            _ => return Err(NoMatch("runs more than once, or an unknown number of times")),
        };
        rw.replace(op, &values);
        Ok(())
    }
}
