//! The least that a program could take: the roofline.

use std::fmt;

use super::cost::dram_bytes;
use crate::check::{Checked, Effects};
use crate::machine::{Machine, MemoryKind};
use crate::program::{Instruction, Op, Program, Queue};

/// What a bound comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Multiplications, all of the array at work in every cycle.
    Matrix,
    /// Elements, all lanes at work in every cycle.
    Vector,
    /// Bytes through the DMA engines of a core.
    Dma,
    /// Bytes from and to DRAM, of all cores.
    Dram,
    /// Instructions, one in each interval.
    Issue,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Matrix => "matrix unit",
            Self::Vector => "vector unit",
            Self::Dma => "DMA bandwidth",
            Self::Dram => "DRAM bandwidth",
            Self::Issue => "issue",
        })
    }
}

/// Cycles that the work of a program takes at least, whatever the order of its instructions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LowerBound {
    /// The cycles.
    pub cycles: u64,
    /// What takes that long.
    pub limit: Limit,
}

/// What a core has to do.
#[derive(Default)]
struct Work {
    macs: u64,
    vector_cycles: u64,
    dma_bytes: u64,
    dram_bytes: u64,
    issued: u64,
}

impl Work {
    fn add(&mut self, machine: &Machine, checked: &Checked, instruction: &Instruction, effects: &Effects) {
        self.issued += 1;
        match &instruction.op {
            Op::Matmul(matmul) => self.macs += u64::from(matmul.m) * u64::from(matmul.n) * u64::from(matmul.k),
            Op::Vector(vector) => {
                let Some(unit) = &machine.vector else { return };
                let each = unit.cycles(vector.op.function()).unwrap_or_default();
                self.vector_cycles += vector.elements().div_ceil(unit.lanes.into()).saturating_mul(each.into());
            }
            Op::Dma(_) => {
                self.dma_bytes += effects.all().map(|(footprint, _)| footprint.bytes()).max().unwrap_or_default();
                for (footprint, _) in effects.all() {
                    let memory = &machine.memories[checked.memory(machine, footprint.base)];
                    if memory.kind == MemoryKind::Dram {
                        self.dram_bytes += dram_bytes(memory.burst, footprint);
                    }
                }
            }
            Op::Wait | Op::Barrier => {}
        }
    }
}

/// The bound of a checked program.
pub(super) fn lower_bound(machine: &Machine, program: &Program, checked: &Checked) -> LowerBound {
    let mut best = LowerBound { cycles: 0, limit: Limit::Issue };
    let mut at_least = |cycles: u64, limit| {
        if cycles > best.cycles {
            best = LowerBound { cycles, limit };
        }
    };
    let mut from_dram = 0;
    for (instructions, effects) in program.cores.iter().zip(&checked.effects) {
        let mut work = Work::default();
        instructions
            .iter()
            .zip(effects)
            .for_each(|(instruction, effects)| work.add(machine, checked, instruction, effects));
        if let Some(unit) = &machine.matrix {
            at_least(work.macs.div_ceil(unit.macs_per_cycle()), Limit::Matrix);
        }
        at_least(work.vector_cycles, Limit::Vector);
        at_least(work.dma_bytes.div_ceil(machine.dma.bandwidth * u64::from(machine.dma.engines)), Limit::Dma);
        at_least(work.issued.saturating_sub(1) * u64::from(machine.queues.issue_interval), Limit::Issue);
        from_dram += work.dram_bytes;
    }
    let dram = &machine.memories[machine.dram()];
    at_least(from_dram.div_ceil(dram.bandwidth * u64::from(dram.banks)), Limit::Dram);
    best
}

/// Multiplications of all cores.
pub(super) fn macs(program: &Program) -> u64 {
    let of = |instruction: &Instruction| match &instruction.op {
        Op::Matmul(matmul) => u64::from(matmul.m) * u64::from(matmul.n) * u64::from(matmul.k),
        _ => 0,
    };
    program.cores.iter().flatten().map(of).sum()
}

/// Instructions of a core in a queue.
pub(super) fn count(instructions: &[Instruction], queue: Queue) -> u64 {
    instructions.iter().filter(|instruction| instruction.op.queue() == Some(queue)).count() as u64
}
