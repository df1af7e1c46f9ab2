//! `affine.apply` of indices that `affine.delinearize_index` gives.

use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp, AffineStore};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpView, Operands, Rewriter, ValueRef};
use rustc_hash::FxHashMap;

use crate::{AffineApplyOp, AffineDelinearizeIndexOp};

pub(crate) fn apply_patterns(patterns: &mut Patterns) {
    super::compose_operands::<AffineApplyOp<'_>>(patterns);
    patterns.add_fn("affine-apply-of-delinearized", Some(AffineApplyOp::NAME), apply_of_delinearized);
}

/// The indices that one linear index is taken apart into, as operands of a map.
struct Parts<'a> {
    linear: ValueRef<'a>,
    /// An operand for each index, and what it counts for in the linear index.
    indices: Vec<(AffineExpr, i64)>,
}

/// What one index more counts for, from the first index to the last. `None` unless the sizes are known.
fn strides(op: AffineDelinearizeIndexOp<'_>) -> Option<Vec<i64>> {
    let sizes: Vec<i64> = op.static_basis().dense_ints().collect();
    let rank = op.multi_index().len();
    let mut strides = vec![1_i64; rank];
    let missing = rank - sizes.len();
    for at in (0..rank.checked_sub(1)?).rev() {
        let size = *sizes.get(at + 1 - missing)?;
        strides[at] = strides[at + 1].checked_mul(size).filter(|_| size != DYNAMIC)?;
    }
    Some(strides)
}

/// The linear indices all of whose parts are operands of the map.
fn parts<'a>(affine: &AffineStore, map: AffineMap, operands: Operands<'a>) -> Vec<Parts<'a>> {
    let num_dims = affine.map(map).num_dims as usize;
    let operand = |at: usize| {
        if at < num_dims { affine.dim(at as u32) } else { affine.symbol((at - num_dims) as u32) }
    };
    let place: FxHashMap<_, usize> = operands.iter().enumerate().map(|(at, value)| (value.id(), at)).collect();
    let first = |value: ValueRef<'a>| value.def::<AffineDelinearizeIndexOp<'a>>().filter(|_| value.index() == 0);
    let of = |op: AffineDelinearizeIndexOp<'a>| {
        let indices = op.multi_index().iter().zip(strides(op)?);
        let indices = indices.map(|(index, stride)| Some((operand(*place.get(&index.id())?), stride)));
        let indices: Vec<_> = indices.collect::<Option<_>>()?;
        (indices.len() > 1).then(|| Parts { linear: op.linear_index(), indices })
    };
    operands.iter().filter_map(first).filter_map(of).collect()
}

/// The terms of a sum: what is multiplied by which number.
fn terms(affine: &AffineStore, expr: AffineExpr) -> Vec<(AffineExpr, i64)> {
    let (mut terms, mut pending) = (Vec::new(), vec![expr]);
    while let Some(expr) = pending.pop() {
        match affine.expr(expr) {
            AffineExprData::Binary { op: AffineOp::Add, lhs, rhs } => pending.extend([rhs, lhs]),
            AffineExprData::Binary { op: AffineOp::Mul, lhs, rhs } if affine.constant_value(rhs).is_some() => {
                terms.push((lhs, affine.constant_value(rhs).unwrap_or(1)));
            }
            _ => terms.push((expr, 1)),
        }
    }
    terms
}

/// `expr` with `whole` for the sum of all parts, each times what it counts for, as often as the first part says.
fn recombine(affine: &AffineStore, expr: AffineExpr, parts: &Parts<'_>, whole: AffineExpr) -> Option<AffineExpr> {
    let mut terms = terms(affine, expr);
    let &(first, stride) = parts.indices.first()?;
    let factor = |terms: &[(AffineExpr, i64)], index| -> i64 {
        terms.iter().filter(|(term, _)| *term == index).map(|(_, factor)| factor).sum()
    };
    let times = factor(&terms, first).checked_div(stride).filter(|&times| times != 0)?;
    if times.checked_mul(stride) != Some(factor(&terms, first)) {
        return None;
    }
    for &(index, stride) in &parts.indices {
        let (there, taken) = (factor(&terms, index), times.checked_mul(stride)?);
        // Only what is there is taken: nothing changes its sign.
        if there.signum() != taken.signum() || there.unsigned_abs() < taken.unsigned_abs() {
            return None;
        }
        terms.retain(|(term, _)| *term != index);
        terms.push((index, there - taken));
    }
    terms.push((whole, times));
    let sum = terms.into_iter().map(|(term, factor)| affine.mul_constant(term, factor));
    sum.reduce(|a, b| affine.add(a, b))
}

/// The sum of the indices of a linear index, each times what it counts for, is the linear index.
fn apply_of_delinearized(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let view = AffineApplyOp::wrap(rw.op(op));
    let Some(map) = view.map().as_affine_map() else { return Err(NoMatch("has no map")) };
    let data = affine.map(map);
    let [result] = *data.results else { return Err(NoMatch("has several results")) };
    let operands = view.map_operands();
    let num_symbols = data.num_symbols;
    let mut found = None;
    for parts in parts(affine, map, operands) {
        // As a symbol only where all parts are: composing the map finds out whether it may be one.
        let symbolic = parts.indices.iter().all(|&(index, _)| affine.symbol_position(index).is_some());
        let whole = if symbolic { affine.symbol(num_symbols) } else { affine.dim(data.num_dims) };
        let mut known: FxHashMap<AffineExpr, AffineExpr> = FxHashMap::default();
        let mut changed = false;
        for part in affine.post_order(&[result]) {
            let rebuilt = match affine.expr(part) {
                AffineExprData::Binary { op, lhs, rhs } => affine.binary(op, known[&lhs], known[&rhs]),
                _ => part,
            };
            let recombined = recombine(affine, rebuilt, &parts, whole);
            changed |= recombined.is_some();
            known.insert(part, recombined.unwrap_or(rebuilt));
        }
        if changed {
            found = Some((known[&result], parts.linear.id(), symbolic));
            break;
        }
    }
    let Some((expr, linear, symbolic)) = found else {
        return Err(NoMatch("no linear index is put together again"));
    };
    let mut values = operands.ids().to_vec();
    let at = if symbolic { values.len() } else { data.num_dims as usize };
    values.insert(at, linear);
    let (dims, symbols) = (data.num_dims + u32::from(!symbolic), num_symbols + u32::from(symbolic));
    rw.set_operands(op, &values);
    rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(affine.intern_map(dims, symbols, [expr])));
    Ok(())
}
