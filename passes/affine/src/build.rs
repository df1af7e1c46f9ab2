//! Making loops.

use dl_affine::{AffineForOp, AffineYieldOp, ForBound};
use dl_ir::{Loc, OpId, OpState, Rewriter};

/// A loop without carried values at the insertion point, whose body only ends.
pub(crate) fn empty_loop(rw: &mut Rewriter<'_>, lower: &ForBound, upper: &ForBound, step: i64, loc: Loc) -> OpId {
    let (cx, point) = (rw.cx(), rw.insertion_point());
    let region = rw.new_region();
    let block = rw.append_block(region, &[cx.index_type()]);
    rw.set_insertion_to_end(block);
    rw.create(OpState::of::<AffineYieldOp<'_>>(loc));
    rw.set_insertion_point(point);
    rw.create(AffineForOp::state(cx, lower, upper, step, &[], region, loc))
}
