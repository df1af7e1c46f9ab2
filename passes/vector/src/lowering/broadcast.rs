//! Broadcasts of vectors, down to those of scalars.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};
use dl_vector::BroadcastOp;
use dl_vector::types::{extents, is_scalable};

use super::unroll::unrolled;
use crate::build::{VectorBuild, without_leading};

/// Adds the pattern.
pub fn broadcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-lower-broadcast", Some(BroadcastOp::NAME), lower);
}

fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = BroadcastOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
    if !from.is_vector() {
        return Err(NoMatch("of a scalar"));
    }
    let (old, new) = (extents(from), extents(to));
    rw.set_insertion_before(op);
    if from == to {
        rw.replace(op, &[source]);
        return Ok(());
    }
    if old.len() <= 1 && new.len() == 1 {
        // Of one element.
        let mut b = Build::new(rw, loc);
        let element = b.part(source, &vec![0; old.len()]);
        let value = b.broadcast(element, to.id());
        rw.replace(op, &[value]);
        return Ok(());
    }
    let repeated = |i: usize| old[i] != new[i] || is_scalable(from, i) != is_scalable(to, i);
    let first_repeated = if old.len() == new.len() { (0..old.len()).find(|&i| repeated(i)) } else { None };
    if is_scalable(to, 0) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    let (outer, inner) = (&new[..1], without_leading(to, 1));
    let mut b = Build::new(rw, loc);
    let value = match first_repeated {
        Some(dim) if dim > 0 => {
            let poison = b.poison_of(to.id());
            unrolled(&mut b, outer, poison, |b, at| {
                let part = b.part(source, at);
                b.broadcast(part, inner)
            })
        }
        Some(_) => {
            let poison = b.poison_of(to.id());
            let row = b.part(source, &[0]);
            let part = b.broadcast(row, inner);
            unrolled(&mut b, outer, poison, |_, _| part)
        }
        None => {
            let part = b.broadcast(source, inner);
            let poison = b.poison_of(to.id());
            unrolled(&mut b, outer, poison, |_, _| part)
        }
    };
    rw.replace(op, &[value]);
    Ok(())
}
