//! The passes of `dl`: transforms that know no dialect, conversions between dialects, and named pipelines.
//!
//! Tools call [`register_all`]; names and options are upstream's where the pass exists there.

#![forbid(unsafe_code)]

pub mod affine;
pub mod bufferize;
pub mod conversion;
pub mod dataflow;
pub mod deallocation;
pub mod linalg;
mod pipelines;
pub mod transforms;

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches what the passes of this crate need to know of the operations of each dialect.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&bufferize::Models);
}

/// Registers every pass and pipeline of this crate.
pub fn register_all(registry: &mut PassRegistry) {
    registry.pass::<affine::SimplifyStructures>();
    registry.pass::<bufferize::OneShotBufferize>();
    registry.pass::<deallocation::BufferDeallocationSimplification>();
    registry.pass::<deallocation::LowerDeallocations>();
    registry.pass::<deallocation::OwnershipBasedBufferDeallocation>();
    registry.pass::<linalg::FuseElementwiseOps>();
    registry.pass::<transforms::Canonicalize>();
    registry.pass::<transforms::CompositeFixedPoint>();
    registry.pass::<transforms::Cse>();
    registry.pass::<transforms::LoopInvariantCodeMotion>();
    registry.pass::<transforms::Sccp>();
    registry.pass::<transforms::StripDebugInfo>();
    registry.pass::<transforms::SymbolDce>();
    registry.pass::<conversion::ConvertLinalgToAffineLoops>();
    registry.pass::<conversion::ConvertLinalgToLoops>();
    registry.pass::<conversion::ConvertLinalgToParallelLoops>();
    registry.pass::<conversion::LowerAffine>();
    registry.pass::<conversion::ConvertScfToCf>();
    registry.pass::<conversion::ArithExpand>();
    registry.pass::<conversion::ConvertArithToLlvm>();
    registry.pass::<conversion::ConvertMathToLlvm>();
    registry.pass::<conversion::ConvertCfToLlvm>();
    registry.pass::<conversion::ConvertFuncToLlvm>();
    registry.pass::<conversion::FinalizeMemrefToLlvm>();
    registry.pass::<conversion::ConvertUbToLlvm>();
    registry.pass::<conversion::ConvertToLlvm>();
    registry.pass::<conversion::LlvmRequestCWrappers>();
    registry.pass::<conversion::ReconcileUnrealizedCasts>();
    pipelines::register(registry);
}
