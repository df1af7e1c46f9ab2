//! The `pdl` dialect: rewrite patterns as IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. [`types`] makes and reads the types.

#![forbid(unsafe_code)]

pub mod apply;
pub mod assembly;
mod generated;
pub mod inference;
mod pattern;
pub mod types;
mod verify;

pub use generated::*;

use dl_ir::dialect::{CustomDirective, TypeSyntax};
use dl_ir::{Dialect, DialectBuilder};

/// The `pdl` dialect.
pub struct Pdl;

impl Dialect for Pdl {
    fn namespace(&self) -> &'static str {
        "pdl"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        let results = CustomDirective { parse: assembly::parse_results_type, print: assembly::print_results_type };
        builder
            .ops(OPS)
            .types(TYPES)
            .type_syntax("pdl.range", TypeSyntax { parse: assembly::parse_range, print: assembly::print_range })
            .directive("OperationOpAttributes", assembly::NAMED_ATTRIBUTES)
            .directive("RangeType", assembly::TYPE_OF_LIST)
            .directive("ResultsValueType", results);
        builder.on::<ApplyNativeConstraintOp<'_>>().verify(verify::verify_native_constraint);
        builder.on::<ApplyNativeRewriteOp<'_>>().verify(verify::verify_native_rewrite);
        builder.on::<AttributeOp<'_>>().verify(verify::verify_attribute);
        builder.on::<OperandOp<'_>>().verify(verify::verify_is_bound);
        builder.on::<OperandsOp<'_>>().verify(verify::verify_is_bound);
        builder.on::<OperationOp<'_>>().verify(verify::verify_operation);
        builder.on::<PatternOp<'_>>().verify_regions(pattern::verify_pattern).default_dialect("pdl");
        builder.on::<RangeOp<'_>>().verify(verify::verify_list);
        builder.on::<ReplaceOp<'_>>().verify(verify::verify_replace);
        builder.on::<ResultsOp<'_>>().verify(verify::verify_results);
        builder.on::<RewriteOp<'_>>().verify_regions(verify::verify_rewrite).default_dialect("pdl");
        builder.on::<TypeOp<'_>>().verify(verify::verify_type);
        builder.on::<TypesOp<'_>>().verify(verify::verify_types);
    }
}

pub use verify::verify_list;
