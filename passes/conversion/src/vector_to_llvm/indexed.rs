//! Gathers and scatters: a vector of addresses.

use dl_arith::Build;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::types::TypeData;
use dl_ir::{OpDefinition, OpId, OpState, TypeRef, ValueId};
use dl_llvm as llvm;
use dl_vector::types::{extents, is_scalable, vector_type};
use dl_vector::{GatherOp, ScatterOp, is_masked};

use super::access::small;
use super::alignment;
use crate::memref_to_llvm::element_address_with;

/// The addresses of an access whose indices are operand `at`, after the offsets, and its alignment.
fn addresses(
    op: OpId,
    at: usize,
    vector: TypeRef<'_>,
    by_vector: bool,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
) -> Result<(ValueId, i32), NoMatch> {
    let cx = rw.cx();
    let memref = rw.value_type(rw.op(op).operand(0).id());
    if !memref.is_ranked_memref() {
        return Err(NoMatch("not of a memref"));
    }
    if memref.strided_layout().and_then(|layout| layout.strides.last().copied()).is_some_and(|stride| stride != 1) {
        return Err(NoMatch("elements that are not adjacent"));
    }
    if extents(vector).len() > 1 {
        return Err(NoMatch("several dimensions"));
    }
    let element = rw.convert_type(memref.element_type().ok_or(NoMatch("no elements"))?.id())?;
    let converted = rw.convert_type(vector.id())?;
    let align = small(alignment::of_access(rw.op(op).attr("alignment"), cx.ty(converted), cx.ty(element), by_vector)?)?;
    let loc = rw.op(op).loc();
    let start = element_address_with(op, 0, 1..at, operands, rw, llvm::GEPNoWrapFlags::NONE)?;
    let indices = operands.one(at);
    let pointer = rw.ir().value_type(start);
    let lanes = rw.value_type(indices);
    let extent = extents(lanes).first().copied().unwrap_or(1);
    let ty = vector_of(cx.ty(pointer), extent, is_scalable(lanes, 0));
    let mut b = Build::new(rw, loc);
    let attrs = [
        ("rawConstantIndices", cx.dense_i32_array(&[i32::MIN])),
        ("elem_type", cx.type_attr(element)),
        ("noWrapFlags", cx.i32_attr(0)),
    ];
    Ok((b.value_with::<llvm::GEPOp<'_>>(&[start, indices], ty, &attrs), align))
}

/// A vector of so many pointers.
fn vector_of(pointer: TypeRef<'_>, extent: i64, scalable: bool) -> dl_ir::Type {
    debug_assert!(matches!(pointer.data(), TypeData::Dialect { .. }), "a pointer");
    vector_type(pointer.cx(), &[extent], &[scalable], pointer.id())
}

/// `vector.gather` becomes the intrinsic.
pub(super) struct Gather {
    pub(super) by_vector: bool,
}

impl ConversionPattern for Gather {
    const NAME: &'static str = "vector-gather-to-llvm";
    const ROOT: Option<&'static str> = Some(GatherOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        if is_masked(rw.op(op)) {
            return Err(NoMatch("it is masked"));
        }
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        let vector = rw.value_type(rw.ir().result(op, 0));
        let ty = rw.convert_type(vector.id())?;
        let at = operands.len() - 3;
        let (pointers, align) = addresses(op, at, vector, self.by_vector, operands, rw)?;
        let state = OpState::of::<llvm::MaskedGatherOp<'_>>(loc)
            .operands([pointers, operands.one(at + 1), operands.one(at + 2)])
            .results([ty])
            .attr(cx, "alignment", cx.i32_attr(align));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.scatter` becomes the intrinsic.
pub(super) struct Scatter {
    pub(super) by_vector: bool,
}

impl ConversionPattern for Scatter {
    const NAME: &'static str = "vector-scatter-to-llvm";
    const ROOT: Option<&'static str> = Some(ScatterOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, at) = (rw.cx(), rw.op(op).loc(), operands.len() - 3);
        let vector = rw.value_type(rw.op(op).operand(at + 2).id());
        let (pointers, align) = addresses(op, at, vector, self.by_vector, operands, rw)?;
        let state = OpState::of::<llvm::MaskedScatterOp<'_>>(loc)
            .operands([operands.one(at + 2), pointers, operands.one(at + 1)])
            .attr(cx, "alignment", cx.i32_attr(align));
        rw.replace_with(op, state);
        Ok(())
    }
}
