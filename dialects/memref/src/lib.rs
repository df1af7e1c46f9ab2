//! The `memref` dialect: memory.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own. [`layout`] computes the strides of views.

#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod extents;
mod fold;
mod generated;
mod infer;
mod interfaces;
mod interpret;
pub mod layout;
mod names;
pub mod slots;
pub mod transfer;
mod verify;
mod verify_cast;

pub use canonicalize::subview_state;
pub use extents::{extent, extents};
pub use fold::dropped_dims_of as subview_dropped_dims;
pub use generated::*;
pub use verify_cast::are_cast_compatible;

use dl_ir::dialect::OpBuilder;
use dl_ir::interfaces::index_list::DYNAMIC_INDEX_LIST;
use dl_ir::interfaces::offset_size_stride::OffsetsAt;
use dl_ir::interfaces::{
    DestructurableAccess, DestructurableAllocation, InferIntRange, OffsetSizeStride, PromotableAccess,
    PromotableAllocation, RegionBranchOp, ShapedDim, SymbolUser, ViewLike, verify_region_branch,
};
use dl_ir::opdef::Effects;
use dl_ir::{Dialect, DialectBuilder};

/// The `memref` dialect.
pub struct MemRef;

impl Dialect for MemRef {
    fn namespace(&self) -> &'static str {
        "memref"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhereAndInside)
            .directive("DynamicIndexList", DYNAMIC_INDEX_LIST)
            .directive("GlobalMemrefOpTypeAndInitialValue", assembly::GLOBAL_TYPE_AND_VALUE)
            .materialize_constant(dl_arith::materialize_constant);
        interpret::register(b);
        register_allocation(b);
        register_access(b);
        register_views(b);
        extents::register(b);
        register_globals(b);
    }
}

fn register_allocation(b: &mut DialectBuilder) {
    b.on::<AllocOp<'_>>().result_names(names::alloc).verify(verify::allocation).canonicalize(canonicalize::alloc);
    b.on::<AllocaOp<'_>>()
        .result_names(names::alloca)
        .verify(verify::alloca)
        .canonicalize(canonicalize::alloca)
        .interface::<dyn PromotableAllocation>(Box::new(slots::Alloca))
        .interface::<dyn DestructurableAllocation>(Box::new(slots::Alloca));
    b.on::<AllocaScopeOp<'_>>()
        .parse(assembly::parse_alloca_scope)
        .print(assembly::print_alloca_scope)
        .canonicalize(canonicalize::alloca_scope)
        .verify_regions(verify_region_branch)
        .interface::<dyn RegionBranchOp>(Box::new(interfaces::AllocaScope));
    b.on::<DeallocOp<'_>>().fold_in_place(canonicalize::use_source_of_cast);
    b.on::<ReallocOp<'_>>().verify(verify::realloc).canonicalize(canonicalize::realloc);
}

fn register_access(b: &mut DialectBuilder) {
    b.on::<LoadOp<'_>>()
        .verify_kind(verify::load)
        .fold_in_place(canonicalize::use_source_of_cast)
        .interface::<dyn PromotableAccess>(Box::new(slots::Load))
        .interface::<dyn DestructurableAccess>(Box::new(slots::Load));
    b.on::<StoreOp<'_>>()
        .verify_kind(verify::store)
        .fold_in_place(canonicalize::use_source_of_cast)
        .interface::<dyn PromotableAccess>(Box::new(slots::Store))
        .interface::<dyn DestructurableAccess>(Box::new(slots::Store));
    b.on::<CopyOp<'_>>().fold_in_place(canonicalize::use_source_of_cast).canonicalize(canonicalize::copy);
    b.on::<DimOp<'_>>()
        .result_names(names::dim)
        .fold(fold::dim)
        .fold_in_place(canonicalize::use_source_of_cast)
        .canonicalize(canonicalize::dim)
        .speculatable(ShapedDim::exists)
        .interface::<dyn InferIntRange>(Box::new(ShapedDim));
    b.on::<RankOp<'_>>().fold(fold::rank);
    b.on::<PrefetchOp<'_>>()
        .parse(assembly::parse_prefetch)
        .print(assembly::print_prefetch)
        .verify_kind(verify::prefetch)
        .fold_in_place(canonicalize::use_source_of_cast);
    b.on::<AtomicRMWOp<'_>>().verify(verify::atomic_rmw).fold_in_place(canonicalize::use_source_of_cast);
    b.on::<GenericAtomicRMWOp<'_>>()
        .parse(assembly::parse_generic_atomic_rmw)
        .print(assembly::print_generic_atomic_rmw)
        .verify_regions(verify::generic_atomic_rmw);
    b.on::<AtomicYieldOp<'_>>().verify(verify::atomic_yield);
    b.on::<DmaStartOp<'_>>()
        .parse(assembly::parse_dma_start)
        .print(assembly::print_dma_start)
        .effects(|_| Effects::READ.union(Effects::WRITE))
        .verify(verify::dma_start);
    b.on::<DmaWaitOp<'_>>().effects(|_| Effects::READ.union(Effects::WRITE)).verify(verify::dma_wait);
}

