//! `strip-debuginfo`: forgets where operations come from.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::{Arena, Context, Loc, Rewriter};

/// Makes all locations unknown.
#[derive(Clone, Copy, Default)]
pub struct StripDebugInfo;

impl Pass for StripDebugInfo {
    const INFO: PassInfo =
        PassInfo::new("strip-debuginfo", "Strip debug info from all operations").title("StripDebugInfo");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let strip = |cx: &Context, ir: &mut Arena| {
            for op in dl_ir::walk::ops_in_arena(ir, Arena::ROOT) {
                Rewriter::new(cx, ir).set_loc(op, Loc::UNKNOWN);
            }
            Rewriter::new(cx, ir).forget_arg_locs();
        };
        strip(cx.ctx, cx.ir);
        dl_ir::walk::map_nested_arenas(cx.ctx, cx.ir, &strip);
        cx.preserve::<dl_ir::dominance::Dominance>();
        Ok(())
    }
}
