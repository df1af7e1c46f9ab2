//! `inline`: replaces calls by the bodies of the functions that they call.
//!
//! Functions are taken in the order of the strongly connected components of the call graph, callees first. Each component is simplified
//! by a pipeline, its calls are inlined, and so on until nothing can be inlined or a limit is reached. What is known of uses of
//! functions is kept up to date meanwhile, so that functions that nothing calls any more are erased in the end.
//!
//! [`body`] replaces one call, [`call_graph`] has the functions and their order, [`uses`] who needs them.

mod body;
mod call_graph;
mod locations;
mod pass;
mod uses;

pub use body::inline_call;
pub use pass::{Inline, InlineOptions};
