//! Inputs that a `linalg.generic` transposes or broadcasts by their maps are transposed and broadcast before it.

use dl_ir::affine::{AffineMap, AffineStore};
use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueId};
use dl_linalg::build::{broadcast_state, transpose_state};
use dl_linalg::{GenericOp, IteratorType, LinalgOp};
use dl_tensor::EmptyOp;

use crate::generic::Generic;

/// The permutation that puts the dimensions of an operand in the order of the loops, none where they are in it, and the loops that are no
/// dimension of it.
fn transpose_and_broadcast(affine: &AffineStore, map: AffineMap) -> Option<(Option<Vec<i64>>, Vec<i64>)> {
    let positions = affine.result_positions(map)?;
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|&i| positions[i]);
    let moved = !order.is_sorted();
    let permutation = moved.then(|| order.into_iter().map(|i| i as i64).collect());
    let missing = (0..affine.map(map).num_dims).filter(|dim| !positions.contains(dim)).map(i64::from).collect();
    Some((permutation, missing))
}

/// Of an element-wise nest on tensors of known extents, with several inputs or a body that computes.
fn unfold(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    let old = Generic::of(view).ok_or(NoMatch("not general"))?;
    let parallel = nest.iterator_types().iter().all(|&iterator| iterator == IteratorType::Parallel);
    let body = nest.body().ok_or(NoMatch("no body"))?;
    let moves_only = body.first_op() == body.last_op();
    if !has_pure_tensor_semantics(view) || !parallel || moves_only || (old.inputs.len() == 1 && old.inits.len() == 1) {
        return Err(NoMatch("not element-wise on tensors"));
    }
    let ranked =
        view.operands().iter().all(|operand| operand.ty().is_ranked_tensor() && operand.ty().has_static_shape());
    if !ranked || !old.maps.iter().all(|&map| affine.is_projected_permutation(map, false)) {
        return Err(NoMatch("scalars, dynamic extents or other maps"));
    }
    let extents = nest.static_loop_ranges().ok_or(NoMatch("no extents"))?;
    if old.maps[..old.inputs.len()].iter().all(|&map| affine.is_identity(map)) {
        return Err(NoMatch("every input has the identity"));
    }
    let moves: Option<Vec<_>> =
        old.maps[..old.inputs.len()].iter().map(|&map| transpose_and_broadcast(affine, map)).collect();
    let moves = moves.ok_or(NoMatch("maps of other kinds"))?;
    let region = view.region(0).id();
    let mut new = old.clone();
    rw.set_insertion_before(op);
    for (i, (permutation, missing)) in moves.into_iter().enumerate() {
        if let Some(permutation) = permutation {
            let shape = rw.value_type(new.inputs[i]).shape().unwrap_or_default();
            let shape: Vec<i64> = permutation.iter().map(|&dim| shape[dim as usize]).collect();
            let empty = empty_like(rw, new.inputs[i], &shape, old.loc);
            let state = transpose_state(rw, new.inputs[i], empty, &permutation, old.loc);
            new.inputs[i] = rw.create_value(state);
        }
        if !missing.is_empty() {
            let empty = empty_like(rw, new.inputs[i], &extents, old.loc);
            let state = broadcast_state(rw, new.inputs[i], empty, &missing, old.loc);
            new.inputs[i] = rw.create_value(state);
        }
        new.maps[i] = affine.identity_map(extents.len() as u32);
    }
    let replacement = new.create_with_body_of(rw, region);
    let results: Vec<ValueId> = rw.ir().results(replacement).collect();
    rw.replace(op, &results);
    Ok(())
}

/// `tensor.empty` of this shape, with the element type of `value`.
fn empty_like(rw: &mut Rewriter<'_>, value: ValueId, shape: &[i64], loc: dl_ir::Loc) -> ValueId {
    let element = rw.value_type(value).element_or_self().id();
    let ty = rw.cx().tensor_type(shape, element);
    rw.create_value(OpState::of::<EmptyOp<'_>>(loc).results([ty]))
}

/// Adds the pattern.
pub(super) fn add_patterns(patterns: &mut Patterns) {
    patterns.add_fn("linalg-unfold-projected-permutation", Some(GenericOp::NAME), unfold);
}
