//! `scf-for-loop-peeling`: splits a loop so that each iteration of its main part is a whole step.

use dl_affine::constrained::replace_by_chosen_result;
use dl_affine::constraints::ValueSystem;
use dl_affine::{AffineApplyOp, AffineMaxOp, AffineMinOp, compose};
use dl_arith::{AddIOp, MaxSIOp, MinSIOp, MinUIOp, RemUIOp, SubIOp};
use dl_ir::affine::{AffineExpr, AffineStore};
use dl_ir::interfaces::Bound;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::presburger::Linear;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite, create_or_fold};
use dl_ir::walk::{for_each_arena, ops_in_arena, ops_in_arena_post_order};
use dl_ir::{Arena, Mapping, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, ValueId, clone_op};
use dl_scf::ForOp;

dl_ir::pass_options! {
    /// Options of [`ForLoopPeeling`].
    pub struct ForLoopPeelingOptions {
        /// Peel the first iteration instead of the last, partial one
        peel_front "peel-front": bool = false,
        /// Leave loops in the last, partial iteration of a peeled loop alone
        skip_partial "skip-partial": bool = true,
    }
}

/// Marks both parts of a loop while the pass runs.
const PEELED: &str = "__peeled_loop__";
/// Marks the part that was split off.
const PARTIAL: &str = "__partial_iteration__";

/// Splits loops whose step does not divide their range: a main loop of whole steps, and one for the rest. `affine.min` and `affine.max` that
/// tell the two cases apart are simplified in both.
#[derive(Clone, Default)]
pub struct ForLoopPeeling {
    /// The options.
    pub options: ForLoopPeelingOptions,
}

impl Pass for ForLoopPeeling {
    const INFO: PassInfo =
        PassInfo::new("scf-for-loop-peeling", "Peel `for` loops at their upper bounds").title("SCFForLoopPeeling");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        dl_affine::add_constant_result_patterns(&mut patterns);
        patterns.add(Peel { options: self.options.clone() });
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        let marks = [PEELED, PARTIAL].map(|name| cx.ctx.ident(name));
        for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            for op in ops_in_arena(ir, Arena::ROOT) {
                marks.iter().for_each(|&mark| Rewriter::new(cx, ir).remove_attr(op, mark));
            }
        });
        Ok(())
    }
}

struct Peel {
    options: ForLoopPeelingOptions,
}

impl Pattern for Peel {
    const NAME: &'static str = "scf-for-peel";
    const ROOT: Option<&'static str> = Some(ForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForOp::wrap(rw.op(op));
        if view.unsigned_cmp().is_some() {
            return Err(NoMatch("unsigned loops are not supported"));
        }
        if view.0.attr(PEELED).is_some() {
            return Err(NoMatch("is a part of a peeled loop"));
        }
        let in_partial =
            || std::iter::successors(view.0.parent(), |op| op.parent()).any(|op| op.attr(PARTIAL).is_some());
        if !self.options.peel_front && self.options.skip_partial && in_partial() {
            return Err(NoMatch("is in the partial iteration of a peeled loop"));
        }
        let part = if self.options.peel_front { peel_first(rw, op)? } else { peel_last_and_simplify(rw, op)? };
        let (peeled, partial, unit) = (rw.cx().ident(PEELED), rw.cx().ident(PARTIAL), rw.cx().unit_attr());
        rw.set_attr(part, peeled, unit);
        rw.set_attr(part, partial, unit);
        rw.set_attr(op, peeled, unit);
        Ok(())
    }
}

/// Lower bound, upper bound and step where they are known.
fn constants(op: ForOp<'_>) -> [Option<i64>; 3] {
    [op.lower_bound(), op.upper_bound(), op.step()].map(|value| Bound::of(value).constant())
}

/// Makes the result of `expr`, whose symbols are `operands`, before `op`.
fn make_bound(rw: &mut Rewriter<'_>, op: OpId, expr: AffineExpr, operands: &[ValueId]) -> ValueId {
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let map = cx.affine().intern_map(0, operands.len() as u32, [expr]);
    rw.set_insertion_before(op);
    let state = OpState::of::<AffineApplyOp<'_>>(loc).operands(operands.iter().copied());
    create_or_fold(rw, state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]))[0]
}

