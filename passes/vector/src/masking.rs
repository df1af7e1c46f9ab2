//! Operations under `vector.mask`.

use dl_arith::Build;
use dl_ir::{OpId, OpRef, OpState, Rewriter, ValueId};
use dl_vector::{MaskOp, YieldOp};
use smallvec::SmallVec;

/// The `vector.mask` around `op`.
pub(crate) fn masking(op: OpRef<'_>) -> Option<MaskOp<'_>> {
    op.parent_of::<MaskOp<'_>>()
}

/// What is to be replaced for `op`, the mask around it included, with the mask.
pub(crate) struct Root {
    /// `op`, or the mask around it.
    pub(crate) op: OpId,
    /// The mask.
    pub(crate) mask: Option<ValueId>,
    /// What lanes that are masked off give, where the mask says so.
    pub(crate) passthru: Option<ValueId>,
}

impl Root {
    /// Of `op`.
    pub(crate) fn of(op: OpRef<'_>) -> Self {
        match masking(op) {
            Some(mask) => Self {
                op: mask.0.id(),
                mask: Some(mask.mask().id()),
                passthru: mask.passthru().map(|value| value.id()),
            },
            None => Self { op: op.id(), mask: None, passthru: None },
        }
    }

    /// Makes operations before it.
    pub(crate) fn build<'r, 'c>(&self, rw: &'r mut Rewriter<'c>) -> Build<'r, 'c> {
        rw.set_insertion_before(self.op);
        let loc = rw.op(self.op).loc();
        Build::new(rw, loc)
    }
}

/// Makes an operation, under `mask` where there is one; answers it, or the `vector.mask` around it.
pub fn masked(b: &mut Build<'_, '_>, state: OpState, mask: Option<ValueId>) -> OpId {
    let Some(mask) = mask else { return b.create(state) };
    let outer = b.insertion_point();
    let region = b.new_region();
    let block = b.append_block(region, &[]);
    b.set_insertion_to_end(block);
    let inner = b.create(state);
    let results: SmallVec<[ValueId; 1]> = b.ir().results(inner).collect();
    let types: SmallVec<[_; 1]> = results.iter().map(|&result| b.ir().value_type(result)).collect();
    let loc = b.loc;
    b.create(OpState::of::<YieldOp<'_>>(loc).operands(results));
    b.set_insertion_point(outer);
    b.create(OpState::of::<MaskOp<'_>>(loc).operands([mask]).results(types).region(region))
}

/// The same for an operation of one result; answers that.
pub(crate) fn masked_value(b: &mut Build<'_, '_>, state: OpState, mask: Option<ValueId>) -> ValueId {
    let made = masked(b, state, mask);
    b.ir().result(made, 0)
}
