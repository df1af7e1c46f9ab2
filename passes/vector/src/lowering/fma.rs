//! Fused multiply-add of vectors of several dimensions: one for each row.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};
use dl_vector::FMAOp;
use dl_vector::types::is_scalable;

use super::unroll::unrolled;
use crate::build::VectorBuild;

/// Adds the pattern.
pub fn fma(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-fma", Some(FMAOp::NAME), unroll);
}

fn unroll(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = FMAOp::wrap(rw.op(op));
    let (operands, loc) = ([view.lhs().id(), view.rhs().id(), view.acc().id()], view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = ty.shape().filter(|shape| shape.len() > 1).ok_or(NoMatch("one dimension"))?;
    if is_scalable(ty, 0) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let zero = b.zeros(ty.element_or_self().id()).ok_or(NoMatch("not floats"))?;
    let initial = b.broadcast(zero, ty.id());
    let value = unrolled(&mut b, &shape[..1], initial, |b, at| {
        let parts = operands.map(|operand| b.part(operand, at));
        b.same::<FMAOp<'_>>(&parts)
    });
    rw.replace(op, &[value]);
    Ok(())
}
