//! The launch of a plan.
//!
//! For each core: buffers, then blocks of the result one after the other. Loads of a step come before the products of the one before, so that they go on
//! meanwhile. What a slot still holds is not loaded again. Products of the tiles of a block are loops; all else stands in the order in which it is issued.

mod epilogue;

use dl_accelerator::{MatmulTileOp, types};
use dl_ir::interfaces::Index;
use dl_ir::{Attr, BlockId, Loc, OpId, OpState, Rewriter, ValueId};
use dl_simulator::machine::{Dataflow, Machine};

use self::epilogue::Finishing;
use super::access::{Access, Range};
use super::blocks::{At, Residents};
use super::build::{Build, Matrix, core, launch, splat};
use super::place::Slot;
use super::plan::{Home, Plan, moves};
use super::product::Product;
use super::select::{Epilogue, Shape, Source};

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
            Shape::Matrix(access) | Shape::Row(access) => access.value,
            Shape::Scalar(number) => splat(rw, &[1, 1], *number, loc),
        });
    }
    let filler = plan.filler(machine, product).map(|(number, length)| {
        operands.push(splat(rw, &[length as i64], number, loc));
        operands.len() - 1
    });
    let result = rw.op(last).result(0).ty().id();
    let launch = launch(rw, (machine, target), &operands, &[result], loc, |inner, block, args| {
        let outside = Outside {
            operands: [args[0], args[1]],
            init: init.map(|at| args[at]),
            inputs: inputs.iter().map(|&at| args[at]).collect(),
            filler: filler.map(|at| args[at]),
            result: args[args.len() - 1],
        };
        cores(inner, block, loc, &Cx { machine, product, epilogue, plan, outside });
    });
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
    /// A row of what operands are padded with.
    filler: Option<ValueId>,
    result: ValueId,
}

/// Shares the blocks of the result out among the cores.
fn cores(rw: &mut Rewriter<'_>, block: BlockId, loc: Loc, cx: &Cx<'_>) {
    let order = cx.plan.cuts.order;
    let count = (cx.machine.cores.count() as u64).min(order.blocks());
    for id in 0..count {
        let blocks = order.share(id, count);
        if blocks.is_empty() {
            continue;
        }
        core(rw, block, id, loc, |build| Emitter::new(build, cx).blocks(blocks));
    }
}

/// What is known of the slots of an operand.
struct Held {
    residents: Residents,
    /// The token of the load of what each has.
    loaded: Vec<Option<ValueId>>,
    /// The token of the last product that used each.
    used: Vec<Option<ValueId>>,
}

impl Held {
    fn new(slots: usize) -> Self {
        Self { residents: Residents::new(slots), loaded: vec![None; slots], used: vec![None; slots] }
    }
}

/// A step: the blocks of both operands that are multiplied, and the slots that they are in.
#[derive(Clone, Copy)]
struct Step {
    at: At,
    slots: [usize; 2],
}

