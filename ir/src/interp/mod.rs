//! The vocabulary of running IR: what an operation means, said so that an interpreter can do it.
//!
//! An operation that has run-time meaning implements [`Interpret`]: given the [`Value`]s of its operands it says what its results are
//! and where control goes ([`Flow`]). What it needs beyond its operands it asks of the [`Machine`]: memory, its regions being run,
//! functions being called. The `interpreter` crate is the machine; nothing here runs anything by itself.
//!
//! A dialect attaches a function, or an [`Elementwise`] scalar function, to each operation:
//!
//! ```
//! use dl_ir::interp::{Elementwise, Value};
//! # fn register(builder: &mut dl_ir::DialectBuilder) {
//! builder.op("toy.twice").interpret(Elementwise(|step, values| {
//!     let x = step.int(&values[0])?;
//!     Ok(Value::Int(x.wrapping_add(x)))
//! }));
//! # }
//! ```
//!
//! # Undefined behaviour
//! What an operation's definition leaves undefined at once (division by zero, access out of bounds, control that depends on poison)
//! is an error, [`Step::undefined`]. What it defers (signed overflow of an addition that promises none) is [`Value::Poison`], which
//! pure operations pass on. Memory and tensors remember which elements were never written.

mod access;
mod branch;
mod constant;
mod elementwise;
pub mod integer;
mod machine;
mod memory;
mod shape;
mod step;
mod value;

pub use access::{read_element, write_element};
pub use branch::{branch, cond_branch, switch};
pub use elementwise::{Elementwise, lift};
pub use machine::{Flow, Interpret, InterpretOp, Machine, Outcome, Values, leave};
pub use memory::{BufferId, Cells, Lifetime, MemRef, Memory, StackMark};
pub use shape::{Odometer, Shape, check_slice, concrete_shape, num_elements, row_major};
pub use step::Step;
pub use value::{Array, MAX_ELEMENTS, Value};