/// Whether the loop is known to take whole steps only.
fn takes_whole_steps(op: ForOp<'_>) -> bool {
    if let [Some(lower), Some(upper), Some(step)] = constants(op)
        && upper.checked_sub(lower).is_some_and(|distance| distance % step == 0)
    {
        return true;
    }
    let affine = op.0.cx().affine();
    let map = affine.intern_map(0, 3, [rest(affine)]);
    let operands = [op.lower_bound(), op.upper_bound(), op.step()];
    let (map, _) = compose::compose(op.0, map, operands.into_iter());
    affine.single_constant_result(map) == Some(0)
}

/// What is left after whole steps, with lower bound, upper bound and step as symbols.
fn rest(affine: &AffineStore) -> AffineExpr {
    let [lower, upper, step] = [0, 1, 2].map(|at| affine.symbol(at));
    affine.modulo(affine.sub(upper, lower), step)
}

/// Whether the upper bound may lie below the lower one.
fn may_end_before_its_start(op: ForOp<'_>) -> bool {
    !matches!(constants(op), [Some(lower), Some(upper), _] if lower <= upper)
}

/// A number of two bounds, made before `op`.
fn combine<O: OpDefinition>(rw: &mut Rewriter<'_>, op: OpId, lhs: ValueId, rhs: ValueId) -> ValueId {
    let (ty, loc) = (rw.ir().value_type(lhs), rw.op(op).loc());
    rw.set_insertion_before(op);
    create_or_fold(rw, OpState::of::<O>(loc).operands([lhs, rhs]).results([ty]))[0]
}

