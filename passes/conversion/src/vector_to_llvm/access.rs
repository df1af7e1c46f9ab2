//! Loads and stores of adjacent elements.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, AttrRef, OpDefinition, OpId, OpState, ValueId};
use dl_llvm as llvm;
use dl_vector::types::extents;
use dl_vector::{CompressStoreOp, ExpandLoadOp, LoadOp, MaskedLoadOp, MaskedStoreOp, StoreOp};

use super::alignment;
use crate::memref_to_llvm::element_address_with;

/// Where an access of `op` goes, to the memref at operand `base` at the operands in `indices`.
fn address(
    op: OpId,
    base: usize,
    indices: std::ops::Range<usize>,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
) -> Result<ValueId, NoMatch> {
    element_address_with(op, base, indices, operands, rw, llvm::GEPNoWrapFlags::NONE)
}

/// The alignment of an access to the memref at operand `base` with a vector of the type of `vector`.
fn aligned(
    op: OpId,
    base: usize,
    vector: ValueId,
    by_vector: bool,
    rw: &ConversionRewriter<'_>,
) -> Result<i64, NoMatch> {
    let view = rw.op(op);
    let (memref, vector) = (view.operand(base).ty(), rw.value_type(vector));
    if extents(vector).len() > 1 {
        return Err(NoMatch("several dimensions"));
    }
    let element = rw.convert_type(memref.element_type().ok_or(NoMatch("no elements"))?.id())?;
    let vector = rw.convert_type(vector.id())?;
    alignment::of_access(view.attr("alignment"), rw.cx().ty(vector), rw.cx().ty(element), by_vector)
}

/// `unit` where an access is said not to be used again soon.
fn nontemporal(op: OpId, rw: &ConversionRewriter<'_>) -> Option<Attr> {
    let said = rw.op(op).attr("nontemporal").and_then(AttrRef::as_bool) == Some(true);
    said.then(|| rw.cx().unit_attr())
}

/// `vector.load` becomes `llvm.load`.
pub(super) struct Load {
    pub(super) by_vector: bool,
}

