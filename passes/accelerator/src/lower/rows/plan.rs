//! How the rows of a chain are cut into blocks, and where these lie.
//!
//! What comes for a block, and what is stored of it, has two slots, so that transfers go on while the vector unit works on the block between. Results in
//! between have one, and share it with others that are not needed at the same time.

use dl_simulator::ElementType;
use dl_simulator::machine::{Machine, MemoryKind};

use super::cost;
use super::work::{Span, Work};
use crate::lower::blocks::Cut;
use crate::lower::cost::Prediction;
use crate::lower::place::{Allocator, Slot, spread};
use crate::lower::plan::MOST_BLOCKS;
use crate::lower::select::{Shape, Source};

/// So many of the best candidates are played out at most.
const MOST_PLAYED: usize = 24;

/// A way to do some work.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How rows and columns are cut.
    pub cuts: [Cut; 2],
    /// Blocks of rows and of columns.
    pub counts: [u64; 2],
    /// All places.
    pub slots: Vec<Slot>,
    /// The slots of each input: one if it is the same for all blocks.
    pub inputs: Vec<Vec<usize>>,
    /// The slots of the result of each step.
    pub steps: Vec<Vec<usize>>,
    /// How long it should take.
    pub prediction: Prediction,
}

impl Plan {
    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.counts[0] * self.counts[1]
    }

    /// Cores that have something to do.
    pub fn cores(&self, machine: &Machine) -> u64 {
        (machine.cores.count() as u64).min(self.blocks())
    }

    /// The blocks of a core.
    pub fn share(&self, core: u64, cores: u64) -> std::ops::Range<u64> {
        let each = self.blocks().div_ceil(cores.max(1));
        core * each..((core + 1) * each).min(self.blocks())
    }

    /// Block of rows and of columns.
    pub fn at(&self, block: u64) -> [u64; 2] {
        [block / self.counts[1], block % self.counts[1]]
    }

    /// Whether an input is the same for all blocks.
    pub fn is_shared(&self, span: Span) -> bool {
        is_shared(self.counts, span)
    }

    /// The slot of a source in block number `block` of a core.
    pub fn slot(&self, source: Source, block: u64) -> usize {
        let slots = match source {
            Source::Input(at) => &self.inputs[at],
            Source::Step(at) => &self.steps[at],
            Source::Sums => return 0,
        };
        slots[(block % slots.len() as u64) as usize]
    }

    /// Whether something is stored from a place that an input came to: the next one then waits for the store.
    pub fn stores_inputs(&self, work: &Work) -> bool {
        let stored = work.outputs.iter().map(|output| self.slot(output.source, 0));
        stored.into_iter().any(|slot| self.inputs.iter().any(|slots| slots.contains(&slot)))
    }

    /// The longest row of padding that each input takes alone; `None` if transfers of some block cannot be done. Costs O(blocks).
    pub fn padding(&self, work: &Work, machine: &Machine) -> Option<Vec<u64>> {
        let mut longest = vec![0; work.inputs.len()];
        let mut blocks: Vec<u64> = (0..self.blocks()).collect();
        // Where nothing is padded, blocks differ in nothing but where they begin and whether they are whole.
        let is_padded = |input: &crate::lower::select::Input| matches!(&input.shape, Shape::Matrix(access) if access.padding.is_some());
        if machine.memories[machine.dram()].alignment == 1 && !work.inputs.iter().any(|(input, _)| is_padded(input)) {
            let [rows, columns] = self.counts;
            blocks = vec![0, columns - 1, (rows - 1) * columns, rows * columns - 1];
        }
        for block in blocks {
            let ranges = work.ranges(&self.cuts, self.at(block));
            for (at, (input, span)) in work.inputs.iter().enumerate() {
                let (Shape::Matrix(access) | Shape::Row(access)) = &input.shape else { continue };
                let slot = &self.slots[self.inputs[at][0]];
                let moves = work.moves(machine, access, *span, &ranges, slot.stride)?;
                for each in moves {
                    each.is_aligned(machine, slot.memory, input.element.size()).then_some(())?;
                    if each.outside.is_none() {
                        let row = each.steps.last().map_or(1, |row| row.extent * row.outside);
                        longest[at] = longest[at].max(row).max(1);
                    }
                }
            }
            for output in &work.outputs {
                let slot = &self.slots[self.slot(output.source, 0)];
                let span = work.span(output.source);
                let moves = work.moves(machine, &output.access, span, &ranges, slot.stride)?;
                moves.iter().all(|each| each.is_aligned(machine, slot.memory, slot.element.size())).then_some(())?;
            }
        }
        Some(longest)
    }
}

fn is_shared(counts: [u64; 2], span: Span) -> bool {
    !span.rows && (!span.columns || counts[1] == 1)
}

/// The ways to do some work that fit the machine, that with the fewest predicted cycles first; each with what padding it needs.
pub fn plans(work: &Work, machine: &Machine) -> Vec<Plan> {
    MOST_BLOCKS.into_iter().map(|most| best(work, machine, most)).find(|plans| !plans.is_empty()).unwrap_or_default()
}

