//! The candidates for a product: all cuts, each placed in the memories of a core, with what it costs.

use dl_simulator::ElementType;
use dl_simulator::machine::{Dataflow, Machine, MatrixUnit};

use super::access::Access;
use super::blocks::{Cut, Order};
use super::cost::{self, Costs, Instruction, Prediction, Transfer, rates};
use super::place::{Allocator, Slot, spread};
use super::plan::{Cuts, Home, Plan, moves};
use super::product::Product;
use super::select::{Epilogue, Input, Shape, Source};

/// More blocks than this of an operand do not stay.
pub const MOST_RESIDENT: u64 = 64;

/// All cuts, and what the transfers of their blocks cost wherever these lie.
pub struct Space<'a> {
    /// What computes the product.
    pub machine: &'a Machine,
    unit: &'a MatrixUnit,
    /// What is computed.
    pub product: &'a Product,
    /// What happens to its result.
    pub epilogue: &'a Epilogue,
    /// Of rows, columns and terms.
    pub cuts: [Vec<Cut>; 3],
    /// Of both operands and of the result; `None` where the engines cannot do it.
    tables: [Vec<Option<Transfer>>; 3],
    /// Of what sums begin with, if they do not begin with zero.
    init: Vec<Vec<Option<Transfer>>>,
    /// Of inputs of the epilogue that each block of the result has its own part of.
    inputs: Vec<Vec<Option<Transfer>>>,
}

/// The groups of loops along rows and columns of both operands and of the result.
const SIDES: [[usize; 2]; 3] = [[0, 2], [2, 1], [0, 1]];

impl<'a> Space<'a> {
    /// All cuts of a product on a machine.
    pub fn new(
        machine: &'a Machine,
        unit: &'a MatrixUnit,
        product: &'a Product,
        epilogue: &'a Epilogue,
        cuts: [Vec<Cut>; 3],
    ) -> Self {
        let table = |access: &Access, [down, across]: [usize; 2], memory: usize| -> Vec<Option<Transfer>> {
            let alignment = machine.memories[memory].alignment;
            let size = access.element.size();
            let pairs = cuts[down].iter().flat_map(|row| cuts[across].iter().map(move |column| (row, column)));
            let cost = |(row, column): (&Cut, &Cut)| {
                let mut ranges = product.ranges();
                // One in the middle stands for all: those at the edges have more padding, and less in them.
                for (group, cut) in [(&product.groups[down], row), (&product.groups[across], column)] {
                    group.select(cut, group.middle(cut), &mut ranges);
                }
                let stride = (column.size() * size).next_multiple_of(alignment.max(size)) / size;
                let moves = moves(product, machine, access, [down, across], &ranges, stride)?;
                Transfer::of(&moves, machine, memory, size)
            };
            pairs.map(cost).collect()
        };
        let stored = product.result.with(product.result.value, epilogue.stored);
        // Where it lies decides how it is aligned.
        let home = if epilogue.steps.is_empty() { None } else { vector_memory(machine, unit, epilogue.stored) };
        let tables = [
            table(&product.lhs, SIDES[0], unit.lhs),
            table(&product.rhs, SIDES[1], unit.rhs),
            table(&stored, SIDES[2], home.unwrap_or(unit.accumulator)),
        ];
        let init = product.adds_to_init.then(|| table(&product.result, SIDES[2], unit.accumulator));
        let mut inputs = Vec::new();
        for input in &epilogue.inputs {
            if let (Shape::Matrix(access), Some(memory)) = (&input.shape, input_memory(machine, unit, product, input)) {
                inputs.push(table(access, SIDES[2], memory));
            }
        }
        Self { machine, unit, product, epilogue, cuts, tables, init: init.into_iter().collect(), inputs }
    }

    /// What transfers of a block cost, which is cut like this.
    fn transfer(&self, table: &[Option<Transfer>], side: usize, at: [usize; 3]) -> Option<Transfer> {
        let [down, across] = SIDES[side];
        table[at[down] * self.cuts[across].len() + at[across]]
    }

