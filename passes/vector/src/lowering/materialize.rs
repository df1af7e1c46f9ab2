//! Masks as comparisons of lane numbers, and transfers out of bounds as masked ones.

use dl_arith::{AndIOp, Build, CmpIOp, CmpIPredicate, IndexCastOp, SubIOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, OpView, Rewriter, Type, ValueId};
use dl_vector::types::extents;
use dl_vector::{CreateMaskOp, TransferReadOp, TransferWriteOp};

use crate::build::VectorBuild;
use crate::masking::masking;
use crate::transfer::{Transfer, dim_of};

/// Adds the patterns. `narrow` allows indices to be taken for 32 bits wide.
pub fn materialize_masks(narrow: bool, patterns: &mut Patterns) {
    let root = Some(CreateMaskOp::NAME);
    if narrow {
        patterns.add_fn("vector-materialize-mask", root, |op, rw| create_mask(op, rw, 32));
    } else {
        patterns.add_fn("vector-materialize-mask", root, |op, rw| create_mask(op, rw, 64));
    }
    patterns.add_fn("vector-materialize-read-mask", Some(TransferReadOp::NAME), in_bounds).add_fn(
        "vector-materialize-write-mask",
        Some(TransferWriteOp::NAME),
        in_bounds,
    );
}

/// The value as an integer of type `ty`.
fn as_int(b: &mut Build<'_, '_>, value: ValueId, ty: Type) -> ValueId {
    if b.ir().value_type(value) == ty {
        return value;
    }
    let state = OpState::of::<IndexCastOp<'_>>(b.loc).operands([value]).results([ty]);
    b.create_value(state)
}

/// The lanes whose number is less than `bound`.
fn lanes_below(b: &mut Build<'_, '_>, shape: &[i64], bits: u32, bound: ValueId) -> ValueId {
    let cx = b.cx();
    let int = cx.int_type(bits);
    let ty = cx.vector_type(shape, int);
    let count = shape.first().copied().unwrap_or(1);
    let numbers: Vec<_> = (0..count).map(|i| cx.int_attr(int, i)).collect();
    let numbers = cx.dense_attr(ty, &numbers).expect("one number for each lane");
    let lanes = b.constant(numbers, ty);
    let bound = as_int(b, bound, int);
    let bound = b.broadcast(bound, ty);
    let predicate = CmpIPredicate::Sgt.attr(cx);
    let mask = cx.vector_type(shape, cx.i1_type());
    b.value_with::<CmpIOp<'_>>(&[bound, lanes], mask, &[("predicate", predicate)])
}

fn create_mask(op: OpId, rw: &mut Rewriter<'_>, bits: u32) -> Rewrite {
    let view = CreateMaskOp::wrap(rw.op(op));
    let loc = view.0.loc();
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = extents(ty);
    if ty.is_scalable_vector() || shape.len() > 1 {
        return Err(NoMatch("a scalable mask, or one of several dimensions"));
    }
    let bound = CreateMaskOp::wrap(rw.op(op)).operands().get(0).ok_or(NoMatch("no size"))?.id();
    rw.set_insertion_before(op);
    let value = lanes_below(&mut Build::new(rw, loc), shape, bits, bound);
    rw.replace(op, &[value]);
    Ok(())
}

/// A transfer of one dimension that may be out of bounds is one by a mask: the lanes that the memory has.
fn in_bounds(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if masking(view).is_some() {
        return Err(NoMatch("it is masked"));
    }
    let transfer = Transfer::of(view).ok_or(NoMatch("no transfer"))?;
    let bounds = view.attr("in_bounds").ok_or(NoMatch("no bounds"))?;
    if bounds.elements().all(|bound| bound.as_bool() == Some(true)) {
        return Err(NoMatch("it is in bounds"));
    }
    let rank = extents(transfer.vector_type(rw)).len();
    if rank != 1 || transfer.indices.is_empty() {
        return Err(NoMatch("several dimensions, or none"));
    }
    let affine = rw.cx().affine();
    let dim = affine.map(transfer.map).results.first().and_then(|&expr| affine.dim_position(expr));
    let dim = dim.ok_or(NoMatch("a broadcast"))? as usize;
    let vector = transfer.vector_type(rw);
    let cx = rw.cx();
    rw.set_insertion_before(op);
    let loc = rw.op(op).loc();
    let mut b = Build::new(rw, loc);
    let extent = dim_of(&mut b, transfer.base, dim);
    let left = b.same::<SubIOp<'_>>(&[extent, transfer.indices[dim]]);
    let ty = vector.with_element(cx.i1_type());
    let mut mask = b.create_mask(&[left], ty);
    if let Some(given) = transfer.mask {
        mask = b.same::<AndIOp<'_>>(&[mask, given]);
    }
    let bounds = cx.array_attr(&[cx.bool_attr(true)]);
    let state = Transfer { mask: Some(mask), ..transfer }.state(cx, loc, bounds);
    rw.replace_with(op, state);
    Ok(())
}
