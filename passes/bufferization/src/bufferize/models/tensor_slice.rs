//! `tensor`: slices and other shapes of the same elements are views of one buffer.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::split;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::{Attr, AttrRef, Diagnostic, DialectBuilder, Loc, OpId, OpRef, OpState, Rewriter, Type, ValueId, ValueRef};
use dl_memref::layout::{collapsed, expanded, simplest, sliced};
use dl_tensor::{
    CollapseShapeOp, DimOp, ExpandShapeOp, ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp, ReshapeOp,
};

use super::forall::output_of;
use super::linalg::tied;
use super::{Done, access, insertion, model};
use crate::bufferize::analysis::Analysis;
use crate::bufferize::bufferizer::{Bufferizer, TypeQuery};
use crate::bufferize::layout::identity_layout_type;
use crate::bufferize::operand::{AliasingValues, equivalent, part_of};
use crate::bufferize::{Bufferizable, SubsetInsertion};

pub(super) fn attach(builder: &mut DialectBuilder) {
    model::<ExtractSliceOp<'_>>(builder, ExtractSlice);
    model::<InsertSliceOp<'_>>(builder, InsertSlice);
    insertion::<InsertSliceOp<'_>>(builder, Insertion { parallel: false });
    model::<ParallelInsertSliceOp<'_>>(builder, ParallelInsertSlice);
    insertion::<ParallelInsertSliceOp<'_>>(builder, Insertion { parallel: true });
    model::<ExpandShapeOp<'_>>(builder, ExpandShape);
    model::<CollapseShapeOp<'_>>(builder, CollapseShape);
    model::<ReshapeOp<'_>>(builder, Reshape);
}

/// The type of a `memref.subview` of a buffer of type `source` with extents `shape`, which may lack dimensions of size 1.
pub(super) fn subview_type(source: dl_ir::TypeRef<'_>, slice: &Slice, shape: &[i64]) -> Option<Type> {
    let cx = source.cx();
    let layout = sliced(&source.strided_layout()?, slice);
    let mut kept = layout.clone();
    kept.strides.clear();
    let mut wanted = shape.iter().peekable();
    for (size, &stride) in slice.sizes.iter().zip(&layout.strides) {
        if wanted.next_if(|&&extent| extent == size.extent()).is_some() {
            kept.strides.push(stride);
        } else if size.as_static() != Some(1) {
            return None;
        }
    }
    let space = source.memory_space().map(|space| space.id());
    (kept.strides.len() == shape.len())
        .then(|| cx.strided_memref_type(shape, source.element_or_self().id(), &kept, space))
}

/// A `memref.subview` with the slice of the operation `op`.
pub(super) fn subview(bz: &mut Bufferizer<'_>, loc: Loc, buffer: ValueId, slice: &Slice, ty: Type) -> ValueId {
    let cx = bz.cx();
    let lists = [&slice.offsets, &slice.sizes, &slice.strides].map(|list| split(list));
    let mut state = OpState::of::<dl_memref::SubViewOp<'_>>(loc).operands([buffer]).results([ty]);
    for (name, (constants, values)) in ["static_offsets", "static_sizes", "static_strides"].into_iter().zip(&lists) {
        state = state.operands(values.iter().copied()).attr(cx, name, cx.dense_i64_array(constants));
    }
    let sizes = [1, lists[0].1.len(), lists[1].1.len(), lists[2].1.len()];
    bz.rw.create_value(state.operand_segments(cx, &sizes))
}

fn slice_of(op: OpRef<'_>) -> Result<Slice, Diagnostic> {
    Slice::of(op).ok_or_else(|| op.error("unsupported: a slice without offsets, sizes and strides"))
}

pub(super) fn no_type(op: OpRef<'_>) -> Diagnostic {
    op.error("unsupported: the layout of the buffer is not strided")
}

/// A part of a tensor is a part of its buffer.
struct ExtractSlice;

