//! The `shape` dialect: computations on shapes.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod generated;
mod inferred;
mod interfaces;
mod library;
mod verify;

pub use generated::*;

use dl_ir::interfaces::function::{parse_function, print_function, verify_function};
use dl_ir::interfaces::{FunctionOp, RegionBranchOp, verify_region_branch};
use dl_ir::rewrite::add_region_branch_patterns;
use dl_ir::{Dialect, DialectBuilder, OpDefinition};

/// The `shape` dialect.
pub struct Shape;

impl Dialect for Shape {
    fn namespace(&self) -> &'static str {
        "shape"
    }

    fn register(&self, builder: &mut DialectBuilder) {
        builder
            .ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhereAndInside)
            .types(TYPES)
            .verify_op_attr(library::verify_attr)
            .allow_unknown_ops();
        register_arithmetic(builder);
        register_regions(builder);
        builder
            .on::<ConstShapeOp<'_>>()
            .parse(assembly::parse_const_shape)
            .print(assembly::print_const_shape)
            .verify(inferred::verify_const_shape);
        builder.on::<ConstSizeOp<'_>>().result_names(assembly::constant_name);
        builder.on::<AssumingAllOp<'_>>().verify(verify::verify_assuming_all);
        builder.on::<CstrBroadcastableOp<'_>>().verify(verify::verify_broadcastable);
        builder.on::<BroadcastOp<'_>>().verify(verify::verify_shape_or_tensor);
        builder.on::<MeetOp<'_>>().verify(inferred::verify_meet);
    }
}

fn register_arithmetic(builder: &mut DialectBuilder) {
    builder.on::<AddOp<'_>>().verify(verify::verify_size_or_index);
    builder.on::<DivOp<'_>>().verify(verify::verify_size_or_index);
    builder.on::<MulOp<'_>>().verify(verify::verify_size_or_index);
    builder.on::<RankOp<'_>>().verify(verify::verify_size_or_index);
    builder.on::<NumElementsOp<'_>>().verify(verify::verify_size_or_index);
    builder.on::<GetExtentOp<'_>>().verify(verify::verify_size_or_index);
    builder.on::<MaxOp<'_>>().verify(inferred::verify_min_max);
    builder.on::<MinOp<'_>>().verify(inferred::verify_min_max);
    builder.on::<ShapeOfOp<'_>>().verify(inferred::verify_shape_of);
}

fn register_regions(builder: &mut DialectBuilder) {
    builder
        .on::<ReduceOp<'_>>()
        .parse(assembly::parse_reduce)
        .print(assembly::print_reduce)
        .verify(verify::verify_reduce);
    builder.on::<YieldOp<'_>>().verify(verify::verify_yield);
    builder
        .on::<AssumingOp<'_>>()
        .parse(assembly::parse_assuming)
        .print(assembly::print_assuming)
        .verify_regions(verify_region_branch)
        .canonicalize(|patterns| add_region_branch_patterns(patterns, AssumingOp::NAME))
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::Assuming));
    builder
        .on::<FunctionLibraryOp<'_>>()
        .parse(assembly::parse_library)
        .print(assembly::print_library)
        .default_dialect("shape");
    builder
        .on::<FuncOp<'_>>()
        .parse(parse_function)
        .print(print_function)
        .verify(verify_function)
        .default_dialect("shape")
        .interface::<dyn FunctionOp>(Box::new(interfaces::Function));
}
