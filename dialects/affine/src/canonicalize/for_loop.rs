//! Patterns for `affine.for`.

use std::cmp::Ordering;

use dl_ir::affine::{AffineExpr, AffineMap};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{Context, OpDefinition, OpId, OpView, Rewriter, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::AffineForOp;
use crate::compose::compose;
use crate::ranges::{Range, Ranges};

pub(crate) fn for_patterns(patterns: &mut Patterns) {
    patterns.add(CanonicalizeBounds).add(RemoveIdleLoop);
}

/// Bounds are brought into canonical form.
struct CanonicalizeBounds;

impl Pattern for CanonicalizeBounds {
    const NAME: &'static str = "affine-for-canonicalize-bounds";
    const ROOT: Option<&'static str> = Some(AffineForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineForOp::wrap(rw.op(op));
        let bounds = [
            ("lowerBoundMap", view.lower_bound_map(), view.lower_bound_operands()),
            ("upperBoundMap", view.upper_bound_map(), view.upper_bound_operands()),
        ];
        let mut changes = Vec::new();
        for (group, (name, map, operands)) in bounds.into_iter().enumerate() {
            let Some(map) = map.as_affine_map() else { return Err(NoMatch("has no maps")) };
            if operands.is_empty() && view.0.cx().affine().single_constant_result(map).is_some() {
                continue;
            }
            let (new_map, values) = compose(view.0, map, operands.iter());
            let new_map = needed_results(
                view.0.cx(),
                new_map,
                &values,
                if group == 0 { Ordering::Greater } else { Ordering::Less },
            );
            let values: Vec<ValueId> = values.into_iter().map(dl_ir::ValueRef::id).collect();
            if new_map != map || values[..] != operands.ids()[..] {
                changes.push((group, name, new_map, values));
            }
        }
        if changes.is_empty() {
            return Err(NoMatch("the bounds are in canonical form"));
        }
        let cx = rw.cx();
        for (group, name, map, values) in changes {
            rw.set_operand_group(op, group, &values);
            rw.set_attr(op, cx.ident(name), cx.affine_map_attr(map));
        }
        Ok(())
    }
}

/// The results of a bound that decide it: the greatest ones of a lower bound, the least ones of an upper one, as `wanted` says. Others
/// are left out where one is known to be as good in every iteration of the loops around.
fn needed_results(cx: &Context, map: AffineMap, operands: &[ValueRef<'_>], wanted: Ordering) -> AffineMap {
    let affine = cx.affine();
    let data = affine.map(map);
    if data.results.len() < 2 {
        return map;
    }
    let mut ranges = Ranges::new(affine, data.num_dims as usize, operands.iter().copied());
    let mut results: Vec<(AffineExpr, Range)> = Vec::new();
    for &expr in &data.results {
        let range = ranges.range(expr);
        let expr = range.only().map_or(expr, |value| affine.constant(value));
        if results.iter().all(|&(other, _)| other != expr) {
            results.push((expr, range));
        }
    }
    // Whether `a` decides whenever `b` would.
    let decides = |a: &Range, b: &Range| {
        let pair = if wanted == Ordering::Less { (b.lower, a.upper) } else { (a.lower, b.upper) };
        pair.0.zip(pair.1).is_some_and(|(high, low)| high >= low)
    };
    let mut at = 0;
    while at < results.len() {
        let (before, rest) = results.split_at(at);
        let this = &rest[0].1;
        let others = before.iter().chain(&rest[1..]);
        if others.into_iter().any(|(_, other)| decides(other, this)) {
            results.remove(at);
        } else {
            at += 1;
        }
    }
    affine.with_results(map, results.into_iter().map(|(expr, _)| expr).collect::<Vec<_>>())
}

/// A loop that never runs leaves what it carries as it is, one that runs once and does nothing yields what it is given, and one that does
/// nothing but hand it on leaves it as it is. One that never runs and carries nothing is left to those who look for it.
struct RemoveIdleLoop;

impl Pattern for RemoveIdleLoop {
    const NAME: &'static str = "affine-for-remove-idle-loop";
    const ROOT: Option<&'static str> = Some(AffineForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineForOp::wrap(rw.op(op));
        let Some(body) = view.region().entry() else { return Err(NoMatch("has no body")) };
        let inits = view.inits().ids();
        // Mostly.
        if inits.is_empty() && body.first_op().is_some_and(|op| op.next().is_some()) {
            return Err(NoMatch("the body does something"));
        }
        let (lower, upper) = (view.constant_lower_bound(), view.constant_upper_bound());
        if !inits.is_empty() && lower.zip(upper).is_some_and(|(lower, upper)| lower >= upper) {
            rw.replace(op, &inits);
            return Ok(());
        }
        let Some(only) = body.first_op().filter(|op| op.next().is_none()) else {
            return Err(NoMatch("the body does something"));
        };
        let args: SmallVec<[ValueId; 4]> = body.args().skip(1).map(dl_ir::ValueRef::id).collect();
        let outside = |value: ValueId| rw.value(value).owner_block() != Some(body);
        let runs = lower.zip(upper).is_some_and(|(lower, upper)| lower < upper);
        let mut values: SmallVec<[ValueId; 4]> = SmallVec::new();
        let step = view.step().as_int().unwrap_or(1);
        let once = runs && lower.zip(upper).is_some_and(|(lower, upper)| upper.saturating_sub(lower) <= step);
        for (i, yielded) in only.operands().ids().into_iter().enumerate() {
            if let Some(at) = args.iter().position(|&arg| arg == yielded).filter(|&at| once || at == i) {
                values.push(inits[at]);
            } else if runs && outside(yielded) {
                values.push(yielded);
            } else {
                return Err(NoMatch("the carried values change"));
            }
        }
        rw.replace(op, &values);
        Ok(())
    }
}