struct Emitter<'a, 'r, 'c> {
    b: Build<'r, 'c>,
    cx: &'a Cx<'a>,
    operands: [Vec<Matrix>; 2],
    sums: Vec<Matrix>,
    /// Of each step of the epilogue that has slots of its own, or elements of another type than what was there.
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
        let steps = plan.steps.iter().zip(&cx.epilogue.steps).map(|(home, step)| match home {
            Home::Slots(slots) => alloc(slots),
            // The same place, for elements of another type.
            Home::InPlace(source) => {
                let is_other = cx.epilogue.element(*source, cx.product) != step.element;
                let slots = (0..plan.sums.len()).filter(|_| is_other).map(|slot| plan.home(*source, slot));
                alloc(&slots.map(|slot| Slot { element: step.element, ..slot.clone() }).collect::<Vec<_>>())
            }
        });
        let steps = steps.collect();
        let mut emitter = Self { b, cx, operands, sums, steps, inputs, shared: Vec::new() };
        emitter.load_shared();
        emitter
    }

    /// Loads what all blocks use.
    fn load_shared(&mut self) {
        let product = self.cx.product;
        for (at, input) in self.cx.epilogue.inputs.iter().enumerate() {
            let (from, home) = (self.cx.outside.inputs[at], self.inputs[at][0].clone());
            let token = match &input.shape {
                Shape::Matrix(_) => continue,
                Shape::Row(access) => {
                    let mut ranges = product.ranges();
                    let columns = &product.groups[1];
                    columns.loops.iter().zip(&columns.extents).for_each(|(&at, &extent)| ranges[at].1 = extent);
                    self.bring(from, access, [0, 1], &ranges, &home, &[])
                }
                Shape::Scalar(_) => {
                    let to = self.b.part(&home, [Index::Static(0); 2], [1, 1]);
                    Some(self.b.transfer(from, to, &[]))
                }
            };
            self.shared.extend(token);
        }
    }

    /// Blocks of the result, one after the other.
    fn blocks(&mut self, blocks: std::ops::Range<u64>) {
        let order = self.cx.plan.cuts.order;
        let mut held = [0, 1].map(|operand| Held::new(self.operands[operand].len()));
        let slots = self.sums.len();
        let mut stored: Vec<Option<ValueId>> = vec![None; slots];
        let is_stored_in_place = self.cx.plan.stored(self.cx.epilogue) == Source::Sums;
        let mut steps = order.steps(blocks).peekable();
        let mut next = steps.peek().map(|&at| self.load(at, &mut held));
        let mut block = 0;
        let mut finishing: Option<Finishing> = None;
        while let (Some(at), Some(step)) = (steps.next(), next) {
            let slot = block % slots;
            let free = stored[slot].filter(|_| at.term == 0);
            let begun = if at.term == 0 { self.begin(at, slot, free) } else { None };
            // Where vector instructions take the sums elsewhere, the queue that they share with products keeps these in order.
            let free = free.filter(|_| is_stored_in_place);
            let loaded = [0, 1].map(|operand| held[operand].loaded[step.slots[operand]]);
            // The loads of the next step come before the products of this one, which would keep them from being issued.
            next = steps.peek().map(|&at| self.load(at, &mut held));
            let wait: Vec<ValueId> = [free, begun].into_iter().chain(loaded).flatten().collect();
            let mut done = None;
            for portion in 0..self.cx.plan.portions {
                done = self.products(step, slot, portion, &wait).or(done);
                // A vector instruction of the block before behind the products of each portion: it works while the array does.
                finishing = finishing.and_then(|mut last| {
                    stored[last.slot] = self.advance(&mut last);
                    stored[last.slot].is_none().then_some(last)
                });
            }
            for (held, &slot) in held.iter_mut().zip(&step.slots) {
                held.used[slot] = done;
            }
            if at.term + 1 == order.counts[2] {
                if let Some(last) = finishing.take() {
                    let slot = last.slot;
                    stored[slot] = self.complete(last);
                }
                let last = self.finish(at, slot, done, stored[slot]);
                if slots > 1 && !self.cx.epilogue.steps.is_empty() && steps.peek().is_some() {
                    finishing = Some(last);
                } else {
                    stored[slot] = self.complete(last);
                }
                block += 1;
            }
        }
    }

    fn ranges(&self, at: At) -> Vec<Range> {
        self.cx.plan.cuts.ranges(self.cx.product, at)
    }

    /// Moves a block of a tensor in DRAM to a place in the core; the token of the last transfer.
    fn bring(
        &mut self,
        from: ValueId,
        access: &Access,
        groups: [usize; 2],
        ranges: &[Range],
        to: &Matrix,
        after: &[ValueId],
    ) -> Option<ValueId> {
        let found = moves(self.cx.product, self.cx.machine, access, groups, ranges, to.stride)?;
        let mut token = None;
        for each in found {
            let from = if each.outside.is_some() { from } else { self.cx.outside.filler? };
            // Those behind the first one in their queue begin after it.
            let after = if token.is_none() { after } else { &[] };
            token = Some(self.b.load(from, to, &each, access.padding, after));
        }
        token
    }

    /// Moves a block of the result to its place in DRAM; the token of the last transfer.
    fn store(&mut self, from: &Matrix, ranges: &[Range], after: &[ValueId]) -> Option<ValueId> {
        let (product, to) = (self.cx.product, self.cx.outside.result);
        let found = moves(product, self.cx.machine, &product.result, [0, 1], ranges, from.stride)?;
        let mut token = None;
        for each in found {
            let after = if token.is_none() { after } else { &[] };
            token = Some(self.b.store(from, to, &each, after));
        }
        token
    }

    /// Brings the operands of a step to slots that the step before does not use, where they are not there already.
    fn load(&mut self, at: At, held: &mut [Held; 2]) -> Step {
        let ranges = self.ranges(at);
        let product = self.cx.product;
        let blocks = [[at.batch, at.row, at.term], [at.batch, at.term, at.column]];
        let accesses = [(&product.lhs, [0, 2]), (&product.rhs, [2, 1])];
        let mut slots = [0; 2];
        for operand in 0..2 {
            let (slot, is_new) = held[operand].residents.bring(blocks[operand]);
            slots[operand] = slot;
            if is_new {
                let (access, groups) = accesses[operand];
                let to = self.operands[operand][slot].clone();
                let after: Vec<ValueId> = held[operand].used[slot].into_iter().collect();
                let from = self.cx.outside.operands[operand];
                held[operand].loaded[slot] = self.bring(from, access, groups, &ranges, &to, &after);
            }
        }
        Step { at, slots }
    }

    /// Loads what the sums of a block begin with, if that is not zero; the token of the load.
    fn begin(&mut self, at: At, slot: usize, free: Option<ValueId>) -> Option<ValueId> {
        let init = self.cx.outside.init?;
        let (product, ranges, to) = (self.cx.product, self.ranges(at), self.sums[slot].clone());
        let after: Vec<ValueId> = free.into_iter().collect();
        self.bring(init, &product.result, [0, 1], &ranges, &to, &after)
    }

    /// A portion of the products of a step, an equal part of its columns in whole tiles; the token of the last one, if there is one.
    fn products(&mut self, step: Step, slot: usize, portion: u64, wait: &[ValueId]) -> Option<ValueId> {
        let unit = self.cx.machine.matrix.as_ref()?;
        let [tm, tn, tk] = unit.limits().map(u64::from);
        let ranges = self.ranges(step.at);
        let [m, n, k] = [0, 1, 2].map(|at| self.cx.product.groups[at].size(&ranges));
        let columns = n.div_ceil(tn).div_ceil(self.cx.plan.portions) * tn;
        let first = portion * columns;
        if first >= n {
            return None;
        }
        let n = columns.min(n - first);
        let tile = Tile {
            lhs: self.operands[0][step.slots[0]].clone(),
            rhs: self.operands[1][step.slots[1]].clone(),
            sums: self.sums[slot].clone(),
            adds: step.at.term > 0 || self.cx.product.adds_to_init,
            after: wait.to_vec(),
        };
        let none = self.b.ready();
        let last = match unit.dataflow {
            // Weights stay for all rows.
            Dataflow::WeightStationary => self.b.tiles(first, n, tn, none, &mut |b, n0, n, token| {
                b.tiles(0, k, tk, token, &mut |b, k0, k, token| {
                    b.tiles(0, m, tm, token, &mut |b, m0, m, _| tile.emit(b, [m0, n0, k0], [m, n, k]))
                })
            }),
            Dataflow::OutputStationary => self.b.tiles(0, m, tm, none, &mut |b, m0, m, token| {
                b.tiles(first, n, tn, token, &mut |b, n0, n, token| {
                    b.tiles(0, k, tk, token, &mut |b, k0, k, _| tile.emit(b, [m0, n0, k0], [m, n, k]))
                })
            }),
        };
        Some(last)
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
