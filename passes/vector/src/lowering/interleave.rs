//! Interleaving of vectors of several dimensions, vector by vector.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter};
use dl_vector::{DeinterleaveOp, InterleaveOp};

use super::unroll::{leading, unrolled};
use crate::build::{VectorBuild, positions, without_leading};

/// Adds the patterns.
pub fn interleave(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-interleave", Some(InterleaveOp::NAME), unroll).add_fn(
        "vector-unroll-deinterleave",
        Some(DeinterleaveOp::NAME),
        unroll_inverse,
    );
}

fn unroll(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = InterleaveOp::wrap(rw.op(op));
    let (operands, loc) = ([view.lhs().id(), view.rhs().id()], view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let outer = leading(ty, 1).ok_or(NoMatch("one dimension"))?;
    let inner = without_leading(ty, outer.len());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let zero = b.zeros(ty.id()).ok_or(NoMatch("elements without zero"))?;
    let value = unrolled(&mut b, outer, zero, |b, at| {
        let parts = operands.map(|operand| b.part(operand, at));
        b.value::<InterleaveOp<'_>>(&parts, inner)
    });
    rw.replace(op, &[value]);
    Ok(())
}

fn unroll_inverse(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DeinterleaveOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let outer = leading(ty, 1).ok_or(NoMatch("one dimension"))?;
    let inner = without_leading(ty, outer.len());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let zero = b.zeros(ty.id()).ok_or(NoMatch("elements without zero"))?;
    let (mut even, mut odd) = (zero, zero);
    for at in positions(outer) {
        let part = b.part(source, &at);
        let both = b.create(OpState::of::<DeinterleaveOp<'_>>(loc).operands([part]).results([inner, inner]));
        let (first, second) = (b.ir().result(both, 0), b.ir().result(both, 1));
        even = b.with_part(first, even, &at);
        odd = b.with_part(second, odd, &at);
    }
    rw.replace(op, &[even, odd]);
    Ok(())
}
