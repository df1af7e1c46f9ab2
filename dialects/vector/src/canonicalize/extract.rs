//! Extractions and insertions of elements and sub-vectors.

use dl_ir::interfaces::index_list::{Indices, mixed, split};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};
use smallvec::SmallVec;

use crate::position;
use crate::types::{count, extents, is_broadcastable};
use crate::{BroadcastOp, ExtractOp, FromElementsOp, InsertOp, ShapeCastOp, ToElementsOp};

/// Most elements of a vector that insertions are merged for: each becomes an operand.
const MOST_ELEMENTS: usize = 1024;

/// Gives an extraction or insertion the operands before its indices, and the position.
fn set_position(rw: &mut Rewriter<'_>, op: OpId, others: &[ValueId], position: &Indices) {
    let (cx, (constants, values)) = (rw.cx(), split(position));
    let operands: SmallVec<[ValueId; 4]> = others.iter().copied().chain(values).collect();
    rw.set_operands(op, &operands);
    rw.set_attr(op, cx.ident("static_position"), cx.dense_i64_array(&constants));
}

/// A part of what was inserted, transposed, repeated, cast or sliced is a part of what it was made of.
fn extract_from_origin(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let position = position::of_extract(extract).ok_or(NoMatch("an index is out of bounds"))?;
    let origin = position::origin(extract.source(), &position).filter(|(source, _)| source.ty().is_vector());
    let (source, position) = origin.ok_or(NoMatch("the source is where the part comes from"))?;
    let result = extract.result().ty();
    let left = extents(source.ty()).len().checked_sub(position.len());
    let whole = left.is_none_or(|left| left != extents(result).len()) || (result.is_vector() && position.is_empty());
    if whole {
        return Err(NoMatch("the part is of another rank"));
    }
    let source = source.id();
    set_position(rw, op, &[source], &position);
    Ok(())
}

