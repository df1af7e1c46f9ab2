//! Patterns for `affine.for`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter, ValueId};
use smallvec::SmallVec;

use crate::AffineForOp;
use crate::compose::compose;

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
            let (new_map, values) = compose(view.0, map, operands.iter());
            let values: Vec<ValueId> = values.into_iter().map(|value| value.id()).collect();
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

/// A loop that never runs leaves what it carries as it is, and so does one that does nothing but hand it on. One that never runs
/// and carries nothing is left to those who look for it.
struct RemoveIdleLoop;

impl Pattern for RemoveIdleLoop {
    const NAME: &'static str = "affine-for-remove-idle-loop";
    const ROOT: Option<&'static str> = Some(AffineForOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineForOp::wrap(rw.op(op));
        let inits = view.inits().ids();
        let (lower, upper) = (view.constant_lower_bound(), view.constant_upper_bound());
        if !inits.is_empty() && lower.zip(upper).is_some_and(|(lower, upper)| lower >= upper) {
            rw.replace(op, &inits);
            return Ok(());
        }
        let Some(body) = view.region().entry() else { return Err(NoMatch("has no body")) };
        let Some(only) = body.first_op().filter(|op| op.next().is_none()) else {
            return Err(NoMatch("the body does something"));
        };
        let args: SmallVec<[ValueId; 4]> = body.args().skip(1).map(|arg| arg.id()).collect();
        let outside = |value: ValueId| rw.value(value).owner_block() != Some(body);
        let runs = lower.zip(upper).is_some_and(|(lower, upper)| lower < upper);
        let mut values: SmallVec<[ValueId; 4]> = SmallVec::new();
        for (i, yielded) in only.operands().ids().into_iter().enumerate() {
            if args.get(i) == Some(&yielded) {
                values.push(inits[i]);
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
