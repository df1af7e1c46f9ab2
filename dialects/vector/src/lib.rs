//! The `vector` dialect: vectors of registers.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod conditions;
mod generated;

pub use generated::*;
