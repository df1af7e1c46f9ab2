//! How a product is cut into blocks, and where these lie.
//!
//! Blocks of both operands pass through two slots each, so that the next ones are loaded while the array works. Sums stay in the accumulators until they
//! are complete; then the epilogue works on them, and its result is stored. Each candidate is placed in the memories of a core: one that does not fit is
//! none. The cost model orders those that do (`dl_simulator::schedule::predict`).

use std::fmt::Write as _;

use dl_ir::OpRef;
use dl_simulator::ElementType;
use dl_simulator::machine::{Machine, MatrixUnit};
use dl_simulator::schedule::{Finish, Prediction, block_extents, predict, unit};

use super::product::Product;
use super::select::{Epilogue, Shape, Source};

/// More blocks than this make a launch that nobody can read, and hardly hold.
const MOST_BLOCKS: u64 = 1 << 12;

/// A matrix that has a place in a memory of each core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The memory of the machine.
    pub memory: usize,
    /// Where it begins, in bytes.
    pub offset: u64,
    /// Rows that there is room for.
    pub rows: u64,
    /// Elements from row to row.
    pub stride: u64,
    /// Type of its elements.
    pub element: ElementType,
}

/// Where the result of a step, or an input, is.
#[derive(Clone, Debug)]
pub enum Home {
    /// In place of an operand.
    InPlace(Source),
    /// In slots of its own: one for each slot of sums, or one.
    Slots(Vec<Slot>),
}

/// A way to compute a product.
#[derive(Clone, Debug)]
pub struct Plan {
    /// `m`, `n` and `k` of a block.
    pub block: [u64; 3],
    /// Two for each operand.
    pub operands: [Vec<Slot>; 2],
    /// One or two.
    pub sums: Vec<Slot>,
    /// Of each step of the epilogue, where its result goes.
    pub steps: Vec<Home>,
    /// Of each input of the epilogue, where it lies.
    pub inputs: Vec<Vec<Slot>>,
    /// How long it should take.
    pub prediction: Prediction,
}

/// All ways to compute a product that fit the machine, that with the fewest predicted cycles first.
///
/// # Errors
/// Why the machine cannot compute it.
pub fn plans(machine: &Machine, product: &Product, epilogue: &Epilogue) -> Result<Vec<Plan>, String> {
    let shape = product.shape();
    let unit = unit(machine, shape)?;
    for operand in [&product.lhs, &product.rhs, &product.result] {
        if operand.dims[0] > operand.dims[1] && !machine.dma.transpose {
            return Err(format!("machine '{}' does not transpose", machine.name));
        }
    }
    let [rows, columns, terms] = block_extents(unit, shape);
    let mut found = Vec::new();
    for &bm in &rows {
        for &bn in &columns {
            for &bk in &terms {
                found.extend(place(machine, unit, product, epilogue, [bm, bn, bk]));
            }
        }
    }
    // Of equal ones, the one with smaller blocks, which leaves more memory to others.
    found.sort_by_key(|plan: &Plan| (plan.prediction.cycles, plan.block));
    Ok(found)
}

impl Plan {
    /// All that has a place.
    fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        let own = self.steps.iter_mut().filter_map(|home| match home {
            Home::Slots(slots) => Some(slots),
            Home::InPlace(_) => None,
        });
        let fixed = self.operands.iter_mut().chain([&mut self.sums]);
        fixed.chain(self.inputs.iter_mut()).chain(own).flatten()
    }

    /// Gives each large matrix an equal part of its memory, where they fit: matrices in banks of their own do not slow each other down. Small ones go
    /// behind the last of them.
    fn spread(&mut self, machine: &Machine, sizes: &[Vec<u64>]) {
        for (index, memory) in machine.memories.iter().enumerate() {
            let largest = sizes[index].iter().max().copied().unwrap_or_default();
            let is_large = |size: u64| size > largest / 8;
            let count = sizes[index].iter().filter(|size| is_large(**size)).count() as u64;
            if count == 0 {
                continue;
            }
            let part = memory.size / count / memory.alignment * memory.alignment;
            // In the order of addresses, which is that in which they are used.
            let mut mine: Vec<&mut Slot> = self.slots_mut().filter(|slot| slot.memory == index).collect();
            mine.sort_by_key(|slot| slot.offset);
            let (mut place, mut end) = (0, (count - 1) * part + largest);
            let mut offsets = Vec::new();
            for slot in &mine {
                let size = slot.rows * slot.stride * slot.element.size();
                let offset = if is_large(size) { place * part } else { end.next_multiple_of(memory.alignment) };
                if is_large(size) {
                    place += 1;
                } else {
                    end = offset + size;
                }
                offsets.push(offset);
            }
            if largest <= part && end <= memory.size {
                mine.into_iter().zip(offsets).for_each(|(slot, offset)| slot.offset = offset);
            }
        }
    }
}

