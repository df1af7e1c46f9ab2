//! `dl-emulate-f8`: arithmetic and conversions of floats of 8 bits, which no back end has.

use dl_ir::pass::{Anchor, Pass, PassCx, PassInfo, PassManager, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::{Arena, OpRef, ValueRef, walk};
use dl_passes_arith::{EmulateUnsupportedFloats, SIGNED_F8, f8_conversions};
use dl_passes_math::MathExtendToSupportedTypes;

/// Computes with the floats of 8 bits that have a sign in `f32`, and converts them by integer operations. Where a program has none, nothing changes.
#[derive(Clone, Copy, Default)]
pub struct EmulateF8;

impl Pass for EmulateF8 {
    const INFO: PassInfo =
        PassInfo::new("dl-emulate-f8", "Compute with floats of 8 bits in f32, and convert them by integer operations")
            .title("EmulateF8");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        if !has_f8(cx.root()) {
            cx.preserve_all();
            return Ok(());
        }
        let mut emulate = EmulateUnsupportedFloats::default();
        let names = SIGNED_F8.map(|kind| cx.ctx.ty(cx.ctx.float_type(kind)).to_string());
        emulate.options.source_types = names.to_vec();
        let mut steps = PassManager::new(Anchor::Any);
        steps.add(MathExtendToSupportedTypes::default()).add(emulate);
        cx.run_pipeline(&mut steps, Arena::ROOT)?;
        cx.rewrite_greedily(&f8_conversions().freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Whether an operation has operands or results that are floats of 8 bits with a sign, or are made of such.
fn has_f8(root: OpRef<'_>) -> bool {
    let is_f8 =
        |value: ValueRef<'_>| value.ty().element_or_self().float_kind().is_some_and(|kind| SIGNED_F8.contains(&kind));
    walk::pre_order(root).any(|op| op.operands().iter().chain(op.results().iter()).any(is_f8))
}
