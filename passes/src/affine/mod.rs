//! Passes on the `affine` dialect.

mod simplify_structures;

pub use simplify_structures::SimplifyStructures;
