//! The launch of a plan for rows.
//!
//! For each core: what all blocks share, then the blocks. Loads of a block come before the instructions on the one before, so that they go on meanwhile.

use dl_ir::{Attr, Rewriter, ValueId};
use dl_simulator::ElementType;
use dl_simulator::machine::Machine;

use super::Found;
use super::plan::Plan;
use super::work::{Span, Work};
use crate::lower::access::{Access, Range};
use crate::lower::build::{Build, Matrix, core, launch, splat};
use crate::lower::place::Slot;
use crate::lower::select::{Function, Shape, Source};

/// Replaces the operations of a chain by a launch in the place of the last one.
pub fn emit(rw: &mut Rewriter<'_>, (machine, target): (&Machine, Attr), found: &Found) {
    let Found { ops, work, plans, padding } = found;
    let plan = &plans[0];
    let Some(&last) = ops.last() else { return };
    let loc = rw.op(ops[0]).loc();
    rw.set_insertion_before(last);
    let mut operands: Vec<ValueId> = Vec::new();
    let mut inputs = Vec::new();
    let mut fillers = Vec::new();
    for ((input, _), &length) in work.inputs.iter().zip(padding) {
        let value = match &input.shape {
            Shape::Matrix(access) | Shape::Row(access) => access.value,
            Shape::Scalar(number) => splat(rw, &[1, 1], *number, loc),
        };
        inputs.push(number_of(value, &mut operands));
        let number = match &input.shape {
            Shape::Matrix(access) | Shape::Row(access) => access.padding.filter(|_| length > 0),
            Shape::Scalar(_) => None,
        };
        fillers.push(number.map(|number| {
            operands.push(splat(rw, &[length as i64], number, loc));
            operands.len() - 1
        }));
    }
    let results: Vec<_> = work.outputs.iter().map(|output| output.ty).collect();
    let made = launch(rw, (machine, target), &operands, &results, loc, |inner, block, args| {
        let outside = Outside {
            inputs: inputs.iter().map(|&at| args[at]).collect(),
            fillers: fillers.iter().map(|filler| filler.map(|at| args[at])).collect(),
            outputs: args[operands.len()..].to_vec(),
        };
        let cores = plan.cores(machine);
        for id in 0..cores {
            let blocks = plan.share(id, cores);
            if !blocks.is_empty() {
                core(inner, block, id, loc, |build| Emitter::new(build, machine, work, plan, &outside).blocks(blocks));
            }
        }
    });
    for (at, output) in work.outputs.iter().enumerate() {
        let value = rw.ir().result(made, at);
        rw.replace_all_uses(output.value, value);
    }
    for &op in ops.iter().rev() {
        rw.erase(op);
    }
}

fn number_of(value: ValueId, operands: &mut Vec<ValueId>) -> usize {
    operands.iter().position(|known| *known == value).unwrap_or_else(|| {
        operands.push(value);
        operands.len() - 1
    })
}

/// Buffers in DRAM.
struct Outside {
    inputs: Vec<ValueId>,
    /// Rows of what inputs are padded with.
    fillers: Vec<Option<ValueId>>,
    outputs: Vec<ValueId>,
}

struct Emitter<'a, 'r, 'c> {
    b: Build<'r, 'c>,
    machine: &'a Machine,
    work: &'a Work,
    plan: &'a Plan,
    outside: &'a Outside,
    /// A buffer for each slot and type of elements that is kept there.
    buffers: Vec<(usize, ElementType, Matrix)>,
}

/// The tokens of the last instruction and of the last store of a block.
#[derive(Default)]
struct Done {
    computed: Vec<ValueId>,
    stored: Vec<ValueId>,
}

/// What is to be loaded for a block, which is number `number` of its core.
struct Loads {
    number: u64,
    block: u64,
    inputs: Vec<usize>,
    /// What the first transfer waits for.
    after: Vec<ValueId>,
}

impl<'a, 'r, 'c> Emitter<'a, 'r, 'c> {
    fn new(mut b: Build<'r, 'c>, machine: &'a Machine, work: &'a Work, plan: &'a Plan, outside: &'a Outside) -> Self {
        let mut buffers: Vec<(usize, ElementType, Matrix)> = Vec::new();
        let inputs = plan.inputs.iter().zip(&work.inputs).map(|(slots, (input, _))| (slots, input.element));
        let steps = plan.steps.iter().zip(&work.steps).map(|(slots, (step, _))| (slots, step.element));
        for (slots, element) in inputs.chain(steps) {
            for &slot in slots {
                if !buffers.iter().any(|(known, of, _)| *known == slot && *of == element) {
                    let place = Slot { element, ..plan.slots[slot].clone() };
                    buffers.push((slot, element, b.alloc(machine, &place)));
                }
            }
        }
        Self { b, machine, work, plan, outside, buffers }
    }

    fn blocks(mut self, blocks: std::ops::Range<u64>) {
        let (first, shared) = (blocks.start, self.inputs(true));
        let shared = self.load(Loads { number: 0, block: first, inputs: shared, after: Vec::new() });
        let each = self.inputs(false);
        let mut loaded = self.load(Loads { number: 0, block: first, inputs: each.clone(), after: Vec::new() });
        let stores_inputs = self.plan.stores_inputs(self.work);
        // What was last computed and stored in either set of slots.
        let mut done = [Done::default(), Done::default()];
        for block in blocks.clone() {
            let number = block - first;
            let (this, other) = ((number % 2) as usize, ((number + 1) % 2) as usize);
            let inputs = if block + 1 < blocks.end { each.clone() } else { Vec::new() };
            let Done { computed, stored } = &done[other];
            let free = computed.iter().chain(stored.iter().filter(|_| stores_inputs)).copied();
            let next = Loads { number: number + 1, block: block + 1, inputs, after: free.collect() };
            let after = [&shared, &loaded, &done[this].computed, &done[this].stored];
            let after: Vec<ValueId> = after.into_iter().flatten().copied().collect();
            (done[this], loaded) = self.block(number, block, &after, next);
        }
    }

