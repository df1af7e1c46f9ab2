//! What the tests of the interpreter share.

use dl_ir::Context;

/// One with all dialects whose operations run.
pub(crate) fn context() -> Context {
    let mut cx = Context::new();
    cx.register(&dl_affine::Affine);
    cx.register(&dl_arith::Arith);
    cx.register(&dl_bufferization::Bufferization);
    cx.register(&dl_cf::Cf);
    cx.register(&dl_complex::Complex);
    cx.register(&dl_func::Func);
    cx.register(&dl_index::Index);
    cx.register(&dl_linalg::Linalg);
    cx.register(&dl_llvm::Llvm);
    cx.register(&dl_math::Math);
    cx.register(&dl_memref::MemRef);
    cx.register(&dl_scf::Scf);
    cx.register(&dl_tensor::Tensor);
    cx.register(&dl_ub::Ub);
    cx.register(&dl_vector::Vector);
    cx
}
