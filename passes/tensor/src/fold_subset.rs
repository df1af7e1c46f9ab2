//! `fold-tensor-subset-ops`: reading of a slice is reading of what it is taken from, and writing of what is then inserted is writing to where
//! it goes.

use dl_affine::apply::folded_apply;
use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{Loc, OpDefinition, OpId, OpState, Rewriter, TypeRef, ValueId};
use dl_tensor::build::{insert_slice_state, parallel_insert_slice_state};
use dl_tensor::{ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp, dropped_dims};
use dl_vector::{MaskOp, TransferReadOp, TransferWriteOp};

/// Folds slices of tensors into the operations that read or write them.
#[derive(Clone, Copy, Default)]
pub struct FoldTensorSubsetOps;

impl Pass for FoldTensorSubsetOps {
    const INFO: PassInfo =
        PassInfo::new("fold-tensor-subset-ops", "Fold slices of tensors into what reads or writes them")
            .title("FoldTensorSubsetOpsPass");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Adds the patterns.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    add_transfer_patterns(patterns);
    patterns.add_fn("tensor-insert-of-inserted", Some(InsertSliceOp::NAME), insert_of_inserted).add_fn(
        "tensor-insert-of-inserted",
        Some(ParallelInsertSliceOp::NAME),
        insert_of_inserted,
    );
}

/// Adds those that are about vectors.
pub fn add_transfer_patterns(patterns: &mut Patterns) {
    patterns.add_fn("tensor-read-of-slice", Some(TransferReadOp::NAME), read_of_slice).add_fn(
        "tensor-insert-of-written",
        Some(InsertSliceOp::NAME),
        insert_of_written,
    );
}

/// Which dimensions of the whole the part lacks.
pub(crate) fn dropped(slice: &Slice, part: TypeRef<'_>) -> Option<Vec<bool>> {
    let sizes: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    dropped_dims(&sizes, part.shape()?)
}

/// Positions in the whole of `indices` into a slice with unit strides. `anchor` is an operation where they are needed.
fn in_whole(
    rw: &mut Rewriter<'_>,
    anchor: OpId,
    slice: &Slice,
    dropped: &[bool],
    indices: &[Index],
    loc: Loc,
) -> Option<Indices> {
    let affine = rw.cx().affine();
    let sum = affine.add(affine.dim(0), affine.dim(1));
    let mut indices = indices.iter().copied();
    let mut resolved = Indices::new();
    for (&offset, &dropped) in slice.offsets.iter().zip(dropped) {
        let index = if dropped { Index::Static(0) } else { indices.next()? };
        let [offset, index] = [offset, index].map(|index| match index {
            Index::Value(value) => rw.value(value).constant().and_then(|c| c.as_int()).map_or(index, Index::Static),
            Index::Static(_) => index,
        });
        resolved.push(folded_apply(rw, anchor, sum, &[offset, index], loc)?);
    }
    Some(resolved)
}

fn as_values(rw: &mut Rewriter<'_>, indices: &[Index], loc: Loc) -> Vec<ValueId> {
    let mut value = |index: &Index| match *index {
        Index::Value(value) => value,
        Index::Static(constant) => dl_arith::constant_index(rw, constant, loc),
    };
    indices.iter().map(&mut value).collect()
}

/// `map` on the kept dimensions as a map on all.
fn on_all_dims(affine: &AffineStore, map: AffineMap, dropped: &[bool]) -> Option<AffineMap> {
    let kept: Vec<u32> = (0..dropped.len() as u32).filter(|&dim| !dropped[dim as usize]).collect();
    affine.compose(map, affine.multi_dim_map(dropped.len() as u32, &kept)?)
}

/// Whether every dimension of a transfer is marked as in bounds.
fn is_in_bounds(in_bounds: dl_ir::AttrRef<'_>) -> bool {
    in_bounds.elements().all(|attr| attr.as_bool() == Some(true))
}

