//! Patterns for `scf.for`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use super::{Values, constant, inline_before, keep_yielded, kept, take_region, trip_count};
use crate::ForOp;

pub(crate) fn for_patterns(patterns: &mut Patterns) {
    patterns.add(FoldIterArgs).add(SimplifyTrivialLoop);
}

/// A loop that never runs is its initial values; one that runs once is its body.
struct SimplifyTrivialLoop;

impl Pattern for SimplifyTrivialLoop {
    const NAME: &'static str = "scf-for-simplify-trivial-loop";
    const ROOT: Option<&'static str> = Some(ForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForOp::wrap(rw.op(op));
        let (lower, upper) = (view.lower_bound(), view.upper_bound());
        let unsigned = view.unsigned_cmp().is_some();
        let trips = if lower == upper {
            Some(0)
        } else {
            trip_count(constant(lower), constant(upper), constant(view.step()), unsigned)
        };
        let mut args: Values = SmallVec::from_slice(&[lower.id()]);
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

/// Carried values that each iteration hands on as they are, or that nobody reads, are not carried.
struct FoldIterArgs;

impl Pattern for FoldIterArgs {
    const NAME: &'static str = "scf-for-fold-iter-args";
    const ROOT: Option<&'static str> = Some(ForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForOp::wrap(rw.op(op));
        let Some(body) = view.region().entry() else { return Err(NoMatch("has no body")) };
        let Some(terminator) = body.last_op() else { return Err(NoMatch("the body is empty")) };
        let inits = view.init_args().ids();
        let mut keep = Vec::with_capacity(inits.len());
        for (i, ((arg, init), result)) in
            body.args().skip(1).zip(view.init_args().iter()).zip(view.0.results().iter()).enumerate()
        {
            let yielded = terminator.operand(i);
            let unread = !arg.has_uses() && (init == yielded || !result.has_uses());
            keep.push(arg != yielded && !unread);
        }
        if keep.iter().all(|&k| k) {
            return Err(NoMatch("every carried value changes and is read"));
        }
        let args: Values = body.args().skip(1).map(|arg| arg.id()).collect();
        let (block, region) = (body.id(), view.region().id());
        let bounds = [view.lower_bound().id(), view.upper_bound().id(), view.step().id()];
        let types: SmallVec<[Type; 4]> = kept(view.0.results().types(), &keep);
        let attrs: Vec<_> = view.0.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let state = OpState::of::<ForOp<'_>>(view.0.loc()).attrs(attrs).operands(bounds).results(types);

        keep_yielded(rw, region, &keep);
        for (i, &keep) in keep.iter().enumerate().rev() {
            if !keep {
                rw.replace_all_uses(args[i], inits[i]);
                rw.erase_block_arg(block, i + 1);
            }
        }
        let body = take_region(rw, region);
        rw.set_insertion_before(op);
        let new = rw.create(state.operands(kept::<_, Values>(inits.iter().copied(), &keep)).region(body));
        let mut results = rw.ir().results(new);
        let mut next =
            |i: usize, keep: bool| -> ValueId { if keep { results.next().unwrap_or(inits[i]) } else { inits[i] } };
        let values: Values = keep.iter().enumerate().map(|(i, &keep)| next(i, keep)).collect();
        rw.replace(op, &values);
        Ok(())
    }
}
