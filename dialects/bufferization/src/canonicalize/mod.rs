//! Canonicalization patterns.

mod clone;

pub(crate) use clone::clone;

use dl_ir::effects::effects_of;
use dl_ir::interfaces::index_list::with_constant_extents;
use dl_ir::opdef::Effects;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpRef, OpState, Rewriter, TypeRef, ValueId, ValueRef};
use smallvec::SmallVec;

use crate::{AllocTensorOp, DeallocOp, ToBufferOp, ToTensorOp};

/// Tensor allocations whose sizes are constant get a static type, cast.
fn constant_sizes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = AllocTensorOp(rw.op(op));
    if view.copy().is_some() {
        return Err(NoMatch("sizes are those of the copy"));
    }
    let ty = view.result().ty();
    let shape = ty.shape().ok_or(NoMatch("no rank"))?;
    let known = with_constant_extents(shape, view.dynamic_sizes());
    let (new_shape, kept) = known.ok_or(NoMatch("no size is constant"))?;
    let new_ty = ty.with_shape(&new_shape).ok_or(NoMatch("no rank"))?;
    let (loc, old, hint) = (view.0.loc(), ty.id(), view.size_hint().map(|hint| hint.id()));
    let space = view.memory_space().map(|space| space.id());
    let segments = [kept.len(), 0, usize::from(hint.is_some())];
    let state = OpState::of::<AllocTensorOp<'_>>(loc)
        .operands(kept)
        .operands(hint)
        .operand_segments(cx, &segments)
        .maybe_attr(cx, "memory_space", space)
        .results([new_ty]);
    rw.set_insertion_before(op);
    let new = rw.create_value(state);
    rw.replace_with(op, OpState::named("tensor.cast", loc).operands([new]).results([old]));
    Ok(())
}

/// A dimension of an allocated tensor is the size that it was given.
fn dim_of_alloc_tensor(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let alloc = view.operand(0).def::<AllocTensorOp<'_>>().ok_or(NoMatch("no allocation"))?;
    let index = view.operand(1).constant().and_then(|c| c.as_int()).and_then(|i| usize::try_from(i).ok());
    let index = index.ok_or(NoMatch("the dimension is not constant"))?;
    let shape = alloc.result().ty().shape().ok_or(NoMatch("no rank"))?;
    if shape.get(index) != Some(&DYNAMIC) {
        return Err(NoMatch("the extent is no operand"));
    }
    if let Some(copy) = alloc.copy() {
        let copy = copy.id();
        rw.set_operand(op, 0, copy);
        return Ok(());
    }
    let at = shape[..index].iter().filter(|&&d| d == DYNAMIC).count();
    let size = alloc.dynamic_sizes().get(at).ok_or(NoMatch("too few sizes"))?.id();
    rw.replace(op, &[size]);
    Ok(())
}

/// A dimension of the tensor of a buffer is one of the buffer.
fn dim_of_to_tensor(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let to_tensor = view.operand(0).def::<ToTensorOp<'_>>().ok_or(NoMatch("no tensor of a buffer"))?;
    let (buffer, index, loc) = (to_tensor.buffer().id(), view.operand(1).id(), view.loc());
    let ty = view.result(0).ty().id();
    rw.replace_with(op, OpState::named("memref.dim", loc).operands([buffer, index]).results([ty]));
    Ok(())
}

/// The buffer of the tensor of a buffer of another type is that buffer, cast.
fn to_buffer_of_to_tensor(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ToBufferOp(rw.op(op));
    let to_tensor = view.tensor().def::<ToTensorOp<'_>>().ok_or(NoMatch("no tensor of a buffer"))?;
    let (from, to) = (to_tensor.buffer().ty(), view.buffer().ty());
    let (buffer, loc, ty) = (to_tensor.buffer().id(), view.0.loc(), to.id());
    if from == to {
        rw.replace(op, &[buffer]);
        return Ok(());
    }
    if !is_guaranteed_cast(from, to) {
        return replace_by_copy(op, rw);
    }
    rw.replace_with(op, OpState::named("memref.cast", loc).operands([buffer]).results([ty]));
    Ok(())
}

