//! Passes on the `affine` dialect.
//!
//! [`access`] and [`dependence`] say which iterations of loops touch the same memory, [`loops`] what is known of loops; transforms ask them whether
//! they are legal, and change nothing otherwise.

#![forbid(unsafe_code)]

pub mod access;
mod build;
mod coalescing;
mod data_copy;
pub mod dependence;
mod expand_index;
mod fission;
pub mod footprint;
mod fusion;
mod interchange;
mod licm;
pub mod loops;
mod normalize;
mod overlap_transfers;
mod parallelize;
mod raise;
pub mod reduction;
mod scalrep;
mod separate;
mod simplify_min_max;
mod simplify_structures;
mod test_permutation;
mod tiling;
mod transform_ops;
mod unroll;
mod unroll_jam;
mod vectorize;

pub use coalescing::AffineLoopCoalescing;
pub use data_copy::{AffineDataCopyGenerate, AffineDataCopyGenerateOptions};
pub use expand_index::{AffineExpandIndexOps, AffineExpandIndexOpsAsAffine};
pub use fission::AffineLoopFission;
pub use fusion::{AffineLoopFusion, AffineLoopFusionOptions, FusionMode};
pub use interchange::{AffineLoopInterchange, AffineLoopInterchangeOptions};
pub use licm::AffineLoopInvariantCodeMotion;
pub use normalize::{AffineLoopNormalize, AffineLoopNormalizeOptions, normalize_for};
pub use overlap_transfers::AffinePipelineDataTransfer;
pub use parallelize::{AffineParallelize, AffineParallelizeOptions, is_memory_parallel};
pub use raise::RaiseFromMemref;
pub use scalrep::AffineScalarReplacement;
pub use simplify_min_max::AffineSimplifyMinMax;
pub use simplify_structures::SimplifyStructures;
pub use test_permutation::{TestLoopPermutation, TestLoopPermutationOptions};
pub use tiling::{AffineLoopTile, AffineLoopTileOptions, tile_band};
pub use unroll::{AffineLoopUnroll, AffineLoopUnrollOptions, unroll_by, unroll_fully};
pub use unroll_jam::{AffineLoopUnrollJam, AffineLoopUnrollJamOptions, unroll_and_jam};
pub use vectorize::{AffineSuperVectorize, AffineSuperVectorizeOptions};

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of schedules what those do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<AffineDataCopyGenerate>();
    registry.pass::<AffineExpandIndexOps>();
    registry.pass::<AffineExpandIndexOpsAsAffine>();
    registry.pass::<AffineLoopCoalescing>();
    registry.pass::<AffineLoopFission>();
    registry.pass::<AffineLoopFusion>();
    registry.pass::<AffineLoopInterchange>();
    registry.pass::<AffineLoopInvariantCodeMotion>();
    registry.pass::<AffineLoopNormalize>();
    registry.pass::<AffineLoopTile>();
    registry.pass::<AffineLoopUnroll>();
    registry.pass::<AffineLoopUnrollJam>();
    registry.pass::<AffineParallelize>();
    registry.pass::<AffinePipelineDataTransfer>();
    registry.pass::<AffineScalarReplacement>();
    registry.pass::<AffineSimplifyMinMax>();
    registry.pass::<AffineSuperVectorize>();
    registry.pass::<RaiseFromMemref>();
    registry.pass::<SimplifyStructures>();
    registry.pass::<TestLoopPermutation>();
}