/// Indices that are constants become part of the position.
pub(crate) fn constant_indices(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (constants, first) =
        (view.attr("static_position").ok_or(NoMatch("no position"))?, usize::from(view.is::<InsertOp<'_>>()));
    let vector = view.operand(first);
    let values = view.operand_group(first + 1);
    let old: SmallVec<[i64; 4]> = constants.dense_ints().collect();
    let mut dims = old.iter().zip(extents(vector.ty())).filter(|(index, _)| **index == dl_ir::DYNAMIC);
    let mut new = mixed(&old, values);
    let mut found = false;
    for index in new.iter_mut().filter(|index| index.as_static().is_none()) {
        let (Some((_, &extent)), dl_ir::interfaces::Index::Value(value)) = (dims.next(), *index) else { break };
        let constant = rw.value(value).constant().and_then(|c| c.as_int());
        // -1 is poison; anything else out of bounds is left alone.
        if let Some(constant) = constant.filter(|n| (-1..extent).contains(n)) {
            *index = dl_ir::interfaces::Index::Static(constant);
            found = true;
        }
    }
    if !found {
        return Err(NoMatch("no index is a constant in bounds"));
    }
    let others: SmallVec<[ValueId; 2]> = rw.op(op).operands().iter().take(first + 1).map(|v| v.id()).collect();
    set_position(rw, op, &others, &new);
    Ok(())
}

/// `vector.extract` at the position that is known of it, from where the part comes from.
pub(crate) fn fold_extract(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    constant_indices(op, rw).or_else(|_| extract_from_origin(op, rw))
}

/// A part of a vector that has all its elements is a cast of it.
fn extract_all_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let cast = extract.source().def::<ShapeCastOp<'_>>().ok_or(NoMatch("the source is no cast"))?;
    let (from, to) = (extract.source().ty(), extract.result().ty());
    let all = to.is_vector() && count(from) == count(to) && !from.is_scalable_vector();
    if !all || position::of_extract(extract).is_none() || cast.source().ty().is_scalable_vector() {
        return Err(NoMatch("not all elements are taken"));
    }
    let (source, loc, ty) = (cast.source().id(), extract.0.loc(), to.id());
    rw.replace_with(op, OpState::of::<ShapeCastOp<'_>>(loc).operands([source]).results([ty]));
    Ok(())
}

/// A part of a broadcast that leaves out only what was added is a broadcast.
fn extract_from_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let to = extract.result().ty();
    let repeated = extract.source().def::<BroadcastOp<'_>>().map(|broadcast| broadcast.source());
    let widened = || {
        let cast = extract.source().def::<ShapeCastOp<'_>>()?;
        position::added_unit_dims(cast)
            .filter(|_| extents(cast.source().ty()).len() < extents(cast.result().ty()).len())?;
        Some(cast.source())
    };
    let source = repeated.or_else(widened).ok_or(NoMatch("the source is no broadcast"))?;
    let fits = to.is_vector() && extents(source.ty()).len() <= extents(to).len() && is_broadcastable(source.ty(), to);
    let position = position::of_extract(extract).ok_or(NoMatch("an index is out of bounds"))?;
    if !fits || position.len() + extents(to).len() != extents(extract.source().ty()).len() {
        return Err(NoMatch("dimensions of the operand are left out"));
    }
    let (source, loc, ty) = (source.id(), extract.0.loc(), to.id());
    rw.replace_with(op, OpState::of::<BroadcastOp<'_>>(loc).operands([source]).results([ty]));
    Ok(())
}

/// A part of a vector made of elements is made of some of them.
fn extract_from_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let extract = ExtractOp(rw.op(op));
    let made = extract.source().def::<FromElementsOp<'_>>().ok_or(NoMatch("the source is not made of elements"))?;
    let position = position::of_extract(extract).ok_or(NoMatch("an index is out of bounds"))?;
    let first = position::linear_index(&position, extents(extract.source().ty()));
    let first = first.ok_or(NoMatch("an index is not known"))?;
    let to = extract.result().ty();
    let len = count(to).and_then(|n| usize::try_from(n).ok()).filter(|_| to.is_vector()).ok_or(NoMatch("no vector"))?;
    let elements: SmallVec<[ValueId; 8]> = made.elements().iter().skip(first).take(len).map(|e| e.id()).collect();
    let (loc, ty) = (extract.0.loc(), to.id());
    rw.replace_with(op, OpState::of::<FromElementsOp<'_>>(loc).operands(elements).results([ty]));
    Ok(())
}

/// What is inserted in place of all elements is broadcast.
fn insert_of_all(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let insert = InsertOp(rw.op(op));
    let (stored, dest) = (insert.value_to_store(), insert.dest().ty());
    let all = count(stored.ty()) == count(dest) && is_broadcastable(stored.ty(), dest);
    let same_scale = stored.ty().is_scalable_vector() == dest.is_scalable_vector();
    if !all || !same_scale || position::of_insert(insert).is_none() {
        return Err(NoMatch("some elements stay"));
    }
    let (stored, loc, ty) = (stored.id(), insert.0.loc(), dest.id());
    rw.replace_with(op, OpState::of::<BroadcastOp<'_>>(loc).operands([stored]).results([ty]));
    Ok(())
}

/// What is inserted where something has just been inserted replaces that.
fn insert_again(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let insert = InsertOp(rw.op(op));
    let before = insert.dest().def::<InsertOp<'_>>().ok_or(NoMatch("nothing was inserted before"))?;
    if before.static_position() != insert.static_position()
        || !before.dynamic_position().iter().eq(insert.dynamic_position().iter())
    {
        return Err(NoMatch("something was inserted elsewhere"));
    }
    let dest = before.dest().id();
    rw.set_operand(op, 1, dest);
    Ok(())
}

/// Insertions one after the other that leave no element of the vector they began with make a vector of elements.
fn insert_everywhere(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let insert = InsertOp(rw.op(op));
    let ty = insert.dest().ty();
    let continued = |user: dl_ir::OpRef<'_>, at: usize| user.is::<InsertOp<'_>>() && at == 1;
    if insert.result().uses().any(|(user, at)| continued(user, at)) {
        return Err(NoMatch("more is inserted after it"));
    }
    let small = |total: &usize| *total <= MOST_ELEMENTS && !ty.is_scalable_vector();
    let total = count(ty).and_then(|n| usize::try_from(n).ok()).filter(small);
    let total = total.ok_or(NoMatch("more elements than worth it, or as many as the machine has"))?;
    // The last insertion counts: from it backwards, each takes the elements that are still free.
    let mut from: Vec<Option<(usize, usize)>> = vec![None; total];
    let mut sources: Vec<ValueId> = Vec::new();
    let (mut left, mut each) = (total, Some(insert));
    while let Some(current) = each.filter(|_| left > 0) {
        let position = position::of_insert(current).ok_or(NoMatch("an index is out of bounds"))?;
        let first = position::linear_index(&position, extents(ty)).ok_or(NoMatch("an index is not known"))?;
        let stored = current.value_to_store();
        let len = count(stored.ty()).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let mut taken = false;
        for (i, place) in from.iter_mut().skip(first).take(len).enumerate().filter(|(_, place)| place.is_none()) {
            *place = Some((sources.len(), i));
            left -= 1;
            taken = true;
        }
        if taken {
            sources.push(stored.id());
        }
        // An earlier insertion that others use as well stays.
        each = current.dest().def::<InsertOp<'_>>().filter(|before| before.result().has_one_use());
    }
    if left > 0 || total == 1 {
        return Err(NoMatch("elements of the first vector are left"));
    }
    let (loc, ty) = (insert.0.loc(), ty.id());
    // In program order, as the insertions were.
    let mut parts: Vec<SmallVec<[ValueId; 4]>> = vec![SmallVec::new(); sources.len()];
    for (at, &source) in sources.iter().enumerate().rev() {
        if !cx.ty(rw.value_type(source).id()).is_vector() {
            parts[at].push(source);
            continue;
        }
        let taken = rw.create(OpState::of::<ToElementsOp<'_>>(loc).operands([source]));
        parts[at] = rw.ir().results(taken).collect();
    }
    let elements: Option<Vec<ValueId>> =
        from.iter().map(|place| place.and_then(|(source, i)| parts[source].get(i).copied())).collect();
    let elements = elements.ok_or(NoMatch("an element is missing"))?;
    rw.replace_with(op, OpState::of::<FromElementsOp<'_>>(loc).operands(elements).results([ty]));
    Ok(())
}

pub(crate) fn extract(patterns: &mut Patterns) {
    let root = Some(ExtractOp::NAME);
    patterns
        .add_fn("vector-extract-from-broadcast", root, extract_from_broadcast)
        .add_fn("vector-extract-all-of-cast", root, extract_all_of_cast)
        .add_fn("vector-extract-from-elements", root, extract_from_elements);
    super::masks::of_extract(patterns);
}

pub(crate) fn insert(patterns: &mut Patterns) {
    let root = Some(InsertOp::NAME);
    patterns
        .add_fn("vector-insert-of-all", root, insert_of_all)
        .add_fn("vector-insert-again", root, insert_again)
        .add_fn("vector-insert-everywhere", root, insert_everywhere);
}
