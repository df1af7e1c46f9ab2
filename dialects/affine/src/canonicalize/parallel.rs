//! Patterns for `affine.parallel`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpView, Rewriter, ValueId};

use crate::AffineParallelOp;
use crate::compose::compose;

pub(crate) fn parallel_patterns(patterns: &mut Patterns) {
    patterns.add(CanonicalizeBounds);
}

/// Bounds are brought into canonical form.
struct CanonicalizeBounds;

impl Pattern for CanonicalizeBounds {
    const NAME: &'static str = "affine-parallel-canonicalize-bounds";
    const ROOT: Option<&'static str> = Some(AffineParallelOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = AffineParallelOp::wrap(rw.op(op));
        let (cx, affine) = (rw.cx(), rw.cx().affine());
        let bounds = [view.lower_bounds_map(), view.upper_bounds_map()].map(AttrRef::as_affine_map);
        let [Some(lower), Some(upper)] = bounds else { return Err(NoMatch("has no maps")) };
        // The operands of the lower bounds come first.
        let split = affine.map(lower).num_inputs() as usize;
        let operands = view.map_operands();
        let (new_lower, lowers) = compose(view.0, lower, operands.iter().take(split));
        let (new_upper, uppers) = compose(view.0, upper, operands.iter().skip(split));
        let values: Vec<ValueId> = lowers.into_iter().chain(uppers).map(dl_ir::ValueRef::id).collect();
        if (new_lower, new_upper) == (lower, upper) && values[..] == operands.ids()[..] {
            return Err(NoMatch("the bounds are in canonical form"));
        }
        rw.set_operands(op, &values);
        for (name, map) in [("lowerBoundsMap", new_lower), ("upperBoundsMap", new_upper)] {
            rw.set_attr(op, cx.ident(name), cx.affine_map_attr(map));
        }
        Ok(())
    }
}
