//! The LLVM back end: from text in MLIR's `llvm` dialect to LLVM IR, assembly, object files and running code.
//!
//! ```text
//! MLIR text --from_mlir--> LlvmModule --optimize--> LlvmModule --emit--> LLVM IR, assembly, object
//!                              \--compile--> functions of this process
//! ```
//!
//! This is the one crate that links MLIR and LLVM (22). It takes text, not the compiler's own IR, so nothing else depends on either.
//! Errors that upstream would print, or end the process with, come back as [`Error`] values. What LLVM holds to be its own bug, such as an
//! intrinsic that the target has no instruction for, still ends the process, with a message and exit status 1.

mod aligned;
mod constants;
mod emit;
mod error;
mod fatal;
mod heap;
mod jit;
mod module;
mod nesting;
mod optimize;
mod options;
mod parts;
mod subtarget;
mod target;
mod translate;
mod upstream;

pub use constants::Constant;
pub use error::{Diagnostic, Error, Position, Result, Severity};
pub use jit::{Objects, link};
pub use module::LlvmModule;
pub use nesting::MAX_NESTING;
pub use options::{CodegenOptions, EmitKind, OptLevel};
pub use target::{Target, host_description};
pub use upstream::{Upstream, run_upstream};
