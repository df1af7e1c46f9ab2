//! Freeing buffers.
//!
//! 1. `ownership-based-buffer-deallocation` gives each buffer a condition, its *ownership*: whether the block that it is in has
//!    to free it. Conditions travel with buffers through branches, loops and regions as `i1` values. At the end of each block a
//!    `bufferization.dealloc` frees what the block owns and does not hand on.
//! 2. `buffer-deallocation-simplification` drops from these operations what is known not to alias.
//! 3. `bufferization-lower-deallocations` turns them into comparisons of pointers and `memref.dealloc`.
//!
//! Source of the method: "Ownership-based Buffer Deallocation" in the MLIR documentation.

mod helper;
mod insert;
mod liveness;
mod lower;
mod origin;
mod ownership;
mod pass;
mod simplify;
mod split;

pub use insert::deallocate_buffers;
pub(crate) use pass::lower_deallocations;
pub use pass::{BufferDeallocationSimplification, LowerDeallocations, OwnershipBasedBufferDeallocation};