/// The buffer of the tensor of a buffer of another layout or memory space, to which it cannot be cast, is a new one, copied.
fn replace_by_copy(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ToBufferOp(rw.op(op));
    let to_tensor = view.tensor().def::<ToTensorOp<'_>>().ok_or(NoMatch("no tensor of a buffer"))?;
    let (from, to) = (to_tensor.buffer().ty(), view.buffer().ty());
    let (Some(old), Some(new)) = (from.shape(), to.shape()) else { return Err(NoMatch("no rank")) };
    // A layout with dynamic strides or offset is none that an allocation has.
    let layout = to.strided_layout().ok_or(NoMatch("not strided"))?;
    let allocates = to.has_identity_layout() || !layout.strides.contains(&DYNAMIC) && layout.offset != DYNAMIC;
    if old.len() != new.len() || from.element_type() != to.element_type() || !allocates {
        return Err(NoMatch("no buffer of that type is allocated"));
    }
    let (buffer, loc, ty) = (to_tensor.buffer().id(), view.0.loc(), to.id());
    let dynamic: Vec<i64> = (0_i64..).zip(new).filter(|(_, extent)| **extent == DYNAMIC).map(|(dim, _)| dim).collect();
    let index = rw.cx().index_type();
    let mut sizes: SmallVec<[ValueId; 4]> = SmallVec::new();
    for dim in dynamic {
        let dim = dl_arith::constant_index(rw, dim, loc);
        sizes.push(rw.create_value(OpState::named("memref.dim", loc).operands([buffer, dim]).results([index])));
    }
    let segments = [sizes.len(), 0];
    let state = OpState::named("memref.alloc", loc).operands(sizes).operand_segments(rw.cx(), &segments);
    let made = rw.create_value(state.results([ty]));
    rw.create(OpState::named("memref.copy", loc).operands([buffer, made]));
    rw.replace(op, &[made]);
    Ok(())
}

/// An element of the buffer of a tensor, which nothing has been written to since, is one of the tensor.
fn load_of_to_buffer(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let to_buffer = view.operand(0).def::<ToBufferOp<'_>>().ok_or(NoMatch("no buffer of a tensor"))?;
    let unwritten = to_buffer.read_only().is_some() || nothing_written_between(to_buffer.0, view);
    if !unwritten {
        return Err(NoMatch("the buffer may have been written to"));
    }
    let (tensor, loc, ty) = (to_buffer.tensor().id(), view.loc(), view.result(0).ty().id());
    let indices: SmallVec<[ValueId; 4]> = view.operands().iter().skip(1).map(|index| index.id()).collect();
    rw.replace_with(op, OpState::named("tensor.extract", loc).operands([tensor]).operands(indices).results([ty]));
    Ok(())
}

/// Whether the operations between two of one block write to no memory.
fn nothing_written_between(first: OpRef<'_>, last: OpRef<'_>) -> bool {
    let mut each = first.next().filter(|_| first.block() == last.block());
    while let Some(op) = each {
        if op == last {
            return true;
        }
        if effects_of(op).is_none_or(|effects| effects.contains(Effects::WRITE) || effects.contains(Effects::FREE)) {
            return false;
        }
        each = op.next();
    }
    false
}

/// Whether a cast only forgets what is known: it cannot fail when running.
fn is_guaranteed_cast(from: TypeRef<'_>, to: TypeRef<'_>) -> bool {
    let (Some(a), Some(b)) = (from.shape(), to.shape()) else { return false };
    let (Some(x), Some(y)) = (from.strided_layout(), to.strided_layout()) else { return false };
    let forgets = |(&a, &b): (&i64, &i64)| b == DYNAMIC || a == b;
    a.len() == b.len()
        && from.element_type() == to.element_type()
        && from.memory_space() == to.memory_space()
        && a.iter().zip(b).all(forgets)
        && forgets((&x.offset, &y.offset))
        && x.strides.iter().zip(&y.strides).all(forgets)
}

/// The buffer of a tensor that was cast is the buffer of what was cast, cast.
fn to_buffer_of_cast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = ToBufferOp(rw.op(op));
    let cast = view.tensor().defining_op().filter(|d| d.name() == "tensor.cast").ok_or(NoMatch("no cast"))?;
    let source = cast.operand(0);
    let to = view.buffer().ty();
    let shape = source.ty().shape().ok_or(NoMatch("the source has no rank"))?;
    if to.memref_layout().is_some_and(|layout| layout.is_affine_map()) {
        return Err(NoMatch("a layout of another rank"));
    }
    let (space, layout) = (to.memory_space().map(|space| space.id()), to.memref_layout().map(|layout| layout.id()));
    let ty = cx.memref_type_with(shape, source.ty().element_or_self().id(), layout, space);
    let (source, loc, old) = (source.id(), view.0.loc(), to.id());
    let read_only = view.read_only().map(|attr| attr.id());
    rw.set_insertion_before(op);
    let state =
        OpState::of::<ToBufferOp<'_>>(loc).operands([source]).maybe_attr(cx, "read_only", read_only).results([ty]);
    let buffer = rw.create_value(state);
    rw.replace_with(op, OpState::named("memref.cast", loc).operands([buffer]).results([old]));
    Ok(())
}

