//! Transforms of `linalg` loop nests on tensors.

#![forbid(unsafe_code)]

mod constants;
pub mod contraction;
mod erase_unused;
pub mod forms;
mod fuse;
mod generic;
mod outs;
mod pass;

pub use fuse::{ControlFusion, fuse_elementwise};
pub use pass::FuseElementwiseOps;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry
        .pass::<forms::GeneralizeNamedOps>()
        .pass::<forms::MorphOps>()
        .pass::<forms::SpecializeGenericOps>()
        .pass::<FuseElementwiseOps>();
}
