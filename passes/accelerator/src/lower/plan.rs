//! How a product is cut into blocks, and where these lie.
//!
//! Blocks of both operands pass through two slots each, so that the next ones are loaded while the array works; where there is room for all blocks of the
//! operand that comes again and again, they stay. Sums stay in the accumulators until they are complete; then the epilogue works on them, and its result
//! is stored. Each candidate is placed in the memories of a core: one that does not fit is none. Those that fit are ordered by the least that they could
//! take, and played out ([`Costs::predict`]) until no other can be better.

use std::fmt::Write as _;

use dl_ir::{Attr, OpRef};
use dl_simulator::machine::{Machine, MatrixUnit};

use super::access::{Access, Move, Range};
use super::blocks::{At, Cut, Order};
use super::cost::{Costs, Prediction};
use super::place::Slot;
use super::product::Product;
use super::select::{Epilogue, Shape, Source};
use super::space::{MOST_RESIDENT, Space};

/// Greatest extent of a product: larger ones would give programs that no one can hold.
const MOST_EXTENT: u64 = 1 << 20;

/// Ways with more blocks than this are only looked at where there are no others, and those with more than the second number never: each block is some
/// operations of the launch.
pub const MOST_BLOCKS: [u64; 2] = [1 << 12, 1 << 16];

/// So many of the best candidates are played out at most.
const MOST_PLAYED: usize = 48;

/// How much more than it takes a candidate may seem to take before it is played.
const BOUND_EXCESS: f64 = 1.25;

/// Where the result of a step, or an input, is.
#[derive(Clone, Debug)]
pub enum Home {
    /// In place of an operand.
    InPlace(Source),
    /// In slots of its own: one for each slot of sums, or one.
    Slots(Vec<Slot>),
}

/// How the loops of a product are cut.
#[derive(Clone, Debug)]
pub struct Cuts {
    /// Rows, columns and terms.
    pub cuts: [Cut; 3],
    /// In which order blocks come.
    pub order: Order,
}

/// A way to compute a product.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Blocks.
    pub cuts: Cuts,
    /// Of each operand.
    pub operands: [Vec<Slot>; 2],
    /// One or two.
    pub sums: Vec<Slot>,
    /// Of each step of the epilogue, where its result goes.
    pub steps: Vec<Home>,
    /// Of each input of the epilogue, where it lies.
    pub inputs: Vec<Vec<Slot>>,
    /// Into how many portions the products of a step are taken apart, each with a vector instruction behind it.
    pub portions: u64,
    /// How long it should take.
    pub prediction: Prediction,
}

impl Cuts {
    /// Ranges of all loops for a step.
    pub fn ranges(&self, product: &Product, at: At) -> Vec<Range> {
        let mut ranges = product.ranges();
        product.batch.select(&Cut::ones(&product.batch), at.batch, &mut ranges);
        for (group, (cut, index)) in product.groups.iter().zip(self.cuts.iter().zip([at.row, at.column, at.term])) {
            group.select(cut, index, &mut ranges);
        }
        ranges
    }

    /// Extents of a whole block.
    pub fn block(&self) -> [u64; 3] {
        [0, 1, 2].map(|at| self.cuts[at].size())
    }
}

/// The transfers of a block whose rows and columns go along these groups, `stride` elements from row to row in the core. Loops of other groups stay where
/// `ranges` begin.
pub fn moves(
    product: &Product,
    machine: &Machine,
    access: &Access,
    [rows, columns]: [usize; 2],
    ranges: &[Range],
    stride: u64,
) -> Option<Vec<Move>> {
    access.block([(&product.groups[rows], stride), (&product.groups[columns], 1)], ranges, &machine.dma)
}

