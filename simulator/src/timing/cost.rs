//! From instructions to tasks.

use super::task::{Demand, Phase, Stage, Task};
use crate::check::{Checked, Effects};
use crate::footprint::Footprint;
use crate::machine::{Dataflow, Machine, MemoryKind};
use crate::program::{Base, Dma, Matmul, Op, Program, Vector};

/// What is shared: DRAM first, then every bank of every memory of each core.
pub(super) struct Resources {
    /// Bytes per cycle.
    pub(super) capacity: Vec<f64>,
    /// The memory that each is a part of.
    pub(super) memory: Vec<usize>,
    /// The first bank of each memory, in the first core.
    first: Vec<usize>,
    per_core: usize,
}

impl Resources {
    pub(super) fn new(machine: &Machine, cores: usize) -> Self {
        let (mut capacity, mut memory, mut first) = (Vec::new(), Vec::new(), Vec::new());
        let dram = &machine.memories[machine.dram()];
        capacity.push((dram.bandwidth * u64::from(dram.banks)) as f64);
        memory.push(machine.dram());
        for core in 0..cores {
            for (index, local) in machine.memories.iter().enumerate() {
                if core == 0 {
                    first.push(if local.kind == MemoryKind::Dram { 0 } else { capacity.len() });
                }
                if local.kind != MemoryKind::Dram {
                    capacity.extend((0..local.banks).map(|_| local.bandwidth as f64));
                    memory.extend((0..local.banks).map(|_| index));
                }
            }
        }
        let per_core = (capacity.len() - 1) / cores.max(1);
        Self { capacity, memory, first, per_core }
    }
}

/// The tasks of every core, one for each instruction that goes to a queue.
pub(super) fn tasks(
    machine: &Machine,
    program: &Program,
    checked: &Checked,
    resources: &Resources,
) -> Vec<Vec<Option<Task>>> {
    let core = |(core, instructions): (usize, &Vec<crate::program::Instruction>)| {
        let cx = Cx { machine, checked, resources, core };
        let task = |(instruction, effects): (&crate::program::Instruction, &Effects)| cx.task(&instruction.op, effects);
        instructions.iter().zip(&checked.effects[core]).map(task).collect()
    };
    program.cores.iter().enumerate().map(core).collect()
}

struct Cx<'a> {
    machine: &'a Machine,
    checked: &'a Checked,
    resources: &'a Resources,
    core: usize,
}

