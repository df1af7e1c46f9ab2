//! The `bufferization` dialect: the way from tensors to buffers.
//!
//! `generated` holds the definitions, written by `cargo xtask ods` from MLIR's own.

#![forbid(unsafe_code)]

mod assembly;
mod canonicalize;
mod conditions;
mod extents;
mod fold;
mod generated;
mod interpret;
mod verify;

pub use generated::*;

use dl_ir::interfaces::{DestinationStyle, InitsAt};
use dl_ir::opdef::Effects;
use dl_ir::{Arena, Context, Dialect, DialectBuilder, OpRef, OpState, Type};
use smallvec::SmallVec;

/// The `bufferization` dialect.
pub struct Bufferization;

impl Dialect for Bufferization {
    fn namespace(&self) -> &'static str {
        "bufferization"
    }

    fn register(&self, b: &mut DialectBuilder) {
        b.ops(OPS)
            .inlining(&dl_ir::interfaces::InlineAnywhere)
            .materialize_constant(dl_arith::materialize_constant)
            .verify_op_attr(verify::op_attr)
            .verify_signature_attr(verify::signature_attr);
        interpret::register(b);
        extents::register(b);
        b.on::<AllocTensorOp<'_>>()
            .parse(assembly::parse_alloc_tensor)
            .print(assembly::print_alloc_tensor)
            .verify(verify::alloc_tensor)
            .canonicalize(canonicalize::alloc_tensor);
        b.on::<CloneOp<'_>>().canonicalize(canonicalize::clone);
        b.on::<DeallocOp<'_>>().infer_types(infer_dealloc).verify(verify::dealloc).canonicalize(canonicalize::dealloc);
        b.on::<DeallocTensorOp<'_>>().effects(|_| Effects::FREE);
        b.on::<MaterializeInDestinationOp<'_>>()
            .interface::<dyn DestinationStyle>(Box::new(InitsAt(1)))
            .effects(materialize_effects)
            .verify(verify::materialize_in_destination);
        b.on::<ToBufferOp<'_>>().fold(fold::to_buffer).canonicalize(canonicalize::to_buffer);
        b.on::<ToTensorOp<'_>>().fold(fold::to_tensor).canonicalize(canonicalize::to_tensor);
    }
}

/// One condition for each retained buffer.
fn infer_dealloc(cx: &Context, _: &Arena, state: &OpState) -> Result<SmallVec<[Type; 2]>, String> {
    let sizes = state.get_attr(cx, "operandSegmentSizes");
    let retained = sizes.and_then(|sizes| cx.attr(sizes).dense_ints().nth(2)).unwrap_or(0);
    let retained = usize::try_from(retained).map_err(|_| "has a negative operand segment size".to_owned())?;
    // The verifier says what is wrong with more than there are.
    Ok(SmallVec::from_elem(cx.i1_type(), retained.min(state.operands.len())))
}

/// A buffer is written.
fn materialize_effects(op: OpRef<'_>) -> Effects {
    if MaterializeInDestinationOp(op).dest().ty().is_memref() { Effects::WRITE } else { Effects::NONE }
}
