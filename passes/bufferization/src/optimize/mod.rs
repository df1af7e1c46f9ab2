//! Better places for allocations: further out, on the stack, for a shorter time, or in one piece of memory.

mod arena;
mod drop_results;
mod flow;
mod hoisting;
mod liveness;
mod plan;
mod stack;

pub use drop_results::DropEquivalentBufferResults;
pub use hoisting::{BufferHoisting, BufferLoopHoisting};
pub use liveness::OptimizeAllocationLiveness;
pub use plan::PlanMemory;
pub use stack::PromoteBuffersToStack;
