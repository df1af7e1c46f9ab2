//! The event loop: instructions through queues, stages and latencies.
//!
//! # Rules
//! * Each core issues an instruction every `issue-interval` cycles, in program order, to the queue of its kind; it stops while that queue is full, at a
//!   `wait` until its tokens are signalled, and at a `barrier` until all cores have come and all their instructions are complete.
//! * The first instruction of a queue starts when its tokens are signalled, the stage of its first phase is free, and no instruction of the same queue
//!   that is still under way touches what it touches, if one of the two writes. Products do not wait for each other's sums: they pass through in order.
//! * Between phases an instruction keeps its stage until that of the next phase is free. After the last one it leaves, and is complete when its tail is over.
//! * A token is signalled when its instruction and all before it in its queue are complete.
//!
//! Time is a whole number of cycles: a phase ends at the first cycle at which its work is done.

use std::collections::VecDeque;

use super::cost::Resources;
use super::share::speeds;
use super::task::{Demand, Stage, Task};
use super::trace::{Span, Unit};
use crate::check::Checked;
use crate::machine::Machine;
use crate::program::{Op, Program, Queue};

/// Work smaller than this is done: what rounding leaves over.
const EPSILON: f64 = 1e-6;

/// Why the first instruction of a queue does not start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stall {
    /// A token is not signalled.
    Token,
    /// It touches what an earlier instruction of the queue still works on.
    Hazard,
    /// Its unit is busy.
    Unit,
    /// There is none in the queue.
    Empty,
}

/// Cycles of a queue by reason, indexed by [`Stall`].
pub(super) type Stalls = [u64; 4];

/// What happened.
pub(super) struct Outcome {
    pub(super) cycles: u64,
    /// For each core and queue.
    pub(super) stalls: Vec<[Stalls; 3]>,
    /// For each core: cycles that each DMA engine, the array and the vector unit worked.
    pub(super) busy: Vec<Busy>,
    /// For each memory: cycles by which phases took longer because of its bandwidth.
    pub(super) slowed: Vec<f64>,
    pub(super) spans: Vec<Span>,
}

/// Cycles that units of a core worked.
#[derive(Clone, Default)]
pub(super) struct Busy {
    pub(super) engines: Vec<u64>,
    pub(super) preload: u64,
    pub(super) array: u64,
    pub(super) vector: u64,
}

/// An instruction under way.
struct Active {
    index: usize,
    queue: Queue,
    phase: usize,
    /// The engine that it has, if it is a transfer.
    engine: usize,
    /// Cycles of the phase that are left, at full speed.
    remaining: f64,
    phase_start: u64,
    /// When it is complete, once its phases are over.
    done: Option<u64>,
}

/// A core at work.
struct Core {
    next: usize,
    next_issue: u64,
    queues: [VecDeque<usize>; 3],
    /// In the order in which they started; each is there until it and all before it in its queue are complete.
    active: Vec<Active>,
    engines: Vec<bool>,
    preload: bool,
    array: bool,
    unload: bool,
    vector: bool,
    is_complete: Vec<bool>,
    at_barrier: bool,
}

impl Core {
    fn new(machine: &Machine, instructions: usize) -> Self {
        Self {
            next: 0,
            next_issue: 0,
            queues: Default::default(),
            active: Vec::new(),
            engines: vec![false; machine.dma.engines as usize],
            preload: false,
            array: false,
            unload: false,
            vector: false,
            is_complete: vec![false; instructions],
            at_barrier: false,
        }
    }

    fn is_idle(&self) -> bool {
        self.active.is_empty() && self.queues.iter().all(VecDeque::is_empty)
    }

    /// Takes a stage if it is free; for an engine, answers which one.
    fn acquire(&mut self, stage: Stage) -> Option<usize> {
        let (engine, flag) = match stage {
            Stage::Engine => {
                let engine = self.engines.iter().position(|busy| !busy)?;
                (engine, &mut self.engines[engine])
            }
            Stage::Preload => (0, &mut self.preload),
            Stage::Array => (0, &mut self.array),
            Stage::Unload => (0, &mut self.unload),
            Stage::Vector => (0, &mut self.vector),
        };
        let is_free = !*flag;
        *flag = true;
        is_free.then_some(engine)
    }

    fn release(&mut self, stage: Stage, engine: usize) {
        match stage {
            Stage::Engine => self.engines[engine] = false,
            Stage::Preload => self.preload = false,
            Stage::Array => self.array = false,
            Stage::Unload => self.unload = false,
            Stage::Vector => self.vector = false,
        }
    }
}

struct Engine<'a> {
    machine: &'a Machine,
    program: &'a Program,
    checked: &'a Checked,
    tasks: &'a [Vec<Option<Task>>],
    keeps_spans: bool,
    now: u64,
    cores: Vec<Core>,
    outcome: Outcome,
}

