//! `vector.step` as a constant.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};
use dl_vector::StepOp;

/// Adds the pattern.
pub fn step(patterns: &mut Patterns) {
    patterns.add_fn("vector-lower-step", Some(StepOp::NAME), lower);
}

fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, loc) = (rw.cx(), rw.op(op).loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    if ty.is_scalable_vector() {
        return Err(NoMatch("a scalable vector"));
    }
    let count = ty.num_elements().ok_or(NoMatch("no elements"))?;
    let lanes: Vec<_> = (0..count).map(|lane| cx.index_attr(lane as i64)).collect();
    let attr = cx.dense_attr(ty.id(), &lanes).ok_or(NoMatch("no elements"))?;
    rw.replace_with(op, dl_arith::constant_state(cx, attr, loc));
    Ok(())
}
