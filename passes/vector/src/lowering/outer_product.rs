//! `vector.outerproduct` row by row: each a scalar times a vector, combined with the accumulator's.

use dl_arith::{Build, MulFOp, MulIOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpView, Rewriter, TypeRef, ValueId};
use dl_vector::types::{extents, is_scalable};
use dl_vector::{CombiningKind, FMAOp, OuterProductOp};

use crate::build::VectorBuild;
use crate::masking::Root;

/// Whether products of this element type can be combined so.
fn is_supported(kind: CombiningKind, element: TypeRef<'_>) -> bool {
    use CombiningKind as K;
    let of_floats = matches!(kind, K::Minnumf | K::Maxnumf | K::Minimumf | K::Maximumf);
    let of_both = matches!(kind, K::Add | K::Mul);
    if element.is_float() { of_floats || of_both } else { !of_floats }
}

/// `x * y`, combined with `acc` where there is one: a fused multiply-add for a sum of float vectors.
fn product(
    b: &mut Build<'_, '_>,
    [x, y]: [ValueId; 2],
    acc: Option<ValueId>,
    kind: CombiningKind,
    mask: Option<ValueId>,
) -> ValueId {
    let ty = b.value_type(x);
    if !ty.element_or_self().is_float() {
        let product = b.same::<MulIOp<'_>>(&[x, y]);
        return acc.map_or(product, |acc| b.combine(kind, product, acc, None, mask));
    }
    match acc {
        Some(acc) if kind == CombiningKind::Add && ty.is_vector() => {
            let sum = b.same::<FMAOp<'_>>(&[x, y, acc]);
            b.passthru(mask, sum, acc)
        }
        _ => {
            let product = b.same::<MulFOp<'_>>(&[x, y]);
            acc.map_or(product, |acc| b.combine(kind, product, acc, None, mask))
        }
    }
}

/// Adds the patterns for `vector.outerproduct`.
pub fn outer_products(patterns: &mut Patterns) {
    patterns.add_fn("vector-lower-outer-product", Some(OuterProductOp::NAME), lower);
}

pub(super) fn lower(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = OuterProductOp::wrap(rw.op(op));
    let kind = view.0.attr_or_default("kind").and_then(CombiningKind::from_attr).unwrap_or(CombiningKind::Add);
    let (lhs, rhs, acc) = (view.lhs().id(), view.rhs().id(), view.acc().map(|acc| acc.id()));
    let root = Root::of(view.0);
    let (of_rhs, ty) = (rw.value_type(rhs), rw.value_type(rw.ir().result(op, 0)));
    if !is_supported(kind, ty.element_or_self()) {
        return Err(NoMatch("elements of this type are not combined so"));
    }
    if root.passthru.is_some() {
        return Err(NoMatch("lanes that are masked off are given"));
    }
    if !of_rhs.is_vector() {
        let mut b = root.build(rw);
        let times = b.value_type(lhs).id();
        let times = b.broadcast(rhs, times);
        let value = product(&mut b, [lhs, times], acc, kind, root.mask);
        rw.replace(root.op, &[value]);
        return Ok(());
    }
    if is_scalable(ty, 0) {
        return Err(NoMatch("the rows are scalable"));
    }
    let rows = *extents(ty).first().ok_or(NoMatch("no rows"))?;
    let zero = rw.cx().zero_attr(ty.id()).ok_or(NoMatch("elements without zero"))?;
    let mut b = root.build(rw);
    let mut value = b.constant(zero, ty.id());
    for row in 0..rows {
        let x = b.part(lhs, &[row]);
        let x = b.broadcast(x, of_rhs.id());
        let acc = acc.map(|acc| b.part(acc, &[row]));
        let mask = root.mask.map(|mask| b.part(mask, &[row]));
        let part = product(&mut b, [x, rhs], acc, kind, mask);
        value = b.with_part(part, value, &[row]);
    }
    rw.replace(root.op, &[value]);
    Ok(())
}

/// The kind that an attribute says.
pub(super) fn kind_of(attr: AttrRef<'_>) -> CombiningKind {
    CombiningKind::from_attr(attr).unwrap_or(CombiningKind::Add)
}
