//! The launch of a plan.
//!
//! For each core: buffers, then blocks of the result one after the other. Loads of a step come before the products of the one before, so that they go on
//! meanwhile. What a slot still holds is not loaded again. Products of the tiles of a block are loops; all else stands in the order in which it is issued.

mod build;

use dl_accelerator::{
    BinaryOp, CoreOp, DequantizeOp, DmaStartOp, LaunchOp, MatmulTileOp, RequantizeOp, UnaryOp, types,
};
use dl_ir::interfaces::Index;
use dl_ir::{Arena, Attr, BlockId, Loc, OpId, OpState, Rewriter, Type, ValueId};
use dl_simulator::machine::{Dataflow, Machine};

use self::build::{Build, Matrix};
use super::plan::{Home, Plan, Slot};
use super::product::{Operand, Product};
use super::select::{Epilogue, Function, Shape, Source};

/// Replaces the product that `op` computes, with its epilogue, by a launch.
pub fn emit(
    rw: &mut Rewriter<'_>,
    op: OpId,
    machine: &Machine,
    target: Attr,
    product: &Product,
    epilogue: &Epilogue,
    plan: &Plan,
) {
    let cx = rw.cx();
    let last = epilogue.op.unwrap_or(op);
    let loc = rw.op(op).loc();
    // Everything is defined before the last operation.
    rw.set_insertion_before(last);
    let mut operands = vec![product.lhs.value, product.rhs.value];
    let init = product.adds_to_init.then(|| {
        operands.push(product.result.value);
        operands.len() - 1
    });
    let mut inputs = Vec::new();
    for input in &epilogue.inputs {
        inputs.push(operands.len());
        operands.push(match &input.shape {
            Shape::Matrix(operand) => operand.value,
            Shape::Row(value) => *value,
            Shape::Scalar(number) => {
                let element = cx.attr(*number).ty().map_or(cx.i32_type(), dl_ir::TypeRef::id);
                let splat = cx.splat_attr(cx.tensor_type(&[1, 1], element), *number);
                dl_arith::constant(rw, splat.unwrap_or(*number), loc)
            }
        });
    }
    let result = rw.op(last).result(0).ty().id();
    let tensors: Vec<Type> = operands.iter().map(|&value| rw.value_type(value).id()).chain([result]).collect();
    let dram = types::memory_attr(cx, &machine.memories[machine.dram()].name);
    let buffers: Vec<Type> = tensors
        .iter()
        .map(|&ty| {
            cx.memref_type_with(
                cx.ty(ty).shape().unwrap_or_default(),
                cx.ty(ty).element_or_self().id(),
                None,
                Some(dram),
            )
        })
        .collect();
    let state = OpState::of::<LaunchOp<'_>>(loc).operands(operands).attr(cx, "target", target).results([result]);
    let launch = rw.create_isolated(state, 1);
    if let Some(mut inner) = rw.enter(launch) {
        let region = inner.op(Arena::ROOT).region(0).id();
        let block = inner.append_block(region, &buffers);
        let args: Vec<ValueId> = inner.block(block).args().map(|arg| arg.id()).collect();
        let outside = Outside {
            operands: [args[0], args[1]],
            init: init.map(|at| args[at]),
            inputs: inputs.iter().map(|&at| args[at]).collect(),
            result: args[args.len() - 1],
        };
        cores(&mut inner, block, loc, &Cx { machine, product, epilogue, plan, outside });
    }
    let value = rw.ir().result(launch, 0);
    rw.replace(last, &[value]);
    if last != op {
        rw.erase(op);
    }
}

/// What a launch is made of.
struct Cx<'a> {
    machine: &'a Machine,
    product: &'a Product,
    epilogue: &'a Epilogue,
    plan: &'a Plan,
    outside: Outside,
}

/// Buffers in DRAM.
struct Outside {
    operands: [ValueId; 2],
    init: Option<ValueId>,
    inputs: Vec<ValueId>,
    result: ValueId,
}

