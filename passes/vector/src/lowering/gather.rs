//! Gathers of vectors of several dimensions: one for each row.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_vector::GatherOp;
use dl_vector::types::is_scalable;

use super::unroll::unrolled;
use crate::build::{VectorBuild, without_leading};
use crate::masking::masking;

/// Adds the pattern.
pub fn gather(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-gather", Some(GatherOp::NAME), unroll);
}

fn unroll(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = GatherOp::wrap(rw.op(op));
    if masking(view.0).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let (base, offsets, loc) = (view.base().id(), view.offsets().ids(), view.0.loc());
    let lanes = [view.indices().id(), view.mask().id(), view.pass_thru().id()];
    let alignment = view.alignment().map(|attr| attr.id());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = ty.shape().filter(|shape| shape.len() > 1).ok_or(NoMatch("one dimension"))?;
    if is_scalable(ty, 0) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    let inner = without_leading(ty, 1);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let poison = b.poison_of(ty.id());
    let value = unrolled(&mut b, &shape[..1], poison, |b, at| {
        let parts = lanes.map(|lane| b.part(lane, at));
        let state = OpState::of::<GatherOp<'_>>(loc).operands([base]).operands(offsets.iter().copied());
        let state = state.operands(parts).results([inner]).maybe_attr(b.cx(), "alignment", alignment);
        b.create_value(state)
    });
    rw.replace(op, &[value]);
    Ok(())
}