impl Bufferizable for ExtractSlice {
    access!(|operand, state| reads: false, writes: false, aliases: part_of(operand.op.result(0)));

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(0))?;
        let shape = value.ty().shape().unwrap_or_default();
        subview_type(value.cx().ty(source), &slice_of(op)?, shape).ok_or_else(|| no_type(op))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, source, result, slice) = (view.loc(), view.operand(0).id(), view.result(0).id(), slice_of(view)?);
        let buffer = bz.buffer(source)?;
        let ty = bz.buffer_type(result)?;
        bz.rw.set_insertion_before(op);
        let part = subview(bz, loc, buffer, &slice, ty);
        bz.replace(op, &[part]);
        Ok(())
    }
}

const SOURCE: usize = 0;
const DEST: usize = 1;

/// Whether the insertion replaces everything: it does not read what is around it.
fn is_whole(op: OpRef<'_>) -> bool {
    is_whole_if(op, |_, size, extent| size.as_static() == Some(extent))
}

/// The same for one of several threads, whose sizes may also be extents of the output that the threads share.
fn is_whole_output(op: OpRef<'_>) -> bool {
    let output = output_of(op.operand(DEST));
    let is_extent = |dim: usize, size: ValueId| {
        let size = ValueRef::new(op.cx(), op.arena(), size).def::<DimOp<'_>>();
        size.is_some_and(|size| {
            Some(size.source()) == output && size.index().constant().and_then(AttrRef::as_int) == Some(dim as i64)
        })
    };
    is_whole_if(op, |dim, size, extent| match size {
        Index::Static(size) => size == extent,
        Index::Value(size) => is_extent(dim, size),
    })
}

/// Whether the insertion begins at the first element, has no gaps, and sizes of which `is_extent` says that they are the extents of its destination.
fn is_whole_if(op: OpRef<'_>, is_extent: impl Fn(usize, Index, i64) -> bool) -> bool {
    let Some(slice) = Slice::of(op) else { return false };
    let shape = op.operand(DEST).ty().shape().unwrap_or_default();
    let mut sizes = slice.sizes.iter().zip(shape).enumerate();
    slice.has_zero_offsets()
        && slice.has_unit_strides()
        && sizes.all(|(dim, (&size, &extent))| is_extent(dim, size, extent))
}

/// Makes the subview that is written, and copies the source there.
fn insert(op: OpId, bz: &mut Bufferizer<'_>, before: OpId) -> Result<ValueId, Diagnostic> {
    let view = bz.rw.op(op);
    let (loc, slice) = (view.loc(), slice_of(view)?);
    let (source, dest) = (view.operand(SOURCE).id(), view.operand(DEST).id());
    let dest = bz.buffer(dest)?;
    let shape = bz.rw.value_type(source).shape().unwrap_or_default();
    let ty = subview_type(bz.rw.value_type(dest), &slice, shape).ok_or_else(|| no_type(bz.rw.op(op)))?;
    bz.rw.set_insertion_before(before);
    let part = subview(bz, loc, dest, &slice, ty);
    let source = bz.buffer(source)?;
    bz.copy(loc, source, part);
    Ok(dest)
}

/// A copy into a part of the destination's buffer.
struct InsertSlice;

impl Bufferizable for InsertSlice {
    access!(|operand, state|
        reads: operand.index == SOURCE || !is_whole(operand.op),
        writes: operand.index == DEST,
        aliases: tied(operand),
    );

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let dest = insert(op, bz, op)?;
        bz.replace(op, &[dest]);
        Ok(())
    }
}

/// The same by one of several threads. Everything is done before the terminator that it is in.
struct ParallelInsertSlice;

impl Bufferizable for ParallelInsertSlice {
    access!(|operand, state|
        reads: operand.index == SOURCE || !is_whole_output(operand.op),
        writes: operand.index == DEST,
        aliases: AliasingValues::new(),
    );

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let Some(parent) = bz.rw.op(op).parent().map(OpRef::id) else { return Ok(()) };
        insert(op, bz, parent)?;
        bz.rw.erase(op);
        Ok(())
    }

    /// The insertion is in place by its meaning.
    fn resolve_conflicts(&self, _: OpId, _: &mut dl_ir::Rewriter<'_>, _: &Analysis<'_>) -> Done {
        Ok(())
    }
}

/// What the analysis needs to know of both insertions.
struct Insertion {
    /// Whether it is one of several threads'.
    parallel: bool,
}

impl SubsetInsertion for Insertion {
    fn source(&self, _: OpRef<'_>) -> usize {
        SOURCE
    }

