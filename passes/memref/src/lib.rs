//! Transforms of `memref` operations. Names, options and results are those of `mlir-opt`.

#![forbid(unsafe_code)]

mod access;
mod alias;
mod apply;
mod bubble_down_casts;
mod emulate_wide_int;
mod expand_ops;
mod expand_realloc;
mod flatten;
mod narrow;
mod normalize;
pub mod strided_metadata;
mod transform_ops;

pub use alias::{AffineFoldMemRefAliasOps, FoldMemRefAliasOps};
pub use bubble_down_casts::BubbleDownMemorySpaceCasts;
pub use emulate_wide_int::{MemrefEmulateWideInt, MemrefEmulateWideIntOptions};
pub use expand_ops::MemrefExpand;
pub use expand_realloc::{ExpandRealloc, ExpandReallocOptions};
pub use flatten::FlattenMemref;
pub use narrow::{MemrefEmulateNarrowType, MemrefEmulateNarrowTypeOptions};
pub use normalize::NormalizeMemRefs;
pub use strided_metadata::ExpandStridedMetadata;

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of schedules what those do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<AffineFoldMemRefAliasOps>();
    registry.pass::<BubbleDownMemorySpaceCasts>();
    registry.pass::<ExpandRealloc>();
    registry.pass::<ExpandStridedMetadata>();
    registry.pass::<FlattenMemref>();
    registry.pass::<FoldMemRefAliasOps>();
    registry.pass::<MemrefEmulateNarrowType>();
    registry.pass::<MemrefEmulateWideInt>();
    registry.pass::<MemrefExpand>();
    registry.pass::<NormalizeMemRefs>();
}
