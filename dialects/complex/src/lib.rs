//! The `complex` dialect: complex numbers.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod generated;

pub use generated::*;
