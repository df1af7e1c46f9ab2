//! `affine.min` and `affine.max` where it is known which of their results it is.

use dl_ir::affine::{AffineExpr, AffineStore};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpId, OpRef, OpState, Rewriter, ValueId};

use crate::compose::canonical;
use crate::constraints::ValueSystem;
use crate::{AffineApplyOp, AffineMinOp};

/// The result of the map of `op`, an `affine.min` or `affine.max`, that is the least or greatest wherever `known` holds. Among equal ones a
/// constant comes first. `None` where there is none, where nothing satisfies `known`, and where an expression is not linear.
pub fn chosen_result(op: OpRef<'_>, known: &ValueSystem) -> Option<AffineExpr> {
    let affine = op.cx().affine();
    let map = op.attr("map").and_then(AttrRef::as_affine_map)?;
    let exprs = &affine.map(map).results;
    let mut known = known.clone();
    let results = known.results(affine, map, op.operands().iter()).into_iter().collect::<Option<Vec<_>>>()?;
    let count = known.system().unknowns();
    let results: Vec<_> = results.iter().map(|row| crate::constraints::widened(row, count)).collect();
    if known.system().is_empty() != Some(false) {
        return None;
    }
    let sign = if op.is::<AffineMinOp<'_>>() { 1 } else { -1 };
    let is_chosen = |at: usize| {
        results.iter().enumerate().all(|(other, row)| {
            other == at
                || known.system().implies(&row.combined(&sign.into(), &results[at], &(-sign).into())) == Some(true)
        })
    };
    let (constants, others): (Vec<usize>, Vec<usize>) =
        (0..exprs.len()).partition(|&at| affine.constant_value(exprs[at]).is_some());
    constants.into_iter().chain(others).find(|&at| is_chosen(at)).map(|at| exprs[at])
}

/// Makes `op`, an `affine.min` or `affine.max`, an `affine.apply` of the one result that it is wherever `known` holds. Inputs with only one
/// value there are replaced by it.
///
/// # Errors
/// Where it is not known which result that is.
pub fn replace_by_chosen_result(rw: &mut Rewriter<'_>, op: OpId, known: &ValueSystem) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let view = rw.op(op);
    let Some(map) = view.attr("map").and_then(AttrRef::as_affine_map) else { return Err(NoMatch("has no map")) };
    let Some(expr) = chosen_result(view, known) else {
        return Err(NoMatch("it is not known which of its results it is"));
    };
    let data = affine.map(map);
    let expr = with_known_inputs(affine, view, expr, data.num_dims, known);
    let map = affine.intern_map(data.num_dims, data.num_symbols, [expr]);
    let (map, operands) = canonical(view, map, view.operands().iter());
    let operands: Vec<ValueId> = operands.iter().map(|value| value.id()).collect();
    let state = OpState::of::<AffineApplyOp<'_>>(view.loc()).operands(operands);
    rw.replace_with(op, state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]));
    Ok(())
}

/// `expr` with a constant for each operand that can have one value only.
fn with_known_inputs(
    affine: &AffineStore,
    op: OpRef<'_>,
    expr: AffineExpr,
    num_dims: u32,
    known: &ValueSystem,
) -> AffineExpr {
    let only = |index: usize| known.only_value(known.get(op.operand(index).id())?);
    let count = op.num_operands() as u32;
    let input = |index: u32, make: AffineExpr| only(index as usize).map_or(make, |number| affine.constant(number));
    let dims: Vec<AffineExpr> = (0..num_dims).map(|at| input(at, affine.dim(at))).collect();
    let symbols: Vec<AffineExpr> = (num_dims..count).map(|at| input(at, affine.symbol(at - num_dims))).collect();
    affine.replace_in_expr(expr, &dims, &symbols)
}
