//! Transforms of `vector` operations: their lowering to simpler ones of the dialect, and passes that do parts of it.

#![forbid(unsafe_code)]

pub mod build;
mod lower_mask;
pub mod lowering;
mod masking;
mod multi_reduction;
pub mod transfer;

pub use lower_mask::LowerVectorMask;
pub use multi_reduction::{LowerVectorMultiReduction, MultiReductionLowering, MultiReductionOptions, multi_reduction};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<LowerVectorMask>();
    registry.pass::<LowerVectorMultiReduction>();
}
