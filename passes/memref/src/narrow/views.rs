//! Where packed buffers come from: allocations, globals, and views of other buffers.

use std::sync::Arc;

use dl_affine::apply::folded_apply_of_symbols;
use dl_arith::constant_index;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{Attr, AttrRef, DYNAMIC, OpDefinition, OpId, OpRef, OpState, OpView, TypeRef, ValueId};
use dl_memref::{AllocOp, AllocaOp, GetGlobalOp, GlobalOp, ReinterpretCastOp, SubViewOp};

use super::layout::{is_narrow, per_word, words};

/// Adds the patterns.
pub(super) fn add(converter: &Arc<TypeConverter>, width: u32, patterns: &mut ConversionPatterns) {
    patterns
        .add(converter, Allocate { width })
        .add(converter, Global { width })
        .add(converter, GetGlobal)
        .add(converter, View { width });
}

/// Whether the type that a global variable has as an attribute stays.
pub(super) fn has_legal_attr(op: OpRef<'_>, converter: &TypeConverter) -> bool {
    let ty = op.cast::<GlobalOp<'_>>().and_then(|global| global.ty().as_type());
    ty.is_none_or(|ty| converter.is_legal(op.cx(), ty.id()))
}

/// `memref.alloc` and `memref.alloca`, of as many words as hold the elements.
struct Allocate {
    width: u32,
}

impl ConversionPattern for Allocate {
    const NAME: &'static str = "memref-alloc-narrow";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        if !view.is::<AllocOp<'_>>() && !view.is::<AllocaOp<'_>>() {
            return Err(NoMatch("no allocation"));
        }
        let old = cx.ty(view.result(0).ty().id());
        if !is_narrow(old, self.width) {
            return Err(NoMatch("the elements are wide enough"));
        }
        let ty = rw.convert_type(old.id())?;
        let (per_word, shape) = (per_word(old, self.width), old.shape().unwrap_or_default());
        let per_word = per_word.ok_or(NoMatch("elements that do not fill a word"))?;
        if !view.operand_group(1).is_empty() {
            return Err(NoMatch("a layout with symbols"));
        }
        let (name, loc) = (view.name_id(), view.loc());
        let alignment = view.attr("alignment").map(AttrRef::id);
        rw.set_insertion_before(op);
        let size: Option<ValueId> = match (shape.split_first(), &operands.all()[..]) {
            (Some((&DYNAMIC, inner)), &[size]) => {
                let affine = cx.affine();
                let row = inner.iter().try_fold(1_i64, |all, &n| all.checked_mul(n)).ok_or(NoMatch("too many"))?;
                let elements = affine.mul_constant(affine.dim(0), row);
                let expr = affine.ceildiv(elements, affine.constant(per_word));
                let size = folded_apply_of_symbols(rw, op, expr, &[Index::Value(size)], loc);
                Some(match size.ok_or(NoMatch("a size overflows"))? {
                    Index::Value(value) => value,
                    Index::Static(constant) => constant_index(rw, constant, loc),
                })
            }
            _ => None,
        };
        let segments = [usize::from(size.is_some()), 0];
        let state = OpState::new(name, loc).operand_segments(cx, &segments).operands(size).results([ty]);
        rw.replace_with(op, state.maybe_attr(cx, "alignment", alignment));
        Ok(())
    }
}

/// `memref.global`, with its elements packed.
struct Global {
    width: u32,
}

impl ConversionPattern for Global {
    const NAME: &'static str = "memref-global-narrow";
    const ROOT: Option<&'static str> = Some(GlobalOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), GlobalOp::wrap(rw.op(op)));
        let old = view.ty().as_type().filter(|ty| is_narrow(*ty, self.width)).ok_or(NoMatch("wide enough"))?;
        let ty = rw.convert_type(old.id())?;
        let initial = match view.initial_value() {
            Some(value) if value.is_elements() => Some(self.pack(value, old, cx.ty(ty)).ok_or(NoMatch("not dense"))?),
            other => other.map(AttrRef::id),
        };
        rw.set_attr(op, cx.ident("type"), cx.type_attr(ty));
        if let Some(initial) = initial {
            rw.set_attr(op, cx.ident("initial_value"), initial);
        }
        Ok(())
    }
}

