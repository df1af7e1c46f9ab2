//! Reading and writing single elements, and hints about memory.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, OpDefinition, OpId, OpState, OpView, ValueId};
use dl_llvm::GEPNoWrapFlags;
use dl_memref::{AssumeAlignmentOp, LoadOp, PrefetchOp, StoreOp};

use super::allocate::MemrefTypes;
use crate::descriptor::Descriptor;
use crate::llvm_build::LlvmBuild;
use dl_arith::Build;

/// The address of the element that `op` accesses: operand `memref` at the operands after it.
pub(super) fn element_address(
    op: OpId,
    memref: usize,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    flags: Option<GEPNoWrapFlags>,
) -> Result<ValueId, NoMatch> {
    let flags = flags.unwrap_or(crate::descriptor::ACCESS);
    element_address_with(op, memref, memref + 1..operands.len(), operands, rw, flags)
}

/// The address of an element: of operand `memref` at the operands in `indices`.
pub(crate) fn element_address_with(
    op: OpId,
    memref: usize,
    indices: std::ops::Range<usize>,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    flags: GEPNoWrapFlags,
) -> Result<ValueId, NoMatch> {
    let ty = rw.value_type(rw.op(op).operand(memref).id());
    let types = MemrefTypes::new(rw, ty)?;
    let (loc, value) = (rw.op(op).loc(), operands.one(memref));
    if ty.strided_layout().is_none() {
        return Err(NoMatch("the layout is not strided"));
    }
    let indices = operands.range(indices);
    let address = Descriptor { value }.element_with(&mut Build::new(rw, loc), ty, types.element, &indices, flags);
    address.ok_or(NoMatch("the layout is not strided"))
}

/// The attributes of a load or store that `llvm` has too.
fn access_attrs(op: OpId, rw: &ConversionRewriter<'_>, state: OpState) -> OpState {
    let (cx, view) = (rw.cx(), rw.op(op));
    let nontemporal = view.attr("nontemporal").and_then(AttrRef::as_bool) == Some(true);
    state.maybe_attr(cx, "alignment", view.attr("alignment").map(|attr| attr.id())).maybe_attr(
        cx,
        "nontemporal",
        nontemporal.then(|| cx.unit_attr()),
    )
}

/// `memref.load` becomes `llvm.load`.
pub(super) struct Load;

impl ConversionPattern for Load {
    const NAME: &'static str = "memref-load-to-llvm";
    const ROOT: Option<&'static str> = Some(LoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let ty = rw.convert_type(LoadOp::wrap(rw.op(op)).result().ty().id())?;
        let address = element_address(op, 0, operands, rw, None)?;
        let state = OpState::of::<dl_llvm::LoadOp<'_>>(rw.op(op).loc()).operands([address]).results([ty]);
        let state = access_attrs(op, rw, state);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `memref.store` becomes `llvm.store`.
pub(super) struct Store;

impl ConversionPattern for Store {
    const NAME: &'static str = "memref-store-to-llvm";
    const ROOT: Option<&'static str> = Some(StoreOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let address = element_address(op, 1, operands, rw, None)?;
        let state = OpState::of::<dl_llvm::StoreOp<'_>>(rw.op(op).loc()).operands([operands.one(0), address]);
        let state = access_attrs(op, rw, state);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `memref.prefetch` becomes the intrinsic.
pub(super) struct Prefetch;

impl ConversionPattern for Prefetch {
    const NAME: &'static str = "memref-prefetch-to-llvm";
    const ROOT: Option<&'static str> = Some(PrefetchOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = PrefetchOp::wrap(rw.op(op));
        let number = |attr: AttrRef<'_>| attr.as_int().and_then(|n| i32::try_from(n).ok()).unwrap_or(0);
        let (write, hint, data) = (number(view.is_write()), number(view.locality_hint()), number(view.is_data_cache()));
        let address = element_address(op, 0, operands, rw, Some(GEPNoWrapFlags::NONE))?;
        let cx = rw.cx();
        let state = OpState::of::<dl_llvm::PrefetchOp<'_>>(rw.op(op).loc())
            .operands([address])
            .attr(cx, "rw", cx.i32_attr(write))
            .attr(cx, "hint", cx.i32_attr(hint))
            .attr(cx, "cache", cx.i32_attr(data));
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `memref.assume_alignment` becomes an assumption about the aligned pointer.
pub(super) struct AssumeAlignment;

impl ConversionPattern for AssumeAlignment {
    const NAME: &'static str = "memref-assume-alignment-to-llvm";
    const ROOT: Option<&'static str> = Some(AssumeAlignmentOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = AssumeAlignmentOp::wrap(rw.op(op));
        let alignment = view.alignment().as_int().ok_or(NoMatch("the alignment is no number"))?;
        let (ty, loc) = (rw.value_type(view.memref().id()), view.0.loc());
        let types = MemrefTypes::new(rw, ty)?;
        let value = operands.one(0);
        let mut b = Build::new(rw, loc);
        let cx = b.cx();
        let buffer = Descriptor { value }.buffer(&mut b, ty, types.element);
        let buffer = buffer.ok_or(NoMatch("the layout is not strided"))?;
        let holds = b.llvm_int(cx.i1_type(), 1);
        let alignment = b.llvm_index(types.index, alignment);
        let state = OpState::of::<dl_llvm::AssumeOp<'_>>(loc)
            .operands([holds, buffer, alignment])
            .attr(cx, "op_bundle_sizes", cx.dense_i32_array(&[2]))
            .attr(cx, "op_bundle_tags", cx.array_attr(&[cx.string_attr("align")]));
        b.create(state);
        rw.replace(op, &[value]);
        Ok(())
    }
}
