//! The `index` dialect: arithmetic on indices.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod generated;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `index` dialect.
pub struct Index;

impl Dialect for Index {
    fn namespace(&self) -> &'static str {
        "index"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS).attrs(ATTRS);
    }
}
