//! `dl-translate` and `dl-run` as libraries: a tool of one's own, with more dialects and passes, is a `main` of three lines.
//!
//! ```no_run
//! let registry = dl_plugin::Registry::new();
//! // Register dialects and passes, as `dl_tools::standard` does.
//! let _code = dl_driver::run::main(registry);
//! ```
//!
//! Both read a [program](program), lower it where that is still to be done, and hand it to the LLVM back end as text.

#![forbid(unsafe_code)]

mod command_line;
mod constants;
mod onnx;
mod program;
pub mod run;
pub mod translate;
pub mod upstream;
