//! Conversions between dialects, down to the `llvm` dialect. Names, options and results are those of `mlir-opt`.

mod arith_expand;
mod arith_to_llvm;
mod build;
mod cf_to_llvm;
mod descriptor;
mod func_to_llvm;
mod linalg_to_loops;
mod llvm_build;
mod llvm_types;
mod lower_affine;
mod math_to_llvm;
mod memref_to_llvm;
mod one_to_one;
mod reconcile;
mod reductions;
mod request_c_wrappers;
mod scf_to_cf;

pub use arith_expand::ArithExpand;
pub use arith_to_llvm::{ArithToLlvmOptions, ConvertArithToLlvm};
pub use cf_to_llvm::{CfToLlvmOptions, ConvertCfToLlvm};
pub use func_to_llvm::{ConvertFuncToLlvm, FuncToLlvmOptions};
pub use linalg_to_loops::{ConvertLinalgToAffineLoops, ConvertLinalgToLoops, ConvertLinalgToParallelLoops};
pub use lower_affine::LowerAffine;
pub use math_to_llvm::{ConvertMathToLlvm, MathToLlvmOptions};
pub use memref_to_llvm::{FinalizeMemrefToLlvm, MemrefToLlvmOptions};
pub use reconcile::ReconcileUnrealizedCasts;
pub use request_c_wrappers::LlvmRequestCWrappers;
pub use scf_to_cf::ConvertScfToCf;
