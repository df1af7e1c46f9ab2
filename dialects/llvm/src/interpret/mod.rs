//! What the operations mean when run, by the LLVM language reference.
//!
//! An aggregate is an array of its members. Memory is bytes; a [`Pointer`] is a buffer and a distance from its start, never a number, and
//! its bytes in memory are parts of a pointer. So what depends on the numbers of addresses is not run.

mod aggregates;
mod atomic;
mod constants;
mod control;
mod convert;
mod float;
mod int;
mod intrinsics;
mod layout;
mod memory;
mod pointer;

pub use pointer::Pointer;

use dl_ir::interp::{Elementwise, Step, Value};
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition};

/// Attaches the meaning of the operations that have one here.
pub(crate) fn register(b: &mut DialectBuilder) {
    aggregates::register(b);
    atomic::register(b);
    constants::register(b);
    control::register(b);
    convert::register(b);
    float::register(b);
    int::register(b);
    intrinsics::register(b);
    memory::register(b);
}

/// A function of scalars.
type Scalar = fn(Step<'_, '_>, &[Value]) -> Result<Value, Diagnostic>;

/// Attaches a function of scalars, done for each lane of vectors.
fn on<T: OpDefinition>(b: &mut DialectBuilder, scalar: Scalar) {
    b.on::<T>().interpret(Elementwise(scalar));
}
