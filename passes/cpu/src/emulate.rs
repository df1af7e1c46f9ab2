//! `dl-emulate-unsupported-floats`: arithmetic and conversions of `bf16` for a CPU without them.

use dl_dl::target;
use dl_ir::Arena;
use dl_ir::pass::{Anchor, Pass, PassCx, PassInfo, PassManager, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_machine::Machine;
use dl_passes_arith::{EmulateUnsupportedFloats, bf16_conversions};
use dl_passes_math::MathExtendToSupportedTypes;

/// Computes with `bf16` in `f32`, and converts by integer operations, where the CPU that the module names cannot do it itself: there the back end
/// would call functions that not every C library has.
#[derive(Clone, Copy, Default)]
pub struct EmulateFloats;

impl Pass for EmulateFloats {
    const INFO: PassInfo = PassInfo::new(
        "dl-emulate-unsupported-floats",
        "Compute with bf16 in f32 where the CPU that the module names cannot do it itself",
    )
    .title("EmulateFloats")
    .on("builtin.module");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let machine = target::of_module(cx.root())
            .ok_or_else(|| cx.root().error("expected the attribute 'dl.target' of the module; see dl-attach-target"))?;
        if computes_bf16(&machine) {
            cx.preserve_all();
            return Ok(());
        }
        let mut emulate = EmulateUnsupportedFloats::default();
        emulate.options.source_types = vec!["bf16".to_owned()];
        let mut steps = PassManager::new(Anchor::Any);
        steps.add(MathExtendToSupportedTypes::default()).add(emulate);
        cx.run_pipeline(&mut steps, Arena::ROOT)?;
        cx.rewrite_greedily(&bf16_conversions().freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Whether a CPU has instructions for `bf16`.
fn computes_bf16(machine: &Machine) -> bool {
    machine.has("avx512bf16") || machine.has("bf16")
}