/// An operation whose result is a view of operand 0.
fn view(op: OpBuilder<'_>) -> OpBuilder<'_> {
    op.interface::<dyn ViewLike>(Box::new(interfaces::ViewOfFirst))
}

/// A view given by offsets, sizes and strides.
fn slice(op: OpBuilder<'_>) -> OpBuilder<'_> {
    view(op).interface::<dyn OffsetSizeStride>(Box::new(OffsetsAt(1)))
}

fn register_views(b: &mut DialectBuilder) {
    view(b.on::<CastOp<'_>>())
        .result_names(names::cast)
        .verify(verify_cast::cast)
        .fold(fold::cast)
        .canonicalize(canonicalize::cast);
    view(b.on::<MemorySpaceCastOp<'_>>())
        .result_names(names::memory_space_cast)
        .verify(verify_cast::memory_space_cast)
        .fold(fold::same_type)
        .canonicalize(canonicalize::memory_space_cast);
    view(b.on::<AssumeAlignmentOp<'_>>())
        .result_names(names::assume_alignment)
        .verify(verify::assume_alignment)
        .fold(fold::assume_alignment);
    b.on::<DistinctObjectsOp<'_>>().infer_types(infer::same_as_operands).verify(verify::distinct_objects);
    slice(b.on::<SubViewOp<'_>>())
        .result_names(names::subview)
        .verify(verify_cast::subview)
        .fold(fold::subview)
        .canonicalize(canonicalize::subview);
    slice(b.on::<ReinterpretCastOp<'_>>())
        .result_names(names::reinterpret_cast)
        .verify(verify_cast::reinterpret_cast)
        .fold(fold::reinterpret_cast)
        .canonicalize(canonicalize::reinterpret_cast);
    view(b.on::<CollapseShapeOp<'_>>())
        .result_names(names::collapse_shape)
        .verify(verify::collapse_shape)
        .fold(fold::reshape_back)
        .canonicalize(canonicalize::collapse_shape);
    view(b.on::<ExpandShapeOp<'_>>())
        .result_names(names::expand_shape)
        .verify(verify::expand_shape)
        .fold(fold::reshape_back)
        .canonicalize(canonicalize::expand_shape);
    view(b.on::<ReshapeOp<'_>>()).result_names(names::reshape).verify(verify::reshape);
    view(b.on::<TransposeOp<'_>>())
        .parse(assembly::parse_transpose)
        .print(assembly::print_transpose)
        .result_names(names::transpose)
        .verify(verify_cast::transpose)
        .fold(fold::transpose)
        .canonicalize(canonicalize::transpose);
    view(b.on::<ViewOp<'_>>())
        .result_names(names::view)
        .verify(verify::view)
        .fold(fold::view)
        .canonicalize(canonicalize::view);
    view(b.on::<ExtractStridedMetadataOp<'_>>())
        .result_names(names::extract_strided_metadata)
        .infer_types(infer::strided_metadata)
        .canonicalize(canonicalize::extract_strided_metadata);
    b.on::<ExtractAlignedPointerAsIndexOp<'_>>().result_names(names::extract_aligned_pointer);
}

fn register_globals(b: &mut DialectBuilder) {
    b.on::<GlobalOp<'_>>().verify(verify::global);
    b.on::<GetGlobalOp<'_>>().interface::<dyn SymbolUser>(Box::new(interfaces::UsesGlobal));
}
