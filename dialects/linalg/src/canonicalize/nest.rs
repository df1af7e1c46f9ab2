//! Loop nests: those that compute nothing new, loops of one step, and extents that follow from one another.

use dl_ir::interfaces::{has_pure_buffer_semantics, has_pure_tensor_semantics, tied_operand, tied_result};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, OpDefinition, OpId, OpState, Rewriter, Type, ValueId};
use smallvec::SmallVec;

use crate::structured::LinalgOp;
use crate::{CopyOp, GenericOp, IndexOp};

/// A generic operation on tensors that hands its inputs over unchanged, all by one permutation of the loops, is those inputs, cast where
/// only their types differ.
fn erase_moves_of_nothing(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let last = body.last_op().filter(|last| body.first_op() == Some(*last)).ok_or(NoMatch("the body computes"))?;
    let maps = nest.indexing_maps();
    let first = maps.first().copied().filter(|&map| rw.cx().affine().is_permutation(map));
    if !has_pure_tensor_semantics(view) || maps.iter().any(|&map| Some(map) != first) {
        return Err(NoMatch("not on tensors by one permutation"));
    }
    let mut values: SmallVec<[(ValueId, Type); 4]> = SmallVec::new();
    for (value, result) in last.operands().iter().zip(view.results().iter()) {
        let argument = value.owner_block() == Some(body);
        let source = if argument { view.operands().get(value.index()) } else { None };
        let (from, to) = (source.ok_or(NoMatch("a result is no operand"))?.ty(), result.ty());
        let compatible = from.shape().zip(to.shape()).is_some_and(|(a, b)| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
        });
        if from != to && (!compatible || from.element_type() != to.element_type() || from.encoding() != to.encoding()) {
            return Err(NoMatch("a result is no operand of a type that can be cast"));
        }
        values.extend(source.map(|source| (source.id(), to.id())));
    }
    let loc = view.loc();
    let cast = |rw: &mut Rewriter<'_>, (value, ty): (ValueId, Type)| {
        if rw.value_type(value).id() == ty {
            return value;
        }
        rw.create_value(OpState::named("tensor.cast", loc).operands([value]).results([ty]))
    };
    let values: SmallVec<[ValueId; 4]> = values.into_iter().map(|each| cast(rw, each)).collect();
    rw.replace(op, &values);
    Ok(())
}

/// Copying a buffer to itself does nothing.
fn erase_copy_to_itself(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let same = view.num_operands() == 2 && view.operand(0) == view.operand(1);
    let same_place = || {
        let maps = nest.indexing_maps();
        maps.first() == maps.last()
    };
    if !same || !same_place() || !has_pure_buffer_semantics(view) {
        return Err(NoMatch("no buffer is copied to itself"));
    }
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let last = body.last_op().filter(|last| body.first_op() == Some(*last)).ok_or(NoMatch("the body computes"))?;
    let copies = last.num_operands() == 1 && body.args().any(|arg| arg == last.operand(0));
    if !copies {
        return Err(NoMatch("something else is written"));
    }
    rw.erase(op);
    Ok(())
}

/// The index of a loop of one step is 0.
fn index_of_one_step(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let index = IndexOp(rw.op(op));
    let nest = index.0.parent().and_then(LinalgOp::of).ok_or(NoMatch("in no loop nest"))?;
    let dim = index.dim().as_int().and_then(|dim| usize::try_from(dim).ok()).ok_or(NoMatch("no dimension"))?;
    let (operand, at) = nest.loops_to_dims().get(dim).copied().flatten().ok_or(NoMatch("the extent is not known"))?;
    if nest.op().operand(operand).ty().shape().and_then(|shape| shape.get(at)) != Some(&1) {
        return Err(NoMatch("more than one step"));
    }
    let loc = index.0.loc();
    let zero = dl_arith::constant_index(rw, 0, loc);
    rw.replace(op, &[zero]);
    Ok(())
}

/// The extents of each operand as the other operands know them: of each loop, what any operand, or what was cast to it, says.
fn shapes_by_loops(nest: LinalgOp<'_>) -> Option<Vec<Option<Vec<i64>>>> {
    let (op, affine, maps) = (nest.op(), nest.op().cx().affine(), nest.indexing_maps());
    if !maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return None;
    }
    let mut extents = vec![DYNAMIC; nest.num_loops()];
    let dims = |at: usize| affine.map(maps[at]).results.iter().map(|&expr| affine.dim_position(expr));
    for (at, operand) in op.operands().iter().enumerate() {
        let before = operand.defining_op().filter(|cast| cast.name() == "tensor.cast").map(|cast| cast.operand(0));
        for value in [Some(operand), before].into_iter().flatten() {
            for (&extent, dim) in value.ty().shape().unwrap_or(&[]).iter().zip(dims(at)) {
                let entry = extents.get_mut(dim? as usize)?;
                // Contradicting extents are undefined, and left alone.
                if *entry == DYNAMIC {
                    *entry = extent;
                } else if extent != DYNAMIC && *entry != extent {
                    return None;
                }
            }
        }
    }
    let shape = |at: usize| {
        if !op.operand(at).ty().is_ranked_tensor() {
            return Some(None);
        }
        let shape = dims(at).map(|dim| extents.get(dim? as usize).copied());
        shape.collect::<Option<Vec<i64>>>().map(Some)
    };
    (0..op.num_operands()).map(shape).collect()
}

