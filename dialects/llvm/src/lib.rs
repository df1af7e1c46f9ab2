//! The `llvm` dialect: LLVM IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod conditions;
mod generated;
pub mod types;

pub use generated::*;
