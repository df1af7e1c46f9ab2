//! Several iterations of an `scf.for` in one.

use dl_arith::build::binary;
use dl_arith::{AddIOp, DivUIOp, MaxSIOp, MulIOp, RemSIOp, SubIOp, constant};
use dl_ir::interfaces::Bound;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::walk::ops_in_arena;
use dl_ir::{InsertPoint, Loc, Mapping, OpId, OpView, Rewriter, ValueId, clone_op};
use dl_scf::ForOp;

/// More copies of operations than this would only fill memory.
const MOST_COPIES: u64 = 1 << 18;

/// The bounds of a loop that runs a known number of times.
#[derive(Clone, Copy)]
struct Range {
    lower: i64,
    upper: i64,
    step: i64,
}

impl Range {
    fn of(each: ForOp<'_>) -> Option<Self> {
        let [lower, upper, step] =
            [each.lower_bound(), each.upper_bound(), each.step()].map(|value| Bound::of(value).constant());
        let range = Self { lower: lower?, upper: upper?, step: step.filter(|&step| step > 0)? };
        range.upper.checked_sub(range.lower).map(|_| range)
    }

    fn trips(self) -> i64 {
        let distance = (self.upper - self.lower).max(0);
        distance / self.step + i64::from(distance % self.step > 0)
    }
}

/// Puts the body of a loop in its place that is known to run once.
///
/// # Errors
/// That it is not.
pub fn promote_single_iteration(rw: &mut Rewriter<'_>, op: OpId) -> Rewrite {
    let each = ForOp::wrap(rw.op(op));
    if Range::of(each).map(Range::trips) != Some(1) || each.unsigned_cmp().is_some() {
        return Err(NoMatch("it is not known to run once"));
    }
    let values: Vec<ValueId> =
        std::iter::once(each.lower_bound().id()).chain(each.init_args().iter().map(|init| init.id())).collect();
    let body = each.region().entry().ok_or(NoMatch("no body"))?;
    let (end, body) = (body.last_op().ok_or(NoMatch("no terminator"))?.id(), body.id());
    let block = each.0.block().ok_or(NoMatch("no place"))?.id();
    rw.inline_block(body, InsertPoint { block, before: Some(op) }, &values);
    let results: Vec<ValueId> = rw.ir().operands(end).collect();
    rw.erase(end);
    rw.replace(op, &results);
    Ok(())
}

/// Makes `factor` iterations one. What is left over becomes a loop of its own after this one. Where either turns out to run once, its body takes
/// its place.
///
/// # Errors
/// Why that cannot be done; nothing has been changed then.
pub fn unroll_by(rw: &mut Rewriter<'_>, op: OpId, factor: u64) -> Rewrite {
    let each = ForOp::wrap(rw.op(op));
    if each.unsigned_cmp().is_some() {
        return Err(NoMatch("unsigned loops are not supported"));
    }
    let inside = ops_in_arena(rw.ir(), op).len() as u64;
    let is_small = factor.checked_mul(inside).is_some_and(|copies| copies <= MOST_COPIES);
    let factor = i64::try_from(factor).ok().filter(|&factor| is_small && factor > 0);
    let factor = factor.ok_or(NoMatch("too many copies"))?;
    let range = Range::of(each);
    if factor == 1 {
        if range.is_some_and(|range| range.trips() == 1) {
            promote_single_iteration(rw, op)?;
        }
        return Ok(());
    }
    let [lower, upper, step] = [each.lower_bound(), each.upper_bound(), each.step()].map(|value| value.id());
    let (ty, loc) = (rw.ir().value_type(lower), each.0.loc());
    rw.set_insertion_before(op);
    let split = match range {
        Some(range) => {
            let wide = range.step.checked_mul(factor).ok_or(NoMatch("a step that is no number of 64 bits"))?;
            let trips = range.trips();
            let end = range.lower + (trips - trips % factor) * range.step;
            let number = |rw: &mut Rewriter<'_>, number: i64| constant(rw, rw.cx().int_attr(ty, number), loc);
            let end = if end < range.upper { Some(number(rw, end)) } else { None };
            Split { end: end.unwrap_or(upper), start: end, step: number(rw, wide) }
        }
        None => split_when_running(rw, [lower, upper, step], factor, loc),
    };
    if let Some(start) = split.start {
        split_off_rest(rw, op, start);
    }
    rw.set_operand(op, 1, split.end);
    rw.set_operand(op, 2, split.step);
    copy_body(rw, op, factor, step);
    // A loop that goes on is no failure.
    let _ = promote_single_iteration(rw, op);
    Ok(())
}

