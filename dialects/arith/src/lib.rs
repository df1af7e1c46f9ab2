//! The `arith` dialect: arithmetic on integers, indices and floats.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod conditions;
mod generated;

pub use generated::*;
