//! Conversions between dialects, down to the `llvm` dialect. Names, options and results are those of `mlir-opt`.

mod build;
mod linalg_to_loops;
mod lower_affine;
mod reductions;
mod scf_to_cf;

pub use linalg_to_loops::{ConvertLinalgToAffineLoops, ConvertLinalgToLoops, ConvertLinalgToParallelLoops};
pub use lower_affine::LowerAffine;
pub use scf_to_cf::ConvertScfToCf;