    /// The candidates that are cut like this, into at most so many blocks, with their costs, `cycles` the least that they could take.
    pub fn candidates(&self, at: [usize; 3], most_blocks: u64) -> Vec<(Plan, Costs<'a>)> {
        let cuts = [0, 1, 2].map(|group| self.cuts[group][at[group]].clone());
        let counts = [0, 1, 2].map(|group| self.product.groups[group].count(&cuts[group]));
        let orders: &[bool] = if counts[0].min(counts[1]) > 1 { &[false, true] } else { &[false] };
        let place = |&columns_first: &bool| {
            let order = Order { counts, batch: self.product.batch.extent(), columns_first };
            let blocks = order.counts.iter().try_fold(order.batch, |blocks, count| blocks.checked_mul(*count))?;
            if blocks > most_blocks { None } else { self.place(at, &Cuts { cuts: cuts.clone(), order }) }
        };
        orders.iter().filter_map(place).collect()
    }

    fn place(&self, at: [usize; 3], cuts: &Cuts) -> Option<(Plan, Costs<'a>)> {
        let order = cuts.order;
        if !is_aligned(self.machine, self.unit, self.product, self.epilogue, cuts) {
            return None;
        }
        let [rows, columns, terms] = order.counts;
        // The operand that comes again for each block of the outer loop may stay.
        let (again, distinct) = if order.columns_first { (0, rows * terms) } else { (1, columns * terms) };
        let is_repeated = if order.columns_first { columns > 1 } else { rows > 1 } && order.batch == 1;
        let stays = (is_repeated && (3..=MOST_RESIDENT).contains(&distinct)).then_some(distinct);
        stays.into_iter().chain([2]).find_map(|count| {
            [2, 1].into_iter().find_map(|of_sums| {
                let mut slots = [2, 2];
                slots[again] = count;
                let all = [order.batch * rows * terms, order.batch * columns * terms];
                let slots = [0, 1].map(|operand| slots[operand].min(all[operand]));
                self.place_slots(at, cuts, slots, of_sums.min(order.blocks()))
            })
        })
    }

