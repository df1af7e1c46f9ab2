//! Whether instructions that touch the same bytes are ordered.
//!
//! Instructions of a queue take effect in order. Between queues only tokens, `wait` and `barrier` order them: a token says that its instruction and all
//! before it in its queue are complete. So what an instruction may rely on is, for each other queue, that the first so many instructions of it are
//! complete: a vector clock. Two instructions conflict if one writes what the other touches and neither clock covers the other.
//!
//! Cores are ordered by barriers only; what they share is DRAM.
//!
//! Costs O(1) per instruction for each one in another queue that is not known to be complete; between cores, O(bytes) of what is stored.

use rustc_hash::FxHashMap;

use super::{Checked, Fault};
use crate::footprint::Footprint;
use crate::program::{Base, Op, Program, Queue, Shown};

/// How many instructions of each queue are complete.
type Clock = [u32; 3];

fn join(clock: &mut Clock, other: &Clock) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

pub(super) fn check(program: &Program, checked: &Checked) -> Result<(), Fault> {
    for core in 0..program.cores.len() {
        queues(program, checked, core)?;
    }
    if program.cores.len() > 1 { cores(program, checked) } else { Ok(()) }
}

/// Something that is touched.
struct Access {
    /// Which instruction of its queue does it, and of the core.
    number: u32,
    instruction: usize,
    footprint: Footprint,
    is_write: bool,
}

/// What a queue touches of a memory or buffer.
#[derive(Default)]
struct Outstanding {
    accesses: Vec<Access>,
    /// When to look again for some that are complete for everybody.
    limit: usize,
}

fn queues(program: &Program, checked: &Checked, core: usize) -> Result<(), Fault> {
    let mut clocks = [[0; 3]; 3];
    let mut front: Clock = [0; 3];
    let mut counts: Clock = [0; 3];
    let mut signalled = FxHashMap::default();
    let mut outstanding: FxHashMap<Base, [Outstanding; 3]> = FxHashMap::default();
    for (index, instruction) in program.cores[core].iter().enumerate() {
        let known = instruction.after.iter().filter_map(|token| signalled.get(token));
        let Some(queue) = instruction.op.queue() else {
            known.for_each(|clock| join(&mut front, clock));
            if instruction.op == Op::Barrier {
                front = counts;
            }
            continue;
        };
        let queue = queue as usize;
        let clock = &mut clocks[queue];
        known.for_each(|other| join(clock, other));
        join(clock, &front);
        let clock = *clock;
        let number = counts[queue];
        counts[queue] += 1;
        if let Some(token) = instruction.signals {
            let mut complete = clock;
            complete[queue] = counts[queue];
            signalled.insert(token, complete);
        }
        for (footprint, is_write) in checked.effects[core][index].all() {
            let lists = outstanding.entry(footprint.base).or_default();
            for other in (0..3).filter(|other| *other != queue) {
                let unordered = |access: &&Access| {
                    access.number >= clock[other]
                        && (is_write || access.is_write)
                        && access.footprint.overlaps(footprint)
                };
                if let Some(access) = lists[other].accesses.iter().find(unordered) {
                    return Err(race(program, core, index, (footprint, is_write), access));
                }
            }
            let list = &mut lists[queue];
            if list.accesses.len() >= list.limit {
                let complete = |other: usize| clocks[other][queue].max(front[queue]);
                let least = (0..3).filter(|other| *other != queue).map(complete).min().unwrap_or_default();
                list.accesses.retain(|access| access.number >= least);
                list.limit = list.accesses.len() * 2 + 16;
            }
            list.accesses.push(Access { number, instruction: index, footprint: *footprint, is_write });
        }
    }
    Ok(())
}

