//! Global variables.

use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, AttrRef, Context, OpDefinition, OpId, OpState, OpView, Type, TypeRef, ValueId};
use dl_llvm::types::array_type;
use dl_llvm::{AddressOfOp, GEPNoWrapFlags, IntToPtrOp, Linkage, ReturnOp, UndefOp};
use dl_memref::{GetGlobalOp, GlobalOp};
use smallvec::SmallVec;

use super::allocate::{Extents, MemrefTypes};
use crate::llvm_build::{Index, LlvmBuild};
use crate::llvm_symbols::linkage_attr;
use crate::llvm_types::address_space;
use dl_arith::Build;

/// What stands for the allocated pointer of a global variable, which was not allocated: freeing it is a mistake that shows.
const NOT_ALLOCATED: i64 = 0xdead_beef;

/// The memory of a global variable: nested arrays of elements.
fn storage_type(cx: &Context, memref: TypeRef<'_>, element: Type) -> Option<Type> {
    memref.shape()?.iter().rev().try_fold(element, |ty, &extent| Some(array_type(cx, ty, u64::try_from(extent).ok()?)))
}

/// `memref.global` becomes `llvm.mlir.global`.
pub(super) struct Global;

impl ConversionPattern for Global {
    const NAME: &'static str = "memref-global-to-llvm";
    const ROOT: Option<&'static str> = Some(GlobalOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let view = GlobalOp::wrap(rw.op(op));
        let memref = view.ty().as_type().ok_or(NoMatch("a global without type"))?.id();
        let memref = cx.ty(memref);
        if !memref.has_identity_layout() {
            return Err(NoMatch("only the identity layout can be a global variable"));
        }
        let element = memref.element_type().ok_or(NoMatch("not a memref"))?;
        let element = rw.convert_type(element.id())?;
        let storage = storage_type(cx, memref, element).ok_or(NoMatch("a dynamic shape"))?;
        let space = address_space(memref).ok_or(NoMatch("the memory space is no number"))?;
        let is_public = view.0.visibility() == "public";
        let initial = view.initial_value();
        let is_uninitialized = initial.is_some_and(AttrRef::is_unit);
        let value: Option<Attr> = match initial.filter(|_| !is_uninitialized) {
            // A variable of one element holds the element.
            Some(all) if memref.rank() == Some(0) => {
                Some(all.splat_value().or_else(|| all.dense_value(0)).ok_or(NoMatch("an unknown initial value"))?.id())
            }
            initial => initial.map(|attr| attr.id()),
        };
        let (loc, linkage) = (view.0.loc(), if is_public { Linkage::External } else { Linkage::Private });
        let state = OpState::of::<dl_llvm::GlobalOp<'_>>(loc)
            .attr(cx, "global_type", cx.type_attr(storage))
            .maybe_attr(cx, "constant", view.constant().map(|attr| attr.id()))
            .attr(cx, "sym_name", view.sym_name().id())
            .attr(cx, "linkage", linkage_attr(cx, linkage))
            .maybe_attr(cx, "value", value)
            .maybe_attr(cx, "alignment", view.alignment().map(|attr| attr.id()))
            .attr(cx, "addr_space", cx.i32_attr(space.cast_signed()));
        let global = rw.create_isolated(state, 1);
        if is_uninitialized && let Some(mut body) = rw.enter(global) {
            let region = body.ir().op_regions(dl_ir::Arena::ROOT)[0];
            let block = body.append_block(region, &[]);
            body.set_insertion_to_end(block);
            let mut b = Build::new(&mut body, loc);
            let undefined = b.value::<UndefOp<'_>>(&[], storage);
            b.create(OpState::of::<ReturnOp<'_>>(loc).operands([undefined]));
        }
        rw.erase(op);
        Ok(())
    }
}

/// `memref.get_global` becomes a descriptor around `llvm.mlir.addressof`.
pub(super) struct GetGlobal;

impl ConversionPattern for GetGlobal {
    const NAME: &'static str = "memref-get-global-to-llvm";
    const ROOT: Option<&'static str> = Some(GetGlobalOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let types = MemrefTypes::new(rw, rw.value_type(rw.ir().result(op, 0)))?;
        let storage = storage_type(cx, types.memref, types.element).ok_or(NoMatch("a dynamic shape"))?;
        let shape = types.memref.shape().ok_or(NoMatch("not ranked"))?;
        let (name, loc) = (GetGlobalOp::wrap(rw.op(op)).name().id(), rw.op(op).loc());
        let mut b = Build::new(rw, loc);
        let extents = Extents::new(&mut b, shape, &[], types.index);
        extents.bytes(&mut b, types.element, types.pointer, types.index);
        let address = b.value_with::<AddressOfOp<'_>>(&[], types.pointer, &[("global_name", name)]);
        let first: SmallVec<[Index; 4]> = std::iter::repeat_n(Index::Constant(0), shape.len() + 1).collect();
        let data: ValueId = b.gep(address, storage, &first, GEPNoWrapFlags::NONE);
        let marker = b.llvm_index(types.index, NOT_ALLOCATED);
        let marker = b.value::<IntToPtrOp<'_>>(&[marker], types.pointer);
        let descriptor = extents.descriptor(&mut b, types.descriptor, marker, data);
        rw.replace(op, &[descriptor]);
        Ok(())
    }
}