/// Shares the blocks of the result out among the cores.
fn cores(rw: &mut Rewriter<'_>, block: BlockId, loc: Loc, cx: &Cx<'_>) {
    let [ni, nj, nk] = [0, 1, 2].map(|i| cx.product.extents[i].div_ceil(cx.plan.block[i]));
    let blocks = cx.product.batch * ni * nj;
    let count = (cx.machine.cores.count() as u64).min(blocks);
    let each = blocks.div_ceil(count);
    for core in 0..count {
        rw.set_insertion_to_end(block);
        let region = rw.new_region();
        let body = rw.append_block(region, &[]);
        let id = rw.cx().i64_attr(core as i64);
        rw.create(OpState::of::<CoreOp<'_>>(loc).attr(rw.cx(), "id", id).region(region));
        rw.set_insertion_to_end(body);
        let mut emitter = Emitter::new(Build { rw, loc }, cx);
        emitter.blocks(core * each, (core * each + each).min(blocks), [ni, nj, nk]);
    }
}

/// What the slots of an operand hold.
#[derive(Default)]
struct Held {
    /// Which block each has, and the token of its load.
    blocks: [Option<([u64; 3], ValueId)>; 2],
    /// The token of the last product that used each.
    used: [Option<ValueId>; 2],
}

/// A step: the blocks of both operands that are multiplied, and the slots that they are in.
#[derive(Clone, Copy)]
struct Step {
    /// Number in the batch, row and column of the block of the result, and which block of terms.
    at: [u64; 4],
    lhs: (usize, ValueId),
    rhs: (usize, ValueId),
}

/// A block whose epilogue has begun.
struct Finishing {
    slot: usize,
    shape: [u64; 2],
    sums: ValueId,
    inputs: Vec<ValueId>,
    /// Of each step so far.
    results: Vec<ValueId>,
    /// What its instructions wait for.
    after: Vec<ValueId>,
    /// The token of the last instruction.
    done: ValueId,
    /// Where it is stored.
    to: ValueId,
}

struct Emitter<'a, 'r, 'c> {
    b: Build<'r, 'c>,
    cx: &'a Cx<'a>,
    operands: [Vec<Matrix>; 2],
    sums: Vec<Matrix>,
    /// Of each step of the epilogue that has slots of its own.
    steps: Vec<Vec<Matrix>>,
    inputs: Vec<Vec<Matrix>>,
    /// The tokens of inputs that are there for all blocks.
    shared: Vec<ValueId>,
}

impl<'a, 'r, 'c> Emitter<'a, 'r, 'c> {
    fn new(mut b: Build<'r, 'c>, cx: &'a Cx<'a>) -> Self {
        let plan = cx.plan;
        let mut alloc = |slots: &[Slot]| slots.iter().map(|slot| b.alloc(cx.machine, slot)).collect::<Vec<_>>();
        let operands = [alloc(&plan.operands[0]), alloc(&plan.operands[1])];
        let sums = alloc(&plan.sums);
        let inputs: Vec<Vec<Matrix>> = plan.inputs.iter().map(|slots| alloc(slots)).collect();
        let steps = plan.steps.iter().map(|home| match home {
            Home::Slots(slots) => alloc(slots),
            Home::InPlace(_) => Vec::new(),
        });
        let steps = steps.collect();
        let mut emitter = Self { b, cx, operands, sums, steps, inputs, shared: Vec::new() };
        emitter.load_shared();
        emitter
    }

    /// Loads what all blocks use.
    fn load_shared(&mut self) {
        for (at, input) in self.cx.epilogue.inputs.iter().enumerate() {
            let columns = match input.shape {
                Shape::Matrix(_) => continue,
                Shape::Row(_) => self.cx.product.extents[1],
                Shape::Scalar(_) => 1,
            };
            let from = self.b.spread(self.cx.outside.inputs[at], [1, columns], [columns, 1]);
            let to = self.inputs[at][0].clone();
            let to = self.b.part(&to, [Index::Static(0); 2], [1, columns]);
            let token = self.b.transfer(from, to, &[]);
            self.shared.push(token);
        }
    }

