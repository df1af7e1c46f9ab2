//! Passes on the `affine` dialect.

#![forbid(unsafe_code)]

mod simplify_structures;

pub use simplify_structures::SimplifyStructures;

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<SimplifyStructures>();
}
