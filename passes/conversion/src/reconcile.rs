//! `reconcile-unrealized-casts`: the end of conversions done one after the other.

use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::reconcile_casts;
use dl_ir::walk::{map_nested_arenas, ops_in_arena};
use dl_ir::{Arena, Context, OpRef, Rewriter, ValueRef};

/// Removes the casts of conversions that cancel out. Those that stay, since some operation has not been converted, are no
/// fault: a later pass may resolve them. `--log=warn` names them.
#[derive(Clone, Copy, Default)]
pub struct ReconcileUnrealizedCasts;

impl Pass for ReconcileUnrealizedCasts {
    const INFO: PassInfo =
        PassInfo::new("reconcile-unrealized-casts", "Simplify and eliminate unrealized conversion casts")
            .title("ReconcileUnrealizedCastsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        in_arena(cx.ctx, cx.ir);
        map_nested_arenas(cx.ctx, cx.ir, &in_arena);
        Ok(())
    }
}

/// Reconciles the casts of one arena.
fn in_arena(cx: &Context, ir: &mut Arena) {
    let all = ops_in_arena(ir, Arena::ROOT);
    let is_cast = |op: &dl_ir::OpId| OpRef::new(cx, ir, *op).is::<UnrealizedConversionCastOp<'_>>();
    let casts: Vec<_> = all.into_iter().filter(is_cast).collect();
    reconcile_casts(&mut Rewriter::new(cx, ir), &casts);
    for cast in casts.into_iter().filter(|&cast| ir.is_live(cast)) {
        log_unresolved(OpRef::new(cx, ir, cast));
    }
}

/// Names the operations that a cast was left for: the one that it takes its values from and one that uses its results.
fn log_unresolved(cast: OpRef<'_>) {
    let list = |values: &mut dyn Iterator<Item = ValueRef<'_>>| {
        values.map(|v| v.ty().to_string()).collect::<Vec<_>>().join(", ")
    };
    let source = cast.operands().iter().next().and_then(ValueRef::defining_op).map_or("an argument", OpRef::name);
    let user = cast.results().iter().flat_map(ValueRef::uses).next().map_or("nothing", |(user, _)| user.name());
    tracing::warn!(
        from = list(&mut cast.operands().iter()),
        to = list(&mut cast.results().iter()),
        source,
        user,
        "no conversion resolves a cast"
    );
}
