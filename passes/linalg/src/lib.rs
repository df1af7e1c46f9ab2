//! Transforms of `linalg` loop nests on tensors.

#![forbid(unsafe_code)]

mod aggregated;
mod batch_norm;
mod block_pack;
mod channels_last;
mod combiner;
mod constant_fold;
mod constant_nest;
mod constants;
pub mod contraction;
mod decompose_pad;
mod depthwise;
mod detensorize;
mod elementwise_to_linalg;
mod erase_unused;
mod expand_fusion;
mod fold_into_elementwise;
pub mod forms;
mod fuse;
mod generic;
mod img2col;
mod inline_scalars;
mod integers;
mod outs;
pub mod pack;
mod pads;
mod pass;
mod propagate_packs;
mod siblings;
mod split_epilogues;
mod sweeps;
pub mod tiling;
mod transform_ops;
mod transposes;
mod unit_dims;
mod unit_reads;
mod vectorize;
mod whole;

pub use aggregated::DecomposeAggregatedOps;
pub use batch_norm::{FoldBatchNorm, FoldBatchNormOptions};
pub use block_pack::{BlockPackMatmul, BlockPackMatmulOptions};
pub use channels_last::ChannelsLast;
pub use depthwise::SimplifyDepthwiseConv;
pub use detensorize::{Detensorize, DetensorizeOptions};
pub use elementwise_to_linalg::ConvertElementwiseToLinalg;
pub use expand_fusion::FuseReshapesByExpansion;
pub use fold_into_elementwise::FoldIntoElementwise;
pub use fuse::{ControlFusion, fuse_elementwise};
pub use img2col::ConvertConvToImg2Col;
pub use inline_scalars::InlineScalarOperands;
pub use integers::IntegerContractions;
pub use pads::DecomposePads;
pub use pass::{FuseElementwiseOps, FuseElementwiseOpsOptions};
pub use propagate_packs::PropagatePacks;
pub use siblings::{FuseSiblingMatmuls, FuseSiblingMatmulsOptions};
pub use split_epilogues::SplitEpilogues;
pub use sweeps::JoinSweeps;
pub use transposes::EliminateTransposes;

pub use unit_dims::{FoldUnitExtentDims, FoldUnitExtentDimsOptions};
pub use vectorize::{Vectorize, VectorizeOptions, vector_obstacle};

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of schedules what those do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .pass::<BlockPackMatmul>()
        .pass::<ConvertConvToImg2Col>()
        .pass::<ConvertElementwiseToLinalg>()
        .pass::<DecomposeAggregatedOps>()
        .pass::<DecomposePads>()
        .pass::<Detensorize>()
        .pass::<ChannelsLast>()
        .pass::<EliminateTransposes>()
        .pass::<FoldBatchNorm>()
        .pass::<FoldIntoElementwise>()
        .pass::<FoldUnitExtentDims>()
        .pass::<FuseReshapesByExpansion>()
        .pass::<FuseSiblingMatmuls>()
        .pass::<InlineScalarOperands>()
        .pass::<IntegerContractions>()
        .pass::<JoinSweeps>()
        .pass::<PropagatePacks>()
        .pass::<SimplifyDepthwiseConv>()
        .pass::<SplitEpilogues>()
        .pass::<tiling::Tile>()
        .pass::<tiling::TileAndFuse>()
        .pass::<tiling::FuseRows>()
        .pass::<forms::GeneralizeNamedOps>()
        .pass::<forms::MorphOps>()
        .pass::<forms::SpecializeGenericOps>()
        .pass::<FuseElementwiseOps>()
        .pass::<Vectorize>();
}
