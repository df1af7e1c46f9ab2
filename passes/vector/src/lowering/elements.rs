//! Vectors of several dimensions made of elements, or taken apart into them, row by row.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter, ValueId};
use dl_vector::{FromElementsOp, ToElementsOp};
use smallvec::SmallVec;

use super::unroll::unrolled;
use crate::build::{VectorBuild, without_leading};

/// Adds the pattern for `vector.from_elements`.
pub fn from_elements(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-from-elements", Some(FromElementsOp::NAME), unroll_from);
}

/// Adds the pattern for `vector.to_elements`.
pub fn to_elements(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-to-elements", Some(ToElementsOp::NAME), unroll_to);
}

fn unroll_from(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = FromElementsOp::wrap(rw.op(op));
    let (elements, loc) = (view.elements().ids(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = ty.shape().filter(|shape| shape.len() > 1).ok_or(NoMatch("one dimension"))?;
    let rows = usize::try_from(shape[0]).map_err(|_| NoMatch("no rows"))?;
    let (row, inner) = (elements.len() / rows, without_leading(ty, 1));
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let poison = b.poison_of(ty.id());
    let value = unrolled(&mut b, &shape[..1], poison, |b, at| {
        let start = at[0] as usize * row;
        b.value::<FromElementsOp<'_>>(&elements[start..start + row], inner)
    });
    rw.replace(op, &[value]);
    Ok(())
}

fn unroll_to(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ToElementsOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let ty = rw.value_type(source);
    let shape = ty.shape().filter(|shape| shape.len() > 1).ok_or(NoMatch("one dimension"))?;
    if ty.is_scalable_vector() {
        return Err(NoMatch("a scalable vector"));
    }
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let parts: Vec<ValueId> = (0..shape[0]).map(|row| b.part(source, &[row])).collect();
    let mut values: SmallVec<[ValueId; 8]> = SmallVec::new();
    for part in parts {
        let row = b.create(OpState::of::<ToElementsOp<'_>>(loc).operands([part]));
        values.extend(b.ir().results(row));
    }
    rw.replace(op, &values);
    Ok(())
}