impl Global {
    /// The words that hold `elements`.
    fn pack(&self, elements: AttrRef<'_>, old: TypeRef<'_>, new: TypeRef<'_>) -> Option<Attr> {
        let (cx, per_word) = (elements.cx(), per_word(old, self.width)?);
        let bits = self.width / u32::try_from(per_word).ok()?;
        let int = cx.int_type(self.width);
        let word = |values: &[u64]| {
            let word = values.iter().rev().fold(0_u64, |word, value| word << bits | value);
            cx.int_attr(int, word.cast_signed())
        };
        let low = |value: AttrRef<'_>| Some(value.as_int()?.cast_unsigned() & ((1 << bits) - 1));
        let ty = cx.tensor_type(new.shape()?, int);
        if let Some(value) = elements.splat_value() {
            let all = vec![low(value)?; usize::try_from(per_word).ok()?];
            return cx.splat_attr(ty, word(&all));
        }
        let values: Vec<u64> = elements.dense_values()?.map(low).collect::<Option<_>>()?;
        cx.dense_attr(ty, &values.chunks(usize::try_from(per_word).ok()?).map(word).collect::<Vec<_>>())
    }
}

/// `memref.get_global`.
struct GetGlobal;

impl ConversionPattern for GetGlobal {
    const NAME: &'static str = "memref-get-global-narrow";
    const ROOT: Option<&'static str> = Some(GetGlobalOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), GetGlobalOp::wrap(rw.op(op)));
        let (name, loc) = (view.name().id(), view.0.loc());
        let ty = rw.convert_type(view.0.result(0).ty().id())?;
        rw.replace_with(op, OpState::of::<GetGlobalOp<'_>>(loc).attr(cx, "name", name).results([ty]));
        Ok(())
    }
}

/// `memref.subview` and `memref.reinterpret_cast` to elements without gaps, from a word on: both as views of words.
struct View {
    width: u32,
}

impl ConversionPattern for View {
    const NAME: &'static str = "memref-view-narrow";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let is_cast = view.is::<ReinterpretCastOp<'_>>();
        if !is_cast && !view.is::<SubViewOp<'_>>() {
            return Err(NoMatch("no view"));
        }
        let old = cx.ty(view.result(0).ty().id());
        if !is_narrow(old, self.width) || !view.operand(0).ty().is_ranked_memref() {
            return Err(NoMatch("the elements are wide enough, or of a buffer of unknown rank"));
        }
        let ty = rw.convert_type(old.id())?;
        let new = cx.ty(ty);
        let per_word = per_word(old, self.width).ok_or(NoMatch("elements that do not fill a word"))?;
        let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
        let elements = old
            .shape()
            .unwrap_or_default()
            .iter()
            .try_fold(1_i64, |all, &extent| if extent == DYNAMIC { None } else { all.checked_mul(extent) });
        let size = words(elements.ok_or(NoMatch("extents that are not known"))?, per_word);
        let to = new.strided_layout().ok_or(NoMatch("no strides"))?.offset;
        let offset = if is_cast {
            let offset = slice.offsets.first().and_then(|offset| offset.as_static());
            offset.filter(|offset| offset % per_word == 0).ok_or(NoMatch("an offset within a word"))? / per_word
        } else {
            let from = cx.ty(rw.value_type(operands.one(0)).id()).strided_layout();
            to - from.ok_or(NoMatch("no strides"))?.offset
        };
        let (loc, source) = (view.loc(), operands.one(0));
        let list = |value: i64| cx.dense_i64_array(&[value]);
        let name = view.name_id();
        let state = OpState::new(name, loc)
            .operand_segments(cx, &[1, 0, 0, 0])
            .operands([source])
            .attr(cx, "static_offsets", list(offset))
            .attr(cx, "static_sizes", list(size))
            .attr(cx, "static_strides", list(1))
            .results([ty]);
        rw.replace_with(op, state);
        Ok(())
    }
}
