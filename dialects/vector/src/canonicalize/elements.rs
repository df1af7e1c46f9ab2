//! Vectors made of elements, taken apart, and shuffled.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};
use smallvec::SmallVec;

use crate::position;
use crate::types::{count, extents};
use crate::{BroadcastOp, ExtractOp, FromElementsOp, InterleaveOp, ShapeCastOp, ShuffleOp, ToElementsOp};

/// Equal elements are one, repeated.
fn equal_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let made = FromElementsOp(rw.op(op));
    let first = made.elements().get(0).ok_or(NoMatch("no elements"))?;
    if !made.elements().iter().all(|element| element == first) {
        return Err(NoMatch("the elements differ"));
    }
    let (first, loc, ty) = (first.id(), made.0.loc(), made.dest().ty().id());
    rw.replace_with(op, OpState::of::<BroadcastOp<'_>>(loc).operands([first]).results([ty]));
    Ok(())
}

/// Elements that follow one another in a vector, from the start of one of its parts to the end, are that part, cast.
fn consecutive_elements(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let made = FromElementsOp(rw.op(op));
    let taken = |at: usize| made.elements().get(at)?.def::<ExtractOp<'_>>();
    let first = taken(0).ok_or(NoMatch("the first element is not extracted"))?;
    let source = first.source();
    let shape = extents(source.ty());
    if source.ty().is_scalable_vector() {
        return Err(NoMatch("the source grows with the machine"));
    }
    let place = |extract: ExtractOp<'_>| {
        let position = position::of_extract(extract).filter(|position| position.len() == shape.len())?;
        position::linear_index(&position, shape)
    };
    let start = place(first).ok_or(NoMatch("no known element"))?;
    let follows = |at: usize| taken(at).is_some_and(|each| each.source() == source && place(each) == Some(start + at));
    let total = made.elements().len();
    if total < 2 || !(1..total).all(follows) {
        return Err(NoMatch("the elements do not follow one another"));
    }
    // The part with that many elements, not counting dimensions of extent 1 in front.
    let (mut part, mut dims) = (1_usize, shape.len());
    while part < total && dims > 0 {
        dims -= 1;
        part = part.saturating_mul(usize::try_from(shape[dims]).unwrap_or(usize::MAX));
    }
    if part != total || !start.is_multiple_of(total) {
        return Err(NoMatch("the elements are no part of the source"));
    }
    let position: Indices = outer_position(start / total, &shape[..dims]);
    let (cx, loc, ty, mut value) = (rw.cx(), made.0.loc(), made.dest().ty().id(), source.id());
    if !position.is_empty() {
        let constants: Vec<i64> = position.iter().map(|index| index.extent()).collect();
        let part = cx.vector_type(&shape[dims..], source.ty().element_or_self().id());
        let state = OpState::of::<ExtractOp<'_>>(loc).operands([value]).results([part]);
        value = rw.create_value(state.attr(cx, "static_position", cx.dense_i64_array(&constants)));
    }
    if rw.value_type(value).id() == ty {
        rw.replace(op, &[value]);
    } else {
        rw.replace_with(op, OpState::of::<ShapeCastOp<'_>>(loc).operands([value]).results([ty]));
    }
    Ok(())
}

/// The indices of number `linear` in row-major order.
fn outer_position(mut linear: usize, shape: &[i64]) -> Indices {
    let mut position = Indices::new();
    for &extent in shape.iter().rev() {
        let extent = usize::try_from(extent).unwrap_or(1).max(1);
        position.insert(0, Index::Static((linear % extent) as i64));
        linear /= extent;
    }
    position
}

