//! Which values may be dimensions and symbols of affine maps.
//!
//! Rules of the MLIR documentation, "'affine' Dialect: Restrictions on Dimensions and Symbols". A *scope* is the closest operation
//! with [`Trait::AffineScope`] around the use, mostly a function.

use dl_ir::{OpRef, Trait, ValueRef};

use crate::{AffineApplyOp, AffineDelinearizeIndexOp, AffineForOp, AffineLinearizeIndexOp, AffineParallelOp};

/// Operations that are followed from a value to what it is made of.
const MAX_STEPS: usize = 4096;

/// The scope around `op`: the closest operation with the trait.
pub fn affine_scope(op: OpRef<'_>) -> Option<OpRef<'_>> {
    std::iter::successors(op.parent(), |op| op.parent()).find(|op| op.has_trait(&Trait::AffineScope))
}

/// Whether `value` is defined at the top of `scope`: by an argument of its region or an operation right inside.
fn is_top_level(value: ValueRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    let parent = value.parent_block().and_then(|block| block.parent_op());
    match scope {
        Some(scope) => parent == Some(scope),
        None => parent.is_some_and(|parent| parent.has_trait(&Trait::AffineScope)),
    }
}

/// Whether `value` is the size of a dimension, whose shape is known at the top of `scope`.
fn is_size_at_top(op: OpRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    matches!(op.name(), "memref.dim" | "tensor.dim")
        && op.num_operands() > 0
        && (is_top_level(op.operand(0), scope) || op.operand(0).ty().has_static_shape())
}

/// Whether `value` may be a symbol in `scope`.
pub fn is_valid_symbol(value: ValueRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    let mut pending = vec![value];
    let mut steps = 0;
    while let Some(value) = pending.pop() {
        steps += 1;
        if !value.ty().is_index() || steps > MAX_STEPS {
            return false;
        }
        if is_top_level(value, scope) {
            continue;
        }
        let Some(op) = value.defining_op() else { return false };
        if op.has_trait(&Trait::ConstantLike) || is_size_at_top(op, scope) {
            continue;
        }
        if op.is::<AffineApplyOp<'_>>() || (op.num_regions() == 0 && dl_ir::effects::is_pure(op)) {
            pending.extend(op.operands().iter());
        } else {
            return false;
        }
    }
    true
}

/// Whether `value` may be a dimension in `scope`.
pub fn is_valid_dim(value: ValueRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    let mut pending = vec![value];
    let mut steps = 0;
    while let Some(value) = pending.pop() {
        steps += 1;
        if !value.ty().is_index() || steps > MAX_STEPS {
            return false;
        }
        if let Some(op) = value.defining_op() {
            let of_dims = op.is::<AffineApplyOp<'_>>()
                || op.is::<AffineDelinearizeIndexOp<'_>>()
                || op.is::<AffineLinearizeIndexOp<'_>>();
            if of_dims {
                pending.extend(op.operands().iter());
            } else if !is_valid_symbol(value, scope) {
                return false;
            }
            continue;
        }
        let parent = value.parent_block().and_then(|block| block.parent_op());
        let of_loop = |parent: OpRef<'_>| match parent.is::<AffineForOp<'_>>() {
            true => value.index() == 0,
            false => parent.is::<AffineParallelOp<'_>>(),
        };
        if !is_top_level(value, scope) && !parent.is_some_and(of_loop) {
            return false;
        }
    }
    true
}
