//! Every pass of `dl`, and the named pipelines.
//!
//! Each folder beside this one is a crate with the passes of a dialect, or of none, so that a change builds what depends on it only.
//! Tools call [`register_all`]; names and options are upstream's where the pass exists there.

#![forbid(unsafe_code)]

mod other_names;
mod pipelines;

pub use dl_passes_accelerator as accelerator;
pub use dl_passes_affine as affine;
pub use dl_passes_arith as arith;
pub use dl_passes_bufferization as bufferization;
pub use dl_passes_conversion as conversion;
pub use dl_passes_cpu as cpu;
pub use dl_passes_linalg as linalg;
pub use dl_passes_llvm as llvm;
pub use dl_passes_math as math;
pub use dl_passes_memref as memref;
pub use dl_passes_scf as scf;
pub use dl_passes_schedules as schedules;
pub use dl_passes_tensor as tensor;
pub use dl_passes_transforms as transforms;
pub use dl_passes_vector as vector;
pub use dl_passes_verification as verification;

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches what the passes need to know of the operations of each dialect.
pub fn extend_context(cx: &mut Context) {
    affine::extend_context(cx);
    bufferization::extend_context(cx);
    linalg::extend_context(cx);
    memref::extend_context(cx);
    scf::extend_context(cx);
    schedules::extend_context(cx);
    tensor::extend_context(cx);
    vector::extend_context(cx);
    verification::extend_context(cx);
}

/// Registers every pass and pipeline.
pub fn register_all(registry: &mut PassRegistry) {
    accelerator::register(registry);
    affine::register(registry);
    arith::register(registry);
    bufferization::register(registry);
    conversion::register(registry);
    cpu::register(registry);
    linalg::register(registry);
    llvm::register(registry);
    math::register(registry);
    memref::register(registry);
    schedules::register(registry);
    scf::register(registry);
    tensor::register(registry);
    transforms::register(registry);
    vector::register(registry);
    verification::register(registry);
    pipelines::register(registry);
    other_names::register(registry);
}
