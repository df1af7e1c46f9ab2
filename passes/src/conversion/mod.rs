//! Conversions between dialects, down to the `llvm` dialect. Names, options and results are those of `mlir-opt`.

mod build;
mod lower_affine;
mod reductions;

pub use lower_affine::LowerAffine;
