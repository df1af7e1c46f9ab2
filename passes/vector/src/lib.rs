//! Transforms of `vector` operations: their lowering to simpler ones of the dialect, and passes that do parts of it.

#![forbid(unsafe_code)]

pub mod build;
mod fold_extension;
mod fold_into_contract;
mod forward_transfers;
mod linearize;
mod lower_mask;
pub mod lowering;
mod masking;
mod multi_reduction;
mod passes;
mod reductions;
mod shuffle_tree;
mod sink;
pub mod transfer;
mod transform_ops;
mod unroll;

pub use fold_extension::fold_extension;
pub use fold_into_contract::reduction_to_contract;
pub use forward_transfers::ForwardTransfers;
pub use linearize::{Linearize, LinearizeOptions};
pub use lower_mask::LowerVectorMask;
pub use masking::masked;
pub use multi_reduction::{LowerVectorMultiReduction, MultiReductionLowering, MultiReductionOptions, multi_reduction};

pub use passes::*;
pub use shuffle_tree::ShuffleTree;
pub use sink::sink_ops;
pub use unroll::{Unroll, UnrollOptions};

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of schedules what those do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<ForwardTransfers>();
    registry.pass::<Linearize>();
    registry.pass::<LowerVectorMask>();
    registry.pass::<LowerVectorMultiReduction>();
    registry.pass::<ShuffleTree>();
    registry.pass::<Unroll>();
    passes::register(registry);
}