    /// The candidate with so many slots for operands and sums, if they fit.
    fn place_slots(&self, at: [usize; 3], cuts: &Cuts, slots: [u64; 2], of_sums: u64) -> Option<(Plan, Costs<'a>)> {
        let Self { machine, unit, product, epilogue, .. } = *self;
        let [bm, bn, bk] = cuts.block();
        let mut allocator = Allocator::new(machine);
        let types = product.types;
        let lhs = allocator.slots(slots[0], unit.lhs, [bm, bk], types.lhs)?;
        let rhs = allocator.slots(slots[1], unit.rhs, [bk, bn], types.rhs)?;
        let sums = allocator.slots(of_sums, unit.accumulator, [bm, bn], types.accumulator)?;
        let reached = |element: ElementType| vector_memory(machine, unit, element);
        let mut inputs = Vec::new();
        for input in &epilogue.inputs {
            let (shape, count) = match input.shape {
                Shape::Matrix(_) => ([bm, bn], of_sums),
                Shape::Row(_) => ([1, product.groups[1].extent()], 1),
                Shape::Scalar(_) => ([1, 1], 1),
            };
            let memory = input_memory(machine, unit, product, input)?;
            inputs.push(allocator.slots(count, memory, shape, input.element)?);
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
                Home::Slots(allocator.slots(of_sums, reached(step.element)?, [bm, bn], step.element)?)
            });
        }
        let portions = (epilogue.steps.len() as u64).div_ceil(cuts.order.counts[2]);
        let portions = portions.clamp(1, bn.div_ceil(unit.limits()[1].into()));
        let prediction = Prediction::default();
        let operands = [lhs, rhs];
        let mut plan = Plan { cuts: cuts.clone(), operands, sums, steps, inputs, portions, prediction };
        spread(machine, plan.slots_mut());
        let costs = self.costs(at, &plan)?;
        plan.prediction = costs.bound();
        Some((plan, costs))
    }

    /// What the blocks of a plan cost.
    fn costs(&self, at: [usize; 3], plan: &Plan) -> Option<Costs<'a>> {
        let Self { machine, unit, product, epilogue, .. } = *self;
        let block = plan.cuts.block();
        let own = [&plan.operands[0][0], &plan.operands[1][0], &plan.sums[0]];
        let asked = rates(unit, block, own);
        // Weights are only read while they are loaded, which is once for all rows.
        let loading = match unit.dataflow {
            Dataflow::WeightStationary => (block[2].min(unit.rows.into()) as f64 / block[0] as f64).min(1.0),
            Dataflow::OutputStationary => 1.0,
        };
        let [lhs, rhs] = &plan.operands;
        let array = [(lhs, asked.lhs, 1.0), (rhs, asked.rhs, loading), (&plan.sums, asked.sums, 1.0)];
        // What slows down the array, which may work on any other slot, while something goes on at this one.
        let clash = |slot: &Slot, rate: f64| -> f64 {
            array.iter().map(|(all, of, part)| part * slot.clashes(rate, all, *of, machine)).sum()
        };
        let bandwidth = machine.dma.bandwidth as f64;
        let moved = |side: usize, slot: &Slot| {
            let transfer = self.transfer(&self.tables[side], side, at)?.at(slot, machine);
            Some(Transfer { clash: transfer.bytes as f64 / bandwidth * clash(slot, bandwidth), ..transfer })
        };
        let last = |slots: &'_ [Slot]| slots[slots.len() - 1].clone();
        let loads = [moved(0, &last(&plan.operands[0]))?, moved(1, &last(&plan.operands[1]))?];
        let store = moved(2, plan.home(epilogue.last(), plan.sums.len() - 1))?;
        // What comes to the places of matrices, one after the other.
        let sum = |tables: &[Vec<Option<Transfer>>], slots: &[&Slot]| {
            tables.iter().zip(slots).try_fold(Transfer::default(), |sum, (table, slot)| {
                Some(sum.and(self.transfer(table, 2, at)?.at(slot, machine)))
            })
        };
        let is_matrix = |input: &Input| matches!(input.shape, Shape::Matrix(_));
        let matrices = epilogue.inputs.iter().zip(&plan.inputs).filter(|(input, _)| is_matrix(input));
        let matrices: Vec<&Slot> = matrices.map(|(_, slots)| &slots[0]).collect();
        let elements = block[0] * block[1];
        let instruction = |(at, step): (usize, &super::select::Step)| {
            let vector = machine.vector.as_ref()?;
            let each = f64::from(vector.cycles(step.function.vector())?);
            let alone = elements.div_ceil(vector.lanes.into()) as f64 * each;
            let slot = plan.sums.len() - 1;
            // What is the same for all rows is read once.
            let read = |source: Source| match source {
                Source::Input(at) => match epilogue.inputs[at].shape {
                    Shape::Matrix(_) => elements,
                    Shape::Row(_) => block[1],
                    Shape::Scalar(_) => 1,
                },
                Source::Sums | Source::Step(_) => elements,
            };
            let touched = step.operands.iter().copied().chain([Source::Step(at)]).map(|source| {
                let home = plan.home(source, slot);
                (home, (read(source) * home.element.size()) as f64)
            });
            let touched: Vec<(&Slot, f64)> = touched.collect();
            // Those in the same place share its banks.
            let busy = |home: &Slot| {
                let same =
                    touched.iter().filter(|(other, _)| other.memory == home.memory && other.offset == home.offset);
                home.cycles(same.map(|(_, bytes)| bytes).sum(), machine)
            };
            let cycles = touched.iter().map(|(home, _)| busy(home)).fold(alone, f64::max);
            let clash = touched.iter().map(|(home, bytes)| cycles * clash(home, bytes / cycles)).sum();
            Some(Instruction { cycles, clash: if plan.sums.len() > 1 { clash } else { 0.0 } })
        };
        Some(Costs {
            machine,
            unit,
            order: plan.cuts.order,
            extents: product.extents(),
            block,
            slots: [plan.operands[0].len(), plan.operands[1].len(), plan.sums.len()],
            loads,
            shared: self.shared(),
            init: sum(&self.init, &[own[2]])?,
            inputs: sum(&self.inputs, &matrices)?,
            store,
            stored: plan.stored(epilogue),
            epilogue: epilogue.steps.iter().enumerate().map(instruction).collect::<Option<_>>()?,
            portions: plan.portions,
            array: cost::array(
                machine,
                unit,
                block,
                [lhs, rhs, &plan.sums],
                own[1].clashes(asked.rhs, &plan.operands[0], asked.lhs, machine),
            ),
            tiles: (0..3).map(|at| block[at].div_ceil(unit.limits()[at].into())).product(),
            preload: cost::preload(machine, unit, block, own[1], asked.rhs),
            drain: cost::drain(unit, block),
        })
    }

    /// What is loaded once: rows, and single numbers, for the epilogue.
    fn shared(&self) -> Vec<Transfer> {
        let burst = self.machine.memories[self.machine.dram()].burst;
        let elements = |input: &Input| match input.shape {
            Shape::Matrix(_) => None,
            Shape::Row(_) => Some(self.product.groups[1].extent()),
            Shape::Scalar(_) => Some(1),
        };
        let transfer = |input: &Input| {
            let bytes = elements(input)? * input.element.size();
            Some(Transfer { count: 1, bytes, outside: bytes.next_multiple_of(burst), ..Transfer::default() })
        };
        self.epilogue.inputs.iter().filter_map(transfer).collect()
    }
}

