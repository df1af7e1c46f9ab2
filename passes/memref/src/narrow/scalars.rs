//! Reading and writing one element of a packed buffer.

use std::sync::Arc;

use dl_arith::{AndIOp, AtomicRMWKind, Build, ExtUIOp, IndexCastOp, OrIOp, ShLIOp, ShRUIOp, TruncIOp, XOrIOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Type, ValueId};
use dl_memref::{AtomicRMWOp, LoadOp, StoreOp};

use super::layout::{Place, is_narrow};

/// Adds the patterns. `atomic` has stores keep what other threads store into the same word.
pub(super) fn add(converter: &Arc<TypeConverter>, width: u32, atomic: bool, patterns: &mut ConversionPatterns) {
    patterns.add(converter, LoadElement { width }).add(converter, StoreElement { width, atomic });
}

/// The word, shifted down and truncated.
struct LoadElement {
    width: u32,
}

impl ConversionPattern for LoadElement {
    const NAME: &'static str = "memref-load-narrow";
    const ROOT: Option<&'static str> = Some(LoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = LoadOp::wrap(rw.op(op));
        let ty = rw.cx().ty(view.memref().ty().id());
        if !is_narrow(ty, self.width) {
            return Err(NoMatch("the elements are wide enough"));
        }
        let (loc, element, indices) = (view.0.loc(), ty.element_or_self().id(), operands.range(1..operands.len()));
        let place = Place::of(rw, ty, &indices, self.width)?;
        rw.set_insertion_before(op);
        let word = place.word(rw, op, loc)?;
        let bit = place.bit(rw, op, loc)?;
        let mut b = Build::new(rw, loc);
        let int = b.cx().int_type(self.width);
        let loaded = b.value::<LoadOp<'_>>(&[operands.one(0), word], int);
        let amount = b.value::<IndexCastOp<'_>>(&[bit], int);
        let shifted = b.same::<ShRUIOp<'_>>(&[loaded, amount]);
        let value = b.value::<TruncIOp<'_>>(&[shifted], element);
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// The bits of the element set to zero in the word, then those of the new one set.
struct StoreElement {
    width: u32,
    atomic: bool,
}

impl ConversionPattern for StoreElement {
    const NAME: &'static str = "memref-store-narrow";
    const ROOT: Option<&'static str> = Some(StoreOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = StoreOp::wrap(rw.op(op));
        let ty = rw.cx().ty(view.memref().ty().id());
        if !is_narrow(ty, self.width) {
            return Err(NoMatch("the elements are wide enough"));
        }
        let (loc, bits) = (view.0.loc(), ty.element_or_self().int_width().ok_or(NoMatch("no integers"))?);
        let (value, memref, indices) = (operands.one(0), operands.one(1), operands.range(2..operands.len()));
        let place = Place::of(rw, ty, &indices, self.width)?;
        rw.set_insertion_before(op);
        let word = place.word(rw, op, loc)?;
        let bit = place.bit(rw, op, loc)?;
        let mut b = Build::new(rw, loc);
        let cx = b.cx();
        let int = cx.int_type(self.width);
        let amount = b.value::<IndexCastOp<'_>>(&[bit], int);
        let wide = b.value::<ExtUIOp<'_>>(&[value], int);
        let shifted = b.same::<ShLIOp<'_>>(&[wide, amount]);
        let ones = b.constant(cx.int_attr(int, (1_i64 << bits) - 1), int);
        let own = b.same::<ShLIOp<'_>>(&[ones, amount]);
        let all = b.constant(cx.int_attr(int, -1), int);
        let others = b.same::<XOrIOp<'_>>(&[own, all]);
        if self.atomic {
            atomically(&mut b, AtomicRMWKind::Andi, others, memref, word, int);
            atomically(&mut b, AtomicRMWKind::Ori, shifted, memref, word, int);
        } else {
            let loaded = b.value::<LoadOp<'_>>(&[memref, word], int);
            let kept = b.same::<AndIOp<'_>>(&[loaded, others]);
            let stored = b.same::<OrIOp<'_>>(&[kept, shifted]);
            b.create(OpState::of::<StoreOp<'_>>(loc).operands([stored, memref, word]));
        }
        rw.erase(op);
        Ok(())
    }
}

fn atomically(b: &mut Build<'_, '_>, kind: AtomicRMWKind, value: ValueId, memref: ValueId, at: ValueId, int: Type) {
    let kind = kind.attr(b.cx());
    b.value_with::<AtomicRMWOp<'_>>(&[value, memref, at], int, &[("kind", kind)]);
}
