//! Constant folding.

use dl_ir::affine::{AffineExpr, AffineMap, AffineStore};
use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, AttrRef, OpRef, OpView};

use crate::{AffineApplyOp, AffineMaxOp};

/// The results of `map` with the constant operands put in.
fn with_constants(op: OpRef<'_>, map: AffineMap, operands: &[Option<Attr>]) -> Vec<AffineExpr> {
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

/// A map of one input alone is that operand; one of constants alone is a constant.
pub(crate) fn fold_apply(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let affine = op.cx().affine();
    let map = AffineApplyOp::wrap(op).map().as_affine_map()?;
    let &[result] = &*affine.map(map).results else { return None };
    if let Some(at) = input(affine, map, result) {
        return folded(op.operands().get(at)?.id());
    }
    let result = *with_constants(op, map, operands).first()?;
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
