//! What a run took, and why.

use std::fmt;

use super::bound::{self, LowerBound};
use super::engine::{Outcome, Stall};
use super::trace::Span;
use crate::check::Checked;
use crate::machine::Machine;
use crate::program::{Program, Queue};

/// How long a program takes on a machine, and what its units did meanwhile.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Name of the machine.
    pub machine: String,
    /// Cycles per microsecond.
    pub clock_mhz: u32,
    /// From the first instruction until the last one is complete.
    pub cycles: u64,
    /// The least that it could take.
    pub lower_bound: LowerBound,
    /// Multiplications and additions.
    pub macs: u64,
    /// As many as there could be in a cycle, on all cores that have instructions.
    pub peak_macs: u64,
    /// Of each core with instructions.
    pub cores: Vec<CoreReport>,
    /// Of each memory, all cores together.
    pub memories: Vec<MemoryTraffic>,
    /// The timeline, where it was asked for.
    pub spans: Vec<Span>,
}

/// A core.
#[derive(Clone, PartialEq, Debug)]
pub struct CoreReport {
    /// What its units did.
    pub units: Vec<UnitReport>,
    /// How its instructions waited.
    pub queues: Vec<QueueReport>,
}

/// A unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitReport {
    /// Its name.
    pub name: String,
    /// Cycles in which it worked on something.
    pub busy: u64,
}

/// A queue: for each cycle, why its first instruction did not start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueReport {
    /// Which one.
    pub queue: Queue,
    /// Instructions that went through it.
    pub instructions: u64,
    /// Cycles in which a token was not signalled.
    pub token: u64,
    /// Cycles in which an earlier instruction of the queue worked on the same bytes.
    pub hazard: u64,
    /// Cycles in which its unit was busy.
    pub unit: u64,
    /// Cycles in which there was none.
    pub empty: u64,
}

/// A memory.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryTraffic {
    /// Its name.
    pub name: String,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Cycles by which instructions took longer because its banks could not move more.
    pub slowed: f64,
}

pub(super) fn make(machine: &Machine, program: &Program, checked: &Checked, outcome: Outcome) -> Report {
    let unit_macs = machine.matrix.as_ref().map_or(0, |unit| unit.macs_per_cycle());
    let at_work = program.cores.iter().filter(|core| !core.is_empty()).count() as u64;
    let cores = program.cores.iter().zip(&outcome.busy).zip(&outcome.stalls);
    let cores = cores.map(|((instructions, busy), stalls)| {
        let named = |name: String, busy| UnitReport { name, busy };
        let engines = busy.engines.iter().enumerate().map(|(i, &busy)| named(format!("dma {i}"), busy));
        let matrix = machine.matrix.iter().map(|_| named("matrix".to_owned(), busy.array));
        let vector = machine.vector.iter().map(|_| named("vector".to_owned(), busy.vector));
        let queue = |queue: Queue| {
            let cycles = |stall: Stall| stalls[queue as usize][stall as usize];
            QueueReport {
                queue,
                instructions: bound::count(instructions, queue),
                token: cycles(Stall::Token),
                hazard: cycles(Stall::Hazard),
                unit: cycles(Stall::Unit),
                empty: cycles(Stall::Empty),
            }
        };
        CoreReport { units: engines.chain(matrix).chain(vector).collect(), queues: Queue::ALL.map(queue).to_vec() }
    });
    Report {
        machine: machine.name.clone(),
        clock_mhz: machine.clock_mhz,
        cycles: outcome.cycles,
        lower_bound: bound::lower_bound(machine, program, checked),
        macs: bound::macs(program),
        peak_macs: unit_macs * at_work,
        cores: cores.collect(),
        memories: traffic(machine, checked, &outcome.slowed),
        spans: outcome.spans,
    }
}

fn traffic(machine: &Machine, checked: &Checked, slowed: &[f64]) -> Vec<MemoryTraffic> {
    let empty = |(memory, &slowed): (&crate::machine::Memory, &f64)| MemoryTraffic {
        name: memory.name.clone(),
        read: 0,
        written: 0,
        slowed,
    };
    let mut traffic: Vec<MemoryTraffic> = machine.memories.iter().zip(slowed).map(empty).collect();
    for (footprint, is_write) in checked.effects.iter().flatten().flat_map(|effects| effects.all()) {
        let memory = &mut traffic[checked.memory(machine, footprint.base)];
        *(if is_write { &mut memory.written } else { &mut memory.read }) += footprint.bytes();
    }
    traffic
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycles = self.cycles as f64;
        let LowerBound { cycles: least, limit } = self.lower_bound;
        writeln!(f, "machine      {}, {} MHz", self.machine, self.clock_mhz)?;
        writeln!(f, "cycles       {} ({:.3} us)", self.cycles, cycles / f64::from(self.clock_mhz))?;
        writeln!(f, "lower bound  {least} ({limit}), {:.1} % of it reached", percent(least as f64, cycles))?;
        if self.peak_macs > 0 {
            let reached = percent(self.macs as f64, cycles * self.peak_macs as f64);
            writeln!(f, "products     {} multiply-adds, {reached:.1} % of the peak", self.macs)?;
        }
        for (i, core) in self.cores.iter().enumerate() {
            writeln!(f, "\ncore {i}")?;
            for unit in &core.units {
                writeln!(
                    f,
                    "  {:<12} {:>12} cycles busy {:>6.1} %",
                    unit.name,
                    unit.busy,
                    percent(unit.busy as f64, cycles)
                )?;
            }
            writeln!(
                f,
                "  {:<12} {:>12} {:>10} {:>10} {:>10} {:>10}",
                "queue", "instructions", "token", "hazard", "unit", "empty"
            )?;
            for QueueReport { queue, instructions, token, hazard, unit, empty } in &core.queues {
                let name = queue.name();
                writeln!(f, "  {name:<12} {instructions:>12} {token:>10} {hazard:>10} {unit:>10} {empty:>10}")?;
            }
        }
        writeln!(f, "\n{:<14} {:>14} {:>14} {:>14}", "memory", "bytes read", "bytes written", "cycles slowed")?;
        for MemoryTraffic { name, read, written, slowed } in &self.memories {
            writeln!(f, "{name:<14} {read:>14} {written:>14} {slowed:>14.0}")?;
        }
        Ok(())
    }
}