    fn dest(&self, _: OpRef<'_>) -> usize {
        DEST
    }

    fn is_equivalent_subset(
        &self,
        op: OpRef<'_>,
        candidate: ValueRef<'_>,
        equivalent: &dyn Fn(ValueRef<'_>, ValueRef<'_>) -> bool,
    ) -> bool {
        let is_same_slice = |extraction: ExtractSliceOp<'_>| {
            equivalent(extraction.source(), op.operand(DEST)) && Slice::of(extraction.0) == Slice::of(op)
        };
        candidate.def::<ExtractSliceOp<'_>>().is_some_and(is_same_slice)
            || (self.parallel && is_whole_output(op) && equivalent(candidate, op.operand(DEST)))
    }

    fn values_needed(&self, op: OpRef<'_>) -> Vec<ValueId> {
        op.operands().iter().skip(DEST).map(|value| value.id()).collect()
    }

    fn extract(&self, op: OpId, rw: &mut Rewriter<'_>, loc: Loc) -> Option<ValueId> {
        let (cx, view) = (rw.cx(), rw.op(op));
        let (slice, ty, dest) = (Slice::of(view)?, view.operand(SOURCE).ty().id(), view.operand(DEST).id());
        let lists = [&slice.offsets, &slice.sizes, &slice.strides].map(|list| split(list));
        let mut state = OpState::of::<ExtractSliceOp<'_>>(loc).operands([dest]).results([ty]);
        for (name, (constants, values)) in ["static_offsets", "static_sizes", "static_strides"].into_iter().zip(&lists)
        {
            state = state.operands(values.iter().copied()).attr(cx, name, cx.dense_i64_array(constants));
        }
        let sizes = [1, lists[0].1.len(), lists[1].1.len(), lists[2].1.len()];
        Some(rw.create_value(state.operand_segments(cx, &sizes)))
    }
}

/// The groups of dimensions that a reassociation names.
fn groups(op: OpRef<'_>) -> Vec<Vec<usize>> {
    let groups = op.attr("reassociation").into_iter().flat_map(|attr| attr.elements());
    groups.map(|group| group.elements().filter_map(|dim| usize::try_from(dim.as_int()?).ok()).collect()).collect()
}

/// The type of a view of `source` with this layout; one without a layout stays without.
fn reshaped(source: dl_ir::TypeRef<'_>, shape: &[i64], layout: &dl_ir::types::StridedLayout) -> Type {
    let (cx, element) = (source.cx(), source.element_or_self().id());
    let space = source.memory_space().map(|space| space.id());
    if source.has_identity_layout() {
        cx.memref_type_with(shape, element, None, space)
    } else if source.memref_layout().is_some_and(|layout| layout.is_strided()) {
        cx.strided_memref_type(shape, element, layout, space)
    } else {
        simplest(cx, shape, element, layout, space)
    }
}

/// Each dimension split into several: the same buffer.
struct ExpandShape;

impl Bufferizable for ExpandShape {
    access!(|operand, state| reads: false, writes: false, aliases: equivalent(operand.op.result(0)));

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(0))?;
        let (source, shape) = (value.cx().ty(source), value.ty().shape().unwrap_or_default());
        let layout = expanded(source, shape, &groups(op)).ok_or_else(|| no_type(op))?;
        Ok(reshaped(source, shape, &layout))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let view = bz.rw.op(op);
        let (loc, operands, result) = (view.loc(), view.operands().ids(), view.result(0).id());
        let attrs: Vec<(_, Attr)> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let buffer = bz.buffer(operands[0])?;
        let ty = bz.buffer_type(result)?;
        let state = OpState::of::<dl_memref::ExpandShapeOp<'_>>(loc).operands([buffer]);
        bz.replace_with(op, state.operands(operands[1..].iter().copied()).attrs(attrs).results([ty]));
        Ok(())
    }
}

/// A row-major copy of `buffer`, that of a tensor of type `tensor`, at the insertion point.
fn row_major_copy(bz: &mut Bufferizer<'_>, loc: Loc, buffer: ValueId, tensor: Type) -> ValueId {
    let space = bz.rw.value_type(buffer).memory_space().map(|space| space.id());
    let ty = identity_layout_type(bz.cx(), tensor, space);
    let sizes = bz.dynamic_dims(loc, buffer, ty);
    let copy = bz.alloc(loc, ty, &sizes);
    bz.copy(loc, buffer, copy);
    copy
}

