//! `dl-translate` and `dl-run` as libraries: a tool of one's own, with more dialects and passes, is a `main` of three lines.
//!
//! ```no_run
//! let registry = dl_ir::pass::PassRegistry::new();
//! // Register dialects and passes, as `dl_tools::Registry` does.
//! let _code = dl_driver::run::main(&dl_ir::Context::new(), &registry);
//! ```
//!
//! Both read a [program](program), lower it where that is still to be done, and hand it to the LLVM back end as text.

#![forbid(unsafe_code)]

mod command_line;
mod onnx;
mod program;
pub mod run;
pub mod translate;
pub mod upstream;
