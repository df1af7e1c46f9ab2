//! The `posit` dialect: numbers of the Posit Standard (2022) with 8, 16 or 32 bits, and the pass that makes code on integers of them.
//!
//! A posit is a sign, a *regime* (a run of equal bits that counts powers of 16), two bits of exponent and a fraction, as long as what is left. Numbers near 1 have
//! more fraction bits than a float of the same size, very large and very small ones fewer; there is one zero, and one value that is not a real number, NaR.
//! `number` has them in Rust, for constants and the interpreter; `lower` has them as operations of `arith` and `math`.

mod fold;
mod interpret;
mod lower;
mod number;
mod ops;

use dl_ir::{Dialect, DialectBuilder};
use dl_plugin::Registry;

pub use ops::*;

#[cfg(feature = "plugin")]
dl_plugin::declare_plugin!(register);

/// Adds what this crate brings.
pub fn register(registry: &mut Registry) {
    registry.dialect(Box::new(Posit));
    registry.passes.pass::<lower::ConvertPositToArith>();
}

/// The `posit` dialect.
pub struct Posit;

impl Dialect for Posit {
    fn namespace(&self) -> &str {
        "posit"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS).types(&[&POSIT_TYPE]).verify_type("posit.p", verify_bits);
        b.inlining(&dl_ir::interfaces::InlineAnywhere);
        b.on::<FromBitsOp<'_>>().verify(verify_same_bits);
        b.on::<ToBitsOp<'_>>().verify(verify_same_bits);
        fold::register(b);
        interpret::register(b);
    }
}
