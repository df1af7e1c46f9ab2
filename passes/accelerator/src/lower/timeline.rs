//! The steps of a core, played one after the other, in the order in which they are issued.

use super::blocks::{At, Residents};
use super::cost::{Costs, Transfer};
use super::queue::{Engines, Queue};
use super::select::Source;

/// A core at work: when each thing is free or there.
pub(super) struct Timeline<'a> {
    costs: &'a Costs<'a>,
    engines: Engines<'a>,
    loads: Queue,
    compute: Queue,
    stores: Queue,
    /// When the next instruction is issued.
    issue: f64,
    /// When the array is done with the last product, and when its next operand can be loaded.
    array: f64,
    preload: f64,
    vector: f64,
    /// When the block in each slot is there, and when the last product that used it is done.
    there: [Vec<f64>; 2],
    used: [Vec<f64>; 2],
    /// When sums in a slot may be overwritten, and when what it led to has been stored.
    free: Vec<f64>,
    stored: Vec<f64>,
    /// When what all blocks use is there.
    shared: f64,
    end: f64,
}

/// A block whose epilogue is not complete.
struct Finishing {
    slot: usize,
    part: f64,
    next: usize,
    /// When its sums, or the result of the last instruction, are there.
    ready: f64,
}

impl<'a> Timeline<'a> {
    /// Nothing has happened yet.
    pub(super) fn new(costs: &'a Costs<'a>) -> Self {
        let machine = costs.machine;
        let slots = |of: usize| vec![0.0; costs.slots[of]];
        let [loads, compute, stores] = machine.queues.depth.map(Queue::new);
        Self {
            costs,
            engines: Engines::new(machine, costs.cores(), costs.latency()),
            loads,
            compute,
            stores,
            issue: 0.0,
            array: 0.0,
            preload: 0.0,
            vector: 0.0,
            there: [slots(0), slots(1)],
            used: [slots(0), slots(1)],
            free: slots(2),
            stored: slots(2),
            shared: 0.0,
            end: 0.0,
        }
    }

    /// Plays all steps; the cycles that they take.
    pub(super) fn run(mut self) -> f64 {
        let costs = self.costs;
        let terms = costs.order.counts[2];
        for each in &costs.shared {
            self.shared = self.bring(each, 1.0, 0.0);
        }
        let mut residents = [0, 1].map(|operand| Residents::new(costs.slots[operand]));
        let mut steps = costs.order.steps(0..costs.blocks()).peekable();
        let mut next = steps.peek().map(|&first| self.load(first, &mut residents));
        let mut finishing: Option<Finishing> = None;
        let mut block = 0;
        while let (Some(at), Some((slots, mut clash))) = (steps.next(), next) {
            let slot = block % self.stored.len();
            let area = costs.part(0, at.row) * costs.part(1, at.column);
            let mut ready = self.there[0][slots[0]].max(self.there[1][slots[1]]);
            if at.term == 0 {
                ready = ready.max(self.free[slot]);
                if costs.init.count > 0 {
                    ready = ready.max(self.bring(&costs.init, area, self.stored[slot]));
                }
                clash += costs.store.clash * area;
            }
            next = steps.peek().map(|&at| self.load(at, &mut residents));
            clash += next.as_ref().map_or(0.0, |(_, clash)| *clash);
            let work = costs.work(at);
            let count = (costs.tiles as f64 * work / costs.portions as f64).ceil().max(1.0) as u64;
            let whole = (costs.array.0 * work + clash) / costs.portions as f64;
            for _ in 0..costs.portions {
                self.products(count, whole, ready);
                if let Some(last) = &mut finishing {
                    self.advance(last);
                }
                if let Some(last) = finishing.take_if(|last| last.next == costs.epilogue.len()) {
                    self.store(&last);
                }
            }
            let done = self.array + costs.drain;
            for (used, &slot) in self.used.iter_mut().zip(&slots) {
                used[slot] = self.compute.complete(done);
            }
            if at.term + 1 == terms {
                if let Some(last) = finishing.take() {
                    self.complete(last);
                }
                let inputs = self.bring(&costs.inputs, area, self.stored[slot]);
                let last = Finishing { slot, part: area, next: 0, ready: done.max(inputs).max(self.shared) };
                if self.stored.len() > 1 && !costs.epilogue.is_empty() && steps.peek().is_some() {
                    finishing = Some(last);
                } else {
                    self.complete(last);
                }
                block += 1;
            }
        }
        self.end
    }

