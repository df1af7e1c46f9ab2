//! Pipelines that can be named.
//!
//! Each is a text, so that `dl-opt --dump-pass-pipeline` shows what runs and a user can take it as a start for another.

use dl_ir::pass::PassRegistry;

/// What is done to a program on tensors before its values get memory.
const OPTIMIZE: &str = "canonicalize,cse,linalg-fuse-elementwise-ops";

/// Gives each tensor a buffer, that of a value no longer needed where there is one.
const BUFFERIZE: &str =
    "one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}";

/// Frees each buffer after its last use.
const DEALLOCATE: &str = "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,\
                          bufferization-lower-deallocations,cse,canonicalize";

/// Frees each buffer after its last use where calls and reallocations free nothing yet, as upstream.
fn free_buffers(options: &DeallocationPipelineOptions) -> String {
    let private = options.private_function_dynamic_ownership;
    format!(
        "expand-realloc{{emit-deallocs=false}},canonicalize,\
         ownership-based-buffer-deallocation{{private-function-dynamic-ownership={private}}},canonicalize,\
         buffer-deallocation-simplification,bufferization-lower-deallocations,cse,canonicalize"
    )
}

dl_ir::pass_options! {
    /// Options of `buffer-deallocation-pipeline`.
    struct DeallocationPipelineOptions {
        /// Allows to add additional arguments to private functions to dynamically pass ownership of memrefs to callees
        private_function_dynamic_ownership "private-function-dynamic-ownership": bool = false,
    }
}

/// Takes a program on buffers to the `llvm` dialect.
const LOWER: &str = "convert-linalg-to-affine-loops,lower-affine,convert-scf-to-cf,func.func(llvm-request-c-wrappers),\
                     convert-math-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,\
                     convert-arith-to-llvm,reconcile-unrealized-casts";

/// Registers the pipelines of this crate, for the outermost module.
pub(crate) fn register(registry: &mut PassRegistry) {
    registry.pipeline_with(
        "buffer-deallocation-pipeline",
        "The default pipeline for automatically inserting deallocation operations after one-shot bufferization",
        free_buffers,
    );
    registry.pipeline(
        "cpu-lowering-pipeline",
        "Lower a program on buffers, which manages its memory itself, to the llvm dialect",
        LOWER,
    );
    registry.pipeline_with(
        "cpu-pipeline",
        "Lower a program, on tensors or buffers, to the llvm dialect for this machine",
        |_: &dl_ir::pass::NoOptions| [OPTIMIZE, BUFFERIZE, DEALLOCATE, LOWER].join(","),
    );
}
