//! Patterns for `scf.for`.

use dl_ir::interfaces::tied_operand;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite, add_region_branch_patterns};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, OpView, Rewriter, ValueRef};
use smallvec::SmallVec;

use super::{Values, inline_before};
use crate::ForOp;
use crate::trips::for_trip_count;

pub(crate) fn for_patterns(patterns: &mut Patterns) {
    add_region_branch_patterns(patterns, ForOp::NAME);
    patterns.add(SimplifyTrivialLoop).add(CarrySourceOfCast);
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

/// A tensor that the loop carries, and that was cast to a less precise type before, is carried with the type it had; where the body or what
/// follows uses it, it is cast. Only where the result has one use, so that no cast is copied, and where no iteration gives a tensor of
/// another shape: upstream does not ask for that, and its cast back may then fail where nothing failed before.
struct CarrySourceOfCast;

impl Pattern for CarrySourceOfCast {
    const NAME: &'static str = "scf-for-carry-source-of-cast";
    const ROOT: Option<&'static str> = Some(ForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ForOp::wrap(rw.op(op));
        let wanted = |(i, init): (usize, ValueRef<'_>)| {
            let source = cast_source(init)?;
            let body = view.region().entry()?;
            let keeps_shape = is_shaped_like(body.terminator()?.operands().get(i)?, body.arg(i + 1));
            let wanted = keeps_shape && view.0.result(i).has_one_use();
            wanted.then(|| (i, source.id(), source.ty().id(), init.ty().id()))
        };
        let found = view.init_args().iter().enumerate().find_map(wanted);
        let (i, source, new, old) =
            found.ok_or(NoMatch("no tensor that was cast is carried with its shape, with one use"))?;
        let body = view.region().entry().ok_or(NoMatch("no body"))?;
        let end = body.terminator().ok_or(NoMatch("no terminator"))?;
        let (at, loc) = (view.init_args().start() + i, view.0.loc());
        let (arg, result) = (body.arg(i + 1).id(), view.0.result(i).id());
        let (body, end, yielded) = (body.id(), end.id(), end.operand(i).id());
        let cast = |rw: &mut Rewriter<'_>, value, ty| {
            rw.create(OpState::named("tensor.cast", loc).operands([value]).results([ty]))
        };
        rw.set_operand(op, at, source);
        rw.set_value_type(arg, new);
        rw.set_value_type(result, new);
        rw.set_insertion_to_start(body);
        let forget = cast(rw, arg, old);
        let value = rw.op(forget).result(0).id();
        rw.replace_uses_if(arg, value, |user, _| user.id() != forget);
        let yielded = if yielded == arg { value } else { yielded };
        rw.set_insertion_before(end);
        let learn = cast(rw, yielded, new);
        let value = rw.op(learn).result(0).id();
        rw.set_operand(end, i, value);
        rw.set_insertion_after(op);
        let forget = cast(rw, result, old);
        let value = rw.op(forget).result(0).id();
        rw.replace_uses_if(result, value, |user, _| user.id() != forget);
        Ok(())
    }
}

/// Whether `value` has the shape of `other`, as casts of it and what is written into it have.
fn is_shaped_like(mut value: ValueRef<'_>, other: ValueRef<'_>) -> bool {
    while value != other {
        let Some(op) = value.defining_op() else { return false };
        let from = if op.name() == "tensor.cast" { Some(0) } else { tied_operand(op, value.index()) };
        let Some(from) = from else { return false };
        value = op.operand(from);
    }
    true
}

/// What a `tensor.cast` to a less precise type casts.
fn cast_source(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let source = value.defining_op().filter(|op| op.name() == "tensor.cast")?.operand(0);
    let (from, to) = (source.ty(), value.ty());
    let (a, b) = (from.shape()?, to.shape()?);
    let forgets = |(&a, &b): (&i64, &i64)| a == b || b == DYNAMIC;
    (from != to && from.encoding() == to.encoding() && a.iter().zip(b).all(forgets)).then_some(source)
}
