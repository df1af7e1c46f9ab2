//! Fuzzing: random and mutated inputs for everything that reads or changes IR, and what must hold of each.
//!
//! * [`targets`] says what is done with an input and what must hold then.
//! * [`mutate`] makes a new input of an old one: by bytes, by tokens, and by changing the IR that the text stands for.
//! * [`judge`] runs functions before and after each rewrite.
//! * [`generate`] writes random programs, and [`campaign`] runs passes on them, before and after which the programs must do the same.
//! * [`corpus`] has the inputs to begin with: the `.mlir` tests of the project and `fuzz/corpus`.
//! * [`guard`] turns panics into findings and stops at hangs, where no fuzzing engine does it.
//!
//! Every input is text (bytecode for one target), so a finding is a file that `dl-opt` takes. Three programs use this: the binary
//! `fuzz-target` under libFuzzer, guided by coverage; the test `replay`, for a moment on every build; and `dl-fuzz`, to run and
//! to minimize single files. `docs/fuzzing.md` tells how.

#![forbid(unsafe_code)]

pub mod campaign;
pub mod corpus;
pub mod generate;
pub mod guard;
pub mod judge;
mod lab;
pub mod minimize;
pub mod mutate;
pub mod targets;

pub use lab::Lab;
