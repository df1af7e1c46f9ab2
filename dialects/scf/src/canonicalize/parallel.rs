//! Patterns for `scf.parallel` and `scf.forall`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, OpView, Operands, RegionId, Rewriter, ValueId, ValueRef};

use super::{Values, inline_before, kept, take_region};
use crate::trips::{constant, trip_count};
use crate::{ForallOp, ParallelOp, ReduceOp};

pub(crate) fn parallel_patterns(patterns: &mut Patterns) {
    patterns.add(CollapseTrivialDims);
}

pub(crate) fn forall_patterns(patterns: &mut Patterns) {
    patterns.add(FoldForallBounds).add(RemoveEmptyForall);
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

/// Bounds and steps that are constants become part of the loop.
struct FoldForallBounds;

impl Pattern for FoldForallBounds {
    const NAME: &'static str = "scf-forall-fold-bounds";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let [mut lower, mut upper, mut step] = crate::forall_bounds(view);
        let values = [
            fold_bounds(&mut lower, view.dynamic_lower_bound()),
            fold_bounds(&mut upper, view.dynamic_upper_bound()),
            fold_bounds(&mut step, view.dynamic_step()),
        ];
        let before = view.0.num_operands() - view.outputs().len();
        if values.iter().map(Values::len).sum::<usize>() == before {
            return Err(NoMatch("no bound is a constant"));
        }
        let cx = rw.cx();
        for (group, values) in values.iter().enumerate() {
            rw.set_operand_group(op, group, values);
        }
        for (name, constants) in [("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", step)] {
            rw.set_attr(op, cx.ident(name), cx.dense_i64_array(&constants));
        }
        Ok(())
    }
}

/// Writes the constants among `values` into `constants` and answers the others.
fn fold_bounds(constants: &mut [i64], values: Operands<'_>) -> Values {
    let mut rest = Values::new();
    let dynamic = constants.iter_mut().filter(|n| **n == DYNAMIC);
    for (slot, value) in dynamic.zip(values.iter()) {
        match constant(value) {
            Some(n) if n != DYNAMIC => *slot = n,
            _ => rest.push(value.id()),
        }
    }
    rest
}

/// A loop that never runs leaves its outputs as they are.
struct RemoveEmptyForall;

impl Pattern for RemoveEmptyForall {
    const NAME: &'static str = "scf-forall-remove-empty";
    const ROOT: Option<&'static str> = Some(ForallOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForallOp::wrap(rw.op(op));
        let [lower, upper, step] = crate::forall_bounds(view);
        let known = |n: i64| (n != DYNAMIC).then_some(n);
        let mut dims = lower.iter().zip(&upper).zip(&step);
        if !dims.any(|((&l, &u), &s)| trip_count(known(l), known(u), known(s), false) == Some(0)) {
            return Err(NoMatch("every dimension may run"));
        }
        let outputs = view.outputs().ids();
        rw.replace(op, &outputs);
        Ok(())
    }
}
