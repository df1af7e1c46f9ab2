//! The `arith` dialect: arithmetic on integers, indices and floats.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. Folds follow two's-complement and IEEE 754
//! semantics exactly; what an operation leaves undefined is not folded.

#![forbid(unsafe_code)]

mod assembly;
pub mod build;
mod builder;
mod canonicalize;
mod conditions;
pub mod constants;
pub mod divisors;
pub mod flags;
mod fold;
mod generated;
pub mod interpret;
mod predicate;
mod ranges;
mod verify;

pub use build::{constant, constant_index, constant_state, index_value, materialize_constant};
pub use builder::Build;
pub use generated::*;

use dl_ir::{Dialect, DialectBuilder};

/// The `arith` dialect.
pub struct Arith;

impl Dialect for Arith {
    fn namespace(&self) -> &'static str {
        "arith"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .attrs(ATTRS)
            .enums(ENUMS)
            .materialize_constant(materialize_constant)
            .local_folds();
        register_integer(b);
        register_float(b);
        register_casts(b);
        interpret::register(b);
        ranges::register(b);
        b.on::<ConstantOp<'_>>().result_names(assembly::constant_name).verify(verify::constant);
        b.on::<CmpIOp<'_>>()
            .fold(fold::cmpi)
            .fold_in_place(canonicalize::constant_to_right)
            .canonicalize(canonicalize::cmpi);
        b.on::<CmpFOp<'_>>().fold(fold::cmpf).canonicalize(canonicalize::cmpf);
        b.on::<SelectOp<'_>>()
            .parse(assembly::parse_select)
            .print(assembly::print_select)
            .verify_kind(verify::select)
            .fold(fold::select)
            .canonicalize(canonicalize::select);
    }
}

fn register_integer(b: &mut DialectBuilder) {
    b.on::<AddIOp<'_>>().fold(fold::addi).canonicalize(canonicalize::addi);
    b.on::<SubIOp<'_>>().fold(fold::subi).canonicalize(canonicalize::subi);
    b.on::<MulIOp<'_>>().result_names(assembly::product_names).fold(fold::muli).canonicalize(canonicalize::muli);
    b.on::<AddUIExtendedOp<'_>>()
        .result_names(assembly::sum_names)
        .fold(fold::addui_extended)
        .canonicalize(canonicalize::addui_extended);
    b.on::<MulSIExtendedOp<'_>>()
        .result_names(assembly::half_names)
        .fold(fold::mulsi_extended)
        .canonicalize(canonicalize::mulsi_extended);
    b.on::<MulUIExtendedOp<'_>>()
        .result_names(assembly::half_names)
        .fold(fold::mului_extended)
        .canonicalize(canonicalize::mului_extended);
    b.on::<DivUIOp<'_>>().fold(fold::divui).speculatable(divisors::is_not_zero);
    b.on::<DivSIOp<'_>>().fold(fold::divsi).speculatable(divisors::is_neither_zero_nor_minus_one);
    b.on::<CeilDivUIOp<'_>>().fold(fold::ceildivui).speculatable(divisors::is_not_zero);
    b.on::<CeilDivSIOp<'_>>().fold(fold::ceildivsi).speculatable(divisors::is_neither_zero_nor_minus_one);
    b.on::<FloorDivSIOp<'_>>().fold(fold::floordivsi);
    b.on::<RemUIOp<'_>>().fold(fold::remui);
    b.on::<RemSIOp<'_>>().fold(fold::remsi);
    b.on::<MaxSIOp<'_>>().fold(fold::maxsi);
    b.on::<MaxUIOp<'_>>().fold(fold::maxui);
    b.on::<MinSIOp<'_>>().fold(fold::minsi);
    b.on::<MinUIOp<'_>>().fold(fold::minui);
    b.on::<AndIOp<'_>>().fold(fold::andi).canonicalize(canonicalize::andi);
    b.on::<OrIOp<'_>>().fold(fold::ori).canonicalize(canonicalize::ori);
    b.on::<XOrIOp<'_>>().fold(fold::xori).canonicalize(canonicalize::xori);
    b.on::<ShLIOp<'_>>().fold(fold::shli);
    b.on::<ShRUIOp<'_>>().fold(fold::shrui);
    b.on::<ShRSIOp<'_>>().fold(fold::shrsi);
}

fn register_float(b: &mut DialectBuilder) {
    b.on::<NegFOp<'_>>().fold(fold::negf);
    b.on::<AddFOp<'_>>().fold(fold::addf);
    b.on::<SubFOp<'_>>().fold(fold::subf);
    b.on::<MulFOp<'_>>().fold(fold::mulf).canonicalize(canonicalize::mulf);
    b.on::<DivFOp<'_>>().fold(fold::divf).canonicalize(canonicalize::divf);
    b.on::<RemFOp<'_>>().fold(fold::remf);
    b.on::<MaximumFOp<'_>>().fold(fold::maximumf);
    b.on::<MinimumFOp<'_>>().fold(fold::minimumf);
    b.on::<MaxNumFOp<'_>>().fold(fold::maxnumf);
    b.on::<MinNumFOp<'_>>().fold(fold::minnumf);
}

fn register_casts(b: &mut DialectBuilder) {
    b.on::<ExtUIOp<'_>>().verify_kind(verify::wider_int).fold(fold::extui).canonicalize(canonicalize::extui);
    b.on::<ExtSIOp<'_>>().verify_kind(verify::wider_int).fold(fold::extsi).canonicalize(canonicalize::extsi);
    b.on::<TruncIOp<'_>>().verify_kind(verify::narrower_int).fold(fold::trunci).canonicalize(canonicalize::trunci);
    b.on::<ExtFOp<'_>>().verify_kind(verify::wider_float).fold(fold::extf);
    b.on::<TruncFOp<'_>>().verify_kind(verify::narrower_float).fold(fold::truncf).canonicalize(canonicalize::truncf);
    b.on::<ScalingExtFOp<'_>>().verify_kind(verify::scaling_wider);
    b.on::<ScalingTruncFOp<'_>>().verify_kind(verify::scaling_narrower);
    b.on::<SIToFPOp<'_>>().verify_kind(verify::int_to_float).fold(fold::sitofp);
    b.on::<UIToFPOp<'_>>().verify_kind(verify::int_to_float).fold(fold::uitofp);
    b.on::<FPToSIOp<'_>>().verify_kind(verify::float_to_int).fold(fold::fptosi);
    b.on::<FPToUIOp<'_>>().verify_kind(verify::float_to_int).fold(fold::fptoui);
    b.on::<IndexCastOp<'_>>()
        .verify_kind(verify::index_cast)
        .fold(fold::index_cast)
        .canonicalize(canonicalize::index_cast);
    b.on::<IndexCastUIOp<'_>>()
        .verify_kind(verify::index_cast)
        .fold(fold::index_castui)
        .canonicalize(canonicalize::index_castui);
    b.on::<BitcastOp<'_>>().verify_kind(verify::bitcast).fold(fold::bitcast).canonicalize(canonicalize::bitcast);
}
