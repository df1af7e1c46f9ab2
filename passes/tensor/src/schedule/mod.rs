//! `tensor-schedule`: an order of operations in which fewer bytes of tensors are needed at the same time.
//!
//! [`model`] says which operations may change places and what each tensor takes from when to when; [`order`] finds an order.

mod model;
mod order;

use dl_ir::dominance::{Dominance, has_ssa_dominance};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::walk::ops_in_arena_post_order;
use dl_ir::{Arena, BlockId, InsertPoint, OpId, OpRef};
use rustc_hash::FxHashMap;

use model::Model;

/// Statistics.
const REORDERED: &str = "num-reordered";
const BEFORE: &str = "peak-bytes-before";
const AFTER: &str = "peak-bytes";

dl_ir::pass_options! {
    /// Options of [`TensorSchedule`].
    pub struct TensorScheduleOptions {
        /// The extent that dynamic dimensions are taken to have
        dynamic_extent "dynamic-extent": u64 = 128,
    }
}

/// Reorders the operations of each block so that the greatest number of bytes of tensors alive at the same time becomes less. A block where no
/// such order is found stays as it is.
///
/// A tensor takes its bytes from the operation that defines it to the last one that uses it. Operations in destination-passing style write into
/// their inits where nothing else uses those, and slices and reshapes lie in their source. What an operation needs inside its regions counts
/// while it runs. Operations with effects on memory, and those that may fail, stay in order.
#[derive(Clone, Default)]
pub struct TensorSchedule {
    /// The options.
    pub options: TensorScheduleOptions,
}

impl Pass for TensorSchedule {
    const INFO: PassInfo =
        PassInfo::new("tensor-schedule", "Reorder operations so that tensors alive at the same time take less memory")
            .on("func.func")
            .statistics(&[
                (REORDERED, "Number of blocks with another order"),
                (BEFORE, "Most bytes of tensors alive at the same time, before"),
                (AFTER, "Most bytes of tensors alive at the same time"),
            ]);

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        // What operations need inside, in the old and in the new order.
        let (mut before, mut after): (FxHashMap<OpId, u64>, FxHashMap<OpId, u64>) = Default::default();
        let mut reordered = 0;
        for op in ops_in_arena_post_order(cx.ir, Arena::ROOT) {
            if !has_ssa_dominance(OpRef::new(cx.ctx, cx.ir, op)) {
                continue; // Nothing says that its order is one of execution.
            }
            let regions = cx.ir.op_regions(op);
            let blocks: Vec<BlockId> = regions.iter().flat_map(|&region| cx.ir.region_blocks(region)).collect();
            let (mut most_before, mut most_after) = (0, 0);
            for block in blocks {
                let extent = self.options.dynamic_extent;
                let whole = Model::new(cx.ctx, cx.ir, block, extent, &after, true);
                let old: Vec<usize> = (0..whole.problem.units.len()).collect();
                let peak = whole.problem.peak(&old);
                most_before = most_before.max(whole.problem.peak_with(&old, &whole.insides(&before)));
                let model = Model::new(cx.ctx, cx.ir, block, extent, &after, false);
                let order = model.program_order(&order::search(&model.problem));
                let best = whole.problem.peak(&whole.units(&order));
                most_after = most_after.max(peak.min(best));
                if best < peak {
                    let mut rw = cx.rewriter();
                    for op in order {
                        rw.move_to(op, InsertPoint { block, before: model.end() });
                    }
                    reordered += 1;
                }
            }
            if most_before > 0 {
                before.insert(op, most_before);
                after.insert(op, most_after);
            }
        }
        cx.count(REORDERED, reordered);
        cx.count(BEFORE, before.get(&Arena::ROOT).copied().unwrap_or(0));
        cx.count(AFTER, after.get(&Arena::ROOT).copied().unwrap_or(0));
        if reordered == 0 {
            cx.preserve_all();
        } else {
            cx.preserve::<Dominance>();
        }
        Ok(())
    }
}
