//! What may be inlined: dimensions and symbols must remain such.

use dl_ir::interfaces::{InlineSite, Inlining};
use dl_ir::opdef::Trait;
use dl_ir::{AttrRef, OpDefinition, OpRef, Operands, ValueRef};

use crate::scope::{affine_scope, is_top_level, is_valid_dim, is_valid_symbol};
use crate::{
    AffineApplyOp, AffineForOp, AffineIfOp, AffineLoadOp, AffineMaxOp, AffineMinOp, AffineParallelOp, AffineStoreOp,
    AffineVectorLoadOp, AffineVectorStoreOp,
};

pub(crate) struct Rules;

impl Inlining for Rules {
    /// Into loops and conditionals goes a single block whose operations are understood.
    fn allows_region(&self, site: &InlineSite<'_>) -> bool {
        let is_structure = site.dest.parent_op().is_some_and(is_structure);
        is_structure && site.src.has_one_block() && site.src.ops().all(|op| stays_valid(op, site))
    }

    fn allows_op(&self, _: OpRef<'_>, site: &InlineSite<'_>) -> bool {
        site.dest.parent_op().is_some_and(|parent| parent.has_trait(&Trait::AffineScope) || is_structure(parent))
    }
}

fn is_structure(op: OpRef<'_>) -> bool {
    op.is::<AffineForOp<'_>>() || op.is::<AffineParallelOp<'_>>() || op.is::<AffineIfOp<'_>>()
}

/// Whether `op`, directly in the body of the function, may stand in a loop or conditional.
fn stays_valid(op: OpRef<'_>, site: &InlineSite<'_>) -> bool {
    let indexed_from = match op.name() {
        name if [AffineLoadOp::NAME, AffineVectorLoadOp::NAME].contains(&name) => Some(1),
        name if [AffineStoreOp::NAME, AffineVectorStoreOp::NAME].contains(&name) => Some(2),
        name if [AffineApplyOp::NAME, AffineMinOp::NAME, AffineMaxOp::NAME].contains(&name) => Some(0),
        _ => None,
    };
    let Some(start) = indexed_from else {
        return op.has_trait(&Trait::Terminator)
            || (op.num_regions() == 0 && dl_ir::effects::is_memory_effect_free(op));
    };
    let Some(map) = op.attr("map").and_then(AttrRef::as_affine_map) else { return false };
    let num_dims = op.cx().affine().map(map).num_dims as usize;
    let operands: Operands<'_> = op.operands().slice(start, op.num_operands() - start);
    operands.iter().enumerate().all(|(i, operand)| operand_stays_valid(operand, i >= num_dims, site))
}

/// Whether `value`, a dimension or symbol in the function, will be one in the place of the call.
fn operand_stays_valid(value: ValueRef<'_>, is_symbol: bool, site: &InlineSite<'_>) -> bool {
    if value.parent_block().and_then(|block| block.region()) != Some(site.src) {
        return true;
    }
    let scope = affine_scope(site.call);
    let Some(op) = value.defining_op() else {
        let Some(argument) = site.replacement(value) else { return false };
        return if is_symbol { is_valid_symbol(argument, scope) } else { is_valid_dim(argument, scope) };
    };
    if op.has_trait(&Trait::ConstantLike) {
        return true;
    }
    let is_size = matches!(op.name(), "memref.dim" | "tensor.dim");
    is_size && {
        let of = op.operand(0);
        of.ty().has_static_shape() || site.replacement(of).is_some_and(|shaped| is_top_level(shaped, scope))
    }
}
