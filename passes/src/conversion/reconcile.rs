//! `reconcile-unrealized-casts`: the end of conversions done one after the other.

use dl_ir::builtin::UnrealizedConversionCastOp;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::conversion::reconcile_casts;
use dl_ir::walk::{map_nested_arenas, ops_in_arena};
use dl_ir::{Arena, Context, Diagnostic, OpRef, Rewriter, ValueRef};

/// Removes the casts of conversions that cancel out. Of those that stay it warns: some operation has not been converted.
#[derive(Clone, Copy, Default)]
pub struct ReconcileUnrealizedCasts;

impl Pass for ReconcileUnrealizedCasts {
    const INFO: PassInfo =
        PassInfo::new("reconcile-unrealized-casts", "Simplify and eliminate unrealized conversion casts")
            .title("ReconcileUnrealizedCastsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut left = in_arena(cx.ctx, cx.ir);
        left.extend(map_nested_arenas(cx.ctx, cx.ir, &in_arena).into_iter().flatten());
        left.into_iter().for_each(|warning| cx.emit(warning));
        Ok(())
    }
}

/// Reconciles the casts of one arena; answers what is to be said of those that stay.
fn in_arena(cx: &Context, ir: &mut Arena) -> Vec<Diagnostic> {
    let all = ops_in_arena(ir, Arena::ROOT);
    let is_cast = |op: &dl_ir::OpId| OpRef::new(cx, ir, *op).is::<UnrealizedConversionCastOp<'_>>();
    let casts: Vec<_> = all.into_iter().filter(is_cast).collect();
    reconcile_casts(&mut Rewriter::new(cx, ir), &casts);
    let left = casts.into_iter().filter(|&cast| ir.is_live(cast));
    left.map(|cast| unresolved(OpRef::new(cx, ir, cast))).collect()
}

/// Names the operations that a cast was left for: the one that it takes its values from and those that use its results.
fn unresolved(cast: OpRef<'_>) -> Diagnostic {
    let list = |values: &mut dyn Iterator<Item = ValueRef<'_>>| {
        values.map(|v| v.ty().to_string()).collect::<Vec<_>>().join(", ")
    };
    let (from, to) = (list(&mut cast.operands().iter()), list(&mut cast.results().iter()));
    let message = format!("no conversion resolves the cast from '{from}' to '{to}'");
    let mut warning = Diagnostic::warning(cast.loc(), message);
    let source = cast.operands().iter().next().and_then(ValueRef::defining_op);
    if let Some(source) = source.filter(|op| !op.is::<UnrealizedConversionCastOp<'_>>()) {
        warning = warning.note(source.loc(), format!("its value comes from '{}'", source.name()));
    }
    if let Some((user, _)) = cast.results().iter().flat_map(ValueRef::uses).next() {
        warning = warning.note(user.loc(), format!("it is used by '{}'", user.name()));
    }
    warning
}
