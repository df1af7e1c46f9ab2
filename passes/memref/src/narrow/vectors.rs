//! Reading and writing several elements of a packed buffer.
//!
//! Where it is known which element of a word the first one is, whole words are loaded and taken apart. Where it is not, one word more is loaded if
//! some element is in it, and two neighbours are shifted into one word each. Stores of whole words are stores of words, others are of one
//! element after the other.

use std::sync::Arc;

use dl_arith::{Build, CmpIPredicate, IndexCastOp, OrIOp, ShLIOp, ShRUIOp, SubIOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{AttrRef, Context, OpDefinition, OpId, OpState, OpView, Type, TypeRef, ValueId};
use dl_memref::StoreOp as StoreElementOp;
use dl_vector::types::extents;
use dl_vector::{
    BitCastOp, BroadcastOp, CombiningKind, CreateMaskOp, ExtractOp, ExtractStridedSliceOp, InsertStridedSliceOp,
    LoadOp, MaskedLoadOp, MultiDimReductionOp, ShapeCastOp, StoreOp, TransferReadOp, TransferWriteOp,
};

use super::layout::{Place, is_narrow, per_word, words};

/// Adds the patterns.
pub(super) fn add(converter: &Arc<TypeConverter>, width: u32, patterns: &mut ConversionPatterns) {
    patterns
        .add(converter, Load { width })
        .add(converter, MaskedLoad { width })
        .add(converter, Store { width })
        .add_untyped(Transfer { width });
}

/// The vector of one dimension that `ty` is, and how many elements it has.
fn row(ty: TypeRef<'_>) -> Result<i64, NoMatch> {
    match extents(ty) {
        &[count] if !ty.is_scalable_vector() => Ok(count),
        _ => Err(NoMatch("not a vector of one dimension")),
    }
}

/// `vector.extract_strided_slice` of one dimension; the vector itself where that is all.
fn slice(b: &mut Build<'_, '_>, vector: ValueId, offset: i64, size: i64) -> ValueId {
    let (cx, ty) = (b.cx(), b.value_type(vector));
    if extents(ty) == [size] {
        return vector;
    }
    let part = cx.vector_type(&[size], ty.element_or_self().id());
    let list = |value: i64| cx.array_attr(&[cx.i64_attr(value)]);
    let attrs = [("offsets", list(offset)), ("sizes", list(size)), ("strides", list(1))];
    b.value_with::<ExtractStridedSliceOp<'_>>(&[vector], part, &attrs)
}

/// `count` elements, from element number `from` on, of a vector of words.
fn elements(b: &mut Build<'_, '_>, words: ValueId, element: Type, per_word: i64, from: i64, count: i64) -> ValueId {
    let all = extents(b.value_type(words)).iter().product::<i64>() * per_word;
    let ty = b.cx().vector_type(&[all], element);
    let all = b.value::<BitCastOp<'_>>(&[words], ty);
    slice(b, all, from, count)
}

fn words_type(cx: &Context, width: u32, count: i64) -> Type {
    cx.vector_type(&[count], cx.int_type(width))
}

/// `vector.load`.
struct Load {
    width: u32,
}

impl ConversionPattern for Load {
    const NAME: &'static str = "memref-vector-load-narrow";
    const ROOT: Option<&'static str> = Some(LoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, width, view) = (rw.cx(), self.width, LoadOp::wrap(rw.op(op)));
        let (ty, vector) = (cx.ty(view.base().ty().id()), cx.ty(view.0.result(0).ty().id()));
        if !is_narrow(ty, width) {
            return Err(NoMatch("the elements are wide enough"));
        }
        let (count, loc, element) = (row(vector)?, view.0.loc(), vector.element_or_self().id());
        let per_word = per_word(ty, width).ok_or(NoMatch("elements that do not fill a word"))?;
        let place = Place::of(rw, ty, &operands.range(1..operands.len()), width)?;
        let memref = operands.one(0);
        rw.set_insertion_before(op);
        let at = place.word(rw, op, loc)?;
        if let Some(phase) = place.phase(ty) {
            let mut b = Build::new(rw, loc);
            let loaded = b.value::<LoadOp<'_>>(&[memref, at], words_type(cx, width, words(phase + count, per_word)));
            let value = elements(&mut b, loaded, element, per_word, phase, count);
            rw.replace(op, &[value]);
            return Ok(());
        }
        let bit = place.bit(rw, op, loc)?;
        let mut b = Build::new(rw, loc);
        let int = cx.int_type(width);
        let own = words(count, per_word);
        // The word after those that an aligned vector fills has some of it if it begins late enough in the first one.
        let (all, one_more) = (words_type(cx, width, own + 1), words_type(cx, width, own));
        let first_late = b.constant_index((own * per_word - count) * i64::from(width) / per_word);
        let is_late = b.compare(CmpIPredicate::Ugt, bit, first_late);
        let (short, long) = (b.constant_index(own), b.constant_index(own + 1));
        let size = b.select(is_late, long, short);
        let mask = b.value::<CreateMaskOp<'_>>(&[size], cx.vector_type(&[own + 1], cx.i1_type()));
        let zeros = cx.zero_attr(all).ok_or(NoMatch("no integers"))?;
        let zeros = b.constant(zeros, all);
        let loaded = b.value::<MaskedLoadOp<'_>>(&[memref, at, mask, zeros], all);
        let (low, high) = (slice(&mut b, loaded, 0, own), slice(&mut b, loaded, 1, own));
        let down = b.value::<IndexCastOp<'_>>(&[bit], int);
        // By one and then by the rest, since a whole word is too far to shift by.
        let most = b.constant(cx.int_attr(int, i64::from(width) - 1), int);
        let up = b.same::<SubIOp<'_>>(&[most, down]);
        let one = b.constant(cx.int_attr(int, 1), int);
        let [down, up, one] = [down, up, one].map(|amount| b.value::<BroadcastOp<'_>>(&[amount], one_more));
        let low = b.same::<ShRUIOp<'_>>(&[low, down]);
        let high = b.same::<ShLIOp<'_>>(&[high, one]);
        let high = b.same::<ShLIOp<'_>>(&[high, up]);
        let joined = b.same::<OrIOp<'_>>(&[low, high]);
        let value = elements(&mut b, joined, element, per_word, 0, count);
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.maskedload`: the words of which some element is wanted.
struct MaskedLoad {
    width: u32,
}

impl ConversionPattern for MaskedLoad {
    const NAME: &'static str = "memref-masked-load-narrow";
    const ROOT: Option<&'static str> = Some(MaskedLoadOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, width, view) = (rw.cx(), self.width, MaskedLoadOp::wrap(rw.op(op)));
        let (ty, vector) = (cx.ty(view.base().ty().id()), cx.ty(view.0.result(0).ty().id()));
        if !is_narrow(ty, width) {
            return Err(NoMatch("the elements are wide enough"));
        }
        let (count, loc, element) = (row(vector)?, view.0.loc(), vector.element_or_self().id());
        let per_word = per_word(ty, width).ok_or(NoMatch("elements that do not fill a word"))?;
        let last = operands.len() - 2;
        let place = Place::of(rw, ty, &operands.range(1..last), width)?;
        let phase = place.phase(ty).ok_or(NoMatch("it is not known where in a word it begins"))?;
        let (memref, mask, otherwise) = (operands.one(0), operands.one(last), operands.one(last + 1));
        rw.set_insertion_before(op);
        let at = place.word(rw, op, loc)?;
        let mut b = Build::new(rw, loc);
        let number = words(phase + count, per_word);
        let bit = cx.i1_type();
        let off = |b: &mut Build<'_, '_>, shape: &[i64]| {
            let ty = cx.vector_type(shape, bit);
            cx.zero_attr(ty).map(|zeros| b.constant(zeros, ty))
        };
        let lanes = if number * per_word == count {
            mask
        } else {
            let none = off(&mut b, &[number * per_word]).ok_or(NoMatch("no mask"))?;
            let list = |value: i64| cx.array_attr(&[cx.i64_attr(value)]);
            let (ty, attrs) = (b.ir().value_type(none), [("offsets", list(phase)), ("strides", list(1))]);
            b.value_with::<InsertStridedSliceOp<'_>>(&[mask, none], ty, &attrs)
        };
        let by_word = b.value::<ShapeCastOp<'_>>(&[lanes], cx.vector_type(&[number, per_word], bit));
        let none = off(&mut b, &[number]).ok_or(NoMatch("no mask"))?;
        let attrs = [("kind", CombiningKind::Or.attr(cx)), ("reduction_dims", cx.dense_i64_array(&[1]))];
        let ty = b.ir().value_type(none);
        let some = b.value_with::<MultiDimReductionOp<'_>>(&[by_word, none], ty, &attrs);
        let all = words_type(cx, width, number);
        let zeros = cx.zero_attr(all).ok_or(NoMatch("no integers"))?;
        let zeros = b.constant(zeros, all);
        let loaded = b.value::<MaskedLoadOp<'_>>(&[memref, at, some, zeros], all);
        let value = elements(&mut b, loaded, element, per_word, phase, count);
        let value = b.select(mask, value, otherwise);
        rw.replace(op, &[value]);
        Ok(())
    }
}

/// `vector.store`.
struct Store {
    width: u32,
}

impl ConversionPattern for Store {
    const NAME: &'static str = "memref-vector-store-narrow";
    const ROOT: Option<&'static str> = Some(StoreOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, width, view) = (rw.cx(), self.width, StoreOp::wrap(rw.op(op)));
        let (ty, vector) = (cx.ty(view.base().ty().id()), cx.ty(view.value_to_store().ty().id()));
        if !is_narrow(ty, width) {
            return Err(NoMatch("the elements are wide enough"));
        }
        let (count, loc) = (row(vector)?, view.0.loc());
        let per_word = per_word(ty, width).ok_or(NoMatch("elements that do not fill a word"))?;
        let indices = operands.range(2..operands.len());
        let place = Place::of(rw, ty, &indices, width)?;
        let (value, memref, narrow) = (operands.one(0), operands.one(1), view.base().id());
        rw.set_insertion_before(op);
        if place.phase(ty) == Some(0) && count % per_word == 0 {
            let at = place.word(rw, op, loc)?;
            let mut b = Build::new(rw, loc);
            let stored = b.value::<BitCastOp<'_>>(&[value], words_type(cx, width, count / per_word));
            b.create(OpState::of::<StoreOp<'_>>(loc).operands([stored, memref, at]));
            rw.erase(op);
            return Ok(());
        }
        if count > MOST_ELEMENTS {
            return Err(NoMatch("too many elements to store one by one"));
        }
        let mut b = Build::new(rw, loc);
        let Some((&last, outer)) = indices.split_last() else { return Err(NoMatch("no dimension to store along")) };
        for number in 0..count {
            let position = cx.dense_i64_array(&[number]);
            let state = OpState::of::<ExtractOp<'_>>(loc).operands([value]).attr(cx, "static_position", position);
            let element = b.create_value(state);
            let step = b.constant_index(number);
            let index = if number == 0 { last } else { b.same::<dl_arith::AddIOp<'_>>(&[last, step]) };
            let state = OpState::of::<StoreElementOp<'_>>(loc).operands([element, narrow]);
            b.create(state.operands(outer.iter().copied()).operands([index]));
        }
        rw.erase(op);
        Ok(())
    }
}

/// Longer vectors are not stored element by element.
const MOST_ELEMENTS: i64 = 1 << 10;

/// Transfers in bounds along the last dimension, as loads and stores.
struct Transfer {
    width: u32,
}

impl ConversionPattern for Transfer {
    const NAME: &'static str = "memref-transfer-narrow";
    const ROOT: Option<&'static str> = None;

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (base, state) = if let Some(read) = view.cast::<TransferReadOp<'_>>() {
            let state =
                OpState::of::<LoadOp<'_>>(view.loc()).operands([read.base().id()]).operands(read.indices().ids());
            (read.base(), state.results([view.result(0).ty().id()]))
        } else if let Some(write) = view.cast::<TransferWriteOp<'_>>() {
            let stored = [write.value_to_store().id(), write.base().id()];
            (write.base(), OpState::of::<StoreOp<'_>>(view.loc()).operands(stored).operands(write.indices().ids()))
        } else {
            return Err(NoMatch("no transfer"));
        };
        let rank = base.ty().shape().map_or(0, <[i64]>::len) as u32;
        let in_bounds = view.attr("in_bounds").is_some_and(|all| all.elements().all(|one| one.as_bool() == Some(true)));
        let map = view.attr("permutation_map").and_then(AttrRef::as_affine_map);
        let masked = view.operand_group(3).iter().next().is_some();
        if !is_narrow(base.ty(), self.width) || !in_bounds || masked || dl_vector::is_masked(view) {
            return Err(NoMatch("wide enough, masked, or it may be out of bounds"));
        }
        if map != Some(cx.affine().minor_identity_map(rank, 1)) {
            return Err(NoMatch("not along the last dimension"));
        }
        rw.replace_with(op, state);
        Ok(())
    }
}
