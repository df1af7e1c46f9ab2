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

/// Tokens of what was last done in one of both sets of slots.
#[derive(Clone, Default)]
struct Tokens {
    loaded: Vec<ValueId>,
    done: Vec<ValueId>,
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
        let shared = self.load(blocks.start, blocks.start, true, &[]);
        let mut sets = [Tokens::default(), Tokens::default()];
        sets[0].loaded = self.load(blocks.start, blocks.start, false, &[]);
        for block in blocks.clone() {
            let (this, other) = (((block - blocks.start) % 2) as usize, ((block - blocks.start + 1) % 2) as usize);
            if block + 1 < blocks.end {
                let free = sets[other].done.clone();
                sets[other].loaded = self.load(blocks.start, block + 1, false, &free);
            }
            let mut after = shared.clone();
            after.extend(&sets[this].loaded);
            after.extend(&sets[this].done);
            sets[this].done = self.block(blocks.start, block, &after);
        }
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

    /// Loads what a block needs, or what all share; the token of the last transfer, if there is one.
    fn load(&mut self, first: u64, block: u64, shared: bool, after: &[ValueId]) -> Vec<ValueId> {
        let (work, plan) = (self.work, self.plan);
        let ranges = self.ranges(block);
        let mut token = None;
        for (at, (input, span)) in work.inputs.iter().enumerate() {
            if plan.is_shared(*span) != shared {
                continue;
            }
            let to = self.buffer(Source::Input(at), block - first).clone();
            let after = if token.is_none() { after } else { &[] };
            let loaded = match &input.shape {
                Shape::Matrix(access) | Shape::Row(access) => self.bring(at, access, *span, &ranges, &to, after),
                Shape::Scalar(_) => {
                    let to = self.b.strided(to.value, 0, &[1, 1], &[1, 1]);
                    Some(self.b.transfer(self.outside.inputs[at], to, after))
                }
            };
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

    /// Does all that is to do with a block, and stores it; the tokens of the last instruction and of the last transfer.
    fn block(&mut self, first: u64, block: u64, after: &[ValueId]) -> Vec<ValueId> {
        let work = self.work;
        let ranges = self.ranges(block);
        let shape = work.shape(&ranges);
        let mut after = after.to_vec();
        let mut done = Vec::new();
        for (at, (step, span)) in work.steps.iter().enumerate() {
            // A reduction reads more than it writes.
            let read = match step.function {
                Function::Reduce(_) => Span { columns: true, ..*span },
                _ => *span,
            };
            let operands = step.operands.iter().map(|&source| self.view(source, block - first, read.shape(shape)));
            let operands: Vec<ValueId> = operands.collect();
            let to = self.view(Source::Step(at), block - first, span.shape(shape));
            let token = self.b.vector(step.function, &operands, to, &after);
            // What comes behind it in the queue waits for what it waited for.
            after = Vec::new();
            done = vec![token];
        }
        // Without an instruction, what was loaded is what is stored.
        let mut wait = if done.is_empty() { after } else { done.clone() };
        for (at, output) in work.outputs.iter().enumerate() {
            let from = self.buffer(output.source, block - first).clone();
            let span = work.span(output.source);
            for each in work.moves(self.machine, &output.access, span, &ranges, from.stride).unwrap_or_default() {
                let stored = self.b.store(&from, self.outside.outputs[at], &each, &wait);
                done.truncate(usize::from(!work.steps.is_empty()));
                done.push(stored);
                wait = Vec::new();
            }
        }
        done
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
