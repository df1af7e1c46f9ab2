//! Constraints on types and attributes that every dialect shares, named as in ODS, and what predicates are built from.
//!
//! The constraints are generated from MLIR's own (`CommonTypeConstraints.td`, `CommonAttrConstraints.td`). Each is a `static`
//! with the words that verifier messages use.

mod generated;
pub mod leaves;

pub use generated::*;
