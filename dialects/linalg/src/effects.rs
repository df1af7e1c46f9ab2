//! Memory effects: buffers that are inputs are read, those that are inits are written, and read where the body looks at them. And what may run
//! where it did not before.

use dl_ir::OpRef;
use dl_ir::interfaces::{has_pure_tensor_semantics, inits};
use dl_ir::opdef::Effects;

use crate::structured::LinalgOp;

pub(crate) fn structured(op: OpRef<'_>) -> Effects {
    let Some(nest) = LinalgOp::of(op) else { return Effects::NONE };
    let first_init = nest.inits().start();
    let mut effects = Effects::NONE;
    for (i, operand) in op.operands().iter().enumerate() {
        if !operand.ty().is_memref() {
            continue;
        }
        if i >= first_init {
            effects = effects.union(Effects::WRITE);
        }
        if i < first_init || nest.reads_operand(i) {
            effects = effects.union(Effects::READ);
        }
    }
    effects
}

/// Every input is read, every init is written.
pub(crate) fn destination(op: OpRef<'_>) -> Effects {
    let first_init = inits(op).map_or(0, |inits| inits.start());
    let effect = |i: usize| if i < first_init { Effects::READ } else { Effects::WRITE };
    let buffers = op.operands().iter().enumerate().filter(|(_, v)| v.ty().is_memref());
    buffers.fold(Effects::NONE, |all, (i, _)| all.union(effect(i)))
}

/// Whether a loop nest over tensors may run, if what is in it may: extents that are not known are taken to fit.
pub(crate) fn is_speculatable_nest(op: OpRef<'_>) -> bool {
    has_pure_tensor_semantics(op)
}

/// The group of operands of `pack` that is its padding.
const PADDING: usize = 2;

/// The same for `pack`: with padding a tile may have any size.
pub(crate) fn is_speculatable_pack(op: OpRef<'_>) -> bool {
    !op.operand_group(PADDING).is_empty() || has_static_shapes(op)
}

/// Whether all sizes are known: the verifier has seen then that they fit.
pub(crate) fn has_static_shapes(op: OpRef<'_>) -> bool {
    op.operands().iter().all(|operand| operand.ty().has_static_shape())
}
