//! Numbers of the IR: integers of any width, and the floating-point formats, as plain values without a context.
//!
//! * [`ApInt`] is the value of an integer attribute: two's complement, wrapping, with its width.
//! * [`float`] works on encodings: the bits of a number in one of the formats of [`FloatKind`](crate::types::FloatKind),
//!   in the low bits of a `u128`.
//!
//! Everything here is exact and the same on every machine: no result depends on the host's floating-point environment.

mod ap_int;
pub mod float;

pub use ap_int::{ApInt, LiteralError};