fn read_of_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let read = TransferReadOp(rw.op(op));
    let extract = read.base().def::<ExtractSliceOp<'_>>().ok_or(NoMatch("no slice is read"))?;
    let slice = Slice::of(extract.0).filter(Slice::has_unit_strides).ok_or(NoMatch("strides other than 1"))?;
    if !is_in_bounds(read.in_bounds()) || read.mask().is_some() || read.0.parent_of::<MaskOp<'_>>().is_some() {
        return Err(NoMatch("out of bounds, or masked"));
    }
    let dropped = dropped(&slice, extract.result().ty()).ok_or(NoMatch("no rank"))?;
    let map = read.permutation_map().as_affine_map().and_then(|map| on_all_dims(cx.affine(), map, &dropped));
    let map = map.ok_or(NoMatch("no map"))?;
    let (source, padding, bounds) = (extract.source().id(), read.padding().id(), read.in_bounds().id());
    let (ty, loc) = (read.vector().ty().id(), read.0.loc());
    let indices: Indices = read.indices().iter().map(|index| Index::Value(index.id())).collect();
    rw.set_insertion_before(op);
    let indices = in_whole(rw, op, &slice, &dropped, &indices, loc).ok_or(NoMatch("indices overflow"))?;
    let indices = as_values(rw, &indices, loc);
    let state = OpState::of::<TransferReadOp<'_>>(loc)
        .operands([source])
        .operands(indices.iter().copied())
        .operands([padding])
        .operand_segments(cx, &[1, indices.len(), 1, 0])
        .attr(cx, "permutation_map", cx.affine_map_attr(map))
        .attr(cx, "in_bounds", bounds)
        .results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

/// Inserting a tensor that has been written as a whole is writing to its place.
fn insert_of_written(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let insert = InsertSliceOp(rw.op(op));
    let write = insert.source().def::<TransferWriteOp<'_>>().ok_or(NoMatch("nothing was written"))?;
    let slice = Slice::of(insert.0).filter(Slice::has_unit_strides).ok_or(NoMatch("strides other than 1"))?;
    if !is_in_bounds(write.in_bounds()) || write.mask().is_some() {
        return Err(NoMatch("out of bounds, or masked"));
    }
    let (vector, written) = (write.value_to_store().ty(), write.base().ty());
    if !written.has_static_shape() || vector.shape() != written.shape() || vector.is_scalable_vector() {
        return Err(NoMatch("some elements are not written"));
    }
    let dropped = dropped(&slice, written).ok_or(NoMatch("no rank"))?;
    let map = write.permutation_map().as_affine_map().and_then(|map| on_all_dims(cx.affine(), map, &dropped));
    let map = map.ok_or(NoMatch("no map"))?;
    let (vector, dest, bounds) = (write.value_to_store().id(), insert.dest().id(), write.in_bounds().id());
    let (ty, loc) = (insert.dest().ty().id(), insert.0.loc());
    let indices: Indices = write.indices().iter().map(|index| Index::Value(index.id())).collect();
    rw.set_insertion_before(op);
    let indices = in_whole(rw, op, &slice, &dropped, &indices, loc).ok_or(NoMatch("indices overflow"))?;
    let indices = as_values(rw, &indices, loc);
    let state = OpState::of::<TransferWriteOp<'_>>(loc)
        .operands([vector, dest])
        .operands(indices.iter().copied())
        .operand_segments(cx, &[1, 1, indices.len(), 0])
        .attr(cx, "permutation_map", cx.affine_map_attr(map))
        .attr(cx, "in_bounds", bounds)
        .results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

/// Inserting a tensor all of which was itself inserted is inserting that.
pub(crate) fn insert_of_inserted(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).def::<InsertSliceOp<'_>>().ok_or(NoMatch("nothing was inserted"))?;
    let unit = |slice: Option<Slice>| slice.filter(Slice::has_unit_strides).ok_or(NoMatch("strides other than 1"));
    let (outer_slice, inner_slice) = (unit(Slice::of(view))?, unit(Slice::of(inner.0))?);
    let dropped = dropped(&outer_slice, view.operand(0).ty()).ok_or(NoMatch("no rank"))?;
    let kept = (0..dropped.len()).filter(|&dim| !dropped[dim]).map(|dim| outer_slice.sizes[dim]);
    if !kept.eq(inner_slice.sizes.iter().copied()) {
        return Err(NoMatch("some elements are not inserted"));
    }
    let (source, dest, loc) = (inner.source().id(), view.operand(1).id(), view.loc());
    let parallel = view.is::<ParallelInsertSliceOp<'_>>();
    // Nothing but insertions may stand among parallel ones.
    let anchor = if parallel { view.parent().map(|parent| parent.id()).ok_or(NoMatch("no parent"))? } else { op };
    rw.set_insertion_before(anchor);
    let offsets = in_whole(rw, anchor, &outer_slice, &dropped, &inner_slice.offsets, loc);
    let offsets = offsets.ok_or(NoMatch("indices overflow"))?;
    let slice = Slice { offsets, sizes: outer_slice.sizes, strides: outer_slice.strides };
    let state = if parallel {
        parallel_insert_slice_state(rw, source, dest, &slice, loc)
    } else {
        insert_slice_state(rw, source, dest, &slice, loc)
    };
    rw.replace_with(op, state);
    Ok(())
}
