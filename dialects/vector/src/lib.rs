//! The `vector` dialect: vectors of registers.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod conditions;
mod generated;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `vector` dialect.
pub struct Vector;

impl Dialect for Vector {
    fn namespace(&self) -> &'static str {
        "vector"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS).attrs(ATTRS).materialize_constant(dl_arith::materialize_constant);
    }
}