/// Groups of dimensions merged: the same buffer where its layout has no gaps between them, else a copy.
struct CollapseShape;

impl Bufferizable for CollapseShape {
    access!(|operand, state| reads: true, writes: false, aliases: equivalent(operand.op.result(0)));

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(0))?;
        let (source, shape) = (value.cx().ty(source), value.ty().shape().unwrap_or_default());
        if let Some(layout) = collapsed(source, &groups(op)).filter(|_| can_collapse(source, &groups(op))) {
            Ok(reshaped(source, shape, &layout))
        } else {
            let space = source.memory_space().map(|space| space.id());
            Ok(identity_layout_type(value.cx(), value.ty().id(), space))
        }
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let (cx, view) = (bz.cx(), bz.rw.op(op));
        let (loc, source, groups) = (view.loc(), view.operand(0).id(), groups(view));
        let attrs: Vec<(_, Attr)> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let shape = cx.ty(view.result(0).ty().id()).shape().unwrap_or_default();
        let mut buffer = bz.buffer(source)?;
        bz.rw.set_insertion_before(op);
        let mut ty = bz.rw.value_type(buffer);
        if !can_collapse(ty, &groups) {
            buffer = row_major_copy(bz, loc, buffer, bz.rw.value_type(source).id());
            ty = bz.rw.value_type(buffer);
        }
        let layout = collapsed(ty, &groups).ok_or_else(|| no_type(bz.rw.op(op)))?;
        let result = reshaped(ty, shape, &layout);
        let state = OpState::of::<dl_memref::CollapseShapeOp<'_>>(loc).operands([buffer]);
        bz.replace_with(op, state.attrs(attrs).results([result]));
        Ok(())
    }
}

/// Another shape for the same elements: the same buffer where it is row major, else a copy.
struct Reshape;

impl Bufferizable for Reshape {
    access!(|operand, state|
        reads: true,
        writes: false,
        aliases: if operand.index == SOURCE { equivalent(operand.op.result(0)) } else { AliasingValues::new() },
    );

    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        let Some(op) = value.defining_op() else { return query.unknown_type(value) };
        let source = query.operand_type(op.operand(SOURCE))?;
        let space = value.cx().ty(source).memory_space().map(|space| space.id());
        Ok(identity_layout_type(value.cx(), value.ty().id(), space))
    }

    fn bufferize(&self, op: OpId, bz: &mut Bufferizer<'_>) -> Done {
        let reshape = ReshapeOp(bz.rw.op(op));
        let (loc, source, shape) = (reshape.0.loc(), reshape.source().id(), reshape.shape().id());
        let ty = bz.buffer_type(reshape.result().id())?;
        let (mut buffer, shape) = (bz.buffer(source)?, bz.buffer(shape)?);
        bz.rw.set_insertion_before(op);
        let from = bz.rw.value_type(buffer);
        if from.is_ranked_memref() && !from.has_identity_layout() {
            buffer = row_major_copy(bz, loc, buffer, bz.rw.value_type(source).id());
        }
        let state = OpState::of::<dl_memref::ReshapeOp<'_>>(loc).operands([buffer, shape]).results([ty]);
        bz.replace_with(op, state);
        Ok(())
    }
}

/// Whether the dimensions of each group certainly lie without gaps.
fn can_collapse(source: dl_ir::TypeRef<'_>, groups: &[Vec<usize>]) -> bool {
    if source.has_identity_layout() {
        return true;
    }
    let (Some(layout), Some(shape)) = (source.strided_layout(), source.shape()) else { return false };
    groups.iter().all(|group| {
        let real: Vec<usize> = group.iter().copied().filter(|&dim| shape[dim] != 1).collect();
        real.windows(2).all(|pair| {
            let (stride, inner, extent) = (layout.strides[pair[0]], layout.strides[pair[1]], shape[pair[1]]);
            ![stride, inner, extent].contains(&dl_ir::DYNAMIC) && inner.checked_mul(extent) == Some(stride)
        })
    })
}
