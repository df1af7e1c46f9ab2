//! Linear and multi-dimensional indices.

use dl_affine::{AffineDelinearizeIndexOp, AffineLinearizeIndexOp};
use dl_arith::{AddIOp, CmpIPredicate, DivSIOp, FloorDivSIOp, IntegerOverflowFlags, MulIOp, RemSIOp};
use dl_ir::interfaces::invariant_loops;
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, DYNAMIC, OpId, Operands, Rewriter, ValueId};
use smallvec::SmallVec;

use super::access::view;
use dl_arith::Build;

/// One extent of a basis.
#[derive(Clone, Copy)]
enum Extent {
    Static(i64),
    Dynamic(ValueId),
}

/// The extents of a basis without the outermost one where it is given but not needed: `inner` extents.
fn basis(fixed: AttrRef<'_>, dynamic: Operands<'_>, inner: usize) -> Result<Vec<Extent>, NoMatch> {
    let mut dynamic = dynamic.iter();
    let mut all = Vec::new();
    for extent in fixed.dense_ints() {
        all.push(match extent {
            DYNAMIC => Extent::Dynamic(dynamic.next().ok_or(NoMatch("too few dynamic extents"))?.id()),
            extent => Extent::Static(extent),
        });
    }
    let unneeded = all.len().checked_sub(inner).filter(|&n| n <= 1).ok_or(NoMatch("extents do not fit the indices"))?;
    all.drain(..unneeded);
    Ok(all)
}

/// The products of all extents from each one on, outermost first.
fn strides(b: &mut Build<'_, '_>, basis: &[Extent], flags: IntegerOverflowFlags) -> Vec<ValueId> {
    let (mut dynamic, mut fixed) = (None, 1_i64);
    let mut all = Vec::with_capacity(basis.len());
    for &extent in basis.iter().rev() {
        match extent {
            Extent::Static(extent) => fixed = fixed.wrapping_mul(extent),
            Extent::Dynamic(extent) => {
                dynamic = Some(match dynamic {
                    Some(product) => b.same_with_flags::<MulIOp<'_>>(&[product, extent], flags),
                    None => extent,
                });
            }
        }
        all.push(match dynamic {
            Some(product) if fixed == 1 => product,
            Some(product) => {
                let fixed = b.constant_index(fixed);
                b.same_with_flags::<MulIOp<'_>>(&[product, fixed], flags)
            }
            None => b.constant_index(fixed),
        });
    }
    all.reverse();
    all
}

/// The sum of indices times strides, terms that change in outer loops only first.
pub(super) fn lower_linearize(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine: AffineLinearizeIndexOp<'_> = view(rw.op(op))?;
    let indices = affine.multi_index().ids();
    let basis = basis(affine.static_basis(), affine.dynamic_basis(), indices.len().saturating_sub(1))?;
    let disjoint = affine.0.attr("disjoint").is_some_and(|attr| attr.is_unit() || attr.as_bool() == Some(true));
    let loc = affine.0.loc();

    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let Some((&last, scaled)) = indices.split_last() else {
        let zero = b.constant_index(0);
        rw.replace(op, &[zero]);
        return Ok(());
    };
    let nsw = IntegerOverflowFlags::NSW;
    let flags = if disjoint { nsw.union(IntegerOverflowFlags::NUW) } else { nsw };
    let strides = strides(&mut b, &basis, flags);
    let mut terms: Vec<(usize, ValueId)> = Vec::with_capacity(indices.len());
    for (&index, &stride) in scaled.iter().zip(&strides) {
        let term = b.same_with_flags::<MulIOp<'_>>(&[index, stride], nsw);
        let loops = invariant_loops(b.op(op), index).min(invariant_loops(b.op(op), stride));
        terms.push((loops, term));
    }
    terms.push((invariant_loops(b.op(op), last), last));
    terms.sort_by_key(|&(loops, _)| std::cmp::Reverse(loops));
    let terms = terms.into_iter().map(|(_, term)| term);
    let sum = terms.reduce(|sum, term| b.same_with_flags::<AddIOp<'_>>(&[sum, term], nsw)).unwrap_or(last);
    rw.replace(op, &[sum]);
    Ok(())
}

/// Quotients by the strides; each but the first is reduced modulo the stride before.
pub(super) fn lower_delinearize(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine: AffineDelinearizeIndexOp<'_> = view(rw.op(op))?;
    let (linear, loc) = (affine.linear_index().id(), affine.0.loc());
    let basis = basis(affine.static_basis(), affine.dynamic_basis(), affine.0.num_results().saturating_sub(1))?;

    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let flags = IntegerOverflowFlags::NSW.union(IntegerOverflowFlags::NUW);
    let strides = strides(&mut b, &basis, flags);
    let Some(&first) = strides.first() else {
        rw.replace(op, &[linear]);
        return Ok(());
    };
    let zero = b.constant_index(0);
    let mut results = vec![b.same::<FloorDivSIOp<'_>>(&[linear, first])];
    for (i, &stride) in strides.iter().enumerate() {
        let remainder = b.same::<RemSIOp<'_>>(&[linear, stride]);
        let negative = b.compare(CmpIPredicate::Slt, remainder, zero);
        let moved = b.same_with_flags::<AddIOp<'_>>(&[remainder, stride], IntegerOverflowFlags::NSW);
        let residue = b.select(negative, moved, remainder);
        results.push(match strides.get(i + 1) {
            Some(&next) => b.same::<DivSIOp<'_>>(&[residue, next]),
            None => residue,
        });
    }
    rw.replace(op, &SmallVec::<[ValueId; 4]>::from_vec(results));
    Ok(())
}