/// Places matrices in memories, one behind the other.
struct Allocator<'a> {
    machine: &'a Machine,
    ends: Vec<u64>,
    /// Of each memory, the bytes of what is in it.
    sizes: Vec<Vec<u64>>,
}

impl<'a> Allocator<'a> {
    fn new(machine: &'a Machine) -> Self {
        let count = machine.memories.len();
        Self { machine, ends: vec![0; count], sizes: vec![Vec::new(); count] }
    }

    fn slot(&mut self, memory: usize, [rows, columns]: [u64; 2], element: ElementType) -> Option<Slot> {
        let of = &self.machine.memories[memory];
        let pitch = columns.checked_mul(element.size())?.checked_next_multiple_of(of.alignment.max(element.size()))?;
        let offset = self.ends[memory].checked_next_multiple_of(of.alignment)?;
        let size = rows.checked_mul(pitch)?;
        let end = offset.checked_add(size)?;
        self.ends[memory] = end;
        self.sizes[memory].push(size);
        (end <= of.size).then_some(Slot { memory, offset, rows, stride: pitch / element.size(), element })
    }
}

fn place(
    machine: &Machine,
    unit: &MatrixUnit,
    product: &Product,
    epilogue: &Epilogue,
    block: [u64; 3],
) -> Option<Plan> {
    let [bm, bn, bk] = [0, 1, 2].map(|i| block[i].min(product.extents[i]));
    let blocks = [0, 1, 2].map(|i| product.extents[i].div_ceil(block[i]));
    if blocks.iter().product::<u64>().checked_mul(product.batch)? > MOST_BLOCKS
        || !is_aligned(machine, unit, product, epilogue, [bm, bn, bk])
    {
        return None;
    }
    [2, 1].into_iter().find_map(|slots| {
        let mut allocator = Allocator::new(machine);
        let types = product.types;
        // What one step uses comes first, then what the next one uses.
        let mut lhs = vec![allocator.slot(unit.lhs, [bm, bk], types.lhs)?];
        let mut rhs = vec![allocator.slot(unit.rhs, [bk, bn], types.rhs)?];
        let mut sums = vec![allocator.slot(unit.accumulator, [bm, bn], types.accumulator)?];
        lhs.push(allocator.slot(unit.lhs, [bm, bk], types.lhs)?);
        rhs.push(allocator.slot(unit.rhs, [bk, bn], types.rhs)?);
        for _ in 1..slots {
            sums.push(allocator.slot(unit.accumulator, [bm, bn], types.accumulator)?);
        }
        let reached = |element: ElementType| vector_memory(machine, unit, element);
        let mut inputs = Vec::new();
        for input in &epilogue.inputs {
            let memory = reached(input.element)?;
            let (shape, count) = match input.shape {
                Shape::Matrix(_) => ([bm, bn], slots),
                Shape::Row(_) => ([1, product.extents[1]], 1),
                Shape::Scalar(_) => ([1, 1], 1),
            };
            inputs.push((0..count).map(|_| allocator.slot(memory, shape, input.element)).collect::<Option<Vec<_>>>()?);
        }
        let mut steps: Vec<Home> = Vec::new();
        for step in &epilogue.steps {
            let first = step.operands[0];
            let size = match first {
                Source::Sums => types.accumulator.size(),
                Source::Step(at) => epilogue.steps[at].element.size(),
                Source::Input(_) => 0,
            };
            steps.push(if size == step.element.size() && epilogue.uses(first) == 1 {
                Home::InPlace(first)
            } else {
                let memory = reached(step.element)?;
                let own = (0..slots).map(|_| allocator.slot(memory, [bm, bn], step.element));
                Home::Slots(own.collect::<Option<_>>()?)
            });
        }
        let finish = finish(machine, epilogue, slots, bm * bn)?;
        // Each of a batch is a product of its own, one after the other.
        let mut prediction = predict(machine, unit, product.shape(), block, finish);
        let repeated = (product.batch - 1) * prediction.compute.max(prediction.dma).max(prediction.dram);
        prediction.cycles = prediction.cycles.checked_add(repeated)?;
        let mut plan = Plan { block, operands: [lhs, rhs], sums, steps, inputs, prediction };
        plan.spread(machine, &allocator.sizes);
        Some(plan)
    })
}

