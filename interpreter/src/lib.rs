//! The reference interpreter: slow, exact, and the judge of every pass and back end.
//!
//! It knows no operation. Each says itself what it means, through [`Interpret`](dl_ir::interp::Interpret); the interpreter holds the values,
//! the memory and the call stack, and follows control from block to block. Undefined behaviour ends the program with an error at
//! the operation that did it, with the calls that led there as notes.
//!
//! Nothing depends on the host: integers and floats are computed exactly, and addresses are not numbers. Loops that are parallel run in
//! order.

#![forbid(unsafe_code)]

mod frame;
mod machine;
mod options;
mod outside;
mod symbols;

pub use machine::{Interpreter, Run};
pub use options::Options;
pub use outside::Outside;
