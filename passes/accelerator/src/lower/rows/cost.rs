//! How long a plan for rows should take: as `lower::cost`, of transfers and vector instructions.

use dl_simulator::machine::Machine;

use super::plan::Plan;
use super::work::{Output, Span, Work};
use crate::lower::access::Access;
use crate::lower::blocks::Cut;
use crate::lower::cost::{self, Prediction, Transfer};
use crate::lower::queue::{Engines, Queue};
use crate::lower::select::{Shape, Source};

/// What is moved for a whole block, wherever it lies.
#[derive(Clone, Debug)]
pub struct Transfers {
    /// Of inputs; nothing of constants.
    inputs: Vec<Transfer>,
    /// Of what is stored.
    outputs: Vec<Transfer>,
}

/// The transfers of a block in the middle, which stands for all. `None` where the engines cannot do it.
pub fn transfers(work: &Work, machine: &Machine, cuts: &[Cut; 2]) -> Option<Transfers> {
    let ranges = work.ranges(cuts, [0, 1].map(|at| work.groups[at].middle(&cuts[at])));
    let stride = cuts[1].size();
    let dram = machine.dram();
    let of = |access: &Access, span: Span, size: u64| {
        Transfer::of(&work.moves(machine, access, span, &ranges, stride)?, machine, dram, size)
    };
    let input = |(input, span): &(crate::lower::select::Input, _)| match &input.shape {
        Shape::Matrix(access) | Shape::Row(access) => of(access, *span, input.element.size()),
        Shape::Scalar(_) => {
            Some(Transfer { count: 1, bytes: input.element.size(), outside: 64, ..Transfer::default() })
        }
    };
    let inputs = work.inputs.iter().map(input).collect::<Option<Vec<_>>>()?;
    let output = |output: &Output| of(&output.access, work.span(output.source), work.element(output.source).size());
    let outputs = work.outputs.iter().map(output).collect::<Option<Vec<_>>>()?;
    Some(Transfers { inputs, outputs })
}

/// What blocks cost.
pub struct Costs<'a> {
    work: &'a Work,
    machine: &'a Machine,
    plan: &'a Plan,
    transfers: &'a Transfers,
    /// Cycles of each step on a whole block.
    steps: Vec<f64>,
}

impl<'a> Costs<'a> {
    /// Those of `plan`.
    pub fn new(work: &'a Work, machine: &'a Machine, plan: &'a Plan, transfers: &'a Transfers) -> Self {
        let steps = (0..work.steps.len()).map(|at| instruction(work, machine, plan, at)).collect();
        Self { work, machine, plan, transfers, steps }
    }

    /// Blocks that a core has at most.
    fn blocks(&self) -> u64 {
        self.plan.blocks().div_ceil(self.plan.cores(self.machine))
    }

    fn loads(&self, shared: bool) -> impl Iterator<Item = &Transfer> {
        let all = self.work.inputs.iter().zip(&self.transfers.inputs);
        all.filter(move |((_, span), _)| self.plan.is_shared(*span) == shared).map(|(_, transfer)| transfer)
    }

    /// Whole blocks that make up as much work as all blocks of a core.
    fn whole(&self) -> f64 {
        let parts = [0, 1].map(|at| self.work.groups[at].extent() as f64 / self.plan.cuts[at].size() as f64);
        parts[0] * parts[1] / self.plan.cores(self.machine) as f64
    }

    /// About the least that the vector unit, the engines and DRAM take, and what is plain to come on top.
    pub fn bound(&self) -> Prediction {
        let (machine, whole) = (self.machine, self.whole());
        let cores = self.plan.cores(machine) as f64;
        let latency = self.latency();
        let behind = machine.vector.as_ref().map_or(0, |unit| unit.latency);
        let compute = self.steps.iter().map(|step| step + f64::from(behind)).sum::<f64>();
        let engine = |transfer: &Transfer| {
            transfer.count as f64 * f64::from(machine.dma.startup)
                + transfer.bytes as f64 / machine.dma.bandwidth as f64
        };
        let outside = |transfer: &Transfer| transfer.outside as f64 * cores / cost::bandwidth(machine);
        let sum = |of: &dyn Fn(&Transfer) -> f64| {
            let each: f64 = self.loads(false).chain(&self.transfers.outputs).map(of).sum();
            whole * each + self.loads(true).map(of).sum::<f64>()
        };
        let dma = sum(&engine) / f64::from(machine.dma.engines);
        let dram = sum(&outside);
        let first: f64 = self.loads(false).map(|load| engine(load).max(outside(load))).sum();
        let last: f64 = self.transfers.outputs.iter().map(|store| engine(store).max(outside(store))).sum();
        let cycles = (whole * compute).max(dma).max(dram) + first + last + 2.0 * latency;
        Prediction { cycles: cycles as u64, compute: (whole * compute) as u64, dma: dma as u64, dram: dram as u64 }
    }

    fn latency(&self) -> f64 {
        cost::latency(self.machine, self.plan.slots.iter().map(|slot| slot.memory))
    }

