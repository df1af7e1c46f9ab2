//! `generate-runtime-verification`: checks before the operations that demand something.

use dl_arith::Build;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::text::{PrintOptions, op_texts};
use dl_ir::walk::{for_each_arena, ops_in_arena};
use dl_ir::{Arena, Context, OpId, OpRef, Rewriter};
use dl_linalg::LinalgOp;

use crate::{Checks, RuntimeVerifiable};

dl_ir::pass_options! {
    /// Options of [`GenerateRuntimeVerification`].
    pub struct GenerateRuntimeVerificationOptions {
        /// What messages show: 0 only where the operation comes from, 1 the operation as well
        verbose_level "verbose-level": u64 = 1,
    }
}

/// Writes `cf.assert` before operations, with messages that say what is wrong and where.
#[derive(Clone, Default)]
pub struct GenerateRuntimeVerification {
    /// The options.
    pub options: GenerateRuntimeVerificationOptions,
}

impl Pass for GenerateRuntimeVerification {
    const INFO: PassInfo =
        PassInfo::new("generate-runtime-verification", "Generate additional runtime op verification checks")
            .title("GenerateRuntimeVerification");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let with_text = self.options.verbose_level > 0;
        for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| in_arena(cx, ir, with_text));
        Ok(())
    }
}

fn in_arena(cx: &Context, ir: &mut Arena, with_text: bool) {
    let demands = |op: &OpId| {
        let op = OpRef::new(cx, ir, *op);
        op.interface::<dyn RuntimeVerifiable>().is_some() || LinalgOp::of(op).is_some()
    };
    let checked: Vec<OpId> = ops_in_arena(ir, Arena::ROOT).into_iter().filter(demands).collect();
    // As they stand in the program that the user wrote, without checks.
    let options = PrintOptions { skip_regions: true, elide_elements_larger_than: Some(16), ..PrintOptions::default() };
    let texts = if with_text { op_texts(OpRef::root(cx, ir), &checked, &options) } else { Vec::new() };
    for (at, op) in checked.into_iter().enumerate() {
        let mut rw = Rewriter::new(cx, ir);
        rw.set_insertion_before(op);
        let (name, loc) = (rw.op(op).name_id(), rw.op(op).loc());
        let mut checks = Checks::new(Build::new(&mut rw, loc), texts.get(at).map(String::as_str));
        match cx.op_info(name).interface::<dyn RuntimeVerifiable>() {
            Some(interface) => interface.check(op, &mut checks),
            None => crate::linalg::check(op, &mut checks),
        }
    }
}