/// The memory that intermediate results are kept in: where sums are, or where the operands are, whatever the vector unit reaches.
fn vector_memory(machine: &Machine, unit: &MatrixUnit, element: ElementType) -> Option<usize> {
    let reached = &machine.vector.as_ref()?.memories;
    let order = if element.size() < 4 { [unit.lhs, unit.accumulator] } else { [unit.accumulator, unit.lhs] };
    order.into_iter().find(|memory| reached.contains(memory)).or_else(|| reached.first().copied())
}

/// The memory of an input. A row that would take a good part of the memory of sums, where every byte makes blocks smaller, is kept with the operands.
fn input_memory(machine: &Machine, unit: &MatrixUnit, product: &Product, input: &Input) -> Option<usize> {
    let memory = vector_memory(machine, unit, input.element)?;
    let row = product.groups[1].extent() * input.element.size();
    let is_large = matches!(input.shape, Shape::Row(_)) && row > machine.memories[memory].size / 8;
    let is_reached = machine.vector.as_ref()?.memories.contains(&unit.lhs);
    Some(if is_large && is_reached { unit.lhs } else { memory })
}

/// Whether tiles within blocks begin at addresses that the memories allow.
fn is_aligned(machine: &Machine, unit: &MatrixUnit, product: &Product, epilogue: &Epilogue, cuts: &Cuts) -> bool {
    let ([_, bn, bk], [_, tile_n, tile_k]) = (cuts.block(), unit.limits().map(u64::from));
    let types = product.types;
    let inside = |memory: usize, columns: u64, tile: u64, element: ElementType| {
        columns <= tile || (tile * element.size()).is_multiple_of(machine.memories[memory].alignment)
    };
    // A part of a row, which all blocks share, begins where a block does.
    let rows = epilogue.inputs.iter().filter(|input| matches!(input.shape, Shape::Row(_)));
    let mut parts = rows.filter_map(|input| Some((input_memory(machine, unit, product, input)?, input.element)));
    inside(unit.lhs, bk, tile_k, types.lhs)
        && inside(unit.rhs, bn, tile_n, types.rhs)
        && inside(unit.accumulator, bn, tile_n, types.accumulator)
        && parts.all(|(memory, element)| {
            cuts.order.counts[1] == 1 || (bn * element.size()).is_multiple_of(machine.memories[memory].alignment)
        })
}