/// Plays all tasks; `keeps_spans` asks for a timeline.
pub(super) fn run(
    machine: &Machine,
    program: &Program,
    checked: &Checked,
    resources: &Resources,
    tasks: &[Vec<Option<Task>>],
    keeps_spans: bool,
) -> Outcome {
    let cores: Vec<Core> = program.cores.iter().map(|core| Core::new(machine, core.len())).collect();
    let busy = Busy { engines: vec![0; machine.dma.engines as usize], ..Busy::default() };
    let outcome = Outcome {
        cycles: 0,
        stalls: vec![Default::default(); cores.len()],
        busy: vec![busy; cores.len()],
        slowed: vec![0.0; machine.memories.len()],
        spans: Vec::new(),
    };
    let mut engine = Engine { machine, program, checked, tasks, keeps_spans, now: 0, cores, outcome };
    engine.run(resources);
    engine.outcome.cycles = engine.now;
    engine.outcome
}

impl Engine<'_> {
    fn run(&mut self, resources: &Resources) {
        loop {
            let mut stalls = vec![[Stall::Empty; 3]; self.cores.len()];
            loop {
                let mut progress = false;
                for (core, stalls) in stalls.iter_mut().enumerate() {
                    progress |= self.advance(core);
                    progress |= self.retire(core);
                    progress |= self.issue(core);
                    for queue in Queue::ALL {
                        stalls[queue as usize] = self.start(core, queue, &mut progress);
                    }
                }
                progress |= self.barrier();
                if !progress {
                    break;
                }
            }
            let Some(step) = self.step(resources) else { return };
            for (total, stalls) in self.outcome.stalls.iter_mut().zip(&stalls) {
                for (total, stall) in total.iter_mut().zip(stalls) {
                    total[*stall as usize] += step;
                }
            }
            self.now += step;
        }
    }

    fn task(&self, core: usize, index: usize) -> Option<&Task> {
        self.tasks[core][index].as_ref()
    }

    /// Puts the next instruction in its queue.
    fn issue(&mut self, core: usize) -> bool {
        let instructions = &self.program.cores[core];
        let state = &mut self.cores[core];
        let Some(instruction) = instructions.get(state.next) else { return false };
        if self.now < state.next_issue || state.at_barrier {
            return false;
        }
        match instruction.op.queue() {
            Some(queue) => {
                let line = &mut state.queues[queue as usize];
                if line.len() >= self.machine.queues.depth[queue as usize] as usize {
                    return false;
                }
                line.push_back(state.next);
            }
            None if instruction.op == Op::Barrier => {
                state.at_barrier = state.is_idle();
                return state.at_barrier;
            }
            None => {
                let tokens = &self.checked.tokens[core];
                if !instruction.after.iter().all(|token| tokens.get(token).is_some_and(|&by| state.is_complete[by])) {
                    return false;
                }
            }
        }
        state.next += 1;
        state.next_issue = self.now + u64::from(self.machine.queues.issue_interval);
        true
    }

    /// Lets all cores go on when the last one has come.
    fn barrier(&mut self) -> bool {
        if self.cores.is_empty() || !self.cores.iter().all(|core| core.at_barrier) {
            return false;
        }
        for core in &mut self.cores {
            core.at_barrier = false;
            core.next += 1;
            core.next_issue = self.now + u64::from(self.machine.cores.barrier_latency.max(1));
        }
        true
    }

    /// Starts instructions of a queue; why the first one left does not start.
    fn start(&mut self, core: usize, queue: Queue, progress: &mut bool) -> Stall {
        loop {
            let Some(&index) = self.cores[core].queues[queue as usize].front() else { return Stall::Empty };
            let instruction = &self.program.cores[core][index];
            let tokens = &self.checked.tokens[core];
            let state = &self.cores[core];
            if !instruction.after.iter().all(|token| tokens.get(token).is_some_and(|&by| state.is_complete[by])) {
                return Stall::Token;
            }
            if self.has_hazard(core, queue, index) {
                return Stall::Hazard;
            }
            let Some(phase) = self.tasks[core][index].as_ref().and_then(|task| task.phases.first()) else {
                // Nothing to do: it cannot be, since every instruction moves or computes something.
                self.cores[core].queues[queue as usize].pop_front();
                self.cores[core].is_complete[index] = true;
                continue;
            };
            let state = &mut self.cores[core];
            let Some(engine) = state.acquire(phase.stage) else { return Stall::Unit };
            state.queues[queue as usize].pop_front();
            let remaining = phase.cycles as f64;
            state.active.push(Active { index, queue, phase: 0, engine, remaining, phase_start: self.now, done: None });
            *progress = true;
        }
    }

    fn has_hazard(&self, core: usize, queue: Queue, index: usize) -> bool {
        let effects = &self.checked.effects[core];
        let op = |index: usize| &self.program.cores[core][index].op;
        self.cores[core].active.iter().filter(|active| active.queue == queue).any(|active| {
            // It waits for nothing but its turn to be complete.
            if active.done.is_some_and(|done| done <= self.now) {
                return false;
            }
            let (mine, theirs) = (&effects[index], &effects[active.index]);
            match (op(index), op(active.index)) {
                (Op::Matmul(_), Op::Matmul(_)) => operand_hazard(mine, theirs),
                _ => mine.conflicts(theirs),
            }
        })
    }

    /// Moves instructions whose phase is over to the next one.
    fn advance(&mut self, core: usize) -> bool {
        let mut progress = false;
        for i in 0..self.cores[core].active.len() {
            let active = &self.cores[core].active[i];
            if active.done.is_some() || active.remaining > EPSILON {
                continue;
            }
            let (index, phase, start) = (active.index, active.phase, active.phase_start);
            let Some(task) = self.task(core, index) else { continue };
            let (stage, tail) = (task.phases[phase].stage, task.tail);
            let next = task.phases.get(phase + 1).map(|next| (next.stage, next.cycles));
            let state = &mut self.cores[core];
            let engine = state.active[i].engine;
            match next {
                Some((next, _)) if next != stage && state.acquire(next).is_none() => continue,
                Some((next, cycles)) => {
                    if next != stage {
                        state.release(stage, engine);
                    }
                    let active = &mut state.active[i];
                    active.phase += 1;
                    active.remaining = cycles as f64;
                    active.phase_start = self.now;
                }
                None => {
                    state.release(stage, engine);
                    state.active[i].done = Some(self.now + tail);
                }
            }
            self.record(core, index, (stage, engine), start);
            progress = true;
        }
        progress
    }

    /// Notes what a stage did until now.
    fn record(&mut self, core: usize, index: usize, (stage, engine): (Stage, usize), start: u64) {
        let busy = &mut self.outcome.busy[core];
        let total = match stage {
            Stage::Engine => &mut busy.engines[engine],
            Stage::Preload => &mut busy.preload,
            Stage::Array => &mut busy.array,
            Stage::Vector => &mut busy.vector,
            Stage::Unload => &mut 0,
        };
        *total += self.now - start;
        if self.keeps_spans && self.now > start {
            self.outcome.spans.push(Span { core, unit: unit(stage, engine), instruction: index, start, end: self.now });
        }
    }

    /// Completes instructions, in order in each queue.
    fn retire(&mut self, core: usize) -> bool {
        let now = self.now;
        let state = &mut self.cores[core];
        let mut blocked = [false; 3];
        let is_complete = &mut state.is_complete;
        let before = state.active.len();
        state.active.retain(|active| {
            let blocked = &mut blocked[active.queue as usize];
            *blocked |= active.done.is_none_or(|done| done > now);
            is_complete[active.index] |= !*blocked;
            *blocked
        });
        state.active.len() < before
    }

    /// Cycles to the next event, all phases moved on by as many; nothing when all is done.
    fn step(&mut self, resources: &Resources) -> Option<u64> {
        let mut flows: Vec<(usize, usize)> = Vec::new();
        let mut next: Option<u64> = None;
        let mut at = |time: u64| next = Some(next.map_or(time, |next: u64| next.min(time)));
        for (core, state) in self.cores.iter().enumerate() {
            for (i, active) in state.active.iter().enumerate() {
                match active.done {
                    Some(done) if done > self.now => at(done),
                    None if active.remaining > EPSILON => flows.push((core, i)),
                    _ => {}
                }
            }
            if state.next < self.program.cores[core].len() && state.next_issue > self.now {
                at(state.next_issue);
            }
        }
        let demands: Vec<&[Demand]> = flows.iter().map(|&(core, i)| self.demands(core, i)).collect();
        let speeds = speeds(&demands, &resources.capacity);
        for (&(core, i), speed) in flows.iter().zip(&speeds) {
            let cycles = (self.cores[core].active[i].remaining - EPSILON) / speed.factor;
            at(self.now.saturating_add((cycles.ceil() as u64).max(1)));
        }
        let step = next? - self.now;
        for (&(core, i), speed) in flows.iter().zip(&speeds) {
            self.cores[core].active[i].remaining -= speed.factor * step as f64;
            if let Some(limit) = speed.limit {
                self.outcome.slowed[resources.memory[limit]] += (1.0 - speed.factor) * step as f64;
            }
        }
        Some(step)
    }

    fn demands(&self, core: usize, i: usize) -> &[Demand] {
        let active = &self.cores[core].active[i];
        self.task(core, active.index).map_or(&[], |task| &task.phases[active.phase].demands)
    }
}

/// Whether a product reads what another one writes as sums, or the other way round. Sums of both pass through the array in order.
fn operand_hazard(mine: &crate::check::Effects, theirs: &crate::check::Effects) -> bool {
    let reads = |reader: &crate::check::Effects, writer: &crate::check::Effects| {
        let Some(write) = writer.write else { return false };
        let operands = reader.reads.iter().filter(|read| Some(**read) != reader.write);
        operands.into_iter().any(|read| read.overlaps(&write))
    };
    reads(mine, theirs) || reads(theirs, mine)
}

/// The line of a timeline that shows a stage.
fn unit(stage: Stage, engine: usize) -> Unit {
    match stage {
        Stage::Engine => Unit::Dma(engine),
        Stage::Preload => Unit::Preload,
        Stage::Array => Unit::Matrix,
        Stage::Unload => Unit::Unload,
        Stage::Vector => Unit::Vector,
    }
}
