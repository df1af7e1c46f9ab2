//! Bit casts of vectors of several dimensions: one for each vector of one dimension, and of long ones: one for each part.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};
use dl_vector::BitCastOp;
use dl_vector::types::extents;

use super::unroll::{leading, unrolled};
use crate::build::{VectorBuild, without_leading};

/// Adds the pattern.
pub fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-unroll-bitcast", Some(BitCastOp::NAME), unroll);
}

/// Adds the pattern that takes bit casts to fewer elements apart, where the source has more than `max_elements`.
pub fn break_down_bitcast(max_elements: i64, patterns: &mut Patterns) {
    patterns.add(BreakDown { max_elements });
}

struct BreakDown {
    max_elements: i64,
}

impl Pattern for BreakDown {
    const NAME: &'static str = "vector-break-down-bitcast";
    const ROOT: Option<&'static str> = Some(BitCastOp::NAME);

    /// Slices as long as the result, each cast by itself.
    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = BitCastOp::wrap(rw.op(op));
        let (source, loc) = (view.source().id(), view.0.loc());
        let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
        let (&[old], &[new]) = (extents(from), extents(to)) else { return Err(NoMatch("not one dimension")) };
        if from.is_scalable_vector() || old <= self.max_elements {
            return Err(NoMatch("a scalable vector, or a short one"));
        }
        let ratio = if new > 0 && old > new && old % new == 0 { old / new } else { 0 };
        if ratio == 0 || new % ratio != 0 {
            return Err(NoMatch("not to fewer elements, or they do not fit"));
        }
        let zero = rw.cx().zero_attr(to.id()).ok_or(NoMatch("elements without zero"))?;
        let part_type = rw.cx().vector_type(&[new / ratio], to.element_or_self().id());
        rw.set_insertion_before(op);
        let mut b = Build::new(rw, loc);
        let mut value = b.constant(zero, to.id());
        for at in 0..ratio {
            let slice = b.slice(source, &[at * new], &[new]);
            let part = b.value::<BitCastOp<'_>>(&[slice], part_type);
            value = b.with_slice(part, value, &[at * (new / ratio)]);
        }
        rw.replace(op, &[value]);
        Ok(())
    }
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
