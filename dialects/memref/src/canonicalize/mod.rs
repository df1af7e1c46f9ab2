//! Canonicalization patterns.

mod metadata;
mod reshape;
mod scope;

pub(crate) use metadata::{extract_strided_metadata, reinterpret_cast};
pub(crate) use reshape::{collapse_shape, expand_shape};
pub(crate) use scope::alloca_scope;

use dl_ir::interfaces::index_list::{Index, split, with_constant_extents};
use dl_ir::interfaces::offset_size_stride::{Slice, with_known_values};
use dl_ir::interfaces::reassociation;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::types::StridedLayout;
use dl_ir::verify::compatible_shapes;
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, TypeRef, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::{
    AllocOp, AllocaOp, AtomicRMWOp, CastOp, CollapseShapeOp, CopyOp, DeallocOp, DimOp, LoadOp, MemorySpaceCastOp,
    ReallocOp, ReshapeOp, StoreOp, SubViewOp, TransposeOp, ViewOp, layout,
};

/// What a cast casts, where the operand of `op` is a cast that only loses knowledge: its source has a rank.
fn cast_source(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let cast = value.def::<CastOp<'_>>()?;
    cast.source().ty().is_ranked_memref().then(|| cast.source())
}

/// A value of type `ty` that `value` is, cast where the types differ.
fn cast_to(rw: &mut Rewriter<'_>, value: ValueId, ty: Type, loc: dl_ir::Loc) -> ValueId {
    if rw.value_type(value).id() == ty {
        return value;
    }
    rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([value]).results([ty]))
}

/// An operation that needs no particular type reads a memref as it was before a cast.
pub(crate) fn use_source_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    // What is stored may be a memref as well, of the type that the elements have.
    let stored = if view.is::<StoreOp<'_>>() || view.is::<AtomicRMWOp<'_>>() { Some(0) } else { None };
    // What is copied has the shape of where it goes, as far as the types tell.
    let fits = |i: usize, source: ValueRef<'_>| {
        !view.is::<CopyOp<'_>>() || compatible_shapes(&[source.ty(), view.operand(1 - i).ty()])
    };
    let operands = view.operands().iter().enumerate().filter(|&(i, _)| Some(i) != stored);
    let sources = operands.filter_map(|(i, value)| Some((i, cast_source(value)?)));
    let found = sources.filter(|&(i, source)| fits(i, source)).map(|(i, source)| (i, source.id())).next();
    let (index, source) = found.ok_or(NoMatch("no operand is a cast of a ranked memref that fits"))?;
    rw.set_operand(op, index, source);
    Ok(())
}

/// Whether a cast from `from` to `to` forgets something and learns nothing, so that what reads `to` can read `from`.
fn only_forgets(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let (Some(a), Some(b)) = (from.shape(), to.shape()) else { return false };
    if a.len() != b.len() || from.element_type() != to.element_type() {
        return false;
    }
    let forgets = |a: i64, b: i64| b == DYNAMIC || a == b;
    let (Some(x), Some(y)) = (from.strided_layout(), to.strided_layout()) else { return false };
    a.iter().zip(b).all(|(&a, &b)| forgets(a, b))
        && forgets(x.offset, y.offset)
        && x.strides.iter().zip(&y.strides).all(|(&a, &b)| forgets(a, b))
}

/// `cast(cast(x)) = cast(x)`, where the first one only forgets.
fn cast_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = cast_source(view.operand(0)).ok_or(NoMatch("the operand is no cast"))?;
    let direct = crate::verify_cast::are_cast_compatible(source.ty(), view.result(0).ty());
    if !direct || !only_forgets(source.ty(), view.operand(0).ty()) {
        return Err(NoMatch("the first cast checks something"));
    }
    let source = source.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// An allocation whose dynamic extents are known is one of a static type, cast.
fn constant_sizes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let ty = view.result(0).ty();
    let shape = ty.shape().ok_or(NoMatch("no rank"))?;
    let known = with_constant_extents(shape, view.operand_group(0));
    let (new_shape, kept) = known.ok_or(NoMatch("no size is constant"))?;
    let new_ty = ty.with_shape(&new_shape).ok_or(NoMatch("no rank"))?;
    let symbols = view.operand_group(1).ids();
    let (loc, name, old, num_kept) = (view.loc(), view.name_id(), ty.id(), kept.len());
    let alignment = view.attr("alignment").map(|a| a.id());
    rw.set_insertion_before(op);
    let state = OpState::new(name, loc)
        .operands(kept)
        .operands(symbols.iter().copied())
        .operand_segments(cx, &[num_kept, symbols.len()])
        .maybe_attr(cx, "alignment", alignment)
        .results([new_ty]);
    let new = rw.create_value(state);
    rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([new]).results([old]));
    Ok(())
}