/// Freeing no buffer does nothing; the conditions of what is retained are then false.
fn empty_dealloc(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = DeallocOp(rw.op(op));
    if !view.memrefs().is_empty() {
        return Err(NoMatch("there are buffers to free"));
    }
    let (count, loc) = (view.updated_conditions().len(), view.0.loc());
    rw.set_insertion_before(op);
    let mut values: SmallVec<[ValueId; 4]> = SmallVec::new();
    if count > 0 {
        let no = dl_arith::constant(rw, cx.bool_attr(false), loc);
        values.resize(count, no);
    }
    rw.replace(op, &values);
    Ok(())
}

/// Freeing under a condition that is false does nothing: the buffer is dropped from the list.
fn drop_never_freed(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DeallocOp(rw.op(op));
    let never = |v: ValueRef<'_>| v.constant().is_some_and(|c| c.as_bool() == Some(false));
    let (mut memrefs, mut conditions): (SmallVec<[ValueId; 4]>, SmallVec<[ValueId; 4]>) = Default::default();
    for (memref, condition) in view.memrefs().iter().zip(view.conditions().iter()) {
        if !never(condition) {
            memrefs.push(memref.id());
            conditions.push(condition.id());
        }
    }
    if memrefs.len() == view.memrefs().len() {
        return Err(NoMatch("every buffer may be freed"));
    }
    set_dealloc(op, rw, &memrefs, &conditions);
    Ok(())
}

/// A buffer listed twice is freed once, if either condition holds.
fn join_duplicates(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DeallocOp(rw.op(op));
    let (memrefs, conditions) = (view.memrefs().ids(), view.conditions().ids());
    let loc = view.0.loc();
    if (0..memrefs.len()).all(|i| !memrefs[..i].contains(&memrefs[i])) {
        return Err(NoMatch("no buffer is listed twice"));
    }
    let (mut kept, mut joined): (SmallVec<[ValueId; 4]>, SmallVec<[ValueId; 4]>) = Default::default();
    rw.set_insertion_before(op);
    for (memref, condition) in memrefs.iter().zip(conditions) {
        match kept.iter().position(|other| other == memref) {
            Some(at) if joined[at] != condition => {
                let ty = rw.cx().i1_type();
                let state = OpState::of::<dl_arith::OrIOp<'_>>(loc).operands([joined[at], condition]).results([ty]);
                joined[at] = rw.create_value(state);
            }
            Some(_) => {}
            None => {
                kept.push(*memref);
                joined.push(condition);
            }
        }
    }
    set_dealloc(op, rw, &kept, &joined);
    Ok(())
}

