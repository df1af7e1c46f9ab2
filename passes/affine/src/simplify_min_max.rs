//! `affine-simplify-min-max`: results of `affine.min` and `affine.max` that others are never above, or below, are left out.

use dl_affine::constraints::{ValueSystem, widened};
use dl_affine::{AffineApplyOp, AffineMaxOp, AffineMinOp};
use dl_ir::interfaces::FunctionOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, Rewriter};

/// Leaves out results that the loops and conditions around decide, and then canonicalizes the operations.
#[derive(Clone, Copy, Default)]
pub struct AffineSimplifyMinMax;

impl Pass for AffineSimplifyMinMax {
    const INFO: PassInfo = PassInfo::new("affine-simplify-min-max", "Simplify affine min/max/apply")
        .title("SimplifyAffineMinMaxPass")
        .on_ops(|op| op.interface::<dyn FunctionOp>().is_some());

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        for name in [AffineMaxOp::NAME, AffineMinOp::NAME, AffineApplyOp::NAME] {
            patterns.add_canonicalization(cx.ctx, name);
        }
        patterns.add_fn("affine-min-of-ordered", Some(AffineMinOp::NAME), drop_ordered_results).add_fn(
            "affine-max-of-ordered",
            Some(AffineMaxOp::NAME),
            drop_ordered_results,
        );
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Of two results of which one is never above the other, `affine.min` needs that one only; `affine.max` needs the other.
fn drop_ordered_results(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (cx, affine) = (rw.cx(), rw.cx().affine());
    let view = rw.op(op);
    let map = view.attr("map").and_then(AttrRef::as_affine_map).ok_or(NoMatch("has no map"))?;
    let exprs = affine.map(map).results.to_vec();
    let mut known = ValueSystem::new();
    known.add_around(view);
    let rows = known.results(affine, map, view.operands().iter());
    let count = known.system().unknowns();
    let sign = if view.is::<AffineMinOp<'_>>() { 1 } else { -1 };
    let is_needless = |at: usize, by: usize| {
        let (Some(row), Some(other)) = (&rows[at], &rows[by]) else { return false };
        let above = widened(row, count).combined(&sign.into(), &widened(other, count), &(-sign).into());
        known.system().implies(&above) == Some(true)
    };
    let mut kept: Vec<usize> = (0..exprs.len()).collect();
    let mut at = 0;
    while at < kept.len() {
        if kept.len() > 1 && kept.iter().any(|&by| by != kept[at] && is_needless(kept[at], by)) {
            kept.remove(at);
        } else {
            at += 1;
        }
    }
    if kept.len() == exprs.len() {
        return Err(NoMatch("no two results are ordered"));
    }
    let results: Vec<_> = kept.into_iter().map(|at| exprs[at]).collect();
    let map = affine.with_results(map, results);
    rw.set_attr(op, cx.ident("map"), cx.affine_map_attr(map));
    Ok(())
}
