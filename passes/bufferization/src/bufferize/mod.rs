//! One-shot bufferization: tensors become buffers, copied only where a value is needed after its buffer is overwritten.
//!
//! 1. [`analysis`] decides for each tensor operand whether its buffer can be used in place.
//! 2. [`resolve`] puts a copy where it cannot; the program still works on tensors, each with a buffer of its own.
//! 3. `bufferizer` rewrites every operation, through what its dialect says in [`Bufferizable`].
//!
//! With function boundaries, functions are visited callees first, so that a call knows which arguments its callee writes and
//! returns ([`functions`]). Buffers are not freed here: `ownership-based-buffer-deallocation` does that afterwards.

pub mod analysis;
mod bufferizer;
mod driver;
pub mod functions;
mod globals;
mod interface;
mod layout;
mod models;
pub mod operand;
pub mod options;
mod pass;
mod report;
pub mod resolve;

pub use bufferizer::{Bufferizer, TypeQuery};
pub use driver::{analyze_each, bufferize, bufferize_inside, insert_copies};
pub use interface::{Bufferizable, SubsetInsertion};
pub use models::Models;
pub use pass::{OneShotBufferize, OneShotBufferizeOptions};
