//! `tensor-fold-empty`: slices, reshapes and concatenations of empty tensors are empty tensors.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::greedy::GreedyConfig;

use crate::empty::add_empty_patterns;

/// Folds `tensor.empty` into what is made of it.
#[derive(Clone, Copy, Default)]
pub struct FoldEmptyTensors;

impl Pass for FoldEmptyTensors {
    const INFO: PassInfo =
        PassInfo::new("tensor-fold-empty", "Fold tensor.empty into slices, reshapes and concatenations of it");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_empty_patterns(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}