    /// Blocks of the result from number `from` to before `to`, row by row.
    fn blocks(&mut self, from: u64, to: u64, [ni, nj, nk]: [u64; 3]) {
        let (mut lhs, mut rhs) = (Held::default(), Held::default());
        let slots = self.sums.len();
        let mut stored: Vec<Option<ValueId>> = vec![None; slots];
        let at = |block: u64, k: u64| [block / nj / ni, block / nj % ni, block % nj, k];
        let steps = (from..to).flat_map(|block| (0..nk).map(move |k| at(block, k)));
        let mut steps = steps.peekable();
        let mut next = steps.peek().map(|&at| self.load(at, None, &mut lhs, &mut rhs));
        let mut block = 0;
        let mut finishing: Option<Finishing> = None;
        while let (Some(at), Some(step)) = (steps.next(), next) {
            let slot = block % slots;
            let free = stored[slot].filter(|_| at[3] == 0);
            let begun = (at[3] == 0).then(|| self.begin(at, slot, free)).flatten();
            // The loads of the next step come before the products of this one, which would keep them from being issued.
            next = steps.peek().map(|&at| self.load(at, Some(step), &mut lhs, &mut rhs));
            let wait: Vec<ValueId> = [free, begun].into_iter().flatten().collect();
            let done = self.products(step, slot, &wait);
            lhs.used[step.lhs.0] = Some(done);
            rhs.used[step.rhs.0] = Some(done);
            // One vector instruction of the block before behind the products of each step: it works while the array does.
            finishing = finishing.and_then(|mut last| {
                stored[last.slot] = self.advance(&mut last);
                stored[last.slot].is_none().then_some(last)
            });
            if at[3] + 1 == nk {
                if let Some(last) = finishing.take() {
                    let slot = last.slot;
                    stored[slot] = Some(self.complete(last));
                }
                let last = self.finish(at, slot, done, stored[slot]);
                if slots > 1 && !self.cx.epilogue.steps.is_empty() && steps.peek().is_some() {
                    finishing = Some(last);
                } else {
                    stored[slot] = Some(self.complete(last));
                }
                block += 1;
            }
        }
    }

    /// First element and extent of a block along `m`, `n` or `k`.
    fn range(&self, dimension: usize, index: u64) -> (u64, u64) {
        let (extent, block) = (self.cx.product.extents[dimension], self.cx.plan.block[dimension]);
        (index * block, block.min(extent - index * block))
    }

    /// A part of a matrix in DRAM.
    fn outside(
        &mut self,
        buffer: ValueId,
        operand: &Operand,
        batch: u64,
        rows: (u64, u64),
        columns: (u64, u64),
    ) -> ValueId {
        self.b.outside(buffer, operand, batch, rows, columns)
    }

    /// Brings the operands of a step to slots that `current`, the step before, does not use.
    fn load(&mut self, at: [u64; 4], current: Option<Step>, lhs: &mut Held, rhs: &mut Held) -> Step {
        let [batch, i, j, l] = at;
        let busy = (current.map(|step| step.lhs.0), current.map(|step| step.rhs.0));
        let (m, n, k) = (self.range(0, i), self.range(1, j), self.range(2, l));
        let lhs = self.bring(lhs, 0, [batch, i, l], busy.0, (m, k));
        let rhs = self.bring(rhs, 1, [batch, l, j], busy.1, (k, n));
        Step { at, lhs, rhs }
    }

    /// The slot that holds a block, and the token of its load. Loads it if there is none.
    fn bring(
        &mut self,
        held: &mut Held,
        operand: usize,
        block: [u64; 3],
        busy: Option<usize>,
        (rows, columns): ((u64, u64), (u64, u64)),
    ) -> (usize, ValueId) {
        let found = held.blocks.iter().position(|found| found.is_some_and(|(held, _)| held == block));
        if let Some(slot) = found
            && let Some((_, token)) = held.blocks[slot]
        {
            return (slot, token);
        }
        let slot = busy.map_or(0, |busy| 1 - busy);
        let of = if operand == 0 { &self.cx.product.lhs } else { &self.cx.product.rhs };
        let from = self.outside(self.cx.outside.operands[operand], of, block[0], rows, columns);
        let to = self.operands[operand][slot].clone();
        let to = self.b.part(&to, [Index::Static(0); 2], [rows.1, columns.1]);
        let after: Vec<ValueId> = held.used[slot].into_iter().collect();
        let token = self.b.transfer(from, to, &after);
        held.blocks[slot] = Some((block, token));
        (slot, token)
    }

