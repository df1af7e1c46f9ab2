//! `linalg-fold-unit-extent-dims`: loops of one step and dimensions of extent 1 are dropped.
//!
//! First each `linalg.generic` and `tensor.pad` is replaced by one without them, between reshapes, or slices of lower rank, of operands and
//! results. Then the reshapes are folded into one another and into what surrounds them.

mod drop;
mod inits;
mod pad;
mod pass;
mod reduce;
mod slices;

pub use pass::{FoldUnitExtentDims, FoldUnitExtentDimsOptions};
