//! The pass `linalg-fuse-elementwise-ops`.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{FrozenPatterns, Patterns};
use dl_ir::{Context, OpDefinition, OpRef};
use dl_linalg::{GenericOp, IteratorType, LinalgOp};

use super::constants::{fold_constant, fold_fill};
use super::erase_unused::erase_unused;
use super::fuse::FuseElementwise;
use super::outs::remove_outs_dependency;

dl_ir::pass_options! {
    /// Options of [`FuseElementwiseOps`].
    pub struct FuseElementwiseOpsOptions {
        /// Fuse also into reductions that read each element several times, which then compute it as often
        recompute "recompute": bool = true,
    }
}

/// Fuses element-wise loop nests on tensors into those that use them.
#[derive(Clone, Default)]
pub struct FuseElementwiseOps {
    /// The options.
    pub options: FuseElementwiseOpsOptions,
    patterns: Option<Arc<FrozenPatterns>>,
}

/// Whether nothing else reads the producer of operand `index`.
fn is_only_use(op: OpRef<'_>, index: usize) -> bool {
    op.operand(index)
        .defining_op()
        .is_some_and(|producer| producer.results().iter().flat_map(|result| result.uses()).take(2).count() == 1)
}

/// Whether it is read alone, and each element once: not as those of a matrix product are, by some loop that does not index it.
fn is_read_once(op: OpRef<'_>, index: usize) -> bool {
    let affine = op.cx().affine();
    let once = |nest: LinalgOp<'_>| {
        let map = nest.indexing_maps()[index];
        let reduces = nest.iterator_types().contains(&IteratorType::Reduction);
        !reduces || (0..nest.num_loops()).all(|at| affine.map_is_function_of_dim(map, at as u32))
    };
    is_only_use(op, index) && LinalgOp::of(op).is_some_and(once)
}

/// The patterns of the pass: fusion where the producer has one use, reshapes moved past nests, folding of constants and fills, erasure of what is
/// unused, and the canonicalizations that clean up behind them.
fn patterns(cx: &Context, options: &FuseElementwiseOpsOptions) -> Patterns {
    let root = Some(GenericOp::NAME);
    let mut patterns = Patterns::new();
    patterns.add(FuseElementwise(if options.recompute { is_only_use } else { is_read_once }));
    patterns
        .add_fn("linalg-fold-fill", root, fold_fill)
        .add_fn("linalg-fold-constant", root, fold_constant)
        .add_fn("linalg-remove-outs-dependency", root, remove_outs_dependency)
        .add_fn("linalg-erase-unused", root, erase_unused);
    for name in ["affine.apply", "linalg.generic", "tensor.expand_shape", "tensor.collapse_shape"] {
        patterns.add_canonicalization(cx, name);
    }
    super::constant_fold::add_patterns(&mut patterns);
    super::expand_fusion::add_patterns(&mut patterns);
    patterns
}

impl Pass for FuseElementwiseOps {
    const INFO: PassInfo =
        PassInfo::new("linalg-fuse-elementwise-ops", "Fuse element-wise loop nests on tensors into their users")
            .title("LinalgElementwiseOpFusionPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn initialize(&mut self, cx: &Context) -> PassResult {
        self.patterns = Some(Arc::new(patterns(cx, &self.options).freeze()));
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = match &self.patterns {
            Some(patterns) => patterns.clone(),
            None => Arc::new(patterns(cx.ctx, &self.options).freeze()),
        };
        let config = GreedyConfig { top_down: true, ..GreedyConfig::default() };
        if !cx.rewrite_greedily(&patterns, &config)?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}
