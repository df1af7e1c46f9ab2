//! From operation definitions in `TableGen` (ODS) to Rust definitions in the syntax of `dl_ir::op!`.
//!
//! The steps: [`read`] turns records into the owned [`model`]; [`emit`] turns the model into Rust text. The C++ inside ODS
//! is never interpreted: [`cpp`] brings it into one spelling, and [tables](config::Tables) say what it means in Rust. What
//! has no entry fails the generation, all of it in one list. [`ods`] runs this for the dialect crates of a workspace, [`crate_out`] makes
//! a crate of a user's own dialect, and [`irdl`] a definition in IRDL.

pub mod config;
pub mod cpp;
pub mod crate_out;
#[allow(clippy::format_push_string, reason = "text is built piece by piece, once a run")]
pub mod emit;
pub mod irdl;
pub mod model;
pub mod names;
pub mod ods;
pub mod read;
