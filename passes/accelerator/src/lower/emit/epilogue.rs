//! What happens to a block of sums before it is stored.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::Emitter;
use crate::lower::access::Range;
use crate::lower::blocks::At;
use crate::lower::build::Matrix;
use crate::lower::plan::Home;
use crate::lower::select::{Shape, Source};

/// A block whose epilogue has begun.
pub(super) struct Finishing {
    pub(super) slot: usize,
    shape: [u64; 2],
    ranges: Vec<Range>,
    /// Where sums are, and the part of it that is used.
    sums: (Matrix, ValueId),
    inputs: Vec<ValueId>,
    /// Of each step so far, like sums.
    results: Vec<(Option<Matrix>, ValueId)>,
    /// What the next instruction waits for.
    after: Vec<ValueId>,
    /// The token of the last instruction that made what is stored.
    last: Option<ValueId>,
    /// The token of what was last stored from the slot.
    before: Option<ValueId>,
}

impl Emitter<'_, '_, '_> {
    /// Begins the epilogue of a block whose sums are complete; `before` is the token of what was last stored from the slot.
    pub(super) fn finish(&mut self, at: At, slot: usize, done: Option<ValueId>, before: Option<ValueId>) -> Finishing {
        let ranges = self.ranges(at);
        let [rows, columns] = [0, 1].map(|at| &self.cx.product.groups[at]);
        let shape = [rows.size(&ranges), columns.size(&ranges)];
        let first_column = columns.start(&ranges);
        let mut after = self.shared.clone();
        let mut inputs = Vec::new();
        for (at, input) in self.cx.epilogue.inputs.iter().enumerate() {
            let home = self.inputs[at][slot.min(self.inputs[at].len() - 1)].clone();
            inputs.push(match &input.shape {
                Shape::Matrix(access) => {
                    // The last one that read the slot came before what was stored then.
                    let free: Vec<ValueId> = before.into_iter().collect();
                    let from = self.cx.outside.inputs[at];
                    after.extend(self.bring(from, access, [0, 1], &ranges, &home, &free));
                    self.b.part(&home, [Index::Static(0); 2], shape)
                }
                Shape::Row(_) => {
                    let row = self.b.part(&home, [Index::Static(0), Index::Static(first_column as i64)], [1, shape[1]]);
                    self.b.spread(row, shape, [0, 1])
                }
                Shape::Scalar(_) => self.b.spread(home.value, shape, [0, 0]),
            });
        }
        let home = self.sums[slot].clone();
        let sums = self.b.part(&home, [Index::Static(0); 2], shape);
        Finishing { slot, shape, ranges, sums: (home, sums), inputs, results: Vec::new(), after, last: done, before }
    }

    /// The next instruction of an epilogue; after the last one, the store, and its token.
    pub(super) fn advance(&mut self, block: &mut Finishing) -> Option<ValueId> {
        let at = block.results.len();
        let (epilogue, plan) = (self.cx.epilogue, self.cx.plan);
        if let Some(step) = epilogue.steps.get(at) {
            let value = |source: &Source| match *source {
                Source::Sums => (Some(block.sums.0.clone()), block.sums.1),
                Source::Input(at) => (None, block.inputs[at]),
                Source::Step(at) => block.results[at].clone(),
            };
            let operands: Vec<ValueId> = step.operands.iter().map(|source| value(source).1).collect();
            let to = match &plan.steps[at] {
                Home::InPlace(source) if self.steps[at].is_empty() => value(source),
                _ => {
                    let home = self.steps[at][block.slot].clone();
                    let part = self.b.part(&home, [Index::Static(0); 2], block.shape);
                    (Some(home), part)
                }
            };
            let is_stored = plan.stored(epilogue) == Source::Step(at);
            let after: Vec<ValueId> = block.after.iter().copied().chain(block.before.filter(|_| is_stored)).collect();
            let done = self.b.vector(step.function, &operands, to.1, &after);
            block.last = Some(done);
            // What works on the same bytes, and comes later in the same queue, begins later.
            block.after.clear();
            block.results.push(to);
        }
        if block.results.len() < epilogue.steps.len() {
            return None;
        }
        let from = block.results.last().map_or(Some(&block.sums.0), |(home, _)| home.as_ref())?.clone();
        self.store(&from, &block.ranges, block.last.as_slice())
    }

    /// All that is left of an epilogue, and the token of the store.
    pub(super) fn complete(&mut self, mut block: Finishing) -> Option<ValueId> {
        loop {
            let token = self.advance(&mut block);
            if token.is_some() || block.results.len() == self.cx.epilogue.steps.len() {
                return token;
            }
        }
    }
}
