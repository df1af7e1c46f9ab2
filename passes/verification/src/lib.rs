//! Checks that run with the program: what an operation demands and only its run can tell.
//!
//! An operation says what it demands by the interface [`RuntimeVerifiable`], which this crate attaches to operations of `memref`, `tensor` and
//! `linalg`. Any crate can attach it to its own.

#![forbid(unsafe_code)]

mod access;
mod checks;
mod linalg;
mod pass;
mod shape;
mod slice;

pub use checks::Checks;
pub use pass::{GenerateRuntimeVerification, GenerateRuntimeVerificationOptions};

use dl_ir::dialect::Extension;
use dl_ir::pass::PassRegistry;
use dl_ir::{Context, DialectBuilder, OpDefinition, OpId};

/// An operation that knows when it must not be executed.
pub trait RuntimeVerifiable: Send + Sync {
    /// Writes conditions that hold wherever `op` may be executed, before it.
    fn check(&self, op: OpId, checks: &mut Checks<'_, '_>);
}

/// What a function does for [`RuntimeVerifiable`].
struct By(fn(OpId, &mut Checks<'_, '_>));

impl RuntimeVerifiable for By {
    fn check(&self, op: OpId, checks: &mut Checks<'_, '_>) {
        (self.0)(op, checks);
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, check: fn(OpId, &mut Checks<'_, '_>)) {
    builder.on::<T>().interface::<dyn RuntimeVerifiable>(Box::new(By(check)));
}

/// Attaches the checks of this crate.
struct Models;

impl Extension for Models {
    fn attach(&self, builder: &mut DialectBuilder) {
        access::attach(builder);
        shape::attach(builder);
        slice::attach(builder);
    }
}

/// Attaches to the operations of each dialect what they check.
pub fn extend_context(cx: &mut Context) {
    cx.extend(&Models);
}

/// Registers the passes of this crate.
pub fn register(registry: &mut PassRegistry) {
    registry.pass::<GenerateRuntimeVerification>();
}
