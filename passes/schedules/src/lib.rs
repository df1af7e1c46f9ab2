//! Schedules: programs in the dialect `transform` that say how other programs are transformed, and the interpreter that runs them.
//!
//! The program that a schedule works on is its *payload*. Values of a schedule are *handles*: each stands for a list of operations, of values, or of
//! parameters, which are attributes. The [`Interpreter`] keeps what each handle stands for, and keeps it right while the payload changes.
//!
//! What an operation of a schedule does is an interface: [`Transformation`], or [`PatternSource`] for one that names patterns. The general ones are here,
//! in `ops`. Those that tile, vectorize and so on are attached by the crates that know how to do that.

#![forbid(unsafe_code)]

mod failure;
mod handles;
mod interface;
mod interpreter;
mod invalidation;
mod library;
mod ops;
mod pass;
mod payload;
mod script;
mod tracking;

pub use failure::{Failure, Outcome};
pub use handles::{Entity, Results};
pub use interface::{Each, FindReplacement, PatternSource, Transformation};
pub use interpreter::Interpreter;
pub use library::{PreloadLibrary, PreloadLibraryOptions};
pub use ops::rewrite_greedily;
pub use pass::{TransformInterpreter, TransformInterpreterOptions};
pub use payload::{ArenaKey, PayloadOp, PayloadValue};

use dl_ir::Context;
use dl_ir::pass::PassRegistry;

/// Attaches to the operations of the dialect `transform` what the general ones of them do.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&ops::General);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<TransformInterpreter>().pass::<PreloadLibrary>();
}
