//! `test-lower-to-llvm`: from the main dialects down to `llvm`.

use dl_ir::pass::PassRegistry;

dl_ir::pass_options! {
    /// Options of `test-lower-to-llvm`.
    struct LowerToLlvmOptions {
        /// Allow reassociation of FP reductions
        reassociate_fp_reductions "reassociate-fp-reductions": bool = false,
    }
}

/// The passes, those that `mlir-opt --test-lower-to-llvm --dump-pass-pipeline` lists.
fn lower_to_llvm(options: &LowerToLlvmOptions) -> String {
    let reassociate = options.reassociate_fp_reductions;
    format!(
        "func.func(convert-vector-to-scf),func.func(convert-linalg-to-loops),lower-affine,convert-scf-to-cf,canonicalize,cse,\
         convert-vector-to-llvm{{reassociate-fp-reductions={reassociate}}},func.func(convert-math-to-llvm),expand-strided-metadata,\
         lower-affine,finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,\
         convert-ub-to-llvm,reconcile-unrealized-casts"
    )
}

/// Registers the pipeline.
pub(crate) fn register(registry: &mut PassRegistry) {
    registry.pipeline_with(
        "test-lower-to-llvm",
        "An example of pipeline to lower the main dialects (arith, linalg, memref, scf, vector) down to LLVM.",
        lower_to_llvm,
    );
}
