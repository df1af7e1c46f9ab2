//! Canonicalization patterns.

mod concat;
mod destination;
mod element;
mod pad;
mod reshape;

pub(crate) use concat::{common_extents, concat};
pub(crate) use element::extract;
pub(crate) use pad::{Border, adds_nothing, pad};
pub(crate) use reshape::{collapse_shape, expand_shape, reshape, unchanged_by_reshape};

use dl_ir::interfaces::index_list::{Indices, split, with_constant_extents};
use dl_ir::interfaces::offset_size_stride::{Slice, with_known_values};
use dl_ir::interfaces::{inits, reassociation};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter, Type, TypeRef, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::{
    BitcastOp, CastOp, CollapseShapeOp, DimOp, EmptyOp, ExtractSliceOp, GenerateOp, InsertSliceOp,
    ParallelInsertSliceOp, dropped_dims,
};

/// What a cast casts, where its source knows at least as much as its result.
fn cast_source(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let cast = value.def::<CastOp<'_>>()?;
    let (from, to) = (cast.source().ty(), cast.dest().ty());
    let (a, b) = (from.shape()?, to.shape()?);
    let knows = |(&a, &b): (&i64, &i64)| a == b || b == DYNAMIC;
    (from.encoding() == to.encoding() && a.len() == b.len() && a.iter().zip(b).all(knows)).then(|| cast.source())
}

/// A value of type `ty` that `value` is, cast where the types differ.
fn cast_to(rw: &mut Rewriter<'_>, value: ValueId, ty: Type, loc: dl_ir::Loc) -> ValueId {
    if rw.value_type(value).id() == ty {
        return value;
    }
    rw.create_value(OpState::of::<CastOp<'_>>(loc).operands([value]).results([ty]))
}

/// `cast(cast(x)) = cast(x)`, where the middle type adds no check.
fn cast_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).def::<CastOp<'_>>().ok_or(NoMatch("the operand is no cast"))?;
    let (from, middle, to) = (inner.source().ty(), inner.dest().ty(), view.result(0).ty());
    let no_check = match (from.shape(), middle.shape(), to.shape()) {
        (_, None, _) => true,
        (Some(a), Some(b), Some(c)) => (0..b.len()).all(|i| b[i] == DYNAMIC || a[i] == b[i] || c[i] == b[i]),
        (None, Some(b), Some(c)) => b.iter().zip(c).all(|(&b, c)| b == DYNAMIC || b == *c),
        (Some(a), Some(b), None) => a.iter().zip(b).all(|(a, &b)| b == DYNAMIC || b == *a),
        (None, Some(_), None) => false,
    };
    let direct = crate::are_cast_compatible(from, to);
    if !no_check || !direct {
        return Err(NoMatch("the middle type checks something"));
    }
    let source = inner.source().id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// A cast that gives a slice a more static type is a slice of that type.
fn cast_of_extract_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let extract = view.operand(0).def::<ExtractSliceOp<'_>>().ok_or(NoMatch("the operand is no slice"))?;
    let (to, from) = (view.result(0).ty(), view.operand(0).ty());
    let (Some(wanted), Some(slice)) = (to.shape(), Slice::of(extract.0)) else {
        return Err(NoMatch("no rank"));
    };
    let learns = from.shape().is_some_and(|shape| {
        shape.len() == wanted.len() && shape.iter().zip(wanted).all(|(&a, &b)| a == b || a == DYNAMIC)
    });
    if !learns || !to.has_static_shape() {
        return Err(NoMatch("the cast teaches nothing"));
    }
    let extents: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let dropped = from.shape().and_then(|shape| dropped_dims(&extents, shape)).ok_or(NoMatch("no reduced shape"))?;
    let mut next = 0;
    let sizes: Indices = slice
        .sizes
        .iter()
        .zip(&dropped)
        .map(|(&size, &dropped)| {
            if dropped {
                return size;
            }
            next += 1;
            dl_ir::interfaces::Index::Static(wanted[next - 1])
        })
        .collect();
    let new = Slice { sizes, ..slice };
    let (source, ty, loc) = (extract.source().id(), to.id(), view.loc());
    let state = extract_slice_state(rw, source, &new, ty, loc);
    rw.replace_with(op, state);
    Ok(())
}

