//! The `transform` dialect: transformations of IR as IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own, with those that other dialects add.
//! [`types`] tells handles from parameters.

#![forbid(unsafe_code)]

mod assembly;
mod generated;
mod interfaces;
pub mod types;

pub use generated::*;

use dl_ir::interfaces::FunctionOp;
use dl_ir::interfaces::function::{parse_function, print_function};
use dl_ir::{Dialect, DialectBuilder};

/// The `transform` dialect.
pub struct Transform;

impl Dialect for Transform {
    fn namespace(&self) -> &'static str {
        "transform"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder.ops(OPS).types(TYPES).attrs(ATTRS);
        assembly::register(builder);
        builder.on::<SequenceOp<'_>>().default_dialect("transform");
        builder.on::<WithPDLPatternsOp<'_>>().default_dialect("transform");
        builder
            .on::<NamedSequenceOp<'_>>()
            .parse(parse_function)
            .print(print_function)
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder.on::<SplitOp<'_>>().parse(assembly::parse_split).print(assembly::print_split);
        builder.on::<ForeachMatchOp<'_>>().result_names(assembly::foreach_match_names);
    }
}
