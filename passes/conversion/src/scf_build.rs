//! Making structured control flow in a row.

use dl_arith::Build;
use dl_ir::{OpId, OpState, Type, ValueId};
use dl_scf::{ForOp, IfOp, YieldOp};

/// What a [`Build`] can make of the `scf` dialect. Afterwards it makes operations behind what it made.
pub(crate) trait ScfBuild {
    /// `scf.for` from and to and by these bounds. `body` gets the induction variable and the value that the iterations hand on, if any, and
    /// answers the next one.
    fn for_loop(
        &mut self,
        bounds: [ValueId; 3],
        init: Option<ValueId>,
        body: impl FnOnce(&mut Self, ValueId, Option<ValueId>) -> Option<ValueId>,
    ) -> Option<ValueId>;

    /// `scf.if` without value and without a second branch.
    fn if_then(&mut self, condition: ValueId, then: impl FnOnce(&mut Self));

    /// `scf.if` with a value where `ty` is given: both branches answer one then.
    fn if_else(
        &mut self,
        condition: ValueId,
        ty: Option<Type>,
        then: impl FnOnce(&mut Self) -> Option<ValueId>,
        otherwise: impl FnOnce(&mut Self) -> Option<ValueId>,
    ) -> Option<ValueId>;
}

impl ScfBuild for Build<'_, '_> {
    fn for_loop(
        &mut self,
        bounds: [ValueId; 3],
        init: Option<ValueId>,
        body: impl FnOnce(&mut Self, ValueId, Option<ValueId>) -> Option<ValueId>,
    ) -> Option<ValueId> {
        let (region, loc) = (self.new_region(), self.loc);
        let carried = init.map(|init| self.ir().value_type(init));
        let of_bounds = self.ir().value_type(bounds[0]);
        let state = OpState::of::<ForOp<'_>>(loc).operands(bounds).operands(init).results(carried).region(region);
        let op = self.create(state);
        let types: Vec<Type> = std::iter::once(of_bounds).chain(carried).collect();
        let block = self.append_block(region, &types);
        let args = self.ir().block_args(block).to_vec();
        self.set_insertion_to_end(block);
        let next = body(self, args[0], args.get(1).copied());
        self.create(OpState::of::<YieldOp<'_>>(loc).operands(next));
        behind(self, op)
    }

    fn if_then(&mut self, condition: ValueId, then: impl FnOnce(&mut Self)) {
        let (yes, no, loc) = (self.new_region(), self.new_region(), self.loc);
        let op = self.create(OpState::of::<IfOp<'_>>(loc).operands([condition]).region(yes).region(no));
        let block = self.append_block(yes, &[]);
        self.set_insertion_to_end(block);
        then(self);
        self.create(OpState::of::<YieldOp<'_>>(loc));
        behind(self, op);
    }

    fn if_else(
        &mut self,
        condition: ValueId,
        ty: Option<Type>,
        then: impl FnOnce(&mut Self) -> Option<ValueId>,
        otherwise: impl FnOnce(&mut Self) -> Option<ValueId>,
    ) -> Option<ValueId> {
        let (yes, no, loc) = (self.new_region(), self.new_region(), self.loc);
        let state = OpState::of::<IfOp<'_>>(loc).operands([condition]).results(ty).region(yes).region(no);
        let op = self.create(state);
        let block = self.append_block(yes, &[]);
        self.set_insertion_to_end(block);
        let value = then(self);
        self.create(OpState::of::<YieldOp<'_>>(loc).operands(value));
        let block = self.append_block(no, &[]);
        self.set_insertion_to_end(block);
        let value = otherwise(self);
        self.create(OpState::of::<YieldOp<'_>>(loc).operands(value));
        behind(self, op)
    }
}

/// Goes on behind `op`; answers its first result.
fn behind(b: &mut Build<'_, '_>, op: OpId) -> Option<ValueId> {
    b.set_insertion_after(op);
    b.ir().results(op).next()
}
