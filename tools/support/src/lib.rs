//! What the command line tools share: reading inputs, writing outputs, showing diagnostics, plugins.
//!
//! A crate of its own, because `dl-opt` must not link LLVM, not even where it is built beside the tools that do: loading that library
//! takes ten times as long as `dl-opt` needs to start.

#![deny(unsafe_code)]

pub mod command_line;
pub mod extensions;
pub mod files;
pub mod heap;
mod mapping;
pub mod messages;
pub mod plugins;
pub mod reproducer;
mod response_files;
pub mod trace;