/// Memory that is only written or freed is not needed.
fn dead_allocation(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let memref = rw.op(op).result(0);
    let only_written = memref.uses().all(|(user, operand)| {
        let stored_to = user.cast::<StoreOp<'_>>().is_some_and(|store| store.value() != memref);
        stored_to || (user.is::<DeallocOp<'_>>() && operand == 0)
    });
    if !only_written {
        return Err(NoMatch("the memory is read or escapes"));
    }
    let users: SmallVec<[OpId; 8]> = memref.uses().map(|(user, _)| user.id()).collect();
    for user in users {
        if rw.ir().is_live(user) {
            rw.erase(user);
        }
    }
    rw.erase(op);
    Ok(())
}

/// A copy of a memref to itself, or of no elements, does nothing.
fn useless_copy(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = CopyOp(rw.op(op));
    let empty = |v: ValueRef<'_>| v.ty().shape().is_some_and(|shape| shape.contains(&0));
    if view.source() != view.target() && !empty(view.source()) && !empty(view.target()) {
        return Err(NoMatch("the copy may change something"));
    }
    rw.erase(op);
    Ok(())
}

/// Whether `value` is defined wherever the operation after `op` is: in its block before it, around it, or as a constant.
fn is_defined_at(value: ValueRef<'_>, op: OpRef<'_>) -> bool {
    let (Some(defined), Some(here)) = (value.parent_block(), op.block()) else { return false };
    if defined == here {
        return value.defining_op().is_none_or(|def| op.arena().is_before_in_block(def.id(), op.id()));
    }
    // A region that the operation is in, of an operation in the block: there, dominance is that of the operations.
    let mut around = op.parent();
    while let Some(outer) = around {
        if outer.block() == Some(defined) {
            return value.defining_op().is_none_or(|def| op.arena().is_before_in_block(def.id(), outer.id()));
        }
        around = outer.parent();
    }
    false
}

/// A dimension of a reshape is an element of the shape it was given, which is read as soon as the reshape reads it: it may be written later.
fn dim_of_reshape(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DimOp(rw.op(op));
    let reshape = view.source().def::<ReshapeOp<'_>>().ok_or(NoMatch("no reshape"))?;
    let (shape, index, loc) = (reshape.shape(), view.index(), view.0.loc());
    if !is_defined_at(index, reshape.0) {
        return Err(NoMatch("the index is not known where the shape is read"));
    }
    let (element, index, shape_id) = (shape.ty().element_or_self(), index.id(), shape.id());
    let (is_index, element) = (element.is_index(), element.id());
    let reshape = reshape.0.id();
    rw.set_insertion_after(reshape);
    let load = rw.create_value(OpState::of::<LoadOp<'_>>(loc).operands([shape_id, index]).results([element]));
    if is_index {
        rw.replace(op, &[load]);
        return Ok(());
    }
    let ty = rw.cx().index_type();
    let extent = rw.create_value(OpState::of::<dl_arith::IndexCastOp<'_>>(loc).operands([load]).results([ty]));
    rw.replace(op, &[extent]);
    Ok(())
}

/// The parts of a subview.
pub fn subview_state(rw: &Rewriter<'_>, source: ValueId, slice: &Slice, ty: Type, loc: dl_ir::Loc) -> OpState {
    let cx = rw.cx();
    let ((o, ov), (s, sv), (t, tv)) = (split(&slice.offsets), split(&slice.sizes), split(&slice.strides));
    let segments = [1, ov.len(), sv.len(), tv.len()];
    OpState::of::<SubViewOp<'_>>(loc)
        .operands([source])
        .operands(ov)
        .operands(sv)
        .operands(tv)
        .operand_segments(cx, &segments)
        .attr(cx, "static_offsets", cx.dense_i64_array(&o))
        .attr(cx, "static_sizes", cx.dense_i64_array(&s))
        .attr(cx, "static_strides", cx.dense_i64_array(&t))
        .results([ty])
}

/// The type of `slice` of a memref of type `source`, without the dimensions that `dropped` marks.
fn sliced_type(source: TypeRef<'_>, slice: &Slice, dropped: &[bool]) -> Option<Type> {
    let layout = layout::sliced(&source.strided_layout()?, slice);
    let keep = |list: &[i64]| list.iter().zip(dropped).filter(|(_, dropped)| !**dropped).map(|(&x, _)| x).collect();
    let shape: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let shape: Vec<i64> = keep(&shape);
    let layout = StridedLayout { strides: keep(&layout.strides), offset: layout.offset };
    let space = source.memory_space().map(|space| space.id());
    Some(source.cx().strided_memref_type(&shape, source.element_or_self().id(), &layout, space))
}

/// Replaces a subview by one of another source or slice, cast to the old type where that differs.
fn replace_subview(rw: &mut Rewriter<'_>, op: OpId, source: ValueId, slice: &Slice) -> Rewrite {
    let view = rw.op(op);
    let dropped = crate::fold::dropped_dims_of(view).ok_or(NoMatch("not strided"))?;
    let ty = sliced_type(rw.value(source).ty(), slice, &dropped).ok_or(NoMatch("not strided"))?;
    let (old, loc) = (view.result(0).ty().id(), view.loc());
    let state = subview_state(rw, source, slice, ty, loc);
    rw.set_insertion_before(op);
    let new = rw.create_value(state);
    if ty == old {
        rw.replace(op, &[new]);
    } else {
        rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([new]).results([old]));
    }
    Ok(())
}

/// Constant operands of a subview become constants of its attributes.
fn subview_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let known = |list: &[Index]| with_known_values(view, list);
    let (offsets, sizes, strides) = (known(&slice.offsets), known(&slice.sizes), known(&slice.strides));
    if offsets.is_none() && sizes.is_none() && strides.is_none() {
        return Err(NoMatch("no operand is constant"));
    }
    let negative = |list: &Option<dl_ir::interfaces::index_list::Indices>| {
        list.iter().flatten().any(|index| index.as_static().is_some_and(|n| n < 0))
    };
    let zero = strides.iter().flatten().any(|stride| stride.as_static() == Some(0));
    if negative(&offsets) || negative(&sizes) || zero {
        return Err(NoMatch("a constant is negative, or no stride"));
    }
    let new = Slice {
        offsets: offsets.unwrap_or(slice.offsets),
        sizes: sizes.unwrap_or(slice.sizes),
        strides: strides.unwrap_or(slice.strides),
    };
    if !new.is_in_bounds(view.operand(0).ty().shape().unwrap_or(&[])) {
        return Err(NoMatch("the slice is out of bounds"));
    }
    let source = view.operand(0).id();
    replace_subview(rw, op, source, &new)
}

/// A subview of everything is its source, cast where the types differ.
fn whole_subview(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (source, slice) = (view.operand(0), Slice::of(view).ok_or(NoMatch("no slice"))?);
    let (from, to) = (source.ty(), view.result(0).ty());
    let shape = from.shape().filter(|_| from.rank() == to.rank()).ok_or(NoMatch("the ranks differ"))?;
    let covers = slice.sizes.iter().zip(shape).all(|(size, &extent)| size.as_static() == Some(extent));
    if !covers || !slice.has_zero_offsets() || !slice.has_unit_strides() {
        return Err(NoMatch("not all of the source"));
    }
    let (source, ty, loc) = (source.id(), to.id(), view.loc());
    if from == to {
        rw.replace(op, &[source]);
    } else {
        rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([source]).results([ty]));
    }
    Ok(())
}

