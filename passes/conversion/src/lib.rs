//! Conversions between dialects, down to the `llvm` dialect. Names, options and results are those of `mlir-opt`.

#![forbid(unsafe_code)]

mod arith_to_llvm;
mod cf_to_llvm;
mod cf_to_scf;
mod complex;
mod convert_to_llvm;
mod descriptor;
mod dialect_to_llvm;
mod func_to_llvm;
mod index_to_llvm;
mod linalg_to_loops;
mod linalg_to_std;
mod llvm_build;
mod llvm_symbols;
mod llvm_types;
mod lower_affine;
mod math_to_funcs;
mod math_to_libm;
mod math_to_llvm;
mod memref_to_llvm;
mod one_to_one;
mod parallel_to_runtime;
mod reconcile;
mod reductions;
mod request_c_wrappers;
mod scf_build;
mod scf_to_cf;
mod set_module_data_layout;
mod tensor_to_linalg;
mod ub_to_llvm;
mod vector_to_llvm;
mod vector_to_scf;

pub use arith_to_llvm::ConvertArithToLlvm;
pub use cf_to_llvm::{AssertToLlvm, ConvertCfToLlvm};
pub use cf_to_scf::LiftCfToScf;
pub use complex::{
    ComplexRange, ComplexToLlvmOptions, ComplexToStandardOptions, ConvertComplexToLibm, ConvertComplexToLlvm,
    ConvertComplexToStandard,
};
pub use convert_to_llvm::{ConvertToLlvm, ConvertToLlvmOptions};
pub use dialect_to_llvm::{DialectToLlvm, DialectToLlvmOptions, LoweredDialect};
pub use func_to_llvm::{ConvertFuncToLlvm, FuncToLlvmOptions};
pub use index_to_llvm::ConvertIndexToLlvm;
pub use linalg_to_loops::{ConvertLinalgToAffineLoops, ConvertLinalgToLoops, ConvertLinalgToParallelLoops};
pub use linalg_to_std::ConvertLinalgToStd;
pub use lower_affine::LowerAffine;
pub use math_to_funcs::{ConvertMathToFuncs, MathToFuncsOptions};
pub use math_to_libm::ConvertMathToLibm;
pub use math_to_llvm::{ConvertMathToLlvm, MathToLlvmOptions};
pub use memref_to_llvm::{FinalizeMemrefToLlvm, MemrefToLlvmOptions};
pub use parallel_to_runtime::{ConvertParallelToRuntime, ParallelToRuntimeOptions};
pub use reconcile::{ReconcileUnrealizedCasts, ReconcileUnrealizedCastsOptions};
pub use request_c_wrappers::LlvmRequestCWrappers;
pub use scf_to_cf::{ConvertScfToCf, ScfToCfOptions};
pub use set_module_data_layout::{ModuleDataLayoutOptions, SetLlvmModuleDataLayout};
pub use tensor_to_linalg::ConvertTensorToLinalg;
pub use ub_to_llvm::ConvertUbToLlvm;
pub use vector_to_llvm::{ConvertVectorToLlvm, VectorToLlvmOptions};
pub use vector_to_scf::{ConvertVectorToScf, VectorToScfOptions};

use dl_ir::pass::PassRegistry;

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<ConvertArithToLlvm>();
    registry.pass::<ConvertCfToLlvm>();
    registry.pass::<ConvertComplexToLibm>();
    registry.pass::<ConvertComplexToLlvm>();
    registry.pass::<ConvertComplexToStandard>();
    registry.pass::<ConvertFuncToLlvm>();
    registry.pass::<ConvertIndexToLlvm>();
    registry.pass::<ConvertLinalgToAffineLoops>();
    registry.pass::<ConvertLinalgToLoops>();
    registry.pass::<ConvertLinalgToParallelLoops>();
    registry.pass::<ConvertMathToFuncs>();
    registry.pass::<ConvertMathToLibm>();
    registry.pass::<ConvertLinalgToStd>();
    registry.pass::<ConvertMathToLlvm>();
    registry.pass::<ConvertParallelToRuntime>();
    registry.pass::<ConvertScfToCf>();
    registry.pass::<ConvertTensorToLinalg>();
    registry.pass::<ConvertToLlvm>();
    registry.pass::<ConvertUbToLlvm>();
    registry.pass::<ConvertVectorToLlvm>();
    registry.pass::<ConvertVectorToScf>();
    registry.pass::<FinalizeMemrefToLlvm>();
    registry.pass::<LiftCfToScf>();
    registry.pass::<LlvmRequestCWrappers>();
    registry.pass::<LowerAffine>();
    registry.pass::<ReconcileUnrealizedCasts>();
    registry.pass::<SetLlvmModuleDataLayout>();
}