/// The memory that intermediate results are kept in: where sums are, or where the operands are, whatever the vector unit reaches.
fn vector_memory(machine: &Machine, unit: &MatrixUnit, element: ElementType) -> Option<usize> {
    let reached = &machine.vector.as_ref()?.memories;
    let order = if element.size() < 4 { [unit.lhs, unit.accumulator] } else { [unit.accumulator, unit.lhs] };
    order.into_iter().find(|memory| reached.contains(memory)).or_else(|| reached.first().copied())
}

/// What the epilogue takes for a block of so many elements.
fn finish(machine: &Machine, epilogue: &Epilogue, slots: usize, elements: u64) -> Option<Finish> {
    let cycles = |step: &super::select::Step| {
        let unit = machine.vector.as_ref()?;
        let each = elements.div_ceil(u64::from(unit.lanes)) * u64::from(unit.cycles(step.function.vector())?);
        Some(each + u64::from(unit.latency))
    };
    let all: Vec<u64> = epilogue.steps.iter().map(cycles).collect::<Option<_>>()?;
    let vector: u64 = all.iter().sum();
    let blocking = vector - all.last().copied().unwrap_or_default();
    Some(Finish { slots, stored: epilogue.stored, steps: all.len() as u64, vector, blocking })
}

/// Whether tiles within blocks begin at addresses that the memories allow, and blocks at such that DRAM does.
fn is_aligned(
    machine: &Machine,
    unit: &MatrixUnit,
    product: &Product,
    epilogue: &Epilogue,
    [bm, bn, bk]: [u64; 3],
) -> bool {
    let [_, tile_n, tile_k] = unit.limits().map(u64::from);
    let inside = |memory: usize, columns: u64, tile: u64, element: ElementType| {
        columns <= tile || (tile * element.size()).is_multiple_of(machine.memories[memory].alignment)
    };
    let alignment = machine.memories[machine.dram()].alignment;
    let [m, n, k] = product.extents;
    let outside = |[rows, columns]: [u64; 2], [down, across]: [u64; 2], element: ElementType| {
        (rows <= down || (down * columns * element.size()).is_multiple_of(alignment))
            && (columns <= across || (across * element.size()).is_multiple_of(alignment))
            && (product.batch == 1 || (rows * columns * element.size()).is_multiple_of(alignment))
    };
    // A part of a row, which all blocks share, begins where a block does.
    let rows = epilogue.inputs.iter().filter(|input| matches!(input.shape, Shape::Row(_)));
    let mut parts = rows.filter_map(|input| Some((vector_memory(machine, unit, input.element)?, input.element)));
    let types = product.types;
    inside(unit.lhs, bk, tile_k, types.lhs)
        && inside(unit.rhs, bn, tile_n, types.rhs)
        && inside(unit.accumulator, bn, tile_n, types.accumulator)
        && parts.all(|(memory, element)| {
            n <= bn || (bn * element.size()).is_multiple_of(machine.memories[memory].alignment)
        })
        && outside([m, k], [bm, bk], types.lhs)
        && outside([k, n], [bk, bn], types.rhs)
        && outside([m, n], [bm, bn], epilogue.stored)
}

/// The first `count` of some plans as a table.
pub fn explain(op: OpRef<'_>, product: &Product, plans: &[Plan], count: usize) -> String {
    let [m, n, k] = product.extents;
    let (name, types) = (op.name(), product.types);
    let mut text = format!("{name} {}x{m}x{n}x{k} {types}: {} blocks fit\n", product.batch, plans.len());
    let header = ["block", "predicted", "compute", "dma", "dram"];
    let _ = writeln!(text, "{:>16} {:>12} {:>12} {:>12} {:>12}", header[0], header[1], header[2], header[3], header[4]);
    for Plan { block: [m, n, k], prediction, .. } in plans.iter().take(count) {
        let block = format!("{m}x{n}x{k}");
        let Prediction { cycles, compute, dma, dram, .. } = prediction;
        let _ = writeln!(text, "{block:>16} {cycles:>12} {compute:>12} {dma:>12} {dram:>12}");
    }
    text
}