/// A subview of a cast is a subview of its source, cast.
fn subview_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = cast_source(view.operand(0)).ok_or(NoMatch("the source is no cast"))?;
    if !only_forgets(source.ty(), view.operand(0).ty()) {
        return Err(NoMatch("the cast checks something"));
    }
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    if !slice.is_in_bounds(source.ty().shape().unwrap_or(&[])) {
        return Err(NoMatch("the slice is out of bounds"));
    }
    let source = source.id();
    replace_subview(rw, op, source, &slice)
}

/// Reshapes of one kind after each other are one.
fn compose_reshapes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|d| d.name_id() == view.name_id());
    let inner = inner.ok_or(NoMatch("the source is no reshape of the same kind"))?;
    let groups = |op: OpRef<'_>| op.attr("reassociation").map(reassociation::groups);
    let (Some(outer_groups), Some(inner_groups)) = (groups(view), groups(inner)) else {
        return Err(NoMatch("no reassociation"));
    };
    let collapse = view.is::<CollapseShapeOp<'_>>();
    let composed = if collapse {
        reassociation::compose(&inner_groups, &outer_groups)
    } else {
        reassociation::compose(&outer_groups, &inner_groups)
    };
    let source = inner.operand(0).id();
    let sizes: SmallVec<[ValueId; 4]> = view.operands().iter().skip(1).map(|v| v.id()).collect();
    let output_shape = view.attr("static_output_shape").map(|attr| attr.id());
    let (name, loc, ty) = (view.name_id(), view.loc(), view.result(0).ty().id());
    let state = OpState::new(name, loc)
        .operands([source])
        .operands(sizes)
        .attr(cx, "reassociation", reassociation::groups_attr(cx, &composed))
        .maybe_attr(cx, "static_output_shape", output_shape)
        .results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

