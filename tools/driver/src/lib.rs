//! `dl-translate` and `dl-run` as libraries: a tool of one's own, with more dialects and passes, is a `main` of three lines.
//!
//! ```no_run
//! let registry = dl_plugin::Registry::new();
//! // Register dialects and passes, as `dl_tools::standard` does.
//! let _code = dl_driver::run::main(registry);
//! ```
//!
//! Both read a [program], lower it where that is still to be done, and hand it to a [back end](backend).

#![forbid(unsafe_code)]

pub mod backend;
mod c_function;
pub mod cache;
pub mod codegen;
mod header;
mod kernels;
mod link;
pub mod model;
pub mod onnx;
pub mod program;
mod progress;
pub mod run;
pub mod translate;
#[cfg(feature = "llvm")]
pub mod upstream;