/// All ways to compute a product that fit the machine, that with the fewest predicted cycles first.
///
/// # Errors
/// Why the machine cannot compute it.
pub fn plans(machine: &Machine, product: &Product, epilogue: &Epilogue) -> Result<Vec<Plan>, String> {
    let unit = unit(machine, product)?;
    // Of the dimension that streams any extent is a tile; few are enough to choose from.
    let tiles = [unit.rows, unit.columns, unit.rows].map(u64::from);
    let space = Space::new(machine, unit, product, epilogue, [0, 1, 2].map(|at| product.groups[at].cuts(tiles[at])));
    Ok(MOST_BLOCKS.into_iter().map(|most| best(&space, most)).find(|plans| !plans.is_empty()).unwrap_or_default())
}

/// Those of at most so many blocks.
fn best(space: &Space<'_>, most_blocks: u64) -> Vec<Plan> {
    let mut found = Vec::new();
    let counts = [0, 1, 2].map(|at| space.cuts[at].len());
    for row in 0..counts[0] {
        for column in 0..counts[1] {
            for term in 0..counts[2] {
                found.extend(space.candidates([row, column, term], most_blocks));
            }
        }
    }
    // Of equal ones, the one with larger blocks, which is a shorter program.
    found.sort_by_key(|(plan, _): &(Plan, Costs<'_>)| (plan.prediction.cycles, plan.cuts.order.blocks()));
    let mut best = u64::MAX;
    let mut played = Vec::new();
    for (mut plan, costs) in found {
        if plan.prediction.cycles as f64 >= best as f64 * BOUND_EXCESS || played.len() == MOST_PLAYED {
            break;
        }
        plan.prediction = costs.predict();
        if plan.prediction.cycles < best {
            // The best must be one that can be done: what comes behind it may not be.
            if !plan.is_possible(space.machine, space.product, space.epilogue) {
                continue;
            }
            best = plan.prediction.cycles;
        }
        played.push(plan);
    }
    played.sort_by_key(|plan| (plan.prediction.cycles, plan.cuts.order.blocks()));
    played
}

/// The unit that computes a product.
fn unit<'a>(machine: &'a Machine, product: &Product) -> Result<&'a MatrixUnit, String> {
    let Some(unit) = &machine.matrix else { return Err(format!("machine '{}' has no matrix unit", machine.name)) };
    if !unit.types.contains(&product.types) {
        return Err(format!("machine '{}' has no products {}", machine.name, product.types));
    }
    let [m, n, k] = product.extents();
    if m.max(n).max(k) > MOST_EXTENT {
        return Err(format!("expected extents from 1 to {MOST_EXTENT}, but got {m}x{n}x{k}"));
    }
    Ok(unit)
}

