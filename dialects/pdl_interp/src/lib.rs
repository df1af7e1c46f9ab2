//! The `pdl_interp` dialect: compiled rewrite patterns.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod generated;
mod interfaces;
mod types;
mod verify;

pub use generated::*;

use dl_ir::dialect::CustomDirective;
use dl_ir::interfaces::FunctionOp;
use dl_ir::interfaces::function::{parse_function, print_function, verify_function};
use dl_ir::{Dialect, DialectBuilder};

/// The `pdl_interp` dialect.
pub struct PdlInterp;

impl Dialect for PdlInterp {
    fn namespace(&self) -> &'static str {
        "pdl_interp"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        let results =
            CustomDirective { parse: assembly::parse_created_results, print: assembly::print_created_results };
        builder
            .ops(OPS)
            .directive("CreateOperationOpAttributes", dl_pdl::assembly::NAMED_ATTRIBUTES)
            .directive("CreateOperationOpResults", results)
            .directive("RangeType", dl_pdl::assembly::TYPE_OF_LIST);
        builder.on::<CreateOperationOp<'_>>().verify(verify::verify_create_operation);
        builder.on::<CreateRangeOp<'_>>().verify(dl_pdl::verify_list);
        builder
            .on::<ForEachOp<'_>>()
            .parse(assembly::parse_foreach)
            .print(assembly::print_foreach)
            .verify(verify::verify_foreach);
        builder
            .on::<FuncOp<'_>>()
            .parse(parse_function)
            .print(print_function)
            .verify(verify_function)
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder.on::<SwitchAttributeOp<'_>>().verify(verify::verify_switch);
        builder.on::<SwitchOperandCountOp<'_>>().verify(verify::verify_switch);
        builder.on::<SwitchOperationNameOp<'_>>().verify(verify::verify_switch);
        builder.on::<SwitchResultCountOp<'_>>().verify(verify::verify_switch);
        builder.on::<SwitchTypeOp<'_>>().verify(verify::verify_switch);
        builder.on::<SwitchTypesOp<'_>>().verify(verify::verify_switch);
    }
}
