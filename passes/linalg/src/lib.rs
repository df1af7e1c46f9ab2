//! Transforms of `linalg` loop nests on tensors.

#![forbid(unsafe_code)]

mod constants;
mod erase_unused;
mod fuse;
mod generic;
mod outs;
mod pass;

pub use fuse::{ControlFusion, fuse_elementwise};
pub use pass::FuseElementwiseOps;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<FuseElementwiseOps>();
}
