//! Bit casts of vectors of several dimensions: one for each vector of one dimension.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};
use dl_vector::BitCastOp;

use super::unroll::{leading, unrolled};
use crate::build::{VectorBuild, without_leading};

/// Adds the pattern.
pub fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-bitcast", Some(BitCastOp::NAME), unroll);
}

fn unroll(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = BitCastOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let outer = leading(ty, 1).ok_or(NoMatch("one dimension"))?;
    let inner = without_leading(ty, outer.len());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let poison = b.poison_of(ty.id());
    let value = unrolled(&mut b, outer, poison, |b, at| {
        let part = b.part(source, at);
        b.value::<BitCastOp<'_>>(&[part], inner)
    });
    rw.replace(op, &[value]);
    Ok(())
}
