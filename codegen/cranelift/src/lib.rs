//! The embedded back end: from a module in the `llvm` dialect to machine code, by Cranelift. It needs no LLVM and takes milliseconds.
//!
//! ```text
//! module --compile--> functions of this process
//!        \--object--> object file
//! ```
//!
//! A module is translated function by function and operation by operation (`dispatch`); `shape` says how values of each type are held. What
//! optimizes is the pipeline before, and Cranelift's own simplification of expressions. What is not supported is an error at the operation.

mod abi;
mod addresses;
mod call;
mod constants;
mod convert;
mod dispatch;
mod float;
mod function;
mod globals;
mod hoist;
mod int;
mod jit;
mod lanes;
mod masked;
mod memory;
mod object;
mod packed;
mod reduce;
mod schedule;
mod shape;
mod target;
mod unit;
mod unroll;
mod vector;

pub use jit::compile;
pub use object::object;
pub use target::TargetOptions;
