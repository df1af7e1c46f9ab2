//! `remove-dead-values`: drops what is computed and passed on, but never matters.
//!
//! [`liveness`] finds the values that matter, across branches, regions and calls; [`clean`] removes the rest: operations, arguments
//! of blocks with what is passed to them, and arguments and results of functions all of whose calls are known. What regions pass on
//! becomes poison, and canonicalization does the rest there.

mod clean;
mod liveness;
mod pass;
mod signature;

pub use pass::{RemoveDeadValues, RemoveDeadValuesOptions};
