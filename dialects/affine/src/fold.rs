//! Constant folding.

use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp, AffineStore};
use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, AttrRef, OpRef, OpView};

use crate::{AffineApplyOp, AffineMaxOp};

/// The results of `map` with the constant operands put in.
pub(crate) fn with_constants(op: OpRef<'_>, map: AffineMap, operands: &[Option<Attr>]) -> Vec<AffineExpr> {
    let (cx, affine) = (op.cx(), op.cx().affine());
    let data = affine.map(map);
    let value = |i: usize| operands.get(i).copied().flatten().and_then(|attr| cx.attr(attr).as_int());
    let input = |i: usize, expr: AffineExpr| value(i).map_or(expr, |n| affine.constant(n));
    let num_dims = data.num_dims as usize;
    let dims: Vec<_> = (0..num_dims).map(|i| input(i, affine.dim(i as u32))).collect();
    let symbols: Vec<_> =
        (0..data.num_symbols as usize).map(|i| input(num_dims + i, affine.symbol(i as u32))).collect();
    data.results.iter().map(|&result| affine.replace_in_expr(result, &dims, &symbols)).collect()
}

/// The operand that `expr` stands for alone.
fn input(affine: &AffineStore, map: AffineMap, expr: AffineExpr) -> Option<usize> {
    let num_dims = affine.map(map).num_dims;
    let at = affine.dim_position(expr).or_else(|| affine.symbol_position(expr).map(|at| num_dims + at))?;
    Some(at as usize)
}

/// Whether `expr` is never computed without a division by zero, or a remainder by a number that is not positive.
fn is_undefined(affine: &AffineStore, expr: AffineExpr) -> bool {
    affine.post_order(&[expr]).into_iter().any(|part| match affine.expr(part) {
        AffineExprData::Binary { op: AffineOp::Mod, rhs, .. } => affine.constant_value(rhs).is_some_and(|by| by < 1),
        AffineExprData::Binary { op: AffineOp::FloorDiv | AffineOp::CeilDiv, rhs, .. } => {
            affine.constant_value(rhs) == Some(0)
        }
        _ => false,
    })
}

/// A map of one input alone is that operand; one of constants alone is a constant, or poison where it is undefined.
pub(crate) fn fold_apply(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let affine = op.cx().affine();
    let map = AffineApplyOp::wrap(op).map().as_affine_map()?;
    let &[result] = &*affine.map(map).results else { return None };
    if let Some(at) = input(affine, map, result) {
        return folded(op.operands().get(at)?.id());
    }
    let result = *with_constants(op, map, operands).first()?;
    if is_undefined(affine, result) {
        return op.cx().dialect("ub").and_then(|_| folded(op.cx().dialect_attr("ub.poison", &[])));
    }
    folded(op.cx().index_attr(affine.constant_value(result)?))
}

/// The least or greatest of constants; the only result where it is an operand.
pub(crate) fn fold_min_max(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let affine = op.cx().affine();
    let map = op.attr("map").and_then(AttrRef::as_affine_map)?;
    let results = with_constants(op, map, operands);
    if let [only] = results[..]
        && let Some(at) = input(affine, map, only)
    {
        return folded(op.operands().get(at)?.id());
    }
    let constants = results.iter().map(|&result| affine.constant_value(result)).collect::<Option<Vec<_>>>()?;
    let value = if op.is::<AffineMaxOp<'_>>() { constants.iter().max() } else { constants.iter().min() };
    folded(op.cx().index_attr(*value?))
}

/// Numbers of the last sizes of a basis that indices are divided by: all but that of the first index. `None` unless all are known.
fn divisors(op: OpRef<'_>, rank: usize) -> Option<Vec<i64>> {
    let sizes: Vec<i64> = op.attr("static_basis")?.dense_ints().collect();
    let sizes = sizes.get(sizes.len().checked_sub(rank.checked_sub(1)?)?..)?;
    sizes.iter().all(|&size| size > 0).then(|| sizes.to_vec())
}

/// One index is the linear one; a constant is taken apart.
pub(crate) fn fold_delinearize(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let cx = op.cx();
    if op.num_results() == 1 {
        return folded(op.operand(0).id());
    }
    let mut rest = cx.attr(operands.first().copied().flatten()?).as_int()?;
    let mut indices = Folded::new();
    for &size in divisors(op, op.num_results())?.iter().rev() {
        indices.push(cx.index_attr(rest.rem_euclid(size)).into());
        rest = rest.div_euclid(size);
    }
    indices.push(cx.index_attr(rest).into());
    indices.reverse();
    Some(indices)
}

/// One index is the linear one; constants are put together.
pub(crate) fn fold_linearize(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let (cx, rank) = (op.cx(), op.operand_group(0).len());
    if rank == 1 {
        return folded(op.operand(0).id());
    }
    let constant = |at: usize| cx.attr(operands.get(at).copied().flatten()?).as_int();
    let mut linear = constant(0)?;
    for (at, size) in divisors(op, rank)?.into_iter().enumerate() {
        linear = linear.checked_mul(size)?.checked_add(constant(at + 1)?)?;
    }
    folded(cx.index_attr(linear))
}