    /// Loads what sums begin with, and what the epilogue of the block reads; the token of the former.
    fn begin(&mut self, [batch, i, j, _]: [u64; 4], slot: usize, free: Option<ValueId>) -> Option<ValueId> {
        let (m, n) = (self.range(0, i), self.range(1, j));
        let after: Vec<ValueId> = free.into_iter().collect();
        let init = self.cx.outside.init?;
        let from = self.outside(init, &self.cx.product.result, batch, m, n);
        let to = self.sums[slot].clone();
        let to = self.b.part(&to, [Index::Static(0); 2], [m.1, n.1]);
        Some(self.b.transfer(from, to, &after))
    }

    /// The products of a step, and the token of the last one.
    fn products(&mut self, step: Step, slot: usize, wait: &[ValueId]) -> ValueId {
        let Some(unit) = &self.cx.machine.matrix else { return step.lhs.1 };
        let [tm, tn, tk] = unit.limits().map(u64::from);
        let [_, i, j, l] = step.at;
        let [(_, m), (_, n), (_, k)] = [self.range(0, i), self.range(1, j), self.range(2, l)];
        let after: Vec<ValueId> = [step.lhs.1, step.rhs.1].into_iter().chain(wait.iter().copied()).collect();
        let tile = Tile {
            lhs: self.operands[0][step.lhs.0].clone(),
            rhs: self.operands[1][step.rhs.0].clone(),
            sums: self.sums[slot].clone(),
            adds: step.at[3] > 0 || self.cx.product.adds_to_init,
            after,
        };
        let none = self.b.ready();
        match unit.dataflow {
            // Weights stay for all rows.
            Dataflow::WeightStationary => self.b.tiles(n, tn, none, &mut |b, n0, n, token| {
                b.tiles(k, tk, token, &mut |b, k0, k, token| {
                    b.tiles(m, tm, token, &mut |b, m0, m, _| tile.emit(b, [m0, n0, k0], [m, n, k]))
                })
            }),
            Dataflow::OutputStationary => self.b.tiles(m, tm, none, &mut |b, m0, m, token| {
                b.tiles(n, tn, token, &mut |b, n0, n, token| {
                    b.tiles(k, tk, token, &mut |b, k0, k, _| tile.emit(b, [m0, n0, k0], [m, n, k]))
                })
            }),
        }
    }

    /// Begins the epilogue of a block whose sums are complete; `before` is the token of what was last stored from the slot.
    fn finish(&mut self, [batch, i, j, _]: [u64; 4], slot: usize, done: ValueId, before: Option<ValueId>) -> Finishing {
        let (m, n) = (self.range(0, i), self.range(1, j));
        let shape = [m.1, n.1];
        let mut after: Vec<ValueId> = self.shared.iter().copied().chain(before).collect();
        let sums = self.sums[slot].clone();
        let sums = self.b.part(&sums, [Index::Static(0); 2], shape);
        let mut inputs = Vec::new();
        for (at, input) in self.cx.epilogue.inputs.iter().enumerate() {
            let home = self.inputs[at][slot.min(self.inputs[at].len() - 1)].clone();
            inputs.push(match &input.shape {
                Shape::Matrix(operand) => {
                    let from = self.outside(self.cx.outside.inputs[at], operand, batch, m, n);
                    let to = self.b.part(&home, [Index::Static(0); 2], shape);
                    // The last one that read the slot came before what was stored then.
                    let free: Vec<ValueId> = before.into_iter().collect();
                    after.push(self.b.transfer(from, to, &free));
                    to
                }
                Shape::Row(_) => {
                    let row = self.b.part(&home, [Index::Static(0), Index::Static(n.0 as i64)], [1, n.1]);
                    self.b.spread(row, shape, [0, 1])
                }
                Shape::Scalar(_) => self.b.spread(home.value, shape, [0, 0]),
            });
        }
        let to = self.outside(self.cx.outside.result, &self.cx.product.result, batch, m, n);
        Finishing { slot, shape, sums, inputs, results: Vec::new(), after, done, to }
    }

