//! Transforms of `linalg` loop nests on tensors.

mod constants;
mod erase_unused;
mod fuse;
mod generic;
mod outs;
mod pass;

pub use fuse::{ControlFusion, fuse_elementwise};
pub use pass::FuseElementwiseOps;