    /// Plays the blocks of the first core.
    pub fn predict(&self) -> Prediction {
        let mut engines = Engines::new(self.machine, self.plan.cores(self.machine), self.latency());
        let behind = f64::from(self.machine.vector.as_ref().map_or(0, |unit| unit.latency));
        let [mut incoming, _, mut outgoing] = self.machine.queues.depth.map(Queue::new);
        let mut shared: f64 = 0.0;
        for load in self.loads(true) {
            shared = shared.max(engines.transfer(&mut incoming, load, 1.0, 0.0, 0.0).0);
        }
        let depth = |queue: usize| u64::from(self.machine.queues.depth[queue]);
        let (mut vector, mut end) = (0.0_f64, 0.0_f64);
        // When what is loaded, and what is made, may be overwritten.
        let (mut free, mut stores) = ([0.0; 2], [0.0; 2]);
        let stores_inputs = self.plan.stores_inputs(self.work);
        let mut next = self.load(&mut engines, &mut incoming, 0, [0.0; 2]);
        // Nothing is issued behind an instruction for which its queue has no room.
        let mut issued = 0.0_f64;
        for block in 0..self.blocks() {
            let there = next;
            if block + 1 < self.blocks() {
                next = self.load(&mut engines, &mut incoming, block + 1, [issued, free[((block + 1) % 2) as usize]]);
            }
            let part = self.part(block);
            let mut now = vector.max(there).max(shared).max(stores[(block % 2) as usize]);
            let begin = now;
            // When what was last written to a slot is there, and when nobody works on it any more.
            let mut slots = vec![(now, now); self.plan.slots.len()];
            for (at, cycles) in self.steps.iter().enumerate() {
                let read = self.work.steps[at].0.operands.iter().map(|of| self.plan.slot(*of, block));
                let read: Vec<usize> = read.collect();
                let to = self.plan.slot(Source::Step(at), block);
                now = read.iter().fold(now.max(slots[to].1), |now, &slot| now.max(slots[slot].0)) + cycles * part;
                let ready = now + behind;
                read.iter().for_each(|&slot| slots[slot].1 = ready);
                slots[to] = (ready, ready);
            }
            vector = now;
            let done = if self.steps.is_empty() { now } else { now + behind };
            let late = (self.steps.len() as u64).saturating_sub(depth(1));
            issued = begin + (now - begin) * late as f64 / self.steps.len().max(1) as f64;
            let mut stored = done;
            for store in &self.transfers.outputs {
                stored = stored.max(engines.transfer(&mut outgoing, store, part, 0.0, done).0);
            }
            stores[(block % 2) as usize] = stored;
            free[(block % 2) as usize] = if stores_inputs { stored } else { done };
            end = end.max(stored);
        }
        Prediction { cycles: end.ceil() as u64, ..self.bound() }
    }

    /// When all inputs of a block are there, whose loads are issued at `issue` and may begin at `from`.
    fn load(&self, engines: &mut Engines<'_>, queue: &mut Queue, block: u64, [issue, from]: [f64; 2]) -> f64 {
        let part = self.part(block);
        self.loads(false).fold(from, |there, load| there.max(engines.transfer(queue, load, part, issue, from).0))
    }

    /// The part of a whole block that this one is.
    fn part(&self, block: u64) -> f64 {
        let ranges = self.work.ranges(&self.plan.cuts, self.plan.at(block));
        let shape = self.work.shape(&ranges);
        (0..2).map(|at| shape[at] as f64 / self.plan.cuts[at].size() as f64).product()
    }
}

/// Cycles of a step: of the unit, or of the bank that is busiest.
fn instruction(work: &Work, machine: &Machine, plan: &Plan, at: usize) -> f64 {
    let (step, span) = &work.steps[at];
    let Some(unit) = &machine.vector else { return 0.0 };
    let block = [0, 1].map(|at| plan.cuts[at].size());
    let whole = step
        .operands
        .iter()
        .map(|of| work.span(*of))
        .fold(*span, |a, b| Span { rows: a.rows || b.rows, columns: a.columns || b.columns });
    let elements = whole.shape(block).iter().product::<u64>();
    let each = f64::from(unit.cycles(step.function.vector()).unwrap_or(1));
    let alone = elements.div_ceil(unit.lanes.into()) as f64 * each;
    let mut banks: Vec<(usize, u64, f64)> = Vec::new();
    for source in step.operands.iter().copied().chain([Source::Step(at)]) {
        let slot = &plan.slots[plan.slot(source, 0)];
        let bytes = work.span(source).shape(block).iter().product::<u64>() * work.element(source).size();
        let (first, count) = slot.banks(machine);
        for bank in first..first + count {
            let each = bytes as f64 / count as f64;
            match banks.iter_mut().find(|(memory, known, _)| *memory == slot.memory && *known == bank) {
                Some((.., sum)) => *sum += each,
                None => banks.push((slot.memory, bank, each)),
            }
        }
    }
    let busy = |(memory, _, bytes): &(usize, u64, f64)| bytes / machine.memories[*memory].bandwidth as f64;
    banks.iter().map(busy).fold(alone, f64::max)
}
