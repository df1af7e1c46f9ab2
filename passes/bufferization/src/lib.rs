//! From tensors to buffers, and from buffers to freed ones.

#![forbid(unsafe_code)]

pub mod bufferize;
pub mod deallocation;
pub mod empty_tensors;
pub mod optimize;
pub mod out_params;
mod tensor_copies;
mod to_memref;
mod transform_ops;

pub use tensor_copies::TensorCopyInsertion;
pub use to_memref::ConvertBufferizationToMemref;

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of each dialect how they bufferize, and to those of schedules what they do that this crate knows.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&bufferize::Models);
    cx.extend(&transform_ops::TransformOps);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<ConvertBufferizationToMemref>();
    registry.pass::<bufferize::OneShotBufferize>();
    registry.pass::<empty_tensors::EliminateEmptyTensors>();
    registry.pass::<empty_tensors::EmptyTensorToAllocTensor>();
    registry.pass::<optimize::BufferHoisting>();
    registry.pass::<optimize::BufferLoopHoisting>();
    registry.pass::<optimize::DropEquivalentBufferResults>();
    registry.pass::<optimize::OptimizeAllocationLiveness>();
    registry.pass::<optimize::PlanMemory>();
    registry.pass::<optimize::PromoteBuffersToStack>();
    registry.pass::<TensorCopyInsertion>();
    registry.pass::<out_params::BufferResultsToOutParams>();
    registry.pass::<deallocation::BufferDeallocationSimplification>();
    registry.pass::<deallocation::LowerDeallocations>();
    registry.pass::<deallocation::OwnershipBasedBufferDeallocation>();
}
