//! Loops that are filled from the inside: begun, filled at the insertion point, ended.

use dl_arith::Build;
use dl_ir::{BlockId, OpId, OpState, Type, ValueId};
use dl_scf::{ForOp, YieldOp};

/// A loop that operations are being made in.
pub(super) struct Loop {
    op: OpId,
    block: BlockId,
}

impl Loop {
    /// Begins an `scf.for` from, to and by `bounds` that carries values. Operations are then made inside.
    pub(super) fn begin(b: &mut Build<'_, '_>, bounds: [ValueId; 3], inits: &[ValueId]) -> Self {
        let (region, loc) = (b.new_region(), b.loc);
        let carried: Vec<Type> = inits.iter().map(|&init| b.ir().value_type(init)).collect();
        let state = OpState::of::<ForOp<'_>>(loc).operands(bounds).operands(inits.iter().copied());
        let op = b.create(state.results(carried.iter().copied()).region(region));
        let types: Vec<Type> = std::iter::once(b.cx().index_type()).chain(carried).collect();
        let block = b.append_block(region, &types);
        b.set_insertion_to_end(block);
        Self { op, block }
    }

    /// The induction variable.
    pub(super) fn variable(&self, b: &Build<'_, '_>) -> ValueId {
        b.ir().block_args(self.block)[0]
    }

    /// What is carried, inside.
    pub(super) fn carried(&self, b: &Build<'_, '_>) -> Vec<ValueId> {
        b.ir().block_args(self.block)[1..].to_vec()
    }

    /// Ends the loop: hands the values on. Operations are then made behind it. Answers what is carried, outside.
    pub(super) fn end(self, b: &mut Build<'_, '_>, next: &[ValueId]) -> Vec<ValueId> {
        let loc = b.loc;
        b.create(OpState::of::<YieldOp<'_>>(loc).operands(next.iter().copied()));
        b.set_insertion_after(self.op);
        b.ir().results(self.op).collect()
    }
}
