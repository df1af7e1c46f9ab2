//! Patterns for `affine.min` and `affine.max`.

use std::marker::PhantomData;

use dl_ir::affine::AffineExpr;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, Rewriter};

use super::compose_operands;

/// The patterns of `T`, which is one of the two.
pub(crate) fn min_max_patterns<T: OpDefinition + 'static>(patterns: &mut Patterns) {
    compose_operands::<T>(patterns);
    patterns.add(SortResults::<T>(PhantomData));
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
            return Err(NoMatch("has no map"));
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