impl Cx<'_> {
    fn task(&self, op: &Op, effects: &Effects) -> Option<Task> {
        match op {
            Op::Dma(dma) => Some(self.dma(dma, effects)),
            Op::Matmul(matmul) => self.matmul(matmul, effects),
            Op::Vector(vector) => self.vector(vector, effects),
            Op::Wait | Op::Barrier => None,
        }
    }

    /// A phase in which `footprints` are moved evenly; nothing if it takes no time.
    fn phase(&self, stage: Stage, cycles: u64, footprints: &[Footprint]) -> Option<Phase> {
        let mut demands: Vec<Demand> = Vec::new();
        for footprint in footprints {
            self.each_bank(footprint, |resource, bytes| {
                let rate = bytes as f64 / cycles as f64;
                match demands.iter_mut().find(|demand| demand.resource == resource) {
                    Some(demand) => demand.rate += rate,
                    None => demands.push(Demand { resource, rate }),
                }
            });
        }
        (cycles > 0).then_some(Phase { stage, cycles, demands })
    }

    /// The bytes that a footprint has in each bank, piece by piece.
    fn each_bank(&self, footprint: &Footprint, mut add: impl FnMut(usize, u64)) {
        let index = self.checked.memory(self.machine, footprint.base);
        let memory = &self.machine.memories[index];
        if memory.kind == MemoryKind::Dram {
            return add(0, dram_bytes(memory.burst, footprint));
        }
        let first = self.resources.first[index] + self.core * self.resources.per_core;
        if memory.banks == 1 {
            return add(first, footprint.run_count() * footprint.run.next_multiple_of(memory.burst));
        }
        for run in footprint.runs() {
            let (mut at, end) = (run, run + footprint.run.next_multiple_of(memory.burst));
            while at < end {
                let piece = memory.rest_of_block(at).min(end - at);
                add(first + memory.bank(at) as usize, piece);
                at += piece;
            }
        }
    }

    fn dma(&self, dma: &Dma, effects: &Effects) -> Task {
        let unit = &self.machine.dma;
        let bytes = effects.all().map(|(footprint, _)| footprint.bytes()).max().unwrap_or_default();
        let footprints: Vec<Footprint> = effects.all().map(|(footprint, _)| *footprint).collect();
        let startup = self.phase(Stage::Engine, unit.startup.into(), &[]);
        let transfer = self.phase(Stage::Engine, bytes.div_ceil(unit.bandwidth), &footprints);
        let latency = |base: Base| {
            let memory = &self.machine.memories[self.checked.memory(self.machine, base)];
            let hops = if memory.kind == MemoryKind::Dram { self.machine.cores.hops(self.core) } else { 0 };
            u64::from(memory.latency) + u64::from(hops) * u64::from(self.machine.cores.hop_latency)
        };
        let tail = latency(dma.source.address.base) + latency(dma.destination.address.base);
        Task { phases: startup.into_iter().chain(transfer).collect(), tail }
    }

    fn matmul(&self, matmul: &Matmul, effects: &Effects) -> Option<Task> {
        let unit = self.machine.matrix.as_ref()?;
        let (m, k) = (u64::from(matmul.m), u64::from(matmul.k));
        let sums = effects.write?;
        let lhs = *effects.reads.first()?;
        let rhs = (!matmul.resident).then(|| effects.reads.get(1).copied()).flatten();
        let old = matmul.accumulate.then_some(sums);
        let join = |parts: &[Option<Footprint>]| parts.iter().flatten().copied().collect::<Vec<_>>();
        let (preload, stream, unload) = match unit.dataflow {
            Dataflow::WeightStationary => (
                self.phase(Stage::Preload, if rhs.is_some() { k } else { 0 }, &join(&[rhs])),
                self.phase(Stage::Array, m, &join(&[Some(lhs), old, Some(sums)])),
                None,
            ),
            Dataflow::OutputStationary => (
                self.phase(Stage::Preload, if matmul.accumulate { m } else { 0 }, &join(&[old])),
                self.phase(Stage::Array, k, &join(&[Some(lhs), rhs])),
                self.phase(Stage::Unload, m, &[sums]),
            ),
        };
        if unit.double_buffered {
            // Also with nothing to load, an instruction waits here for its turn: nothing overtakes another one's operand.
            let preload = preload.unwrap_or(Phase { stage: Stage::Preload, cycles: 0, demands: Vec::new() });
            let phases = [Some(preload), stream, unload].into_iter().flatten();
            return Some(Task { phases: phases.collect(), tail: unit.fill() });
        }
        let phases = [preload, stream, unload].into_iter().flatten();
        // One operand at a time, until its last sum has left.
        let drain = Phase { stage: Stage::Array, cycles: unit.fill(), demands: Vec::new() };
        let phases = phases.chain((drain.cycles > 0).then_some(drain));
        Some(Task { phases: phases.map(|phase| Phase { stage: Stage::Array, ..phase }).collect(), tail: 0 })
    }

    fn vector(&self, vector: &Vector, effects: &Effects) -> Option<Task> {
        let unit = self.machine.vector.as_ref()?;
        let each = unit.cycles(vector.op.function())?;
        let cycles = vector.elements().div_ceil(u64::from(unit.lanes)).saturating_mul(u64::from(each));
        let footprints: Vec<Footprint> = effects.all().map(|(footprint, _)| *footprint).collect();
        let phase = self.phase(Stage::Vector, cycles, &footprints);
        Some(Task { phases: phase.into_iter().collect(), tail: unit.latency.into() })
    }
}

/// Bytes that DRAM moves for a footprint: each run in whole bursts.
pub(super) fn dram_bytes(burst: u64, footprint: &Footprint) -> u64 {
    footprint.run_count() * footprint.run.next_multiple_of(burst)
}
