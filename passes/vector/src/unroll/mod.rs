//! `vector-unroll`: operations on vectors as several on parts of one shape, which the machine has instructions for.
//!
//! `space` says how operations on values go over their operands, `values` takes those apart; `memory` has those that read and write. What is
//! under `vector.mask`, scalable, or no multiple of the shape stays as it is.

mod memory;
mod space;
mod tiles;
mod values;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;

dl_ir::pass_options! {
    /// Options of [`Unroll`].
    pub struct UnrollOptions {
        /// Shape of the parts: its last entries for operations of fewer dimensions, with ones before it for those of more. Without it, a register of the target that the module names, of 128 bits where it names none
        native_shape "native-shape": Vec<i64> = Vec::new(),
        /// Shape of the parts of vector.contract, one entry for each iterator. Without it, as for other operations if native-shape has that many
        contract_shape "contract-shape": Vec<i64> = Vec::new(),
        /// Dimensions from the outermost to the innermost one in which parts are gone through, for operations of as many
        unroll_order "unroll-order": Vec<i64> = Vec::new(),
        /// Add up floats in another order where no flag allows it
        assume_reassociation "assume-reassociation": bool = false,
    }
}

/// Takes operations on vectors apart.
#[derive(Clone, Default)]
pub struct Unroll {
    /// The options.
    pub options: UnrollOptions,
}

/// The options, with what the target decides.
#[derive(Clone)]
struct Plan {
    options: UnrollOptions,
    register_bits: u32,
}

impl Pass for Unroll {
    const INFO: PassInfo = PassInfo::new("vector-unroll", "Take operations on vectors apart into those on parts");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = self.options.clone();
        for (name, shape) in [("native-shape", &options.native_shape), ("contract-shape", &options.contract_shape)] {
            if shape.iter().any(|&extent| extent < 1) {
                return Err(cx.root().error(format_args!("option '{name}' has an extent below 1")).into());
            }
        }
        let mut order = options.unroll_order.clone();
        order.sort_unstable();
        if !order.iter().copied().eq(0..order.len() as i64) {
            return Err(cx.root().error("option 'unroll-order' is not a permutation").into());
        }
        let target = dl_dl::target::of_module(cx.root());
        let plan = Plan { options, register_bits: target.map_or(128, |machine| machine.vector_bits) };
        let mut patterns = Patterns::new();
        values::add(&plan, &mut patterns);
        memory::add(&plan, &mut patterns);
        tiles::forward_parts(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}
