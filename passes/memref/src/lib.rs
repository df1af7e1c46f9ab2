//! Transforms of `memref` operations. Names, options and results are those of `mlir-opt`.

#![forbid(unsafe_code)]

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(_registry: &mut PassRegistry) {}