/// A buffer retained twice is retained once; both get its condition.
fn join_retained(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = DeallocOp(rw.op(op));
    let (memrefs, conditions, retained) = (view.memrefs().ids(), view.conditions().ids(), view.retained().ids());
    let loc = view.0.loc();
    let mut kept: SmallVec<[ValueId; 4]> = SmallVec::new();
    for &value in &retained {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    if kept.len() == retained.len() {
        return Err(NoMatch("no buffer is retained twice"));
    }
    rw.set_insertion_before(op);
    let state = OpState::of::<DeallocOp<'_>>(loc)
        .operands(memrefs.iter().chain(&conditions).chain(&kept).copied())
        .operand_segments(cx, &[memrefs.len(), conditions.len(), kept.len()])
        .results(kept.iter().map(|_| cx.i1_type()));
    let new = rw.create(state);
    let position = |value: &ValueId| kept.iter().position(|other| other == value).unwrap_or(0);
    let values: SmallVec<[ValueId; 4]> = retained.iter().map(|value| rw.ir().result(new, position(value))).collect();
    rw.replace(op, &values);
    Ok(())
}

/// Whether `value` is a new allocation of its operation.
fn is_allocated(value: ValueRef<'_>) -> bool {
    let Some(op) = value.defining_op() else { return false };
    let results = op.def().map_or(&[][..], |def| &def.results);
    let allocates = |(i, _): (usize, _)| op.result_group(i).iter().any(|result| result == value);
    results.iter().enumerate().filter(|(_, r)| r.effects.contains(Effects::ALLOCATE)).any(allocates)
}

/// The base of an allocated buffer is the buffer.
fn skip_metadata(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DeallocOp(rw.op(op));
    let conditions = view.conditions().ids();
    let mut changed = false;
    let mut memrefs: SmallVec<[ValueId; 4]> = SmallVec::new();
    for memref in view.memrefs().iter() {
        let metadata = memref.defining_op().filter(|def| def.name() == "memref.extract_strided_metadata");
        let source = metadata.map(|def| def.operand(0)).filter(|&source| is_allocated(source));
        changed |= source.is_some();
        memrefs.push(source.unwrap_or(memref).id());
    }
    if !changed {
        return Err(NoMatch("no buffer is the base of an allocation"));
    }
    set_dealloc(op, rw, &memrefs, &conditions);
    Ok(())
}

/// A buffer that is allocated and freed but not used is not made.
fn drop_unused_allocation(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = DeallocOp(rw.op(op));
    let (mut memrefs, mut conditions): (SmallVec<[ValueId; 4]>, SmallVec<[ValueId; 4]>) = Default::default();
    let mut unused: SmallVec<[OpId; 2]> = SmallVec::new();
    for (memref, condition) in view.memrefs().iter().zip(view.conditions().iter()) {
        let made_by = memref.defining_op().filter(|_| is_allocated(memref) && memref.has_one_use());
        if let Some(def) = made_by.filter(|&def| effects_of(def) == Some(Effects::ALLOCATE)) {
            unused.push(def.id());
        } else {
            memrefs.push(memref.id());
            conditions.push(condition.id());
        }
    }
    if unused.is_empty() {
        return Err(NoMatch("every buffer is used"));
    }
    set_dealloc(op, rw, &memrefs, &conditions);
    for def in unused {
        rw.erase(def);
    }
    Ok(())
}

fn set_dealloc(op: OpId, rw: &mut Rewriter<'_>, memrefs: &[ValueId], conditions: &[ValueId]) {
    let cx = rw.cx();
    let retained = DeallocOp(rw.op(op)).retained().ids();
    let sizes = [memrefs.len() as i32, conditions.len() as i32, retained.len() as i32];
    let all: SmallVec<[ValueId; 8]> = memrefs.iter().chain(conditions).chain(&retained).copied().collect();
    rw.set_operands(op, &all);
    rw.set_attr(op, cx.ident("operandSegmentSizes"), cx.dense_i32_array(&sizes));
}

pub(crate) fn alloc_tensor(patterns: &mut Patterns) {
    patterns.add_fn("bufferization-constant-sizes", Some(AllocTensorOp::NAME), constant_sizes).add_fn(
        "bufferization-dim-of-alloc-tensor",
        Some("tensor.dim"),
        dim_of_alloc_tensor,
    );
}

pub(crate) fn to_tensor(patterns: &mut Patterns) {
    patterns.add_fn("bufferization-dim-of-to-tensor", Some("tensor.dim"), dim_of_to_tensor);
}

pub(crate) fn to_buffer(patterns: &mut Patterns) {
    patterns.add_fn("bufferization-load-of-to-buffer", Some("memref.load"), load_of_to_buffer);
    patterns.add_fn("bufferization-to-buffer-of-to-tensor", Some(ToBufferOp::NAME), to_buffer_of_to_tensor).add_fn(
        "bufferization-to-buffer-of-cast",
        Some(ToBufferOp::NAME),
        to_buffer_of_cast,
    );
}

pub(crate) fn dealloc(patterns: &mut Patterns) {
    patterns
        .add_fn("bufferization-drop-never-freed", Some(DeallocOp::NAME), drop_never_freed)
        .add_fn("bufferization-join-duplicates", Some(DeallocOp::NAME), join_duplicates)
        .add_fn("bufferization-join-retained", Some(DeallocOp::NAME), join_retained)
        .add_fn("bufferization-skip-metadata", Some(DeallocOp::NAME), skip_metadata)
        .add_fn("bufferization-drop-unused-allocation", Some(DeallocOp::NAME), drop_unused_allocation)
        .add_fn("bufferization-empty-dealloc", Some(DeallocOp::NAME), empty_dealloc);
}
