//! Memory effects: buffers that are inputs are read, those that are inits are written, and read where the body looks at them.

use dl_ir::OpRef;
use dl_ir::interfaces::inits;
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
