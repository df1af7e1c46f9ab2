//! Systems of linear equations and inequalities over the integers: whether they have a solution, what they imply, and their projections.
//!
//! Affine sets, the bounds of loops and the dependences between accesses of memory are questions of this kind. All answers are exact: numbers
//! are integers of any size, and emptiness is decided by the Omega test (W. Pugh, "A practical algorithm for exact array dependence
//! analysis", Communications of the ACM 35(8), 1992). In the worst case its cost is exponential, so it has a limit of work, after which the
//! answer is `None`: not known.
//!
//! * [`System`] is a list of constraints, and `contains`, `implies` and `without` are asked of it.
//! * [`AffineStore::system_of_set`](crate::affine::AffineStore::system_of_set) makes one of an affine set; `floordiv`, `ceildiv` and `mod`
//!   become unknowns of their own.

mod affine;
mod omega;
mod project;
mod system;
#[cfg(test)]
mod tests;

pub use project::Projection;
pub use system::{Linear, System};
