//! `test-tensor-copy-insertion`: the copies that bufferization would make, and nothing else, for tests.

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};

use crate::bufferize::insert_copies;
use crate::bufferize::options::Options;

dl_ir::pass_options! {
    /// Options of [`TensorCopyInsertion`].
    pub struct TensorCopyInsertionOptions {
        /// Loops may yield new buffers
        allow_return_allocs_from_loops "allow-return-allocs-from-loops": bool = false,
        /// Functions, calls and returns count too
        bufferize_function_boundaries "bufferize-function-boundaries": bool = false,
        /// A memory space must follow from the program
        must_infer_memory_space "must-infer-memory-space": bool = false,
    }
}

/// Makes each copy that bufferization needs as a `bufferization.alloc_tensor`.
#[derive(Clone, Default)]
pub struct TensorCopyInsertion {
    /// The options.
    pub options: TensorCopyInsertionOptions,
}

impl Pass for TensorCopyInsertion {
    const INFO: PassInfo =
        PassInfo::new("test-tensor-copy-insertion", "Module pass to test Tensor Copy Insertion").on("builtin.module");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let options = Options {
            allow_return_allocs_from_loops: self.options.allow_return_allocs_from_loops,
            function_boundaries: self.options.bufferize_function_boundaries,
            must_infer_memory_space: self.options.must_infer_memory_space,
            ..Options::default()
        };
        insert_copies(cx.ctx, cx.ir, &options)
    }
}
