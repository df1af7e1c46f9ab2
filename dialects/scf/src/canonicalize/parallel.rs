//! Patterns for `scf.parallel`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpState, OpView, Operands, RegionId, Rewriter, ValueId, ValueRef};

use super::{Values, inline_before, kept, take_region};
use crate::trips::{constant, trip_count};
use crate::{ParallelOp, ReduceOp};

pub(crate) fn parallel_patterns(patterns: &mut Patterns) {
    patterns.add(CollapseTrivialDims).add(MergeNested);
}

/// Dimensions that run once are replaced by their only value; a loop with a dimension that never runs is its initial values.
struct CollapseTrivialDims;

impl Pattern for CollapseTrivialDims {
    const NAME: &'static str = "scf-parallel-collapse-trivial-dims";
    const ROOT: Option<&'static str> = Some(ParallelOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ParallelOp::wrap(rw.op(op));
        let (lower, upper, step) = (view.lower_bound(), view.upper_bound(), view.step());
        let bounds = lower.iter().zip(upper.iter()).zip(step.iter());
        let count = |((lower, upper), step): ((ValueRef<'_>, ValueRef<'_>), ValueRef<'_>)| {
            let empty = (lower == upper).then_some(0);
            empty.or_else(|| trip_count(constant(lower), constant(upper), constant(step), false))
        };
        let trips: Vec<Option<u64>> = bounds.map(count).collect();
        let inits = view.init_vals().ids();
        if trips.contains(&Some(0)) {
            rw.replace(op, &inits);
            return Ok(());
        }
        let keep: Vec<bool> = trips.iter().map(|&trips| trips != Some(1)).collect();
        if keep.iter().all(|&k| k) {
            return Err(NoMatch("no dimension runs once"));
        }
        let Some(body) = view.region().entry() else { return Err(NoMatch("has no body")) };
        let (block, region) = (body.id(), view.region().id());
        let args: Values = body.args().map(dl_ir::ValueRef::id).collect();
        let starts = lower.ids();
        if keep.iter().all(|&k| !k) {
            inline_once(rw, op, region, &starts, &inits);
            return Ok(());
        }
        let of = |group: Operands<'_>| -> Values { kept(group.ids(), &keep) };
        let (lower, upper, step) = (of(lower), of(upper), of(step));
        let sizes = [lower.len(), upper.len(), step.len(), inits.len()];
        let cx = rw.cx();
        let attrs: Vec<_> = view.0.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let state = OpState::of::<ParallelOp<'_>>(view.0.loc())
            .attrs(attrs)
            .results(view.0.results().types())
            .operands(lower.into_iter().chain(upper).chain(step).chain(inits))
            .operand_segments(cx, &sizes);
        for (i, &keep) in keep.iter().enumerate().rev() {
            if !keep {
                rw.replace_all_uses(args[i], starts[i]);
                rw.erase_block_arg(block, i);
            }
        }
        let body = take_region(rw, region);
        rw.replace_with(op, state.region(body));
        Ok(())
    }
}

/// Replaces a `parallel` loop whose only iteration starts at `starts` by its body and its reductions.
fn inline_once(rw: &mut Rewriter<'_>, op: OpId, region: RegionId, starts: &[ValueId], inits: &[ValueId]) {
    let block = rw.ir().entry_block(region).expect("a verified loop has a body");
    let reduce = rw.ir().last_op(block).expect("a verified body ends with its reductions");
    let point = dl_ir::InsertPoint { block: rw.ir().block_of(op).expect("an operation in a block"), before: Some(op) };
    rw.inline_block(block, point, starts);
    let contributions: Values = rw.ir().operands(reduce).collect();
    let reductions: Vec<RegionId> = ReduceOp::wrap(rw.op(reduce)).reductions().map(|r| r.id()).collect();
    let mut results = Values::new();
    for ((reduction, &init), &value) in reductions.into_iter().zip(inits).zip(&contributions) {
        results.extend(inline_before(rw, op, reduction, &[init, value]));
    }
    rw.erase(reduce);
    rw.replace(op, &results);
}

/// A loop around another one alone is one loop over the dimensions of both.
struct MergeNested;

impl Pattern for MergeNested {
    const NAME: &'static str = "scf-parallel-merge-nested";
    const ROOT: Option<&'static str> = Some(ParallelOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let outer = ParallelOp::wrap(rw.op(op));
        let Some(body) = outer.region().entry() else { return Err(NoMatch("has no body")) };
        let inner = body.first_op().and_then(OpRef::cast::<ParallelOp<'_>>);
        let alone = |inner: &ParallelOp<'_>| inner.0.next().is_some_and(|op| op.is::<ReduceOp<'_>>());
        let Some(inner) = inner.filter(alone).filter(|_| outer.0.num_results() == 0) else {
            return Err(NoMatch("does not hold another loop alone, or reduces"));
        };
        let depends = |value: ValueRef<'_>| value.owner_block() == Some(body);
        if inner.0.num_results() != 0 || inner.0.operands().iter().any(depends) {
            return Err(NoMatch("the inner loop reduces, or its bounds depend on the outer one"));
        }
        let Some(inner_body) = inner.region().entry() else { return Err(NoMatch("has no body")) };
        let groups = |op: ParallelOp<'_>| [op.lower_bound().ids(), op.upper_bound().ids(), op.step().ids()];
        let (of_outer, of_inner) = (groups(outer), groups(inner));
        let rank = of_outer[0].len() + of_inner[0].len();
        let cx = rw.cx();
        let attrs: Vec<_> = outer.0.discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
        let state = OpState::of::<ParallelOp<'_>>(outer.0.loc())
            .attrs(attrs)
            .operands(of_outer.into_iter().zip(of_inner).flat_map(|(a, b)| a.into_iter().chain(b)))
            .operand_segments(cx, &[rank, rank, rank, 0]);
        let args: Values = body.args().map(ValueRef::id).collect();
        let types: smallvec::SmallVec<[dl_ir::Type; 4]> = args.iter().map(|&arg| rw.ir().value_type(arg)).collect();
        let (inner_block, inner_region) = (inner_body.id(), inner.region().id());
        for (index, (&arg, &ty)) in args.iter().zip(&types).enumerate() {
            let new = rw.insert_block_arg(inner_block, index, ty);
            rw.replace_all_uses(arg, new);
        }
        let region = take_region(rw, inner_region);
        rw.replace_with(op, state.region(region));
        Ok(())
    }
}
