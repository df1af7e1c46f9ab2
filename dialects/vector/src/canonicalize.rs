//! Canonicalization patterns.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};

use crate::types::is_scalable;
use crate::{BitCastOp, BroadcastOp, ConstantMaskOp, CreateMaskOp, ShapeCastOp, TransposeOp};

/// An operation on the result of another of its kind is one of the other's operand.
fn merge_with_source(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|inner| inner.name_id() == view.name_id());
    let source = inner.ok_or(NoMatch("the source is no operation of the same kind"))?.operand(0).id();
    let (name, loc, ty) = (view.name_id(), view.loc(), view.result(0).ty().id());
    rw.replace_with(op, OpState::new(name, loc).operands([source]).results([ty]));
    Ok(())
}

/// One transposition after another is their composition.
fn compose_transposes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let outer = TransposeOp(rw.op(op));
    let inner = outer.vector().def::<TransposeOp<'_>>().ok_or(NoMatch("the source is no transposition"))?;
    let first: Vec<i64> = inner.permutation().dense_ints().collect();
    let at = |position: i64| usize::try_from(position).ok().and_then(|at| first.get(at).copied());
    let composed: Option<Vec<i64>> = outer.permutation().dense_ints().map(at).collect();
    let composed = composed.ok_or(NoMatch("no permutation"))?;
    let (cx, source, loc, ty) = (rw.cx(), inner.vector().id(), outer.0.loc(), outer.result().ty().id());
    let state = OpState::of::<TransposeOp<'_>>(loc).operands([source]);
    rw.replace_with(op, state.attr(cx, "permutation", cx.dense_i64_array(&composed)).results([ty]));
    Ok(())
}

/// A mask of constant sizes, cut off at the extents, is a constant.
fn constant_sizes(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let mask = CreateMaskOp(rw.op(op));
    let ty = mask.result().ty();
    let shape = ty.shape().filter(|shape| !shape.is_empty()).ok_or(NoMatch("no dimensions"))?;
    let mut sizes = Vec::with_capacity(shape.len());
    for (i, (operand, &extent)) in mask.operands().iter().zip(shape).enumerate() {
        let size = operand.constant().and_then(|c| c.as_int()).ok_or(NoMatch("a size is not constant"))?;
        // Of a dimension that grows with the machine, no more is known than whether anything is set.
        if is_scalable(ty, i) && size > 0 {
            return Err(NoMatch("a size of a scalable dimension"));
        }
        sizes.push(size.clamp(0, extent));
    }
    if sizes.contains(&0) {
        sizes.fill(0);
    }
    let (cx, loc, ty) = (rw.cx(), mask.0.loc(), ty.id());
    let state = OpState::of::<ConstantMaskOp<'_>>(loc);
    rw.replace_with(op, state.attr(cx, "mask_dim_sizes", cx.dense_i64_array(&sizes)).results([ty]));
    Ok(())
}

pub(crate) fn broadcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-merge-broadcasts", Some(BroadcastOp::NAME), merge_with_source);
}

pub(crate) fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("vector-merge-bitcasts", Some(BitCastOp::NAME), merge_with_source);
}

pub(crate) fn shape_cast(patterns: &mut Patterns) {
    patterns.add_fn("vector-merge-shape-casts", Some(ShapeCastOp::NAME), merge_with_source);
}

pub(crate) fn transpose(patterns: &mut Patterns) {
    patterns.add_fn("vector-compose-transposes", Some(TransposeOp::NAME), compose_transposes);
}

pub(crate) fn create_mask(patterns: &mut Patterns) {
    patterns.add_fn("vector-constant-mask-sizes", Some(CreateMaskOp::NAME), constant_sizes);
}