/// Those of at most so many blocks.
fn best(work: &Work, machine: &Machine, most_blocks: u64) -> Vec<Plan> {
    let [rows, columns] = &work.groups;
    let lanes = machine.vector.as_ref().map_or(1, |unit| u64::from(unit.lanes));
    let whole = [columns.whole()];
    let of_rows = rows.cuts(1);
    let of_columns = if work.is_whole { whole.to_vec() } else { columns.cuts(lanes) };
    let memories = homes(work, machine);
    let mut found = Vec::new();
    for row in &of_rows {
        for column in &of_columns {
            let cuts = [row.clone(), column.clone()];
            let counts = [rows.count(row), columns.count(column)];
            if counts[0].saturating_mul(counts[1]) > most_blocks {
                continue;
            }
            let Some(transfers) = cost::transfers(work, machine, &cuts) else { continue };
            for &home in &memories {
                let Some(mut plan) = place(work, machine, cuts.clone(), counts, home) else { continue };
                let costs = cost::Costs::new(work, machine, &plan, &transfers);
                plan.prediction = costs.bound();
                found.push((plan, transfers.clone()));
            }
        }
    }
    let key = |plan: &Plan| (plan.prediction.cycles, plan.blocks());
    found.sort_by_key(|(plan, _)| key(plan));
    found.truncate(MOST_PLAYED);
    for (plan, transfers) in &mut found {
        plan.prediction = cost::Costs::new(work, machine, plan, transfers).predict();
    }
    let mut plans: Vec<Plan> = found.into_iter().map(|(plan, _)| plan).collect();
    plans.sort_by_key(key);
    plans.into_iter().skip_while(|plan| plan.padding(work, machine).is_none()).collect()
}

/// Memories for elements of less than four bytes, and for others.
fn homes(work: &Work, machine: &Machine) -> Vec<[usize; 2]> {
    let all: Vec<usize> = match &machine.vector {
        Some(unit) if !work.steps.is_empty() => unit.memories.clone(),
        _ => (0..machine.memories.len()).filter(|&at| machine.memories[at].kind != MemoryKind::Dram).collect(),
    };
    all.iter().flat_map(|&narrow| all.iter().map(move |&wide| [narrow, wide])).collect()
}

/// The candidate that is cut like this, if it fits.
fn place(work: &Work, machine: &Machine, cuts: [Cut; 2], counts: [u64; 2], home: [usize; 2]) -> Option<Plan> {
    let block = [0, 1].map(|at| cuts[at].size());
    let mut allocator = Allocator::new(machine);
    let mut slots: Vec<Slot> = Vec::new();
    let mut new = |count: usize, span: Span, element: ElementType| -> Option<Vec<usize>> {
        let memory = home[usize::from(element.size() >= 4)];
        // What has one column is kept as a row.
        let shape = if span.columns { span.shape(block) } else { [1, span.shape(block)[0]] };
        (0..count)
            .map(|_| {
                slots.push(allocator.slot(memory, shape, element)?);
                Some(slots.len() - 1)
            })
            .collect()
    };
    let blocks = counts[0] * counts[1];
    let double = if blocks > machine.cores.count() as u64 { 2 } else { 1 };
    let mut inputs: Vec<Vec<usize>> = Vec::new();
    for (input, span) in &work.inputs {
        inputs.push(new(if is_shared(counts, *span) { 1 } else { double }, *span, input.element)?);
    }
    let mut steps: Vec<Vec<usize>> = Vec::new();
    // Slots that are not needed any more, with what they were made for.
    let mut free: Vec<(Span, u64, usize)> = Vec::new();
    for (at, (step, span)) in work.steps.iter().enumerate() {
        let size = step.element.size();
        let is_stored = work.last_use(Source::Step(at)) == usize::MAX;
        let wanted = if is_stored { double } else { 1 };
        let place = |source: Source| match source {
            Source::Input(at) => &inputs[at],
            Source::Step(at) => &steps[at],
            Source::Sums => &inputs[0],
        };
        let ends = |source: Source| {
            let is_shared = matches!(source, Source::Input(of) if is_shared(counts, work.inputs[of].1));
            !is_shared && work.last_use(source) == at
        };
        let fits = |source: Source| {
            ends(source)
                && work.span(source) == *span
                && work.element(source).size() == size
                && place(source).len() >= wanted
        };
        let in_place = step.operands.iter().copied().find(|source| fits(*source));
        let found = if let Some(source) = in_place {
            place(source).clone()
        } else {
            let known = free.iter().position(|(of, bytes, _)| of == span && *bytes == size);
            match known.filter(|_| wanted == 1) {
                Some(known) => vec![free.swap_remove(known).2],
                None => new(wanted, *span, step.element)?,
            }
        };
        // Two operands may be one.
        let mut ended: Vec<Source> = step.operands.iter().copied().filter(|of| ends(*of)).collect();
        ended.dedup();
        for source in ended.into_iter().filter(|of| Some(*of) != in_place) {
            if let ([only], Source::Step(_)) = (&place(source)[..], source) {
                free.push((work.span(source), work.element(source).size(), *only));
            }
        }
        steps.push(found);
    }
    let mut uses = vec![0_u64; slots.len()];
    for (at, (step, _)) in work.steps.iter().enumerate() {
        for source in step.operands.iter().copied().chain([Source::Step(at)]) {
            let span = work.span(source);
            let part = span.shape(block).iter().product::<u64>() * work.element(source).size();
            let list = match source {
                Source::Input(at) => &inputs[at],
                Source::Step(at) => &steps[at],
                Source::Sums => continue,
            };
            list.iter().for_each(|&slot| uses[slot] += part / list.len() as u64);
        }
    }
    spread(machine, uses.into_iter().zip(&mut slots).collect());
    Some(Plan { cuts, counts, slots, inputs, steps, prediction: Prediction::default() })
}
