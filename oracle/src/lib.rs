//! Judges transforms by execution: what a program does before and after.
//!
//! [`observe`] runs a function in the reference interpreter on generated inputs and notes all that others can see of it.
//! [`compare`] says whether one run may stand for another: where the run before is defined, the one after must give the same results,
//! leave the same memory behind, print the same and hand the same values, in the same order, to operations and functions that nothing is
//! known about. Where it is undefined or poison, anything goes: a transform may make programs more defined, never less.
//!
//! [`Oracle`] does so around each pass of a pipeline, and names the pass that changes what a function does.

#![forbid(unsafe_code)]

mod draw;
pub mod numbers;
mod observe;
mod refine;
mod signature;
mod watch;

pub use observe::{Ending, Event, Observation, observe};
pub use refine::{Closeness, Verdict, compare};
pub use signature::Signature;
pub use watch::{Mismatch, Oracle, Summary, Tally, public_functions};
