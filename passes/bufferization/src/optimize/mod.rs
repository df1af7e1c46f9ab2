//! Better places for allocations: further out, on the stack, or for a shorter time.

mod drop_results;
mod flow;
mod hoisting;
mod liveness;
mod stack;

pub use drop_results::DropEquivalentBufferResults;
pub use hoisting::{BufferHoisting, BufferLoopHoisting};
pub use liveness::OptimizeAllocationLiveness;
pub use stack::PromoteBuffersToStack;
