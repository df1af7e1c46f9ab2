//! Which values may be dimensions and symbols of affine maps.
//!
//! Rules of the MLIR documentation, "'affine' Dialect: Restrictions on Dimensions and Symbols". A *scope* is the closest operation
//! with [`Trait::AffineScope`] around the use, mostly a function. All that is defined around a scope is a symbol in it.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::{OpRef, Trait, ValueRef};
use smallvec::{SmallVec, smallvec};

use crate::{AffineApplyOp, AffineDelinearizeIndexOp, AffineForOp, AffineLinearizeIndexOp, AffineParallelOp};

/// Operations that are followed from a value to what it is made of.
const MAX_STEPS: usize = 4096;

/// The scope around `op`: the closest operation with the trait.
pub fn affine_scope(op: OpRef<'_>) -> Option<OpRef<'_>> {
    std::iter::successors(op.parent(), |op| op.parent()).find(|op| op.has_trait(&Trait::AffineScope))
}

/// Whether `value` is defined at the top of `scope`: by an argument of its region or an operation right inside.
pub fn is_top_level(value: ValueRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    let parent = value.parent_block().and_then(dl_ir::BlockRef::parent_op);
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

/// For the size of a dimension of what an operation allocates (`memref.alloc`) or cuts out (`memref.subview`, `memref.view`): what it has as
/// its size there. `None` for all else.
fn given_size(op: OpRef<'_>) -> Option<Index> {
    if !matches!(op.name(), "memref.dim" | "tensor.dim") || op.num_operands() != 2 {
        return None;
    }
    let source = op.operand(0).defining_op()?;
    let dim = usize::try_from(op.operand(1).constant()?.as_int()?).ok()?;
    let sizes = match source.name() {
        "memref.alloc" | "memref.alloca" => source.operand_group(0),
        "memref.view" => source.operand_group(2),
        _ => return Slice::of(source)?.sizes.get(dim).copied(),
    };
    let shape = op.operand(0).ty().shape()?;
    match *shape.get(dim)? {
        dl_ir::DYNAMIC => {
            let before = shape[..dim].iter().filter(|&&size| size == dl_ir::DYNAMIC).count();
            sizes.get(before).map(|size| Index::Value(size.id()))
        }
        size => Some(Index::Static(size)),
    }
}

/// Whether `value` may be a symbol in `scope`.
pub fn is_valid_symbol(value: ValueRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    let mut pending: SmallVec<[ValueRef<'_>; 4]> = smallvec![value];
    let mut steps = 0;
    while let Some(value) = pending.pop() {
        steps += 1;
        if !value.ty().is_index() || steps > MAX_STEPS {
            return false;
        }
        if is_top_level(value, scope) || scope.is_some_and(|scope| !value.is_defined_in(scope)) {
            continue;
        }
        let Some(op) = value.defining_op() else { return false };
        if op.has_trait(&Trait::ConstantLike) || is_size_at_top(op, scope) {
            continue;
        }
        if let Some(size) = given_size(op) {
            if let Index::Value(size) = size {
                pending.push(ValueRef::new(op.cx(), op.arena(), size));
            }
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

/// Whether `value` is the induction variable of an affine loop.
pub fn is_induction_variable(value: ValueRef<'_>) -> bool {
    let parent = value.owner_block().and_then(dl_ir::BlockRef::parent_op);
    parent.is_some_and(|parent| {
        (parent.is::<AffineForOp<'_>>() && value.index() == 0) || parent.is::<AffineParallelOp<'_>>()
    })
}

/// Whether `value` may be a dimension in `scope`.
pub fn is_valid_dim(value: ValueRef<'_>, scope: Option<OpRef<'_>>) -> bool {
    let mut pending: SmallVec<[ValueRef<'_>; 4]> = smallvec![value];
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
        if !is_induction_variable(value) && !is_valid_symbol(value, scope) {
            return false;
        }
    }
    true
}