/// An operand whose extents follow from those of others is cast to a type that says so; results are cast back.
fn extents_of_operands(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    let shapes = shapes_by_loops(nest).ok_or(NoMatch("maps of other kinds"))?;
    let mut casts: SmallVec<[(usize, Type); 4]> = SmallVec::new();
    for (at, shape) in shapes.into_iter().enumerate() {
        let Some(shape) = shape else { continue };
        let old = view.operand(at).ty();
        let new = old.with_shape(&shape).ok_or(NoMatch("no rank"))?;
        if new != old.id() {
            casts.push((at, new));
        }
    }
    if casts.is_empty() {
        return Err(NoMatch("nothing more is known"));
    }
    let loc = view.loc();
    let tied: SmallVec<[Option<usize>; 4]> = casts.iter().map(|&(at, _)| tied_result(view, at)).collect();
    for (&(at, ty), result) in casts.iter().zip(tied) {
        let value = rw.op(op).operand(at).id();
        rw.set_insertion_before(op);
        let cast = rw.create_value(OpState::named("tensor.cast", loc).operands([value]).results([ty]));
        rw.set_operand(op, at, cast);
        let Some(result) = result else { continue };
        let (result, old) = (rw.op(op).result(result).id(), rw.op(op).result(result).ty().id());
        rw.set_value_type(result, ty);
        cast_back(rw, op, result, old);
    }
    Ok(())
}

/// A cast that gives the result of a loop nest a more static type makes it compute that type, from an init cast so. What else reads the
/// result reads it cast back.
fn cast_of_result(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let value = view.operand(0);
    let nest = value.defining_op().and_then(LinalgOp::of).ok_or(NoMatch("no result of a loop nest"))?;
    let (from, to) = (value.ty(), view.result(0).ty());
    let learns = from
        .shape()
        .zip(to.shape())
        .is_some_and(|(a, b)| a.len() == b.len() && a != b && a.iter().zip(b).all(|(&a, &b)| a == b || a == DYNAMIC));
    let init = tied_operand(nest.op(), value.index()).filter(|_| learns && from.encoding() == to.encoding());
    let init = init.ok_or(NoMatch("the cast teaches nothing"))?;
    // Where it is not made whenever the nest is computed, the nest must not rely on it.
    if view.block() != nest.op().block() || !has_pure_tensor_semantics(nest.op()) {
        return Err(NoMatch("the cast may never be made"));
    }
    let (producer, result, old, new, loc) = (nest.op().id(), value.id(), from.id(), to.id(), view.loc());
    let init_value = nest.op().operand(init).id();
    rw.set_insertion_before(producer);
    let cast = rw.create_value(OpState::named("tensor.cast", loc).operands([init_value]).results([new]));
    rw.set_operand(producer, init, cast);
    rw.set_value_type(result, new);
    // The other uses are cast first: then those of the cast can have the result itself.
    cast_back(rw, producer, result, old);
    rw.replace(op, &[result]);
    Ok(())
}

/// Has all that reads `result` of `op` read it cast to `ty`, which it had before.
fn cast_back(rw: &mut Rewriter<'_>, op: OpId, result: ValueId, ty: Type) {
    let new = rw.value_type(result).id();
    let loc = rw.op(op).loc();
    rw.set_insertion_after(op);
    let back = rw.create(OpState::named("tensor.cast", loc).operands([result]).results([ty]));
    let value = rw.ir().result(back, 0);
    debug_assert_ne!(new, ty, "the type has changed");
    rw.replace_uses_if(result, value, |user, _| user.id() != back);
}

pub(super) fn nests(patterns: &mut Patterns) {
    patterns
        .add_fn("linalg-erase-moves-of-nothing", Some(GenericOp::NAME), erase_moves_of_nothing)
        .add_fn("linalg-erase-copy-to-itself", Some(GenericOp::NAME), erase_copy_to_itself)
        .add_fn("linalg-erase-copy-to-itself", Some(CopyOp::NAME), erase_copy_to_itself)
        .add_fn("linalg-index-of-one-step", Some(IndexOp::NAME), index_of_one_step)
        .add_fn("linalg-cast-of-result", Some("tensor.cast"), cast_of_result)
        .add_fn_where("linalg-extents-of-operands", super::is_structured, extents_of_operands);
}
