//! The pass `linalg-fold-unit-extent-dims`.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::{Arena, Context, OpDefinition, Rewriter};
use dl_linalg::GenericOp;
use dl_passes_tensor::{add_empty_patterns, add_resolve_dims_patterns};
use dl_tensor::{ExtractSliceOp, InsertSliceOp, PadOp, ParallelInsertSliceOp};

use super::drop::drop_unit_loops;
use super::inits::move_inits_to_inputs;
use super::pad::drop_unit_dims_of_pad;
use super::reduce::Strategy;
use super::slices::{reduce_extract, reduce_insert};

dl_ir::pass_options! {
    /// Options of [`FoldUnitExtentDims`].
    pub struct FoldUnitExtentDimsOptions {
        /// Take slices of lower rank instead of reshaping
        use_rank_reducing_slices "use-rank-reducing-slices": bool = false,
    }
}

/// Drops loops of one step and dimensions of extent 1.
#[derive(Clone, Default)]
pub struct FoldUnitExtentDims {
    /// The options.
    pub options: FoldUnitExtentDimsOptions,
}

impl Pass for FoldUnitExtentDims {
    const INFO: PassInfo =
        PassInfo::new("linalg-fold-unit-extent-dims", "Drop dimensions of extent 1 of linalg operations")
            .title("LinalgFoldUnitExtentDimsPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let strategy = if self.options.use_rank_reducing_slices { Strategy::Slice } else { Strategy::Reshape };
        dl_ir::walk::for_each_arena(cx.ctx, cx.ir, &mut |cx, ir| drop_in_arena(cx, ir, strategy));
        let patterns = clean_up_patterns(cx.ctx, strategy);
        cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?;
        Ok(())
    }
}

/// Drops what there is to drop of each operation, once.
fn drop_in_arena(cx: &Context, ir: &mut Arena, strategy: Strategy) {
    let mut rw = Rewriter::new(cx, ir);
    for op in dl_ir::walk::ops_in_arena(rw.ir(), Arena::ROOT) {
        if !rw.ir().is_live(op) {
            continue;
        }
        // That an operation has nothing to drop is no fault.
        if rw.op(op).is::<GenericOp<'_>>() {
            let _ = drop_unit_loops(op, &mut rw, strategy);
        } else if rw.op(op).is::<PadOp<'_>>() {
            let _ = drop_unit_dims_of_pad(op, &mut rw, strategy);
        }
    }
}

fn clean_up_patterns(cx: &Context, strategy: Strategy) -> Patterns {
    let mut patterns = Patterns::new();
    patterns.add_fn("linalg-move-inits-to-inputs", Some(GenericOp::NAME), move_inits_to_inputs);
    let mut names = vec!["tensor.empty"];
    if strategy == Strategy::Reshape {
        patterns
            .add_fn("tensor-reduce-slice", Some(ExtractSliceOp::NAME), reduce_extract)
            .add_fn("tensor-reduce-insertion", Some(InsertSliceOp::NAME), reduce_insert)
            .add_fn("tensor-reduce-insertion", Some(ParallelInsertSliceOp::NAME), reduce_insert);
        names.extend(["tensor.collapse_shape", "tensor.expand_shape"]);
    }
    for name in names {
        patterns.add_canonicalization(cx, name);
    }
    dl_linalg::add_fill_patterns(&mut patterns);
    add_empty_patterns(&mut patterns);
    add_resolve_dims_patterns(&mut patterns);
    patterns
}
