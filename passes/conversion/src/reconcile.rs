//! `reconcile-unrealized-casts`: the end of conversions done one after the other.

use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::conversion::{reconcile_casts, unresolved_cast};
use dl_ir::walk::{map_nested_arenas, ops_in_arena};
use dl_ir::{Arena, Context, Diagnostic, Diagnostics, OpRef, Rewriter};

dl_ir::pass_options! {
    /// Options of [`ReconcileUnrealizedCasts`].
    pub struct ReconcileUnrealizedCastsOptions {
        /// Fail where a cast is left, and name the operation that needs it
        fail_on_unresolved "fail-on-unresolved": bool = false,
    }
}

/// Removes the casts of conversions that cancel out. Those that stay, since some operation has not been converted, are a fault only at the end of
/// a pipeline: a later pass may resolve them. `--log=warn` names them.
#[derive(Clone, Default)]
pub struct ReconcileUnrealizedCasts {
    /// The options.
    pub options: ReconcileUnrealizedCastsOptions,
}

impl Pass for ReconcileUnrealizedCasts {
    const INFO: PassInfo =
        PassInfo::new("reconcile-unrealized-casts", "Simplify and eliminate unrealized conversion casts")
            .title("ReconcileUnrealizedCastsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut left = in_arena(cx.ctx, cx.ir);
        left.extend(map_nested_arenas(cx.ctx, cx.ir, &in_arena).into_iter().flatten());
        if self.options.fail_on_unresolved && !left.is_empty() {
            let mut all = Diagnostics::default();
            left.into_iter().for_each(|each| all.push(each));
            return Err(all);
        }
        Ok(())
    }
}

/// Reconciles the casts of one arena; answers what is wrong with each that is left.
fn in_arena(cx: &Context, ir: &mut Arena) -> Vec<Diagnostic> {
    let all = ops_in_arena(ir, Arena::ROOT);
    let is_cast = |op: &dl_ir::OpId| OpRef::new(cx, ir, *op).is::<UnrealizedConversionCastOp<'_>>();
    let casts: Vec<_> = all.into_iter().filter(is_cast).collect();
    reconcile_casts(&mut Rewriter::new(cx, ir), &casts);
    let left = casts.into_iter().filter(|&cast| ir.is_live(cast)).map(|cast| unresolved_cast(OpRef::new(cx, ir, cast)));
    left.inspect(|each| tracing::warn!("{}", each.message)).collect()
}
