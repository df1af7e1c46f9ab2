//! Transforms of `vector` operations: their lowering to simpler ones of the dialect, and passes that do parts of it.

#![forbid(unsafe_code)]

pub mod build;
pub mod lowering;
mod masking;
pub mod transfer;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(_registry: &mut PassRegistry) {}