impl Plan {
    /// All that has a place, and how much of the traffic of its memory it has: sums are read and written for each row that streams, a stationary operand
    /// only now and then.
    pub fn slots_mut<'a>(&'a mut self) -> Vec<(u64, &'a mut Slot)> {
        let own = self.steps.iter_mut().filter_map(|home| match home {
            Home::Slots(slots) => Some(slots),
            Home::InPlace(_) => None,
        });
        let [lhs, rhs] = &mut self.operands;
        let fixed = [(8, &mut self.sums), (4, lhs), (2, rhs)];
        let rest = self.inputs.iter_mut().chain(own).map(|slots| (1, slots));
        let shared = |(traffic, all): (u64, &'a mut Vec<Slot>)| {
            let each = traffic * MOST_RESIDENT / all.len().max(1) as u64;
            all.iter_mut().map(move |slot| (each, slot))
        };
        fixed.into_iter().chain(rest).flat_map(shared).collect()
    }

    /// Whether the transfers of all blocks can be done, and begin at addresses that the memories allow. Costs O(blocks).
    pub fn is_possible(&self, machine: &Machine, product: &Product, epilogue: &Epilogue) -> bool {
        let stored = product.result.with(product.result.value, epilogue.stored);
        let from = self.home(epilogue.last(), 0);
        let mut accesses = vec![
            (&product.lhs, [0, 2], &self.operands[0][0]),
            (&product.rhs, [2, 1], &self.operands[1][0]),
            (&stored, [0, 1], from),
        ];
        if product.adds_to_init {
            accesses.push((&product.result, [0, 1], &self.sums[0]));
        }
        for (input, slots) in epilogue.inputs.iter().zip(&self.inputs) {
            if let Shape::Matrix(access) = &input.shape {
                accesses.push((access, [0, 1], &slots[0]));
            }
        }
        accesses.into_iter().all(|(access, groups, slot)| {
            let counts = [0, 1, 2].map(|at| if groups.contains(&at) { self.cuts.order.counts[at] } else { 1 });
            let order = Order { counts, ..self.cuts.order };
            order.steps(0..order.blocks()).all(|at| {
                let ranges = self.cuts.ranges(product, at);
                let found = moves(product, machine, access, groups, &ranges, slot.stride);
                found.is_some_and(|found| {
                    found.iter().all(|each| each.is_aligned(machine, slot.memory, slot.element.size()))
                })
            })
        })
    }

    /// What an operand is padded with, and the longest row of it that is moved alone.
    pub fn filler(&self, machine: &Machine, product: &Product) -> Option<(Attr, u64)> {
        let operands = [(&product.lhs, [0, 2], &self.operands[0]), (&product.rhs, [2, 1], &self.operands[1])];
        let (access, groups, slots) = operands.into_iter().find(|(access, ..)| access.padding.is_some())?;
        let order = self.cuts.order;
        let rows = order.steps(0..order.blocks()).flat_map(|at| {
            let ranges = self.cuts.ranges(product, at);
            let found = moves(product, machine, access, groups, &ranges, slots[0].stride).unwrap_or_default();
            let alone = found.into_iter().filter(|each| each.outside.is_none());
            alone.filter_map(|each| each.steps.last().map(|row| row.extent * row.outside)).collect::<Vec<_>>()
        });
        Some((access.padding?, rows.max()?.max(1)))
    }

    /// Where the result that is stored was first written, of all that lies in its place: until it has been stored, nothing else may be.
    pub fn stored(&self, epilogue: &Epilogue) -> Source {
        let mut source = epilogue.last();
        while let Source::Step(at) = source
            && let Home::InPlace(of) = self.steps[at]
        {
            source = of;
        }
        source
    }

    /// Where an operand of a step of the epilogue lies, for block number `slot`.
    pub fn home(&self, source: Source, slot: usize) -> &Slot {
        let of = |slots: &[Slot]| slot.min(slots.len() - 1);
        match source {
            Source::Sums => &self.sums[of(&self.sums)],
            Source::Input(at) => &self.inputs[at][of(&self.inputs[at])],
            Source::Step(at) => match &self.steps[at] {
                Home::InPlace(source) => self.home(*source, slot),
                Home::Slots(slots) => &slots[of(slots)],
            },
        }
    }
}

/// The first `count` of some plans as a table.
pub fn explain(op: OpRef<'_>, product: &Product, plans: &[Plan], count: usize) -> String {
    let [m, n, k] = product.extents();
    let (types, batch) = (product.types, product.batch.extent());
    let head = format!("{}product {batch}x{m}x{n}x{k} {types}: {} ways looked at\n", place(op), plans.len());
    let lines = plans.iter().take(count).map(|Plan { cuts, prediction, .. }| {
        let [m, n, k] = cuts.block();
        (format!("{m}x{n}x{k}"), *prediction)
    });
    head + &table(lines)
}

/// Where an operation comes from, as the beginning of a line.
pub fn place(op: OpRef<'_>) -> String {
    let position = op.cx().file_position(op.loc());
    position.map_or_else(String::new, |at| format!("{}:{}:{}: ", at.file, at.line, at.column))
}

/// Blocks and what is predicted for them.
pub fn table(lines: impl Iterator<Item = (String, Prediction)>) -> String {
    let header = ["block", "predicted", "compute", "dma", "dram"];
    let mut text = String::new();
    let _ = writeln!(text, "{:>16} {:>12} {:>12} {:>12} {:>12}", header[0], header[1], header[2], header[3], header[4]);
    for (block, Prediction { cycles, compute, dma, dram }) in lines {
        let _ = writeln!(text, "{block:>16} {cycles:>12} {compute:>12} {dma:>12} {dram:>12}");
    }
    text
}
