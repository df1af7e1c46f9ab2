//! The pass.

use dl_ir::interfaces::RegionBranchOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::region_simplify::RegionSimplify;
use dl_ir::{OpRef, Rewriter};
use rustc_hash::FxHashMap;

use super::clean::{clean, erase_unused_poison};
use super::liveness::Liveness;
use super::signature::{Kept, shrink, shrink_call};

dl_ir::pass_options! {
    /// Options of [`RemoveDeadValues`].
    pub struct RemoveDeadValuesOptions {
        /// Canonicalize operations with regions that pass values on
        canonicalize "canonicalize": bool = true,
    }
}

/// Removes values that do not matter, wherever they are passed on.
#[derive(Clone, Default)]
pub struct RemoveDeadValues {
    /// The options.
    pub options: RemoveDeadValuesOptions,
}

impl Pass for RemoveDeadValues {
    const INFO: PassInfo = PassInfo::new("remove-dead-values", "Remove dead values").title("RemoveDeadValues");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let live = Liveness::new(cx.root(), cx.is_outermost);
        let mut kept: FxHashMap<usize, Kept> = FxHashMap::default();
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            if let Some(number) = live.arena(ir)
                && let Some(found) = Kept::of(OpRef::root(cx, ir), &live, number)
            {
                kept.insert(number, found);
            }
        });
        let mut changed = !kept.is_empty();
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| {
            let Some(number) = live.arena(ir) else { return };
            changed |= clean(cx, ir, &live, number);
            for (call, callee) in live.calls(number) {
                if let Some(kept) = kept.get(&callee).filter(|_| ir.is_live(call)) {
                    shrink_call(&mut Rewriter::new(cx, ir), call, kept);
                }
            }
            if let Some(kept) = kept.get(&number) {
                shrink(cx, ir, kept);
            }
            erase_unused_poison(cx, ir);
        });
        if !changed {
            cx.preserve_all();
        }
        if self.options.canonicalize {
            canonicalize(cx)?;
        }
        Ok(())
    }
}

/// Applies the canonicalization patterns of operations with regions that pass values on, to those.
fn canonicalize(cx: &mut PassCx<'_>) -> PassResult {
    let mut patterns = Patterns::new();
    for op in cx.ctx.ops().filter(|op| op.interface::<dyn RegionBranchOp>().is_some()) {
        op.canonicalize(&mut patterns);
    }
    let config =
        GreedyConfig { region_simplify: RegionSimplify::Disabled, merge_constants: false, ..GreedyConfig::default() };
    cx.rewrite_greedily(&patterns.freeze(), &config)?;
    Ok(())
}
