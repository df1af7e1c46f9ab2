//! `convert-linalg-to-loops`, `convert-linalg-to-affine-loops` and `convert-linalg-to-parallel-loops`: a loop nest for each
//! `linalg` operation on buffers, with its body between loads and stores.
//!
//! One loop for each iterator, outermost first; the extent of a loop is that of the first operand dimension it runs over.
//! Elements of operands that the body does not read are not loaded. Where an extent is no bound of an affine loop, as that of a buffer which
//! a loop around carries, the whole nest is of `scf.for`.

mod emit;
mod nest;
mod pass;

pub use pass::{ConvertLinalgToAffineLoops, ConvertLinalgToLoops, ConvertLinalgToParallelLoops};
