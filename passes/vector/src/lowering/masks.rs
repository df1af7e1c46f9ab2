//! Masks of several dimensions by those of one, and constant masks as constants.

use dl_arith::{Build, CmpIPredicate};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};
use dl_vector::types::{extents, is_scalable};
use dl_vector::{ConstantMaskOp, CreateMaskOp};

use crate::build::{VectorBuild, without_leading};

/// Adds the patterns.
pub fn masks(patterns: &mut Patterns) {
    patterns.add_fn("vector-lower-create-mask", Some(CreateMaskOp::NAME), create_mask).add_fn(
        "vector-lower-constant-mask",
        Some(ConstantMaskOp::NAME),
        constant_mask,
    );
}

/// A row is on, as the mask of the other sizes says, as long as its number is less than the size.
fn create_mask(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = CreateMaskOp::wrap(rw.op(op));
    let (sizes, loc) = (view.operands().ids(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let shape = extents(ty);
    if shape.len() <= 1 {
        return Err(NoMatch("one dimension"));
    }
    if is_scalable(ty, 0) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    let row = without_leading(ty, 1);
    rw.set_insertion_before(op);
    let mut b = Build::new(rw, loc);
    let on = b.create_mask(&sizes[1..], row);
    let off = b.zeros(row).ok_or(NoMatch("no mask"))?;
    let mut value = b.zeros(ty.id()).ok_or(NoMatch("no mask"))?;
    for number in 0..shape[0] {
        let bound = b.constant_index(number);
        let inside = b.compare(CmpIPredicate::Slt, bound, sizes[0]);
        let part = b.select(inside, on, off);
        value = b.with_part(part, value, &[number]);
    }
    rw.replace(op, &[value]);
    Ok(())
}

fn constant_mask(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ConstantMaskOp::wrap(rw.op(op));
    let sizes: Vec<i64> = view.mask_dim_sizes().dense_ints().collect();
    let (cx, loc) = (rw.cx(), view.0.loc());
    let ty = rw.value_type(rw.ir().result(op, 0));
    let (shape, on) = (extents(ty), *sizes.first().ok_or(NoMatch("no sizes"))?);
    let attr = match shape {
        [] => cx.splat_attr(ty.id(), cx.bool_attr(on == 1)),
        &[extent] if on == 0 || on == extent => cx.splat_attr(ty.id(), cx.bool_attr(on != 0)),
        &[extent] if !is_scalable(ty, 0) => {
            let lanes: Vec<_> = (0..extent).map(|lane| cx.bool_attr(lane < on)).collect();
            cx.dense_attr(ty.id(), &lanes)
        }
        [_] => return Err(NoMatch("a part of a scalable vector")),
        _ => None,
    };
    rw.set_insertion_before(op);
    if shape.len() <= 1 {
        let attr = attr.ok_or(NoMatch("no mask"))?;
        rw.replace_with(op, dl_arith::constant_state(cx, attr, loc));
        return Ok(());
    }
    if is_scalable(ty, 0) {
        return Err(NoMatch("the leading dimension is scalable"));
    }
    let row = without_leading(ty, 1);
    let mut b = Build::new(rw, loc);
    let attr = cx.dense_i64_array(&sizes[1..]);
    let part = b.value_with::<ConstantMaskOp<'_>>(&[], row, &[("mask_dim_sizes", attr)]);
    let mut value = b.zeros(ty.id()).ok_or(NoMatch("no mask"))?;
    for number in 0..on {
        value = b.with_part(part, value, &[number]);
    }
    rw.replace(op, &[value]);
    Ok(())
}