/// A cast that gives an empty tensor a more static type is an empty tensor of that type.
fn cast_of_empty(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let empty = view.operand(0).def::<EmptyOp<'_>>().ok_or(NoMatch("the operand is no empty tensor"))?;
    let (from, to) = (empty.result().ty(), view.result(0).ty());
    let (Some(old), Some(new)) = (from.shape(), to.shape()) else { return Err(NoMatch("no rank")) };
    let learns = old.len() == new.len() && old.iter().zip(new).all(|(&a, &b)| a == b || a == DYNAMIC);
    if !learns || from == to || from.encoding() != to.encoding() {
        return Err(NoMatch("the cast teaches nothing"));
    }
    let dynamic = old.iter().zip(new).filter(|(old, _)| **old == DYNAMIC);
    // A size that is constant is checked against the type by the pattern for constant sizes.
    if empty.dynamic_sizes().iter().any(|size| size.constant().is_some()) {
        return Err(NoMatch("a size is constant"));
    }
    let kept = dynamic.zip(empty.dynamic_sizes().iter()).filter(|((_, new), _)| **new == DYNAMIC);
    let kept: SmallVec<[ValueId; 4]> = kept.map(|(_, size)| size.id()).collect();
    let (ty, loc) = (to.id(), view.loc());
    rw.replace_with(op, OpState::of::<EmptyOp<'_>>(loc).operands(kept).results([ty]));
    Ok(())
}

/// `bitcast(bitcast(x)) = bitcast(x)`
fn bitcast_of_bitcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = view.operand(0).def::<BitcastOp<'_>>().ok_or(NoMatch("the operand is no bitcast"))?.source().id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// A dimension of a cast is one of its source.
fn dim_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DimOp(rw.op(op));
    let source = view.source().def::<CastOp<'_>>().ok_or(NoMatch("the source is no cast"))?.source();
    if !source.ty().has_rank() {
        return Err(NoMatch("the source has no rank"));
    }
    let source = source.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// A dimension of what an operation writes into is one of what it was written into.
fn dim_of_destination(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DimOp(rw.op(op));
    let source = view.source();
    let made_by = source.defining_op().ok_or(NoMatch("the source is an argument"))?;
    let operand = inits(made_by).and_then(|_| dl_ir::interfaces::tied_operand(made_by, source.index()));
    let init = made_by.operand(operand.ok_or(NoMatch("not in destination-passing style"))?).id();
    rw.set_operand(op, 0, init);
    Ok(())
}

/// A tensor with dynamic extents that are constant is one of a static type, cast.
fn constant_extents(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let ty = view.result(0).ty();
    let shape = ty.shape().ok_or(NoMatch("no rank"))?;
    let known = with_constant_extents(shape, view.operands());
    let (new_shape, kept) = known.ok_or(NoMatch("no size is constant"))?;
    let new_ty = ty.with_shape(&new_shape).ok_or(NoMatch("no rank"))?;
    let (loc, name, old, generates) = (view.loc(), view.name_id(), ty.id(), view.is::<GenerateOp<'_>>());
    rw.set_insertion_before(op);
    let mut state = OpState::new(name, loc).operands(kept).results([new_ty]);
    if generates {
        let (from, to) = (rw.op(op).region(0).id(), rw.new_region());
        rw.move_blocks(from, to, None);
        state = state.region(to);
    }
    let new = rw.create_value(state);
    rw.replace_with(op, OpState::of::<CastOp<'_>>(loc).operands([new]).results([old]));
    Ok(())
}

/// The attributes and operands of a slice, the first operand definition of which comes after `segments`.
pub(crate) fn slice_parts(state: OpState, rw: &Rewriter<'_>, slice: &Slice, segments: &[usize]) -> OpState {
    let cx = rw.cx();
    let ((o, ov), (s, sv), (t, tv)) = (split(&slice.offsets), split(&slice.sizes), split(&slice.strides));
    let sizes: Vec<usize> = segments.iter().copied().chain([ov.len(), sv.len(), tv.len()]).collect();
    state
        .operands(ov)
        .operands(sv)
        .operands(tv)
        .operand_segments(cx, &sizes)
        .attr(cx, "static_offsets", cx.dense_i64_array(&o))
        .attr(cx, "static_sizes", cx.dense_i64_array(&s))
        .attr(cx, "static_strides", cx.dense_i64_array(&t))
}

/// The parts of `tensor.extract_slice` of `source`, with a result of type `ty`.
pub fn extract_slice_state(rw: &Rewriter<'_>, source: ValueId, slice: &Slice, ty: Type, loc: dl_ir::Loc) -> OpState {
    slice_parts(OpState::of::<ExtractSliceOp<'_>>(loc).operands([source]), rw, slice, &[1]).results([ty])
}

/// The parts of `tensor.insert_slice` of `source` into `dest`, whose type is `ty`.
pub fn insert_slice_state(
    rw: &Rewriter<'_>,
    source: ValueId,
    dest: ValueId,
    slice: &Slice,
    ty: Type,
    loc: dl_ir::Loc,
) -> OpState {
    slice_parts(OpState::of::<InsertSliceOp<'_>>(loc).operands([source, dest]), rw, slice, &[1, 1]).results([ty])
}

/// The slice of `op` with constant operands filled in, where that is in bounds of `whole`.
fn known_slice(op: OpRef<'_>, whole: TypeRef<'_>) -> Option<Slice> {
    let slice = Slice::of(op)?;
    let known = |list: &Indices| with_known_values(op, list);
    let (offsets, sizes, strides) = (known(&slice.offsets), known(&slice.sizes), known(&slice.strides));
    if offsets.is_none() && sizes.is_none() && strides.is_none() {
        return None;
    }
    let new = Slice {
        offsets: offsets.unwrap_or(slice.offsets),
        sizes: sizes.unwrap_or(slice.sizes),
        strides: strides.unwrap_or(slice.strides),
    };
    let negative = |list: &Indices| list.iter().any(|index| index.as_static().is_some_and(|n| n < 0));
    (!negative(&new.offsets) && !negative(&new.sizes) && new.is_in_bounds(whole.shape()?)).then_some(new)
}

/// The type of a slice of `whole`, without the dimensions that the type of `part` leaves out for the sizes `old`.
fn slice_type(whole: TypeRef<'_>, part: TypeRef<'_>, old: &Slice, new: &Slice) -> Option<Type> {
    let extents: Vec<i64> = old.sizes.iter().map(|size| size.extent()).collect();
    let dropped = dropped_dims(&extents, part.shape()?)?;
    let kept = new.sizes.iter().zip(dropped).filter(|(_, dropped)| !dropped);
    let shape: Vec<i64> = kept.map(|(size, _)| size.extent()).collect();
    Some(whole.cx().tensor_type(&shape, whole.element_or_self().id()))
}

/// Constant operands of a slice become constants of its attributes.
fn extract_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let new = known_slice(view, view.operand(0).ty()).ok_or(NoMatch("no operand is a constant in bounds"))?;
    let old = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let (source, result) = (view.operand(0), view.result(0).ty());
    let ty = slice_type(source.ty(), result, &old, &new).ok_or(NoMatch("no reduced shape"))?;
    let (source, result, loc) = (source.id(), result.id(), view.loc());
    rw.set_insertion_before(op);
    let state = extract_slice_state(rw, source, &new, ty, loc);
    let extracted = rw.create_value(state);
    let value = cast_to(rw, extracted, result, loc);
    rw.replace(op, &[value]);
    Ok(())
}

/// A slice of a cast is a slice of its source.
fn extract_slice_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = cast_source(view.operand(0)).ok_or(NoMatch("the source is no cast"))?;
    let slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    if !slice.is_in_bounds(source.ty().shape().unwrap_or(&[])) {
        return Err(NoMatch("the slice is out of bounds"));
    }
    let source = source.id();
    rw.set_operand(op, 0, source);
    Ok(())
}

/// Constant operands of an inserted slice become constants of its attributes.
fn insert_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let new = known_slice(view, view.operand(1).ty()).ok_or(NoMatch("no operand is a constant in bounds"))?;
    let old = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let (source, dest) = (view.operand(0), view.operand(1));
    let ty = slice_type(dest.ty(), source.ty(), &old, &new).ok_or(NoMatch("no reduced shape"))?;
    let (source, dest, name, loc) = (source.id(), dest.id(), view.name_id(), view.loc());
    let results = view.results().types();
    // In a parallel combining operation no cast may stand beside it.
    match view.parent() {
        Some(parent) if results.is_empty() => rw.set_insertion_before(parent.id()),
        _ => rw.set_insertion_before(op),
    }
    let source = cast_to(rw, source, ty, loc);
    let state = slice_parts(OpState::new(name, loc).operands([source, dest]), rw, &new, &[1, 1]).results(results);
    rw.replace_with(op, state);
    Ok(())
}

/// Casts of what is inserted, and of what it is inserted into, are not needed.
fn insert_slice_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let dest = cast_source(view.operand(1)).map(|dest| (dest.id(), dest.ty().id()));
    let (dest, dest_ty) = dest.ok_or(NoMatch("the destination is no cast"))?;
    let shape = rw.cx().ty(dest_ty).shape().unwrap_or(&[]);
    if !Slice::of(view).is_some_and(|slice| slice.is_in_bounds(shape)) {
        return Err(NoMatch("the slice is out of bounds"));
    }
    let (result, loc) = (view.result(0), view.loc());
    let (result, old) = (result.id(), result.ty().id());
    rw.set_operand(op, 1, dest);
    rw.set_value_type(result, dest_ty);
    rw.set_insertion_after(op);
    let back = rw.create(OpState::of::<CastOp<'_>>(loc).operands([result]).results([old]));
    let cast = rw.op(back).result(0).id();
    rw.replace_uses_if(result, cast, |user, _| user.id() != back);
    Ok(())
}

/// A slice that is cast before it is inserted is inserted as it was; sizes that it knows are part of the operation then.
fn insert_slice_of_cast_source(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let source = cast_source(view.operand(0)).ok_or(NoMatch("the source is no cast"))?;
    let mut slice = Slice::of(view).ok_or(NoMatch("no slice"))?;
    let (known, cast, whole) = (source.ty(), view.operand(0).ty(), view.operand(1).ty());
    let (Some(shape), Some(old)) = (known.shape(), cast.shape()) else { return Err(NoMatch("no rank")) };
    let extents: Vec<i64> = slice.sizes.iter().map(|size| size.extent()).collect();
    let dropped = dropped_dims(&extents, old).ok_or(NoMatch("no reduced shape"))?;
    let mut next = shape.iter();
    for (size, _) in slice.sizes.iter_mut().zip(&dropped).filter(|(_, dropped)| !**dropped) {
        let &extent = next.next().ok_or(NoMatch("no reduced shape"))?;
        if extent != DYNAMIC {
            *size = dl_ir::interfaces::Index::Static(extent);
        }
    }
    if !slice.is_in_bounds(whole.shape().unwrap_or(&[])) {
        return Err(NoMatch("the slice is out of bounds"));
    }
    let (operands, name, loc, results) =
        ([source.id(), view.operand(1).id()], view.name_id(), view.loc(), view.results().types());
    let state = slice_parts(OpState::new(name, loc).operands(operands), rw, &slice, &[1, 1]).results(results);
    rw.replace_with(op, state);
    Ok(())
}

/// What is inserted where a slice of the same place has just been inserted replaces that.
fn insert_slice_again(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let before = view.operand(1).def::<InsertSliceOp<'_>>().ok_or(NoMatch("nothing was inserted before"))?;
    if before.source().ty() != view.operand(0).ty() || Slice::of(before.0) != Slice::of(view) {
        return Err(NoMatch("something was inserted elsewhere"));
    }
    let dest = before.dest().id();
    rw.set_operand(op, 1, dest);
    Ok(())
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
    let composed = if view.is::<CollapseShapeOp<'_>>() {
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

pub(crate) fn cast(patterns: &mut Patterns) {
    let root = Some(CastOp::NAME);
    patterns
        .add_fn("tensor-cast-of-cast", root, cast_of_cast)
        .add_fn("tensor-cast-of-extract-slice", root, cast_of_extract_slice)
        .add_fn("tensor-cast-of-empty", root, cast_of_empty);
    destination::destination(patterns);
}

pub(crate) fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("tensor-bitcast-of-bitcast", Some(BitcastOp::NAME), bitcast_of_bitcast);
}

pub(crate) fn dim(patterns: &mut Patterns) {
    reshape::of_dim(patterns);
    patterns.add_fn("tensor-dim-of-cast", Some(DimOp::NAME), dim_of_cast).add_fn(
        "tensor-dim-of-destination",
        Some(DimOp::NAME),
        dim_of_destination,
    );
}

pub(crate) fn empty(patterns: &mut Patterns) {
    patterns.add_fn("tensor-constant-extents", Some(EmptyOp::NAME), constant_extents);
}

pub(crate) fn generate(patterns: &mut Patterns) {
    patterns.add_fn("tensor-constant-extents", Some(GenerateOp::NAME), constant_extents);
}

pub(crate) fn extract_slice(patterns: &mut Patterns) {
    patterns.add_fn("tensor-slice-constants", Some(ExtractSliceOp::NAME), extract_constants).add_fn(
        "tensor-slice-of-cast",
        Some(ExtractSliceOp::NAME),
        extract_slice_of_cast,
    );
}

pub(crate) fn insert_slice(patterns: &mut Patterns) {
    patterns.add_fn("tensor-slice-constants", Some(InsertSliceOp::NAME), insert_constants).add_fn(
        "tensor-insert-slice-of-cast",
        Some(InsertSliceOp::NAME),
        insert_slice_of_cast,
    );
    patterns
        .add_fn("tensor-insert-slice-of-cast-source", Some(InsertSliceOp::NAME), insert_slice_of_cast_source)
        .add_fn("tensor-insert-slice-again", Some(InsertSliceOp::NAME), insert_slice_again);
}

pub(crate) fn parallel_insert_slice(patterns: &mut Patterns) {
    patterns.add_fn("tensor-slice-constants", Some(ParallelInsertSliceOp::NAME), insert_constants);
}
