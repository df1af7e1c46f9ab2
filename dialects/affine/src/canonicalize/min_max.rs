//! Patterns for `affine.min` and `affine.max`.

use std::marker::PhantomData;

use dl_ir::affine::AffineExpr;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpRef, OpState, Rewriter};

use super::compose_operands;
use crate::{AffineApplyOp, AffineMaxOp, AffineMinOp};

const NO_MAP: NoMatch = NoMatch("has no map");

/// The patterns of `T`, which is one of the two.
pub(crate) fn min_max_patterns<T: OpDefinition + 'static>(patterns: &mut Patterns) {
    // Operands of merged operations keep the order that they are written in.
    patterns.add(MergeNested::<T>(PhantomData));
    compose_operands::<T>(patterns);
    patterns.add(SortResults::<T>(PhantomData)).add(ApplyOnlyResult::<T>(PhantomData));
}

/// Adds the patterns that put constants in the place of results of `affine.min` and `affine.max` that are constant for constant operands.
/// Canonicalization does this and more.
pub fn add_constant_result_patterns(patterns: &mut Patterns) {
    patterns.add_fn("affine-min-constant-results", Some(AffineMinOp::NAME), fold_constant_results).add_fn(
        "affine-max-constant-results",
        Some(AffineMaxOp::NAME),
        fold_constant_results,
    );
}

fn fold_constant_results(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (view, cx, affine) = (rw.op(op), rw.cx(), rw.cx().affine());
    let Some(map) = view.attr("map").and_then(AttrRef::as_affine_map) else { return Err(NO_MAP) };
    let constants: Vec<_> = view.operands().iter().map(|value| value.constant().map(dl_ir::Attr::from)).collect();
    let known = crate::fold::with_constants(view, map, &constants);
    let fold = |(&old, new): (&AffineExpr, AffineExpr)| affine.constant_value(new).map_or(old, |_| new);
    let results: Vec<AffineExpr> = affine.map(map).results.iter().zip(known).map(fold).collect();
    let folded = affine.with_results(map, results);
    if folded == map {
        return Err(NoMatch("no result is constant that was not"));
    }
    rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(folded));
    Ok(())
}

/// The least of what is the least of other things is the least of all of them, and so for the greatest.
struct MergeNested<T>(PhantomData<fn() -> T>);

impl<T: OpDefinition + 'static> Pattern for MergeNested<T> {
    const NAME: &'static str = "affine-min-max-merge-nested";
    const ROOT: Option<&'static str> = Some(T::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (view, cx, affine) = (rw.op(op), rw.cx(), rw.cx().affine());
        let Some(map) = view.attr("map").and_then(AttrRef::as_affine_map) else { return Err(NO_MAP) };
        let data = affine.map(map);
        let num_dims = data.num_dims as usize;
        let operands = view.operands().ids();
        let nested = |expr: AffineExpr| {
            let symbol = affine.symbol_position(expr).map(|at| num_dims + at as usize);
            let value = view.operands().get(affine.dim_position(expr).map(|at| at as usize).or(symbol)?)?;
            value.defining_op().filter(|inner| inner.is::<T>())
        };
        let mut results: Vec<AffineExpr> = Vec::new();
        let mut inner: Vec<OpRef<'_>> = Vec::new();
        for &expr in &data.results {
            match nested(expr) {
                Some(found) if !inner.contains(&found) => inner.push(found),
                Some(_) => {}
                None => results.push(expr),
            }
        }
        if inner.is_empty() {
            return Err(NoMatch("no result is the result of such an operation"));
        }
        let (mut dims, mut symbols) = (operands[..num_dims].to_vec(), operands[num_dims..].to_vec());
        for inner in inner {
            let Some(map) = inner.attr("map").and_then(AttrRef::as_affine_map) else { return Err(NO_MAP) };
            let data = affine.map(map);
            let shift = |expr| {
                let expr = affine.shift_dims_in_expr(expr, dims.len() as u32, 0);
                affine.shift_symbols_in_expr(expr, symbols.len() as u32, 0)
            };
            results.extend(data.results.iter().map(|&expr| shift(expr)));
            let operands = inner.operands().ids();
            dims.extend_from_slice(&operands[..data.num_dims as usize]);
            symbols.extend_from_slice(&operands[data.num_dims as usize..]);
        }
        let map = affine.intern_map(dims.len() as u32, symbols.len() as u32, results);
        let loc = view.loc();
        dims.append(&mut symbols);
        let state = OpState::of::<T>(loc).operands(dims).attr(cx, "map", cx.affine_map_attr(map));
        rw.replace_with(op, state.results([cx.index_type()]));
        Ok(())
    }
}

/// The only one is the least and the greatest.
struct ApplyOnlyResult<T>(PhantomData<fn() -> T>);

impl<T: OpDefinition + 'static> Pattern for ApplyOnlyResult<T> {
    const NAME: &'static str = "affine-min-max-apply-only-result";
    const ROOT: Option<&'static str> = Some(T::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let (view, cx) = (rw.op(op), rw.cx());
        let Some(map) = view.attr("map").and_then(AttrRef::as_affine_map) else { return Err(NO_MAP) };
        if cx.affine().map(map).results.len() != 1 {
            return Err(NoMatch("has several results"));
        }
        let state = OpState::of::<AffineApplyOp<'_>>(view.loc()).operands(view.operands().ids());
        let state = state.attr(cx, "map", cx.affine_map_attr(map)).results([cx.index_type()]);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// The order of the results does not matter: they are sorted by their factors, without repetition. Maps with a result that is not
/// linear only lose repetitions.
struct SortResults<T>(PhantomData<fn() -> T>);

impl<T: OpDefinition + 'static> Pattern for SortResults<T> {
    const NAME: &'static str = "affine-min-max-sort-results";
    const ROOT: Option<&'static str> = Some(T::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let affine = cx.affine();
        let Some(map) = rw.op(op).attr("map").and_then(AttrRef::as_affine_map) else {
            return Err(NO_MAP);
        };
        let data = affine.map(map);
        let mut results: Vec<AffineExpr> = Vec::new();
        for &result in &data.results {
            if !results.contains(&result) {
                results.push(result);
            }
        }
        let form = |&expr: &AffineExpr| {
            let form = affine.linear_form(expr, data.num_dims, data.num_symbols)?;
            Some((form.dims, form.symbols, form.constant))
        };
        if let Some(forms) = results.iter().map(form).collect::<Option<Vec<_>>>() {
            let mut keyed: Vec<_> = forms.into_iter().zip(results.iter().copied()).collect();
            keyed.sort_by(|a, b| a.0.cmp(&b.0));
            results = keyed.into_iter().map(|(_, expr)| expr).collect();
        }
        if results[..] == *data.results {
            return Err(NoMatch("the results are sorted"));
        }
        let sorted = affine.with_results(map, results);
        rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(sorted));
        Ok(())
    }
}
