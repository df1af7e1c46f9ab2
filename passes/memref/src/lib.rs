//! Transforms of `memref` operations. Names, options and results are those of `mlir-opt`.

#![forbid(unsafe_code)]

mod apply;
pub mod strided_metadata;

pub use strided_metadata::ExpandStridedMetadata;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<ExpandStridedMetadata>();
}
