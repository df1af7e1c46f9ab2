//! Accesses to elements: each index is in its dimension.

use dl_arith::CmpIPredicate;
use dl_ir::{DialectBuilder, OpId, ValueId};
use dl_memref::{AtomicRMWOp, GenericAtomicRMWOp, LoadOp, StoreOp};
use dl_tensor::{ExtractOp, InsertOp};

use crate::{Checks, on};

pub(crate) fn attach(builder: &mut DialectBuilder) {
    on::<LoadOp<'_>>(builder, |op, checks| in_bounds(op, 0, checks));
    on::<StoreOp<'_>>(builder, |op, checks| in_bounds(op, 1, checks));
    on::<AtomicRMWOp<'_>>(builder, |op, checks| in_bounds(op, 1, checks));
    on::<GenericAtomicRMWOp<'_>>(builder, |op, checks| in_bounds(op, 0, checks));
    on::<ExtractOp<'_>>(builder, |op, checks| in_bounds(op, 0, checks));
    on::<InsertOp<'_>>(builder, |op, checks| in_bounds(op, 1, checks));
}

/// The operand `base` is accessed at the operands after it.
fn in_bounds(op: OpId, base: usize, checks: &mut Checks<'_, '_>) {
    let operands: Vec<ValueId> = checks.ir().operands(op).skip(base).collect();
    let Some((&of, indices)) = operands.split_first() else { return };
    let mut all: Option<ValueId> = None;
    for (dim, &index) in indices.iter().enumerate() {
        let extent = checks.dim(of, dim);
        let is_within = checks.is_within(index, extent, CmpIPredicate::Slt);
        all = Some(all.map_or(is_within, |all| checks.and(all, is_within)));
    }
    if let Some(all) = all {
        checks.require(all, "out-of-bounds access");
    }
}
