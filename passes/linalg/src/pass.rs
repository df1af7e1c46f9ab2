//! The pass `linalg-fuse-elementwise-ops`.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{FrozenPatterns, Patterns};
use dl_ir::{Context, OpDefinition};
use dl_linalg::GenericOp;

use super::constants::{fold_constant, fold_fill};
use super::erase_unused::erase_unused;
use super::fuse::FuseElementwise;
use super::outs::remove_outs_dependency;

/// Fuses element-wise loop nests on tensors into those that use them.
#[derive(Clone, Default)]
pub struct FuseElementwiseOps {
    patterns: Option<Arc<FrozenPatterns>>,
}

/// The patterns of the pass: fusion where the producer has one use, reshapes moved past nests, folding of constants and fills, erasure of what is
/// unused, and the canonicalizations that clean up behind them.
fn patterns(cx: &Context) -> Patterns {
    let root = Some(GenericOp::NAME);
    let mut patterns = Patterns::new();
    patterns.add(FuseElementwise(|op, index| {
        op.operand(index)
            .defining_op()
            .is_some_and(|producer| producer.results().iter().flat_map(|result| result.uses()).take(2).count() == 1)
    }));
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

    fn initialize(&mut self, cx: &Context) -> PassResult {
        self.patterns = Some(Arc::new(patterns(cx).freeze()));
        Ok(())
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = match &self.patterns {
            Some(patterns) => patterns.clone(),
            None => Arc::new(patterns(cx.ctx).freeze()),
        };
        let config = GreedyConfig { top_down: true, ..GreedyConfig::default() };
        if !cx.rewrite_greedily(&patterns, &config)?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}
