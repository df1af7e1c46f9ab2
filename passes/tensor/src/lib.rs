//! Transforms of `tensor` operations, and shapes of results in terms of operands.

#![forbid(unsafe_code)]

pub mod constants;
mod empty;
mod fold_subset;
mod reify_shapes;
mod resolve_dims;

pub use empty::add_empty_patterns;
pub use fold_subset::FoldTensorSubsetOps;
pub use reify_shapes::ReifyResultShapes;
pub use resolve_dims::{
    ResolveDimsOptions, ResolveRankedShapedTypeResultDims, ResolveShapedTypeResultDims, add_resolve_dims_patterns,
};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .pass::<FoldTensorSubsetOps>()
        .pass::<ReifyResultShapes>()
        .pass::<ResolveRankedShapedTypeResultDims>()
        .pass::<ResolveShapedTypeResultDims>();
}
