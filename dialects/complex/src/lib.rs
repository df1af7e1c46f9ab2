//! The `complex` dialect: complex numbers.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod generated;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `complex` dialect.
pub struct Complex;

impl Dialect for Complex {
    fn namespace(&self) -> &'static str {
        "complex"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS);
    }
}
