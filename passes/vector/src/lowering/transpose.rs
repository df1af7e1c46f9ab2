//! `vector.transpose` by elements, by a shuffle of all elements, or by the shuffles that suit a 16 by 16 matrix of 32-bit elements.

use dl_arith::Build;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter, TypeRef};
use dl_vector::TransposeOp;
use dl_vector::types::{extents, is_scalable};

use super::transpose_16x16::transpose_16x16;
use crate::build::{VectorBuild, positions};

/// How `vector.transpose` is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TransposeLowering {
    /// To extracting and inserting what stays together.
    #[default]
    EltWise,
    /// To matrix intrinsics.
    LlvmIntr,
    /// To one shuffle.
    Shuffle1D,
    /// To shuffles that suit a 16 by 16 matrix; others as with one shuffle.
    Shuffle16x16,
}

impl TransposeLowering {
    fn by_shuffle(self) -> bool {
        matches!(self, Self::Shuffle1D | Self::Shuffle16x16)
    }
}

/// Adds the patterns.
pub fn transpose(lowering: TransposeLowering, patterns: &mut Patterns) {
    use TransposeLowering as T;
    let root = Some(TransposeOp::NAME);
    patterns.add_fn("vector-transpose-of-unit-dim", root, of_unit_dim);
    match lowering {
        T::EltWise | T::LlvmIntr => {
            patterns.add_fn("vector-transpose-by-elements", root, |op, rw| by_elements(op, rw, T::EltWise));
        }
        T::Shuffle1D => {
            patterns.add_fn("vector-transpose-by-elements", root, |op, rw| by_elements(op, rw, T::Shuffle1D)).add_fn(
                "vector-transpose-by-shuffle",
                root,
                |op, rw| by_shuffle(op, rw, T::Shuffle1D),
            );
        }
        T::Shuffle16x16 => {
            patterns
                .add_fn("vector-transpose-by-elements", root, |op, rw| by_elements(op, rw, T::Shuffle16x16))
                .add_fn("vector-transpose-by-shuffle", root, |op, rw| by_shuffle(op, rw, T::Shuffle16x16));
        }
    }
}

/// A row becomes a column: the elements stay in order.
fn of_unit_dim(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = TransposeOp::wrap(rw.op(op));
    let (source, loc) = (view.vector().id(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let unit = |i: usize| extents(ty)[i] == 1 && !is_scalable(ty, i);
    if !view.permutation().dense_ints().eq([1, 0]) || !(unit(0) || unit(1)) {
        return Err(NoMatch("no dimension of extent 1"));
    }
    rw.set_insertion_before(op);
    let value = Build::new(rw, loc).shape_cast(source, ty.id());
    rw.replace(op, &[value]);
    Ok(())
}

/// The two dimensions of more than one element, where there are two that change places.
fn matrix(ty: TypeRef<'_>, permutation: &[i64]) -> Option<(usize, usize)> {
    let mut long = extents(ty).iter().enumerate().filter(|(_, extent)| **extent > 1).map(|(i, _)| i);
    let (a, b) = (long.next()?, long.next()?);
    let changed = || permutation.iter().find(|&&dim| dim == a as i64 || dim == b as i64) == Some(&(b as i64));
    (long.next().is_none() && changed()).then_some((a, b))
}

fn by_elements(op: OpId, rw: &mut Rewriter<'_>, lowering: TransposeLowering) -> Rewrite {
    let view = TransposeOp::wrap(rw.op(op));
    let (source, loc) = (view.vector().id(), view.0.loc());
    let permutation: Vec<i64> = view.permutation().dense_ints().collect();
    let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
    if from.is_scalable_vector() {
        return Err(NoMatch("a scalable vector"));
    }
    if lowering.by_shuffle() && matrix(from, &permutation).is_some() {
        return Err(NoMatch("a matrix is shuffled"));
    }
    // Trailing dimensions that keep their place stay together.
    let kept = permutation.iter().enumerate().rev().take_while(|(i, dim)| **dim == *i as i64).count();
    let moved = &permutation[..permutation.len() - kept];
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let poison = b.poison_of(to.id());
    let value = positions(&extents(from)[..moved.len()]).fold(poison, |whole, at| {
        let target: Vec<i64> = moved.iter().map(|&dim| at[dim as usize]).collect();
        let part = b.part(source, &at);
        b.with_part(part, whole, &target)
    });
    rw.replace(op, &[value]);
    Ok(())
}

fn by_shuffle(op: OpId, rw: &mut Rewriter<'_>, lowering: TransposeLowering) -> Rewrite {
    let view = TransposeOp::wrap(rw.op(op));
    let (source, loc) = (view.vector().id(), view.0.loc());
    let permutation: Vec<i64> = view.permutation().dense_ints().collect();
    let (from, to) = (rw.value_type(source), rw.value_type(rw.ir().result(op, 0)));
    if from.is_scalable_vector() {
        return Err(NoMatch("a scalable vector"));
    }
    let (first, second) = matrix(from, &permutation).ok_or(NoMatch("no matrix"))?;
    let (rows, columns, element) = (extents(from)[first], extents(from)[second], from.element_or_self().id());
    let cx = rw.cx();
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let flat = b.shape_cast(source, cx.vector_type(&[rows * columns], element));
    let value = if lowering == TransposeLowering::Shuffle16x16 && rows == 16 && columns == 16 {
        let square = b.shape_cast(flat, cx.vector_type(&[16, 16], element));
        transpose_16x16(&mut b, square)
    } else {
        let order: Vec<i64> = (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j)).collect();
        b.shuffle(flat, flat, &order)
    };
    let value = b.shape_cast(value, to.id());
    rw.replace(op, &[value]);
    Ok(())
}