    /// The next instruction of an epilogue; after the last one, the store, and its token.
    fn advance(&mut self, block: &mut Finishing) -> Option<ValueId> {
        let at = block.results.len();
        let (epilogue, plan) = (self.cx.epilogue, self.cx.plan);
        if let Some(step) = epilogue.steps.get(at) {
            let value = |source: &Source| match *source {
                Source::Sums => block.sums,
                Source::Input(at) => block.inputs[at],
                Source::Step(at) => block.results[at],
            };
            let operands: Vec<ValueId> = step.operands.iter().map(value).collect();
            let to = match &plan.steps[at] {
                Home::InPlace(source) => value(source),
                Home::Slots(_) => {
                    let home = self.steps[at][block.slot].clone();
                    self.b.part(&home, [Index::Static(0); 2], block.shape)
                }
            };
            block.done = self.vector(step.function, &operands, to, &block.after);
            block.results.push(to);
        }
        (block.results.len() == epilogue.steps.len()).then(|| {
            let from = block.results.last().copied().unwrap_or(block.sums);
            self.b.transfer(from, block.to, &[block.done])
        })
    }

    /// All that is left of an epilogue, and the token of the store.
    fn complete(&mut self, mut block: Finishing) -> ValueId {
        loop {
            if let Some(token) = self.advance(&mut block) {
                return token;
            }
        }
    }

    fn vector(&mut self, function: Function, operands: &[ValueId], to: ValueId, after: &[ValueId]) -> ValueId {
        let (cx, loc) = (self.b.rw.cx(), self.b.loc);
        let state = match function {
            Function::Binary(kind) => OpState::of::<BinaryOp<'_>>(loc).attr(cx, "kind", kind.attr(cx)),
            Function::Unary(kind) => OpState::of::<UnaryOp<'_>>(loc).attr(cx, "kind", kind.attr(cx)),
            Function::Requantize { .. } => OpState::of::<RequantizeOp<'_>>(loc),
            Function::Dequantize { .. } => OpState::of::<DequantizeOp<'_>>(loc),
        };
        let state = match function {
            Function::Requantize { scale, zero } | Function::Dequantize { scale, zero } => state
                .attr(cx, "zero_point", cx.i32_attr(zero))
                .attr(cx, "scale", cx.f32_attr(scale))
                .operand_segments(cx, &[1, 1, 0, after.len()]),
            _ => state,
        };
        let operands = operands.iter().copied().chain([to]).chain(after.iter().copied());
        self.b.rw.create_value(state.operands(operands).results([types::token_type(cx)]))
    }
}

/// What all products of a step share.
struct Tile {
    lhs: Matrix,
    rhs: Matrix,
    sums: Matrix,
    /// Whether the first terms add to sums that are there.
    adds: bool,
    after: Vec<ValueId>,
}

impl Tile {
    fn emit(&self, b: &mut Build<'_, '_>, [m0, n0, k0]: [Index; 3], [m, n, k]: [u64; 3]) -> ValueId {
        let lhs = b.part(&self.lhs, [m0, k0], [m, k]);
        let rhs = b.part(&self.rhs, [k0, n0], [k, n]);
        let sums = b.part(&self.sums, [m0, n0], [m, n]);
        let adds = match k0 {
            _ if self.adds => Some(b.truth(true)),
            Index::Static(0) => None,
            Index::Static(_) => Some(b.truth(true)),
            Index::Value(value) => Some(b.is_not_zero(value)),
        };
        let (cx, loc) = (b.rw.cx(), b.loc);
        let state = OpState::of::<MatmulTileOp<'_>>(loc)
            .operands([lhs, rhs, sums])
            .operands(adds)
            .operands(self.after.iter().copied())
            .operand_segments(cx, &[1, 1, 1, usize::from(adds.is_some()), self.after.len()]);
        b.rw.create_value(state.results([types::token_type(cx)]))
    }
}

/// `accelerator.dma_start`.
fn transfer_state(loc: Loc, from: ValueId, to: ValueId, after: &[ValueId]) -> OpState {
    OpState::of::<DmaStartOp<'_>>(loc).operands([from, to]).operands(after.iter().copied())
}