impl ConversionPattern for Load {
    const NAME: &'static str = "vector-load-to-llvm";
    const ROOT: Option<&'static str> = Some(LoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, result) = (rw.cx(), rw.op(op).loc(), rw.ir().result(op, 0));
        let align = aligned(op, 0, result, self.by_vector, rw)?;
        let ty = rw.convert_type(rw.ir().value_type(result))?;
        let nontemporal = nontemporal(op, rw);
        let address = address(op, 0, 1..operands.len(), operands, rw)?;
        let state = OpState::of::<llvm::LoadOp<'_>>(loc)
            .operands([address])
            .results([ty])
            .attr(cx, "alignment", cx.i64_attr(align))
            .maybe_attr(cx, "nontemporal", nontemporal);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.store` becomes `llvm.store`.
pub(super) struct Store {
    pub(super) by_vector: bool,
}

impl ConversionPattern for Store {
    const NAME: &'static str = "vector-store-to-llvm";
    const ROOT: Option<&'static str> = Some(StoreOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, value) = (rw.cx(), rw.op(op).loc(), rw.op(op).operand(0).id());
        let align = aligned(op, 1, value, self.by_vector, rw)?;
        let nontemporal = nontemporal(op, rw);
        let address = address(op, 1, 2..operands.len(), operands, rw)?;
        let state = OpState::of::<llvm::StoreOp<'_>>(loc)
            .operands([operands.one(0), address])
            .attr(cx, "alignment", cx.i64_attr(align))
            .maybe_attr(cx, "nontemporal", nontemporal);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.maskedload` becomes the intrinsic.
pub(super) struct MaskedLoad {
    pub(super) by_vector: bool,
}

impl ConversionPattern for MaskedLoad {
    const NAME: &'static str = "vector-maskedload-to-llvm";
    const ROOT: Option<&'static str> = Some(MaskedLoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, result) = (rw.cx(), rw.op(op).loc(), rw.ir().result(op, 0));
        let align = small(aligned(op, 0, result, self.by_vector, rw)?)?;
        let ty = rw.convert_type(rw.ir().value_type(result))?;
        let end = operands.len() - 2;
        let address = address(op, 0, 1..end, operands, rw)?;
        let state = OpState::of::<llvm::MaskedLoadOp<'_>>(loc)
            .operands([address, operands.one(end), operands.one(end + 1)])
            .results([ty])
            .attr(cx, "alignment", cx.i32_attr(align));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.maskedstore` becomes the intrinsic.
pub(super) struct MaskedStore {
    pub(super) by_vector: bool,
}

impl ConversionPattern for MaskedStore {
    const NAME: &'static str = "vector-maskedstore-to-llvm";
    const ROOT: Option<&'static str> = Some(MaskedStoreOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let end = operands.len() - 2;
        let (cx, loc, value) = (rw.cx(), rw.op(op).loc(), rw.op(op).operand(end + 1).id());
        let align = small(aligned(op, 0, value, self.by_vector, rw)?)?;
        let address = address(op, 0, 1..end, operands, rw)?;
        let state = OpState::of::<llvm::MaskedStoreOp<'_>>(loc)
            .operands([operands.one(end + 1), address, operands.one(end)])
            .attr(cx, "alignment", cx.i32_attr(align));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// An alignment that masked intrinsics can have.
pub(super) fn small(align: i64) -> Result<i32, NoMatch> {
    i32::try_from(align).map_err(|_| NoMatch("an alignment of more than 32 bits"))
}

/// `[{llvm.align = n}, {}, ...]`: the alignment of one argument of an intrinsic.
/// Without one, that is 1.
fn argument_alignment(op: OpId, rw: &ConversionRewriter<'_>, at: usize, count: usize) -> Option<Attr> {
    let cx = rw.cx();
    let align = rw.op(op).attr("alignment").and_then(AttrRef::as_int).filter(|&align| align > 1)?;
    let aligned = cx.dictionary_attr(&[(cx.ident("llvm.align"), cx.i64_attr(align))]);
    let others = cx.dictionary_attr(&[]);
    Some(cx.array_attr(&(0..count).map(|i| if i == at { aligned } else { others }).collect::<Vec<_>>()))
}

/// `vector.expandload` becomes the intrinsic.
pub(super) struct ExpandLoad;

impl ConversionPattern for ExpandLoad {
    const NAME: &'static str = "vector-expandload-to-llvm";
    const ROOT: Option<&'static str> = Some(ExpandLoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, loc, result) = (rw.cx(), rw.op(op).loc(), rw.ir().result(op, 0));
        if extents(rw.value_type(result)).len() > 1 {
            return Err(NoMatch("several dimensions"));
        }
        let ty = rw.convert_type(rw.ir().value_type(result))?;
        let end = operands.len() - 2;
        let attrs = argument_alignment(op, rw, 0, 3);
        let address = address(op, 0, 1..end, operands, rw)?;
        let state = OpState::of::<llvm::MaskedExpandloadOp<'_>>(loc)
            .operands([address, operands.one(end), operands.one(end + 1)])
            .results([ty])
            .maybe_attr(cx, "arg_attrs", attrs);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `vector.compressstore` becomes the intrinsic.
pub(super) struct CompressStore;

impl ConversionPattern for CompressStore {
    const NAME: &'static str = "vector-compressstore-to-llvm";
    const ROOT: Option<&'static str> = Some(CompressStoreOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let end = operands.len() - 2;
        let (cx, loc) = (rw.cx(), rw.op(op).loc());
        if extents(rw.op(op).operand(end + 1).ty()).len() > 1 {
            return Err(NoMatch("several dimensions"));
        }
        let attrs = argument_alignment(op, rw, 1, 3);
        let address = address(op, 0, 1..end, operands, rw)?;
        let state = OpState::of::<llvm::MaskedCompressstoreOp<'_>>(loc)
            .operands([operands.one(end + 1), address, operands.one(end)])
            .maybe_attr(cx, "arg_attrs", attrs);
        rw.replace_with(op, state);
        Ok(())
    }
}