    /// Products of `count` tiles, in `cycles` of the array, once their operands are `ready`.
    fn products(&mut self, count: u64, cycles: f64, ready: f64) {
        let is_double_buffered = self.costs.unit.double_buffered;
        let interval = cycles / count as f64;
        let entered = self.compute.enter(self.issue);
        let first = self.compute.start(entered.max(ready).max(self.preload));
        // With a second buffer, an instruction leaves its queue while the one before is in the array.
        let begin = self.array.max(first + self.costs.preload);
        let ahead = if is_double_buffered { interval } else { 0.0 };
        let entered = self.compute.start_many(count - 1, begin + interval - ahead, interval);
        let interval_of_issue = f64::from(self.costs.machine.queues.issue_interval);
        self.issue = (self.issue + count as f64 * interval_of_issue).max(entered);
        self.array = begin + cycles;
        self.preload = self.array - ahead;
    }

    /// The next instruction of an epilogue. The array goes on while the unit works, but what is behind the instruction waits until it has begun.
    fn advance(&mut self, block: &mut Finishing) {
        let costs = self.costs;
        let Some(instruction) = costs.epilogue.get(block.next) else { return };
        let latency = costs.machine.vector.as_ref().map_or(0, |unit| unit.latency);
        let stored = if costs.stored == Source::Step(block.next) { self.stored[block.slot] } else { 0.0 };
        self.issue = self.compute.enter(self.issue);
        let begin = self.compute.start(self.issue.max(self.vector).max(block.ready).max(stored));
        self.vector = begin + instruction.cycles * block.part;
        self.array += instruction.clash * block.part;
        block.ready = self.vector + f64::from(latency);
        block.next += 1;
    }

    fn complete(&mut self, mut block: Finishing) {
        while block.next < self.costs.epilogue.len() {
            self.advance(&mut block);
        }
        self.store(&block);
    }

    /// Stores a block whose last instruction has been issued: it completes after the products before it.
    fn store(&mut self, block: &Finishing) {
        let costs = self.costs;
        let done = self.compute.complete(block.ready.max(self.array + costs.drain));
        let (end, issue) = self.engines.transfer(&mut self.stores, &costs.store, block.part, self.issue, done);
        self.issue = issue;
        self.stored[block.slot] = end;
        self.free[block.slot] = if costs.stored == Source::Sums { end } else { block.ready };
        self.end = self.end.max(end);
    }

    /// Loads what a step needs and no slot holds; the slots, and by how much that slows the array down.
    fn load(&mut self, at: At, residents: &mut [Residents; 2]) -> ([usize; 2], f64) {
        let costs = self.costs;
        let blocks = [[at.batch, at.row, at.term], [at.batch, at.term, at.column]];
        let parts = [costs.part(0, at.row), costs.part(1, at.column)].map(|part| part * costs.part(2, at.term));
        let mut clash = 0.0;
        let slots = [0, 1].map(|operand| {
            let (slot, is_new) = residents[operand].bring(blocks[operand]);
            if is_new {
                let from = self.used[operand][slot];
                self.there[operand][slot] = self.bring(&costs.loads[operand], parts[operand], from);
                clash += costs.loads[operand].clash * parts[operand];
            }
            slot
        });
        (slots, clash)
    }

    /// When a part of a block is there that can be loaded from `from` on.
    fn bring(&mut self, transfer: &Transfer, part: f64, from: f64) -> f64 {
        let (there, issue) = self.engines.transfer(&mut self.loads, transfer, part, self.issue, from);
        self.issue = issue;
        there
    }
}
