//! `vector.shape_cast` by extracting and inserting the largest pieces that lie together in both shapes.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Attr, Context, OpDefinition, OpId, OpView, Rewriter, TypeRef, ValueId};
use dl_vector::types::{extents, is_scalable, vector_type};
use dl_vector::{ExtractStridedSliceOp, InsertStridedSliceOp, ScalableExtractOp, ScalableInsertOp, ShapeCastOp};

use crate::build::{VectorBuild, positions};

/// Adds the patterns.
pub fn shape_cast(patterns: &mut Patterns) {
    let root = Some(ShapeCastOp::NAME);
    patterns.add_fn("vector-lower-shape-cast", root, lower).add_fn(
        "vector-lower-scalable-shape-cast",
        root,
        lower_scalable,
    );
}

/// An array attribute of 64-bit integers.
fn ints(cx: &Context, values: &[i64]) -> Attr {
    cx.array_attr(&values.iter().map(|&value| cx.i64_attr(value)).collect::<Vec<_>>())
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ShapeCastOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
    if from.is_scalable_vector() || to.is_scalable_vector() {
        return Err(NoMatch("a scalable vector"));
    }
    let (old, new) = (extents(from), extents(to));
    // Trailing dimensions that are the same in both.
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let value = if same == old.len() || same == new.len() {
        // One of them has only dimensions of extent 1 besides.
        let poison = b.poison_of(to.id());
        let part = b.part(source, &vec![0; old.len() - same]);
        b.with_part(part, poison, &vec![0; new.len() - same])
    } else {
        let (old_at, new_at) = (old.len() - same - 1, new.len() - same - 1);
        match gcd(old[old_at], new[new_at]) {
            1 => {
                let poison = b.poison_of(to.id());
                positions(&old[..=old_at]).zip(positions(&new[..=new_at])).fold(poison, |whole, (from, to)| {
                    let part = b.part(source, &from);
                    b.with_part(part, whole, &to)
                })
            }
            piece => by_pieces(&mut b, source, to, (old_at, new_at), piece),
        }
    };
    rw.replace(op, &[value]);
    Ok(())
}

/// Pieces of `piece` rows along the dimensions `at`, in order.
fn by_pieces(b: &mut Build<'_, '_>, source: ValueId, to: TypeRef<'_>, at: (usize, usize), piece: i64) -> ValueId {
    let (cx, from) = (b.cx(), b.value_type(source));
    let (old, new, element) = (extents(from), extents(to), to.element_or_self().id());
    let mut piece_shape = old[at.0..].to_vec();
    piece_shape[0] = piece;
    let (piece_type, unit) = (cx.vector_type(&piece_shape, element), vec![1; piece_shape.len()]);
    let inner = cx.vector_type(&new[at.1..], element);
    let mut value = b.poison_of(to.id());
    let empty = b.poison_of(inner);
    let (take, put) = (old[at.0] / piece, new[at.1] / piece);
    let (mut sources, mut targets) = (positions(&old[..at.0]), positions(&new[..at.1]));
    let (mut taken, mut filled, mut number) = (source, empty, 0);
    let mut offsets = vec![0; piece_shape.len()];
    loop {
        if number % take == 0 {
            let Some(position) = sources.next() else { return value };
            taken = b.part(source, &position);
        }
        offsets[0] = number % take * piece;
        let attrs = [("offsets", ints(cx, &offsets)), ("sizes", ints(cx, &piece_shape)), ("strides", ints(cx, &unit))];
        let part = b.value_with::<ExtractStridedSliceOp<'_>>(&[taken], piece_type, &attrs);
        if number % put == 0 {
            filled = empty;
        }
        offsets[0] = number % put * piece;
        let attrs = [("offsets", ints(cx, &offsets)), ("strides", ints(cx, &unit))];
        filled = b.value_with::<InsertStridedSliceOp<'_>>(&[part, filled], inner, &attrs);
        number += 1;
        if number % put == 0 {
            let Some(position) = targets.next() else { return value };
            value = b.with_part(filled, value, &position);
        }
    }
}

/// Whether the last dimension alone is scalable.
fn ends_scalable(ty: TypeRef<'_>) -> bool {
    let rank = extents(ty).len();
    rank >= 1 && (0..rank).all(|i| is_scalable(ty, i) == (i + 1 == rank))
}

/// Adds `amount` to a position, the last dimension counted in elements.
fn advance(position: &mut [i64], extents: &[i64], mut amount: i64) {
    for (at, &extent) in position.iter_mut().zip(extents).rev() {
        *at += amount;
        amount = *at / extent;
        *at %= extent;
    }
}

fn lower_scalable(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ShapeCastOp::wrap(rw.op(op));
    let (source, loc) = (view.source().id(), view.0.loc());
    let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
    if !ends_scalable(from) || !ends_scalable(to) {
        return Err(NoMatch("not the last dimension alone is scalable"));
    }
    let (old, new) = (extents(from), extents(to));
    let (old_last, new_last) = (old[old.len() - 1], new[new.len() - 1]);
    let piece = old_last.min(new_last);
    if old_last % piece != 0 || new_last % piece != 0 {
        // What lies together in one shape would then depend on the machine in the other.
        return Err(NoMatch("trailing extents that do not divide one another"));
    }
    let count: i64 = old.iter().product();
    let cx = rw.cx();
    let piece_type = vector_type(cx, &[piece], &[true], from.element_or_self().id());
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let mut value = b.poison_of(to.id());
    let (mut src, mut dst) = (vec![0; old.len()], vec![0; new.len()]);
    let (mut taken, mut filled): (Option<ValueId>, Option<ValueId>) = (None, None);
    for _ in 0..count / piece {
        let row = taken.unwrap_or_else(|| if old.len() == 1 { source } else { b.part(source, &src[..old.len() - 1]) });
        let mut part = row;
        let pos = cx.i64_attr(src[old.len() - 1]);
        if piece < old_last {
            part = b.value_with::<ScalableExtractOp<'_>>(&[row], piece_type, &[("pos", pos)]);
        }
        let pos = cx.i64_attr(dst[new.len() - 1]);
        let mut row_out = match filled {
            Some(filled) => filled,
            None if piece == new_last => part,
            None if new.len() == 1 => value,
            None => b.part(value, &dst[..new.len() - 1]),
        };
        if piece < new_last {
            let ty = b.ir().value_type(row_out);
            row_out = b.value_with::<ScalableInsertOp<'_>>(&[part, row_out], ty, &[("pos", pos)]);
        }
        filled = Some(row_out);
        if dst[new.len() - 1] + piece >= new_last {
            value = if new.len() == 1 { row_out } else { b.with_part(row_out, value, &dst[..new.len() - 1]) };
            filled = None;
        }
        taken = (src[old.len() - 1] + piece < old_last).then_some(row);
        advance(&mut src, old, piece);
        advance(&mut dst, new, piece);
    }
    rw.replace(op, &[value]);
    Ok(())
}