/// Where the iterations end that are a multiple of the factor.
struct Split {
    end: ValueId,
    /// Where the others start, if there may be some.
    start: Option<ValueId>,
    /// From one multiple to the next.
    step: ValueId,
}

/// The split of a loop whose bounds are known only when running.
fn split_when_running(rw: &mut Rewriter<'_>, [lower, upper, step]: [ValueId; 3], factor: i64, loc: Loc) -> Split {
    let ty = rw.ir().value_type(lower);
    let [one, factor] = [1, factor].map(|number| constant(rw, rw.cx().int_attr(ty, number), loc));
    let distance = binary::<SubIOp<'_>>(rw, upper, lower, loc);
    let last = binary::<SubIOp<'_>>(rw, step, one, loc);
    let rounded = binary::<AddIOp<'_>>(rw, distance, last, loc);
    let trips = binary::<DivUIOp<'_>>(rw, rounded, step, loc);
    let rest = binary::<RemSIOp<'_>>(rw, trips, factor, loc);
    let whole = binary::<SubIOp<'_>>(rw, trips, rest, loc);
    let taken = binary::<MulIOp<'_>>(rw, whole, step, loc);
    let end = binary::<AddIOp<'_>>(rw, lower, taken, loc);
    let wide = binary::<MulIOp<'_>>(rw, step, factor, loc);
    // The rest of a range that ends before its start is nothing.
    let start = binary::<MaxSIOp<'_>>(rw, end, lower, loc);
    Split { end, start: Some(start), step: wide }
}

/// Makes a copy of the loop after it that goes on from `start`.
fn split_off_rest(rw: &mut Rewriter<'_>, op: OpId, start: ValueId) {
    rw.set_insertion_after(op);
    let rest = clone_op(rw, op, &mut Mapping::new());
    rw.set_operand(rest, 0, start);
    let results: Vec<(ValueId, ValueId)> = rw.ir().results(op).zip(rw.ir().results(rest)).collect();
    for &(from, to) in &results {
        rw.replace_all_uses(from, to);
    }
    for (index, (from, _)) in results.into_iter().enumerate() {
        rw.set_operand(rest, index + 3, from);
    }
    // A loop that goes on is no failure.
    let _ = promote_single_iteration(rw, rest);
}

/// Appends `factor - 1` copies of the body to it, with the induction variable that many old steps further.
fn copy_body(rw: &mut Rewriter<'_>, op: OpId, factor: i64, step: ValueId) {
    let view = ForOp::wrap(rw.op(op));
    let loc = view.0.loc();
    let Some(body) = view.region().entry() else { return };
    let Some(end) = body.last_op().map(|end| end.id()) else { return };
    let args: Vec<ValueId> = body.args().map(|arg| arg.id()).collect();
    let ops: Vec<OpId> = body.ops().map(|op| op.id()).filter(|&op| op != end).collect();
    let yielded: Vec<ValueId> = rw.ir().operands(end).collect();
    let mut last = yielded.clone();
    let (ty, uses_variable) = (rw.ir().value_type(args[0]), rw.ir().has_uses(args[0]));
    for copy in 1..factor {
        rw.set_insertion_before(end);
        let mut mapping = Mapping::new();
        args[1..].iter().zip(&last).for_each(|(&from, &to)| mapping.map(from, to));
        if uses_variable {
            let copy = constant(rw, rw.cx().int_attr(ty, copy), loc);
            let stride = binary::<MulIOp<'_>>(rw, step, copy, loc);
            let moved = binary::<AddIOp<'_>>(rw, args[0], stride, loc);
            mapping.map(args[0], moved);
        }
        for &each in &ops {
            clone_op(rw, each, &mut mapping);
        }
        last = yielded.iter().map(|&value| mapping.value(value)).collect();
    }
    rw.set_operands(end, &last);
}
