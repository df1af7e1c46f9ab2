//! The `dl` dialect: what programs say to this compiler alone.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from `ods/Dl.td`. So far it is one attribute, [`target`]'s. [`interface`] has
//! the attributes of arguments and results, [`kernels`] the table of what a lowered program is made of.

#![forbid(unsafe_code)]

mod generated;
pub mod interface;
pub mod kernels;
pub mod target;

pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `dl` dialect.
pub struct Dl;

impl Dialect for Dl {
    fn namespace(&self) -> &'static str {
        "dl"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.attrs(ATTRS);
    }
}