/// The upper bound of a loop on integers, or the lower one where that is larger, and how far it is from the lower one: a number without a sign,
/// which has a place in any width.
fn integer_range(rw: &mut Rewriter<'_>, op: OpId, lower: ValueId, upper: ValueId) -> [ValueId; 2] {
    let ends_first = may_end_before_its_start(ForOp::wrap(rw.op(op)));
    let upper = if ends_first { combine::<MaxSIOp<'_>>(rw, op, upper, lower) } else { upper };
    [upper, combine::<SubIOp<'_>>(rw, op, upper, lower)]
}

/// Where whole steps of the loop end, and where the rest starts.
fn split_last(rw: &mut Rewriter<'_>, op: OpId, bounds: [ValueId; 3]) -> [ValueId; 2] {
    let [lower, upper, step] = bounds;
    if !rw.value(lower).ty().is_index() {
        let [upper, distance] = integer_range(rw, op, lower, upper);
        let rest = combine::<RemUIOp<'_>>(rw, op, distance, step);
        return [combine::<SubIOp<'_>>(rw, op, upper, rest); 2];
    }
    let affine = rw.cx().affine();
    let ends_first = may_end_before_its_start(ForOp::wrap(rw.op(op)));
    let split = make_bound(rw, op, affine.sub(affine.symbol(1), rest(affine)), &[lower, upper, step]);
    // The rest of a range that ends before its start is nothing.
    [split, if ends_first { combine::<MaxSIOp<'_>>(rw, op, split, lower) } else { split }]
}

/// Where the first iteration of the loop ends, and where the others start.
fn split_first(rw: &mut Rewriter<'_>, op: OpId, bounds: [ValueId; 3]) -> [ValueId; 2] {
    let [lower, upper, step] = bounds;
    if !rw.value(lower).ty().is_index() {
        let [_, distance] = integer_range(rw, op, lower, upper);
        let first = combine::<MinUIOp<'_>>(rw, op, distance, step);
        return [combine::<AddIOp<'_>>(rw, op, lower, first); 2];
    }
    let runs = matches!(constants(ForOp::wrap(rw.op(op))), [Some(lower), Some(upper), _] if lower < upper);
    let affine = rw.cx().affine();
    let split = make_bound(rw, op, affine.add(affine.symbol(0), affine.symbol(1)), &[lower, step]);
    // There is no first iteration of a loop that never runs.
    [if runs { split } else { combine::<MinSIOp<'_>>(rw, op, split, upper) }, split]
}

/// Splits the loop where whole steps end, and simplifies both parts; answers the new one, after the loop.
pub(crate) fn peel_last_and_simplify(rw: &mut Rewriter<'_>, op: OpId) -> Result<OpId, NoMatch> {
    let view = ForOp::wrap(rw.op(op));
    let step = constants(view)[2];
    if step.is_some_and(|step| step <= 1) {
        return Err(NoMatch("the step is one, or invalid"));
    }
    if takes_whole_steps(view) {
        return Err(NoMatch("the step divides the range"));
    }
    let [lower, upper, step] = [view.lower_bound().id(), view.upper_bound().id(), view.step().id()];
    let [end, start] = split_last(rw, op, [lower, upper, step]);
    rw.set_insertion_after(op);
    let part = clone_op(rw, op, &mut Mapping::new());
    rw.set_operand(part, 0, start);
    let results: Vec<(ValueId, ValueId)> = rw.ir().results(op).zip(rw.ir().results(part)).collect();
    for &(from, to) in &results {
        rw.replace_all_uses(from, to);
    }
    for (index, (from, _)) in results.into_iter().enumerate() {
        rw.set_operand(part, index + 3, from);
    }
    rw.set_operand(op, 1, end);
    for (each, is_whole) in [(op, true), (part, false)] {
        simplify_part(rw, each, upper, is_whole);
    }
    Ok(part)
}

/// Splits off the first iteration; answers it, before the loop.
pub(crate) fn peel_first(rw: &mut Rewriter<'_>, op: OpId) -> Result<OpId, NoMatch> {
    let view = ForOp::wrap(rw.op(op));
    if let [Some(lower), Some(upper), Some(step)] = constants(view)
        && lower.checked_add(step).is_none_or(|second| second >= upper)
    {
        return Err(NoMatch("runs at most once"));
    }
    let bounds = [view.lower_bound().id(), view.upper_bound().id(), view.step().id()];
    let [end, start] = split_first(rw, op, bounds);
    rw.set_insertion_before(op);
    let first = clone_op(rw, op, &mut Mapping::new());
    rw.set_operand(first, 1, end);
    let results: Vec<ValueId> = rw.ir().results(first).collect();
    for (index, value) in results.into_iter().enumerate() {
        rw.set_operand(op, index + 3, value);
    }
    rw.set_operand(op, 0, start);
    Ok(first)
}

/// In whole steps the induction variable is at least a step below the old upper bound, in the rest less than that.
fn simplify_part(rw: &mut Rewriter<'_>, part: OpId, upper: ValueId, is_whole: bool) {
    let Some(known) = known_in_part(rw.op(part), rw.value(upper), is_whole) else { return };
    for op in ops_in_arena_post_order(rw.ir(), part) {
        let view = rw.op(op);
        if view.is::<AffineMinOp<'_>>() || view.is::<AffineMaxOp<'_>>() {
            // One that the constraints do not decide stays.
            let _ = replace_by_chosen_result(rw, op, &known);
        }
    }
}

fn known_in_part(part: OpRef<'_>, upper: dl_ir::ValueRef<'_>, is_whole: bool) -> Option<ValueSystem> {
    let view = ForOp::wrap(part);
    let variable = view.region().entry()?.args().next()?;
    let mut known = ValueSystem::new();
    let [variable, upper, step] = [variable, upper, view.step()].map(|value| known.unknown(value));
    let count = known.system().unknowns();
    let [variable, upper, step] = [variable, upper, step].map(|unknown| Linear::unknown(count, unknown));
    let next = variable.combined(&1.into(), &step, &1.into());
    if is_whole {
        known.add_difference(&upper, &next, 0);
    } else {
        known.add_difference(&next, &upper, -1);
    }
    Some(known)
}
