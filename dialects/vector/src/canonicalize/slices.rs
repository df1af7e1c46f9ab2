//! Slices of vectors, and of what slices were put into.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};
use smallvec::SmallVec;

use crate::position::ints;
use crate::types::extents;
use crate::{ExtractOp, ExtractStridedSliceOp, InsertStridedSliceOp, ShapeCastOp};

/// How far back slices put into a vector are looked through.
const MOST_STEPS: usize = 1024;

/// A slice taken within one that was put in is a slice of that; one that overlaps none of those put in is taken of what they were put
/// into.
fn slice_of_inserted(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let slice = ExtractStridedSliceOp(rw.op(op));
    let rank = extents(slice.source().ty()).len();
    let (mut offsets, mut sizes) = (ints(slice.offsets()), ints(slice.sizes()));
    for i in offsets.len()..rank {
        offsets.push(0);
        sizes.push(extents(slice.source().ty())[i]);
    }
    let mut source = slice.source();
    let mut found = None;
    for _ in 0..MOST_STEPS {
        let Some(inserted) = source.def::<InsertStridedSliceOp<'_>>() else { break };
        let (part, starts) = (inserted.value_to_store(), ints(inserted.offsets()));
        let shape = extents(part.ty());
        let Some(added) = rank.checked_sub(shape.len()) else { break };
        let extent = |i: usize| if i < added { 1 } else { shape[i - added] };
        let apart = |i: usize| offsets[i] + sizes[i] <= starts[i] || starts[i] + extent(i) <= offsets[i];
        let within = |i: usize| starts[i] <= offsets[i] && offsets[i] + sizes[i] <= starts[i] + extent(i);
        if (0..rank).any(apart) {
            source = inserted.dest();
            found = Some((source, offsets.clone()));
            continue;
        }
        if added == 0 && (0..rank).all(within) {
            found = Some((part, (0..rank).map(|i| offsets[i] - starts[i]).collect()));
        }
        break;
    }
    let (source, offsets): (_, SmallVec<[i64; 4]>) = found.ok_or(NoMatch("no slice was put there"))?;
    let (cx, loc, source, ty) = (rw.cx(), slice.0.loc(), source.id(), slice.result().ty().id());
    let attr = |values: &[i64]| cx.array_attr(&values.iter().map(|&v| cx.i64_attr(v)).collect::<Vec<_>>());
    let state = OpState::of::<ExtractStridedSliceOp<'_>>(loc)
        .operands([source])
        .attr(cx, "offsets", attr(&offsets))
        .attr(cx, "sizes", attr(&sizes))
        .attr(cx, "strides", attr(&vec![1; rank]))
        .results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

/// A slice that has one index of each leading dimension and all of the others is an extraction, cast.
fn contiguous_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let slice = ExtractStridedSliceOp(rw.op(op));
    let (offsets, sizes, from) = (ints(slice.offsets()), ints(slice.sizes()), slice.source().ty());
    let shape = extents(from);
    if from.is_scalable_vector() {
        return Err(NoMatch("the source grows with the machine"));
    }
    let full = sizes.iter().zip(shape).rev().take_while(|(size, extent)| size == extent).count();
    let mut taken = sizes.len() - full;
    if taken == 0 || taken == shape.len() || sizes[..taken].iter().any(|&size| size != 1) {
        return Err(NoMatch("the slice is not contiguous, or everything"));
    }
    // Dimensions of extent 1 are left out as well.
    while taken + 1 < sizes.len() && sizes[taken] == 1 {
        taken += 1;
    }
    let (cx, loc, source, ty) = (rw.cx(), slice.0.loc(), slice.source().id(), slice.result().ty().id());
    let part = cx.vector_type(&shape[taken..], from.element_or_self().id());
    let state = OpState::of::<ExtractOp<'_>>(loc).operands([source]).results([part]);
    let part = rw.create_value(state.attr(cx, "static_position", cx.dense_i64_array(&offsets[..taken])));
    rw.replace_with(op, OpState::of::<ShapeCastOp<'_>>(loc).operands([part]).results([ty]));
    Ok(())
}

pub(crate) fn extract_strided_slice(patterns: &mut Patterns) {
    let root = Some(ExtractStridedSliceOp::NAME);
    super::masks::of_slice(patterns);
    super::shapes::of_slice(patterns);
    patterns.add_fn("vector-slice-of-inserted", root, slice_of_inserted).add_fn(
        "vector-contiguous-slice",
        root,
        contiguous_slice,
    );
}
