//! The steps of a core, played one after the other.

use dl_simulator::machine::{DmaEngines, Machine};

use super::blocks::{At, Residents};
use super::cost::{Costs, Transfer, bandwidth};

/// The engines of a core, and DRAM, which all cores share: when each is free.
pub(super) struct Engines<'a> {
    dma: &'a DmaEngines,
    engines: Vec<f64>,
    dram: f64,
    /// Bytes of DRAM in a cycle for this core.
    bandwidth: f64,
    /// From the end of a transfer until what it brings is there.
    latency: f64,
}

impl<'a> Engines<'a> {
    /// One of `cores` that do the same.
    pub(super) fn new(machine: &'a Machine, cores: u64, latency: f64) -> Self {
        let engines = vec![0.0; machine.dma.engines as usize];
        Self { dma: &machine.dma, engines, dram: 0.0, bandwidth: bandwidth(machine) / cores as f64, latency }
    }

    /// When a part of a block has been moved that can be from `from` on.
    pub(super) fn transfer(&mut self, transfer: &Transfer, part: f64, from: f64) -> f64 {
        let mut last: f64 = from;
        for _ in 0..transfer.count {
            let each = part / transfer.count as f64;
            let Some(engine) = (0..self.engines.len()).min_by(|&a, &b| self.engines[a].total_cmp(&self.engines[b]))
            else {
                return from;
            };
            let begin = from.max(self.engines[engine]) + f64::from(self.dma.startup);
            self.dram = self.dram.max(begin) + transfer.outside as f64 * each / self.bandwidth;
            self.engines[engine] = (begin + transfer.bytes as f64 * each / self.dma.bandwidth as f64).max(self.dram);
            last = last.max(self.engines[engine]);
        }
        if transfer.count == 0 { from } else { last + self.latency }
    }
}

/// A core at work: when each thing is free or there.
pub(super) struct Timeline<'a> {
    costs: &'a Costs<'a>,
    engines: Engines<'a>,
    /// When the next product can begin.
    array: f64,
    vector: f64,
    /// When the block in each slot is there, and when the last product that used it is done.
    there: [Vec<f64>; 2],
    used: [Vec<f64>; 2],
    /// When a slot of sums has been stored.
    stored: Vec<f64>,
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
        Self {
            costs,
            engines: Engines::new(machine, costs.cores(), costs.latency()),
            array: 0.0,
            vector: 0.0,
            there: [slots(0), slots(1)],
            used: [slots(0), slots(1)],
            stored: slots(2),
        }
    }

    /// Plays all steps; the cycles that they take.
    pub(super) fn run(mut self) -> f64 {
        let costs = self.costs;
        let fill = costs.unit.fill() as f64;
        let terms = costs.order.counts[2];
        let mut residents = [0, 1].map(|operand| Residents::new(costs.slots[operand]));
        let mut steps = costs.order.steps(0..costs.blocks()).peekable();
        let mut issued = 0.0;
        let mut next = None;
        let mut finishing: Option<Finishing> = None;
        let mut block = 0;
        let mut end: f64 = 0.0;
        let depth = f64::from(costs.machine.queues.depth[1]);
        if let Some(&first) = steps.peek() {
            next = Some(self.load(first, &mut residents, 0.0));
        }
        while let (Some(at), Some((slots, mut clash))) = (steps.next(), next) {
            next = steps.peek().map(|&at| self.load(at, &mut residents, issued));
            clash += next.as_ref().map_or(0.0, |(_, clash)| *clash);
            let slot = block % self.stored.len();
            let area = costs.part(0, at.row) * costs.part(1, at.column);
            let mut begin = self.array.max(self.there[0][slots[0]]).max(self.there[1][slots[1]]);
            if at.term == 0 {
                let begun = self.engines.transfer(&costs.begin, area, self.stored[slot]);
                let begun = if costs.begin.count > 0 { begun } else { self.stored[slot] };
                begin = begin.max(begun);
                clash += costs.store.clash * area;
            }
            let whole = costs.array.0 * costs.work(at) + clash;
            let mut now = begin;
            for _ in 0..costs.portions {
                let each = whole / costs.portions as f64;
                now += each;
                if let Some(last) = &mut finishing {
                    now = self.advance(last, now, costs.array.1.min(each));
                }
                if finishing.as_ref().is_some_and(|last| last.next == costs.epilogue.len())
                    && let Some(last) = finishing.take()
                {
                    end = self.store(&last);
                }
            }
            self.array = now;
            issued = (now - depth * costs.array.1).max(begin);
            let done = now + fill;
            for (used, &slot) in self.used.iter_mut().zip(&slots) {
                used[slot] = done;
            }
            if at.term + 1 == terms {
                if let Some(last) = finishing.take() {
                    end = self.complete(last);
                }
                let last = Finishing { slot, part: area, next: 0, ready: done };
                if self.stored.len() > 1 && !costs.epilogue.is_empty() && steps.peek().is_some() {
                    finishing = Some(last);
                } else {
                    end = self.complete(last);
                }
                block += 1;
            }
        }
        end
    }

    /// Loads what a step needs and no slot holds; the slots, and by how much that slows the array down.
    fn load(&mut self, at: At, residents: &mut [Residents; 2], issued: f64) -> ([usize; 2], f64) {
        let costs = self.costs;
        let blocks = [[at.batch, at.row, at.term], [at.batch, at.term, at.column]];
        let parts = [costs.part(0, at.row), costs.part(1, at.column)].map(|part| part * costs.part(2, at.term));
        let mut clash = 0.0;
        let slots = [0, 1].map(|operand| {
            let (slot, is_new) = residents[operand].bring(blocks[operand]);
            if is_new {
                let from = issued.max(self.used[operand][slot]);
                self.there[operand][slot] = self.engines.transfer(&costs.loads[operand], parts[operand], from);
                clash += costs.loads[operand].clash * parts[operand];
            }
            slot
        });
        (slots, clash)
    }

    /// The next instruction of an epilogue behind products that end at `now`; when the next ones can begin. The array goes on while the unit works, but what is
    /// behind the instruction waits until it has begun.
    fn advance(&mut self, block: &mut Finishing, now: f64, tile: f64) -> f64 {
        let Some(instruction) = self.costs.epilogue.get(block.next) else { return now };
        let begin = self.vector.max(block.ready).max(now - tile);
        let latency = self.costs.machine.vector.as_ref().map_or(0, |unit| unit.latency);
        self.vector = begin + instruction.cycles * block.part;
        block.ready = self.vector + f64::from(latency);
        block.next += 1;
        now.max(begin) + instruction.clash * block.part
    }

    fn complete(&mut self, mut block: Finishing) -> f64 {
        while block.next < self.costs.epilogue.len() {
            self.array = self.advance(&mut block, self.array, 0.0);
        }
        self.store(&block)
    }

    fn store(&mut self, block: &Finishing) -> f64 {
        let store = self.costs.store;
        self.stored[block.slot] = self.engines.transfer(&store, block.part, block.ready);
        self.stored[block.slot]
    }
}