/// A cast of the memory space of another is one of its source.
fn space_cast_of_space_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = MemorySpaceCastOp(rw.op(op));
    let source = view.source().def::<MemorySpaceCastOp<'_>>().ok_or(NoMatch("no such cast"))?.source().id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// One transposition after another is their composition.
fn compose_transposes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let outer = TransposeOp(rw.op(op));
    let inner = outer.0.operand(0).def::<TransposeOp<'_>>().ok_or(NoMatch("the source is no transposition"))?;
    let maps = outer.permutation().as_affine_map().zip(inner.permutation().as_affine_map());
    let composed =
        maps.and_then(|(outer, inner)| cx.affine().compose(outer, inner)).ok_or(NoMatch("no permutation"))?;
    let (source, ty, loc) = (inner.0.operand(0).id(), outer.0.result(0).ty().id(), outer.0.loc());
    let state = OpState::of::<TransposeOp<'_>>(loc).operands([source]);
    rw.replace_with(op, state.attr(cx, "permutation", cx.affine_map_attr(composed)).results([ty]));
    Ok(())
}

/// A view of bytes that are cast is one of their source.
fn view_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let source = cast_source(rw.op(op).operand(0)).ok_or(NoMatch("the source is no cast"))?;
    if source.ty().rank() != Some(1) || !source.ty().has_identity_layout() {
        return Err(NoMatch("no bytes without gaps"));
    }
    let source = source.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// A view of which extents are known is one of a more static type, cast.
fn constant_sizes_of_view(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ViewOp(rw.op(op));
    let ty = view.result().ty();
    if !ty.has_identity_layout() {
        return Err(NoMatch("the layout may depend on the extents"));
    }
    let shape = ty.shape().ok_or(NoMatch("no rank"))?;
    let known = with_constant_extents(shape, view.sizes());
    let (new_shape, kept) = known.ok_or(NoMatch("no size is constant"))?;
    let new_ty = ty.with_shape(&new_shape).ok_or(NoMatch("no rank"))?;
    let (loc, old) = (view.0.loc(), ty.id());
    let base = [view.source().id(), view.byte_shift().id()];
    rw.set_insertion_before(op);
    let state = OpState::of::<ViewOp<'_>>(loc).operands(base).operands(kept).results([new_ty]);
    let new = rw.create_value(state);
    rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([new]).results([old]));
    Ok(())
}

pub(crate) fn memory_space_cast(patterns: &mut Patterns) {
    patterns.add_fn("memref-compose-space-casts", Some(MemorySpaceCastOp::NAME), space_cast_of_space_cast);
}

pub(crate) fn transpose(patterns: &mut Patterns) {
    patterns.add_fn("memref-compose-transposes", Some(TransposeOp::NAME), compose_transposes);
}

pub(crate) fn view(patterns: &mut Patterns) {
    patterns.add_fn("memref-view-of-cast", Some(ViewOp::NAME), view_of_cast).add_fn(
        "memref-view-constant-sizes",
        Some(ViewOp::NAME),
        constant_sizes_of_view,
    );
}

pub(crate) fn realloc(patterns: &mut Patterns) {
    patterns.add_fn("memref-alloc-dead", Some(ReallocOp::NAME), dead_allocation);
}

pub(crate) fn alloc(patterns: &mut Patterns) {
    patterns.add_fn("memref-alloc-constant-sizes", Some(AllocOp::NAME), constant_sizes).add_fn(
        "memref-alloc-dead",
        Some(AllocOp::NAME),
        dead_allocation,
    );
}

pub(crate) fn alloca(patterns: &mut Patterns) {
    patterns.add_fn("memref-alloc-constant-sizes", Some(AllocaOp::NAME), constant_sizes).add_fn(
        "memref-alloc-dead",
        Some(AllocaOp::NAME),
        dead_allocation,
    );
}

pub(crate) fn cast(patterns: &mut Patterns) {
    patterns.add_fn("memref-cast-of-cast", Some(CastOp::NAME), cast_of_cast);
}

pub(crate) fn copy(patterns: &mut Patterns) {
    patterns.add_fn("memref-useless-copy", Some(CopyOp::NAME), useless_copy);
}

pub(crate) fn dim(patterns: &mut Patterns) {
    patterns.add_fn("memref-dim-of-reshape", Some(DimOp::NAME), dim_of_reshape);
}

pub(crate) fn subview(patterns: &mut Patterns) {
    patterns
        .add_fn("memref-subview-constants", Some(SubViewOp::NAME), subview_constants)
        .add_fn("memref-subview-of-cast", Some(SubViewOp::NAME), subview_of_cast)
        .add_fn("memref-whole-subview", Some(SubViewOp::NAME), whole_subview);
}