/// The elements of a broadcast are those of its operand, again and again.
fn elements_of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let elements = ToElementsOp(rw.op(op));
    let broadcast = elements.source().def::<BroadcastOp<'_>>().ok_or(NoMatch("the source is no broadcast"))?;
    let (from, to) = (broadcast.source(), elements.source().ty());
    if !from.ty().is_vector() || to.is_scalable_vector() {
        return Err(NoMatch("the source is a scalar"));
    }
    let (small, large) = (extents(from.ty()), extents(to));
    let added = large.len() - small.len();
    let mut numbers = vec![0_i64];
    for (i, &extent) in large.iter().enumerate() {
        let kept = i.checked_sub(added).map_or(1, |i| small[i]);
        let along = |&n: &i64| (0..extent).map(move |at| n * kept + if kept == 1 { 0 } else { at });
        numbers = numbers.iter().flat_map(along).collect();
    }
    let (source, loc) = (from.id(), elements.0.loc());
    let taken = rw.create(OpState::of::<ToElementsOp<'_>>(loc).operands([source]));
    let values: SmallVec<[ValueId; 8]> = rw.ir().results(taken).collect();
    let repeated: Option<Vec<ValueId>> =
        numbers.iter().map(|&n| values.get(usize::try_from(n).ok()?).copied()).collect();
    let Some(repeated) = repeated else {
        rw.erase(taken);
        return Err(NoMatch("no broadcast"));
    };
    rw.replace(op, &repeated);
    Ok(())
}

/// A shuffle that takes one element of a vector without dimensions repeats it.
fn shuffle_of_scalar(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let shuffle = ShuffleOp(rw.op(op));
    let mask: SmallVec<[i64; 4]> = shuffle.mask().dense_ints().collect();
    let (first, second) = (shuffle.v1(), shuffle.v2());
    let (&[index], Some(0)) = (&mask[..], first.ty().rank()) else {
        return Err(NoMatch("more than one element"));
    };
    let chosen = match index {
        0 => first,
        1 => second,
        _ => return Err(NoMatch("the element is poison")),
    };
    let (chosen, loc, ty) = (chosen.id(), shuffle.0.loc(), shuffle.vector().ty().id());
    rw.replace_with(op, OpState::of::<BroadcastOp<'_>>(loc).operands([chosen]).results([ty]));
    Ok(())
}

/// A shuffle of two vectors of one scalar repeats it.
fn shuffle_of_splats(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let shuffle = ShuffleOp(rw.op(op));
    let splat = crate::fold::splat_source(shuffle.v1()).ok_or(NoMatch("the first vector is no broadcast"))?;
    if crate::fold::splat_source(shuffle.v2()) != Some(splat) {
        return Err(NoMatch("the second vector is no broadcast of the same"));
    }
    let (splat, loc, ty) = (splat.id(), shuffle.0.loc(), shuffle.vector().ty().id());
    rw.replace_with(op, OpState::of::<BroadcastOp<'_>>(loc).operands([splat]).results([ty]));
    Ok(())
}

/// A shuffle that takes from both vectors by turns interleaves them.
fn shuffle_by_turns(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let shuffle = ShuffleOp(rw.op(op));
    let (first, second) = (shuffle.v1(), shuffle.v2());
    if first.ty() != second.ty() || first.ty().rank().is_none_or(|rank| rank > 1) {
        return Err(NoMatch("the vectors differ, or have more than one dimension"));
    }
    let len = count(first.ty()).ok_or(NoMatch("too many elements"))?;
    let wanted = (0..len).flat_map(|i| [i, len + i]);
    if !shuffle.mask().dense_ints().eq(wanted) {
        return Err(NoMatch("not by turns"));
    }
    let (operands, loc, ty) = ([first.id(), second.id()], shuffle.0.loc(), shuffle.vector().ty().id());
    rw.replace_with(op, OpState::of::<InterleaveOp<'_>>(loc).operands(operands).results([ty]));
    Ok(())
}

pub(crate) fn from_elements(patterns: &mut Patterns) {
    let root = Some(FromElementsOp::NAME);
    patterns.add_fn("vector-equal-elements", root, equal_elements).add_fn(
        "vector-consecutive-elements",
        root,
        consecutive_elements,
    );
}

pub(crate) fn to_elements(patterns: &mut Patterns) {
    patterns.add_fn("vector-elements-of-broadcast", Some(ToElementsOp::NAME), elements_of_broadcast);
}

pub(crate) fn shuffle(patterns: &mut Patterns) {
    let root = Some(ShuffleOp::NAME);
    patterns
        .add_fn("vector-shuffle-of-splats", root, shuffle_of_splats)
        .add_fn("vector-shuffle-by-turns", root, shuffle_by_turns)
        .add_fn("vector-shuffle-of-scalar", root, shuffle_of_scalar);
}
