//! The `async` dialect: asynchronous execution.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. [`types`] makes and reads the types.

#![forbid(unsafe_code)]

mod assembly;
mod generated;
mod interfaces;
mod runtime;
pub mod types;
mod verify;

pub use generated::*;

use dl_ir::dialect::{CustomDirective, TypeSyntax};
use dl_ir::interfaces::function::{parse_function, print_function, verify_function};
use dl_ir::interfaces::{
    CallOp as CallInterface, DirectCall, FunctionOp, RegionBranchOp, SymbolUser, verify_region_branch,
};
use dl_ir::{Dialect, DialectBuilder};

/// The `async` dialect.
pub struct Async;

impl Dialect for Async {
    fn namespace(&self) -> &'static str {
        "async"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .types(TYPES)
            .type_syntax("async.value", TypeSyntax { parse: assembly::parse_value, print: assembly::print_value })
            .directive(
                "AwaitResultType",
                CustomDirective { parse: assembly::parse_awaited, print: assembly::print_awaited },
            );
        builder
            .on::<ExecuteOp<'_>>()
            .parse(assembly::parse_execute)
            .print(assembly::print_execute)
            .result_names(assembly::result_names)
            .verify_regions(verify_region_branch)
            .interface::<dyn RegionBranchOp>(Box::new(interfaces::Execute));
        builder.on::<AwaitOp<'_>>().verify(verify::verify_await);
        builder
            .on::<FuncOp<'_>>()
            .parse(parse_function)
            .print(print_function)
            .verify(verify::verify_func)
            .default_dialect("async")
            .verify_regions(verify_function)
            .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
        builder
            .on::<CallOp<'_>>()
            .interface::<dyn CallInterface>(Box::new(DirectCall))
            .interface::<dyn SymbolUser>(Box::new(interfaces::CallSymbol));
        builder.on::<ReturnOp<'_>>().verify(verify::verify_return);
        builder.on::<RuntimeLoadOp<'_>>().parse(runtime::parse_load).print(runtime::print_load);
        builder.on::<RuntimeStoreOp<'_>>().parse(runtime::parse_store).print(runtime::print_store);
    }
}
