//! The `tensor` dialect: tensors as values.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

pub mod build;
mod canonicalize;
mod extents;
mod fold;
mod generated;
mod interpret;
mod names;
mod verify;

pub use canonicalize::{extract_slice_state, insert_slice_state};
pub use extents::{extent, extents};
pub use generated::*;
pub use verify::{are_cast_compatible, dropped_dims};

use dl_ir::dialect::OpBuilder;
use dl_ir::interfaces::index_list::DYNAMIC_INDEX_LIST;
use dl_ir::interfaces::offset_size_stride::OffsetsAt;
use dl_ir::interfaces::{DestinationStyle, InferIntRange, InitsAt, OffsetSizeStride, ShapedDim};
use dl_ir::{Attr, Dialect, DialectBuilder, Loc, OpId, OpState, Rewriter, Type};

/// The `tensor` dialect.
pub struct Tensor;

impl Dialect for Tensor {
    fn namespace(&self) -> &'static str {
        "tensor"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhereAndInside)
            .directive("DynamicIndexList", DYNAMIC_INDEX_LIST)
            .materialize_constant(materialize_constant);
        interpret::register(b);
        register_elements(b);
        register_shapes(b);
        register_slices(b);
        extents::register(b);
    }
}

/// `arith.constant`, or `complex.constant` for a complex number.
fn materialize_constant(rw: &mut Rewriter<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    let cx = rw.cx();
    if cx.ty(ty).is_complex() && cx.attr(attr).is_array() {
        return Some(rw.create(OpState::named("complex.constant", loc).attr(cx, "value", attr).results([ty])));
    }
    dl_arith::materialize_constant(rw, attr, ty, loc)
}

fn register_elements(b: &mut DialectBuilder) {
    b.on::<EmptyOp<'_>>().verify(verify::empty).canonicalize(canonicalize::empty);
    b.on::<ExtractOp<'_>>()
        .result_names(names::extract)
        .verify(verify::extract)
        .fold(fold::extract)
        .canonicalize(canonicalize::extract);
    b.on::<InsertOp<'_>>()
        .interface::<dyn DestinationStyle>(Box::new(InitsAt(1)))
        .result_names(names::insert)
        .verify(verify::insert)
        .fold(fold::insert);
    b.on::<FromElementsOp<'_>>().result_names(names::from_elements).fold(fold::from_elements);
    b.on::<GenerateOp<'_>>()
        .result_names(names::generate)
        .verify(verify::generate)
        .verify_regions(verify::generate_region)
        .canonicalize(canonicalize::generate);
    b.on::<SplatOp<'_>>().result_names(names::splat).verify(verify::splat).fold(fold::splat);
    b.on::<GatherOp<'_>>().result_names(names::gather).verify(verify::gather).fold(fold::gather);
    b.on::<ScatterOp<'_>>().result_names(names::scatter).verify(verify::scatter);
}

fn register_shapes(b: &mut DialectBuilder) {
    b.on::<CastOp<'_>>()
        .result_names(names::cast)
        .verify(verify::cast)
        .fold(fold::cast)
        .canonicalize(canonicalize::cast);
    b.on::<BitcastOp<'_>>().verify(verify::bitcast).fold(fold::same_type).canonicalize(canonicalize::bitcast);
    b.on::<DimOp<'_>>()
        .result_names(names::dim)
        .fold(fold::dim)
        .canonicalize(canonicalize::dim)
        .speculatable(ShapedDim::exists)
        .interface::<dyn InferIntRange>(Box::new(ShapedDim));
    b.on::<RankOp<'_>>().result_names(names::rank).fold(fold::rank);
    b.on::<ReshapeOp<'_>>()
        .result_names(names::reshape)
        .verify(verify::reshape)
        .fold(fold::reshape)
        .canonicalize(canonicalize::reshape);
    b.on::<CollapseShapeOp<'_>>()
        .result_names(names::collapse_shape)
        .verify(verify::collapse_shape)
        .fold(fold::collapse_shape)
        .canonicalize(canonicalize::collapse_shape);
    b.on::<ExpandShapeOp<'_>>()
        .result_names(names::expand_shape)
        .verify(verify::expand_shape)
        .fold(fold::expand_shape)
        .canonicalize(canonicalize::expand_shape);
    b.on::<ConcatOp<'_>>()
        .result_names(names::concat)
        .verify(verify::concat)
        .fold(fold::concat)
        .canonicalize(canonicalize::concat);
    b.on::<PadOp<'_>>()
        .result_names(names::pad)
        .verify(verify::pad)
        .verify_regions(verify::pad_region)
        .fold(fold::pad)
        .canonicalize(canonicalize::pad);
}

/// An operation on a slice, its offsets at this operand definition.
fn slice(op: OpBuilder<'_>, offsets: usize) -> OpBuilder<'_> {
    op.interface::<dyn OffsetSizeStride>(Box::new(OffsetsAt(offsets)))
}

fn register_slices(b: &mut DialectBuilder) {
    slice(b.on::<ExtractSliceOp<'_>>(), 1)
        .result_names(names::extract_slice)
        .verify(verify::extract_slice)
        .fold(fold::extract_slice)
        .canonicalize(canonicalize::extract_slice);
    slice(b.on::<InsertSliceOp<'_>>(), 2)
        .interface::<dyn DestinationStyle>(Box::new(InitsAt(1)))
        .result_names(names::insert_slice)
        .verify(verify::insert_slice)
        .fold(fold::insert_slice)
        .canonicalize(canonicalize::insert_slice);
    slice(b.on::<ParallelInsertSliceOp<'_>>(), 2)
        .verify(verify::parallel_insert_slice)
        .canonicalize(canonicalize::parallel_insert_slice);
}
