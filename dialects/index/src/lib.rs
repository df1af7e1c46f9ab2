//! The `index` dialect: arithmetic on indices.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod generated;

pub use generated::*;
