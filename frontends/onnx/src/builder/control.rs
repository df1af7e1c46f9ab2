//! Structured control flow with values that are handed on.

use dl_ir::interfaces::Index;
use dl_ir::{OpId, OpState, Type, ValueId};
use dl_scf::{ConditionOp, ForOp, IfOp, WhileOp, YieldOp};

use super::Builder;
use crate::fault::Outcome;

impl Builder<'_, '_> {
    /// `scf.for` from `start` to before `end`. `body` gets the index and what the iteration before handed on, and hands on as many values of the
    /// same types.
    ///
    /// # Errors
    /// As of `body`.
    pub(crate) fn for_loop(
        &mut self,
        start: Index,
        end: Index,
        inits: &[ValueId],
        body: impl FnOnce(&mut Self, ValueId, &[ValueId]) -> Outcome<Vec<ValueId>>,
    ) -> Outcome<Vec<ValueId>> {
        let bounds = [self.index(start), self.index(end), self.index(Index::Static(1))];
        let types: Vec<Type> = inits.iter().map(|&init| self.type_of(init)).collect();
        let (point, region) = (self.rw.insertion_point(), self.rw.new_region());
        let args: Vec<Type> = std::iter::once(self.cx().index_type()).chain(types.iter().copied()).collect();
        let block = self.rw.append_block(region, &args);
        let args = self.rw.ir().block_args(block).to_vec();
        self.rw.set_insertion_to_end(block);
        let next = body(self, args[0], &args[1..])?;
        self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands(next));
        self.rw.set_insertion_point(point);
        let state = OpState::of::<ForOp<'_>>(self.loc).operands(bounds).operands(inits.iter().copied());
        let op = self.rw.create(state.results(types).region(region));
        Ok(self.results(op))
    }

    /// `scf.while`. `body` gets what the iteration before handed on; it answers whether to go on, and what is handed on. It runs once at least
    /// if `first` holds, and not at all otherwise.
    ///
    /// # Errors
    /// As of `body`.
    pub(crate) fn while_loop(
        &mut self,
        first: ValueId,
        inits: &[ValueId],
        body: impl FnOnce(&mut Self, &[ValueId]) -> Outcome<(ValueId, Vec<ValueId>)>,
    ) -> Outcome<Vec<ValueId>> {
        let types: Vec<Type> = inits.iter().map(|&init| self.type_of(init)).collect();
        let flagged: Vec<Type> = std::iter::once(self.cx().i1_type()).chain(types.iter().copied()).collect();
        let point = self.rw.insertion_point();
        let (before, after) = (self.rw.new_region(), self.rw.new_region());
        let block = self.rw.append_block(before, &flagged);
        let args = self.rw.ir().block_args(block).to_vec();
        self.rw.set_insertion_to_end(block);
        self.rw.create(OpState::of::<ConditionOp<'_>>(self.loc).operands(args));
        let block = self.rw.append_block(after, &types);
        let args = self.rw.ir().block_args(block).to_vec();
        self.rw.set_insertion_to_end(block);
        let (more, next) = body(self, &args)?;
        self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands([more]).operands(next));
        self.rw.set_insertion_point(point);
        let state = OpState::of::<WhileOp<'_>>(self.loc).operands([first]).operands(inits.iter().copied());
        let op = self.rw.create(state.results(types).region(before).region(after));
        Ok(self.results(op))
    }

    /// `scf.if` with values: both branches answer as many, of these types.
    ///
    /// # Errors
    /// As of the branches.
    pub(crate) fn if_else(
        &mut self,
        condition: ValueId,
        types: impl FnOnce(&mut Self, &[ValueId], &[ValueId]) -> Vec<Type>,
        then: impl FnOnce(&mut Self) -> Outcome<Vec<ValueId>>,
        otherwise: impl FnOnce(&mut Self) -> Outcome<Vec<ValueId>>,
    ) -> Outcome<Vec<ValueId>> {
        let point = self.rw.insertion_point();
        let regions = [self.rw.new_region(), self.rw.new_region()];
        let blocks = regions.map(|region| self.rw.append_block(region, &[]));
        self.rw.set_insertion_to_end(blocks[0]);
        let yes = then(self)?;
        self.rw.set_insertion_to_end(blocks[1]);
        let no = otherwise(self)?;
        let types = types(self, &yes, &no);
        for (block, values) in blocks.into_iter().zip([yes, no]) {
            self.rw.set_insertion_to_end(block);
            let values: Vec<ValueId> = values.iter().zip(&types).map(|(&value, &ty)| self.as_type(value, ty)).collect();
            self.rw.create(OpState::of::<YieldOp<'_>>(self.loc).operands(values));
        }
        self.rw.set_insertion_point(point);
        let state = OpState::of::<IfOp<'_>>(self.loc).operands([condition]).results(types);
        let op = self.rw.create(state.region(regions[0]).region(regions[1]));
        Ok(self.results(op))
    }

    /// The tensor as one of a type that knows fewer, or other, of its extents.
    pub(crate) fn as_type(&mut self, value: ValueId, ty: Type) -> ValueId {
        if self.type_of(value) == ty { value } else { self.op("tensor.cast", &[value], ty) }
    }

    fn results(&self, op: OpId) -> Vec<ValueId> {
        self.rw.ir().results(op).collect()
    }
}
