//! The `vector` dialect: operations on vectors of any rank, and transfers between them and memory.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod conditions;
mod fold;
mod generated;
mod infer;
mod interpret;
mod masks;
mod position;
mod ranges;
pub mod types;
mod verify;

pub use canonicalize::{combining, constant_mask_patterns};
pub use fold::transferred;
pub use generated::*;
pub use masks::{is_masked, uniform};
pub use verify::is_contiguous;

use dl_ir::interfaces::index_list::DYNAMIC_INDEX_LIST;
use dl_ir::interfaces::{DestinationStyle, InitsAt};
use dl_ir::opdef::Effects;
use dl_ir::{Dialect, DialectBuilder, ValueRef};

/// The `vector` dialect.
pub struct Vector;

impl Dialect for Vector {
    fn namespace(&self) -> &'static str {
        "vector"
    }

    fn register(&self, b: &mut DialectBuilder) {
        interpret::register(b);
        ranges::register(b);
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .attrs(ATTRS)
            .enums(ENUMS)
            .directive("DynamicIndexList", DYNAMIC_INDEX_LIST)
            .materialize_constant(dl_arith::materialize_constant);
        register_elements(b);
        register_products(b);
        register_memory(b);
        b.on::<MaskOp<'_>>()
            .parse(assembly::parse_mask)
            .print(assembly::print_mask)
            .verify_regions(verify::mask)
            .fold(fold::mask)
            .canonicalize(canonicalize::mask);
        b.on::<VectorScaleOp<'_>>().result_names(|_, name| name(0, "vscale"));
        b.on::<StepOp<'_>>().canonicalize(canonicalize::step);
    }
}

/// Operations that move elements about.
fn register_elements(b: &mut DialectBuilder) {
    b.on::<BitCastOp<'_>>().verify(verify::bitcast).fold(fold::bitcast).canonicalize(canonicalize::bitcast);
    b.on::<BroadcastOp<'_>>().verify(verify::broadcast).fold(fold::broadcast).canonicalize(canonicalize::broadcast);
    b.on::<ConstantMaskOp<'_>>().verify(verify::constant_mask).fold(fold::constant_mask);
    b.on::<CreateMaskOp<'_>>().verify(verify::create_mask).canonicalize(canonicalize::create_mask);
    b.on::<ExtractOp<'_>>()
        .infer_types(infer::extract)
        .verify(verify::extract)
        .fold(fold::extract)
        .fold_in_place(canonicalize::fold_extract)
        .canonicalize(canonicalize::extract);
    b.on::<ExtractStridedSliceOp<'_>>()
        .verify(verify::extract_strided_slice)
        .fold(fold::extract_strided_slice)
        .canonicalize(canonicalize::extract_strided_slice);
    b.on::<FromElementsOp<'_>>().fold(fold::from_elements).canonicalize(canonicalize::from_elements);
    b.on::<InsertOp<'_>>()
        .verify(verify::insert)
        .fold(fold::insert)
        .fold_in_place(canonicalize::constant_indices)
        .canonicalize(canonicalize::insert);
    b.on::<InsertStridedSliceOp<'_>>().verify(verify::insert_strided_slice).fold(fold::insert_strided_slice);
    b.on::<ShapeCastOp<'_>>().verify(verify::shape_cast).fold(fold::shape_cast).canonicalize(canonicalize::shape_cast);
    b.on::<ShuffleOp<'_>>()
        .infer_types(infer::shuffle)
        .verify(verify::shuffle)
        .fold(fold::shuffle)
        .canonicalize(canonicalize::shuffle);
    b.on::<ToElementsOp<'_>>()
        .infer_types(infer::to_elements)
        .fold(fold::to_elements)
        .canonicalize(canonicalize::to_elements);
    b.on::<TransposeOp<'_>>().verify(verify::transpose).fold(fold::transpose).canonicalize(canonicalize::transpose);
}

/// Operations that combine elements.
fn register_products(b: &mut DialectBuilder) {
    b.on::<ContractionOp<'_>>()
        .parse(assembly::parse_contract)
        .print(assembly::print_contract)
        .verify(verify::contract)
        .canonicalize(canonicalize::contract);
    b.on::<MultiDimReductionOp<'_>>()
        .infer_types(infer::multi_reduction)
        .verify(verify::multi_reduction)
        .canonicalize(canonicalize::multi_reduction);
    b.on::<OuterProductOp<'_>>()
        .parse(assembly::parse_outer_product)
        .print(assembly::print_outer_product)
        .verify(verify::outer_product);
    b.on::<ReductionOp<'_>>().verify(verify::reduction).canonicalize(canonicalize::reduction);
    b.on::<ScanOp<'_>>().verify(verify::scan);
}

/// Operations that read and write memory.
fn register_memory(b: &mut DialectBuilder) {
    b.on::<LoadOp<'_>>().verify(verify::load);
    b.on::<StoreOp<'_>>().verify(verify::store);
    b.on::<TypeCastOp<'_>>().verify(verify::type_cast);
    b.on::<MaskedLoadOp<'_>>().verify(verify::masked_load).canonicalize(canonicalize::masked_load);
    b.on::<MaskedStoreOp<'_>>().verify(verify::masked_store).canonicalize(canonicalize::masked_store);
    b.on::<ExpandLoadOp<'_>>().verify(verify::expand_load).canonicalize(canonicalize::expand_load);
    b.on::<CompressStoreOp<'_>>().verify(verify::compress_store).canonicalize(canonicalize::compress_store);
    b.on::<GatherOp<'_>>().verify(verify::gather).canonicalize(canonicalize::gather);
    b.on::<ScatterOp<'_>>().verify(verify::scatter).canonicalize(canonicalize::scatter);
    b.on::<TransferReadOp<'_>>()
        .parse(assembly::parse_transfer_read)
        .print(assembly::print_transfer_read)
        .verify(verify::transfer_read)
        .effects(|op| of_memory(TransferReadOp(op).base(), Effects::READ))
        .speculatable(fold::is_defined_transfer)
        .fold(fold::transfer_read)
        .fold_in_place(canonicalize::fold_transfer)
        .canonicalize(canonicalize::transfer_read);
    b.on::<TransferWriteOp<'_>>()
        .parse(assembly::parse_transfer_write)
        .print(assembly::print_transfer_write)
        .verify(verify::transfer_write)
        .interface::<dyn DestinationStyle>(Box::new(InitsAt(1)))
        .effects(|op| of_memory(TransferWriteOp(op).base(), Effects::WRITE))
        .speculatable(fold::is_defined_transfer)
        .fold(fold::transfer_write)
        .fold_in_place(canonicalize::fold_transfer)
        .canonicalize(canonicalize::transfer_write);
}

/// The effects of an access to `base`: none on a tensor.
fn of_memory(base: ValueRef<'_>, effects: Effects) -> Effects {
    if base.ty().is_memref() { effects } else { Effects::NONE }
}