    /// The inputs that all blocks share, or the others.
    fn inputs(&self, shared: bool) -> Vec<usize> {
        let is = |at: &usize| self.plan.is_shared(self.work.inputs[*at].1) == shared;
        (0..self.work.inputs.len()).filter(is).collect()
    }

    /// What a source is kept in, in block number `block` of the core.
    fn buffer(&self, source: Source, block: u64) -> &Matrix {
        let (slot, element) = (self.plan.slot(source, block), self.work.element(source));
        let found = self.buffers.iter().find(|(known, of, _)| *known == slot && *of == element);
        &found.expect("every source has a buffer").2
    }

    fn ranges(&self, block: u64) -> Vec<Range> {
        self.work.ranges(&self.plan.cuts, self.plan.at(block))
    }

    /// Loads inputs; the token of the last transfer, if there is one.
    fn load(&mut self, Loads { number, block, inputs, mut after }: Loads) -> Vec<ValueId> {
        let ranges = self.ranges(block);
        let mut token = None;
        for at in inputs {
            let (input, span) = &self.work.inputs[at];
            let to = self.buffer(Source::Input(at), number).clone();
            let loaded = match &input.shape {
                Shape::Matrix(access) | Shape::Row(access) => self.bring(at, access, *span, &ranges, &to, &after),
                Shape::Scalar(_) => {
                    let to = self.b.strided(to.value, 0, &[1, 1], &[1, 1]);
                    Some(self.b.transfer(self.outside.inputs[at], to, &after))
                }
            };
            // Those behind the first one in their queue begin after it.
            after = Vec::new();
            token = loaded.or(token);
        }
        token.into_iter().collect()
    }

    fn bring(
        &mut self,
        input: usize,
        access: &Access,
        span: Span,
        ranges: &[Range],
        to: &Matrix,
        after: &[ValueId],
    ) -> Option<ValueId> {
        let moves = self.work.moves(self.machine, access, span, ranges, to.stride)?;
        let mut token = None;
        for each in moves {
            let from = match each.outside {
                Some(_) => self.outside.inputs[input],
                None => self.outside.fillers[input]?,
            };
            let after = if token.is_none() { after } else { &[] };
            token = Some(self.b.load(from, to, &each, access.padding, after));
        }
        token
    }

    /// Does all that is to do with a block, and stores it; the tokens of the last instruction and of the last transfer, and of the last load of what comes next.
    /// Loads stand between the instructions, so that neither queue is full while the other one is empty.
    fn block(&mut self, number: u64, block: u64, after: &[ValueId], mut next: Loads) -> (Done, Vec<ValueId>) {
        let work = self.work;
        let ranges = self.ranges(block);
        let shape = work.shape(&ranges);
        let mut after = after.to_vec();
        let (mut done, mut loaded) = (Done::default(), Vec::new());
        let portion = next.inputs.len().div_ceil(work.steps.len().max(1));
        for (at, (step, span)) in work.steps.iter().enumerate() {
            let rest = next.inputs.split_off(portion.min(next.inputs.len()));
            let part = Loads { after: std::mem::take(&mut next.after), ..next };
            if !part.inputs.is_empty() {
                loaded = self.load(part);
            }
            next = Loads { number: number + 1, block: block + 1, inputs: rest, after: Vec::new() };
            // A reduction reads more than it writes.
            let read = match step.function {
                Function::Reduce(_) => Span { columns: true, ..*span },
                _ => *span,
            };
            let operands = step.operands.iter().map(|&source| self.view(source, number, read.shape(shape)));
            let operands: Vec<ValueId> = operands.collect();
            let to = self.view(Source::Step(at), number, span.shape(shape));
            let token = self.b.vector(step.function, &operands, to, &after);
            // What comes behind it in the queue waits for what it waited for.
            after = Vec::new();
            done.computed = vec![token];
        }
        if !next.inputs.is_empty() {
            loaded = self.load(next);
        }
        // Without an instruction, what was loaded is what is stored.
        let mut wait = if done.computed.is_empty() { after } else { done.computed.clone() };
        for (at, output) in work.outputs.iter().enumerate() {
            let from = self.buffer(output.source, number).clone();
            let span = work.span(output.source);
            for each in work.moves(self.machine, &output.access, span, &ranges, from.stride).unwrap_or_default() {
                let stored = self.b.store(&from, self.outside.outputs[at], &each, &wait);
                done.stored = vec![stored];
                wait = Vec::new();
            }
        }
        (done, loaded)
    }

    /// What a source is in a block, as a matrix of `shape`.
    fn view(&mut self, source: Source, block: u64, shape: [u64; 2]) -> ValueId {
        let home = self.buffer(source, block).clone();
        let strides = match self.work.span(source) {
            Span { rows: true, columns: true } => [home.stride as i64, 1],
            Span { rows: true, columns: false } => [1, i64::from(shape[1] == 1)],
            Span { rows: false, columns: true } => [if shape[0] == 1 { home.stride as i64 } else { 0 }, 1],
            Span { rows: false, columns: false } => [i64::from(shape[0] == 1), i64::from(shape[1] == 1)],
        };
        self.b.strided(home.value, 0, &shape.map(|extent| extent as i64), &strides)
    }
}
