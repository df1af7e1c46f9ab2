//! The `bufferization` dialect: the way from tensors to memory.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod conditions;
mod generated;

pub use generated::*;
