//! Transforms of `tensor` operations, and shapes of results in terms of operands.

#![forbid(unsafe_code)]

pub mod constants;
mod decompose_concat;
mod empty;
mod fold_constants;
mod fold_empty;
mod fold_reshapes;
mod fold_subset;
mod hoist_subsets;
mod merge_slices;
mod reify_shapes;
mod resolve_dims;
mod schedule;
mod sink_empty;
mod transform_ops;

pub use decompose_concat::DecomposeConcat;
pub use empty::add_empty_patterns;
pub use fold_constants::{FoldTensorConstants, FoldTensorConstantsOptions};
pub use fold_empty::FoldEmptyTensors;
pub use fold_reshapes::FoldReshapesIntoSlices;
pub use fold_subset::{FoldTensorSubsetOps, add_transfer_patterns};
pub use hoist_subsets::LoopInvariantSubsetHoisting;
pub use merge_slices::MergeSlices;
pub use reify_shapes::ReifyResultShapes;
pub use resolve_dims::{
    ResolveDimsOptions, ResolveRankedShapedTypeResultDims, ResolveShapedTypeResultDims, add_resolve_dims_patterns,
};
pub use schedule::{TensorSchedule, TensorScheduleOptions};
pub use sink_empty::SinkEmptyTensors;

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of schedules what those do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .pass::<DecomposeConcat>()
        .pass::<FoldEmptyTensors>()
        .pass::<FoldReshapesIntoSlices>()
        .pass::<FoldTensorConstants>()
        .pass::<FoldTensorSubsetOps>()
        .pass::<LoopInvariantSubsetHoisting>()
        .pass::<MergeSlices>()
        .pass::<ReifyResultShapes>()
        .pass::<ResolveRankedShapedTypeResultDims>()
        .pass::<ResolveShapedTypeResultDims>()
        .pass::<SinkEmptyTensors>()
        .pass::<TensorSchedule>();
}