fn race(
    program: &Program,
    core: usize,
    index: usize,
    (footprint, is_write): (&Footprint, bool),
    access: &Access,
) -> Fault {
    let verb = |is_write: bool| if is_write { "writes" } else { "reads" };
    let place = crate::program::Address { base: footprint.base, offset: footprint.start };
    let other = &program.cores[core][access.instruction];
    let queue = other.op.queue().map_or("", Queue::name);
    let message = format!(
        "race: {} {} (bytes to {}), which instruction {} ('{}' in the {queue} queue) {}, and no token orders the two",
        verb(is_write),
        Shown(program, place),
        footprint.end,
        access.instruction,
        other.op.name(),
        verb(access.is_write),
    );
    Fault::at(program, core, index, message)
}

/// Between two barriers, no core touches what another one writes.
fn cores(program: &Program, checked: &Checked) -> Result<(), Fault> {
    let mut positions = vec![0; program.cores.len()];
    // For each byte of a buffer, the core that writes it, plus one.
    let mut writers: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
    while positions.iter().zip(&program.cores).any(|(at, core)| *at < core.len()) {
        let epochs: Vec<_> =
            positions.iter().zip(&program.cores).map(|(at, core)| *at..end_of_epoch(core, *at)).collect();
        for (core, epoch) in epochs.iter().enumerate() {
            for index in epoch.clone() {
                let Some(write) = &checked.effects[core][index].write else { continue };
                let Base::Buffer(buffer) = write.base else { continue };
                if let std::collections::hash_map::Entry::Vacant(e) = writers.entry(buffer) {
                    let size = program.buffers[buffer as usize].size().and_then(|size| usize::try_from(size).ok());
                    let map = size.and_then(|size| bytemuck::allocation::try_zeroed_vec(size).ok());
                    let map = map.ok_or_else(|| Fault::new("not enough memory to check what cores share"))?;
                    e.insert(map);
                }
                let map = writers.get_mut(&buffer).map(Vec::as_mut_slice).unwrap_or_default();
                for run in write.runs() {
                    let bytes = &mut map[run as usize..(run + write.run) as usize];
                    if let Some(other) = bytes.iter().find(|byte| **byte != 0 && usize::from(**byte) != core + 1) {
                        return Err(shared(program, core, index, "writes", write, *other));
                    }
                    bytes.fill(core as u8 + 1);
                }
            }
        }
        for (core, epoch) in epochs.iter().enumerate() {
            for index in epoch.clone() {
                for read in &checked.effects[core][index].reads {
                    let Base::Buffer(buffer) = read.base else { continue };
                    let Some(map) = writers.get(&buffer) else { continue };
                    let mut bytes = read.runs().flat_map(|run| &map[run as usize..(run + read.run) as usize]);
                    if let Some(other) = bytes.find(|byte| **byte != 0 && usize::from(**byte) != core + 1) {
                        return Err(shared(program, core, index, "reads", read, *other));
                    }
                }
            }
        }
        for (core, epoch) in epochs.into_iter().enumerate() {
            positions[core] = (epoch.end + 1).min(program.cores[core].len());
            for write in epoch.filter_map(|index| checked.effects[core][index].write) {
                let Base::Buffer(buffer) = write.base else { continue };
                let map = writers.get_mut(&buffer).map(Vec::as_mut_slice).unwrap_or_default();
                write.runs().for_each(|run| map[run as usize..(run + write.run) as usize].fill(0));
            }
        }
    }
    Ok(())
}

/// The index of the next barrier, or the end.
pub(crate) fn end_of_epoch(core: &[crate::program::Instruction], from: usize) -> usize {
    core[from..].iter().position(|instruction| instruction.op == Op::Barrier).map_or(core.len(), |at| from + at)
}

fn shared(program: &Program, core: usize, index: usize, verb: &str, footprint: &Footprint, other: u8) -> Fault {
    let place = crate::program::Address { base: footprint.base, offset: footprint.start };
    let other = other - 1;
    let place = Shown(program, place);
    Fault::at(
        program,
        core,
        index,
        format!("race: {verb} {place}, which core {other} writes, and no barrier orders the two"),
    )
}
