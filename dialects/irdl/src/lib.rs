//! The `irdl` dialect: definitions of dialects as IR.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod generated;
mod interfaces;
mod load;
mod names;
mod verify;

pub use generated::*;
pub use load::load;

use dl_ir::dialect::CustomDirective;
use dl_ir::interfaces::SymbolUser;
use dl_ir::{AttrRef, Dialect, DialectBuilder};

/// The `irdl` dialect.
pub struct Irdl;

impl Dialect for Irdl {
    fn namespace(&self) -> &'static str {
        "irdl"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .types(TYPES)
            .attrs(ATTRS)
            .enums(ENUMS)
            .directive(
                "SingleBlockRegion",
                CustomDirective { parse: assembly::parse_single_block, print: assembly::print_single_block },
            )
            .directive(
                "NamedValueList",
                CustomDirective { parse: assembly::parse_named_values, print: assembly::print_named_values },
            )
            .directive(
                "NamedValueListWithVariadicity",
                CustomDirective { parse: assembly::parse_counted_values, print: assembly::print_counted_values },
            )
            .directive(
                "AttributesOp",
                CustomDirective { parse: assembly::parse_attributes, print: assembly::print_attributes },
            );
        builder
            .on::<DialectOp<'_>>()
            .verify(verify::verify_dialect)
            .interface::<dyn SymbolUser>(Box::new(interfaces::DialectReferences));
        builder.on::<TypeOp<'_>>().verify(verify::verify_type);
        builder.on::<AttributeOp<'_>>().verify(verify::verify_attribute);
        builder.on::<OperationOp<'_>>().verify(verify::verify_operation).verify_regions(verify::verify_value_names);
        builder.on::<ParametersOp<'_>>().verify(verify::verify_parameters);
        builder.on::<OperandsOp<'_>>().verify(verify::verify_operands);
        builder.on::<ResultsOp<'_>>().verify(verify::verify_results);
        builder.on::<AttributesOp<'_>>().verify(verify::verify_attributes);
        builder.on::<RegionOp<'_>>().verify(verify::verify_region);
        builder.on::<RegionsOp<'_>>().verify(verify::verify_regions);
        builder.on::<BaseOp<'_>>().verify(verify::verify_base);
    }
}

/// The [values](Variadicity) that an attribute `#irdl.variadicity_array` lists.
pub fn variadicities(array: AttrRef<'_>) -> impl Iterator<Item = u64> + Clone {
    let cx = array.cx();
    let list = array.params().first().map(|&list| cx.attr(list)).filter(|list| list.is_array());
    list.into_iter().flat_map(AttrRef::elements).filter_map(AttrRef::enum_value)
}
