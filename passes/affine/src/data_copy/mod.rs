//! `affine-data-copy-generate`: explicit copies of what loops touch to a faster memory, and back.
//!
//! For a loop whose footprint fits into the fast memory, [`region`] finds the box of each buffer that is touched, as bounds in terms of what is
//! known before the loop. *Legal* where all accesses to the buffer in the loop are affine and what is copied lies in the buffer. The box is copied
//! in where it is read or not wholly written (upstream brings back what was never there), and back where it is written; copies move out of loops that
//! they do not depend on. A part that no single transfer can move stays where it is when transfers are wanted.
//!
//! [`contract`] uses the same boxes to make buffers smaller that only one loop uses.

mod contract;
mod emit;
mod pass;
mod region;

pub(crate) use contract::contract;
pub use pass::{AffineDataCopyGenerate, AffineDataCopyGenerateOptions};
