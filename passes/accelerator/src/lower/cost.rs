//! How long a plan should take.
//!
//! [`Costs`] says what each kind of block costs alone: transfers on engines and DRAM, products on the array, instructions of the vector unit. [`Costs::bound`] is
//! about the least that all of them together can take, in O(1). [`Costs::predict`] plays the steps of a core one after the other, in O(steps): when loads of a
//! step can begin and are there, when the array is free, what vector instructions hold up, when a slot can be used again. Banks that several use at a time
//! slow them down by what [`Slot::clash`] says.

use dl_simulator::machine::{Dataflow, Machine, MatrixUnit};

use super::access::Move;
use super::blocks::{At, Order};
use super::place::Slot;
use super::select::Source;
use super::timeline::Timeline;

/// Predicted cycles.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Prediction {
    /// All in all.
    pub cycles: u64,
    /// Of the array, in the core with most to do.
    pub compute: u64,
    /// Of the engines of that core, shared out among them.
    pub dma: u64,
    /// Of DRAM, for all cores.
    pub dram: u64,
}

/// What it takes to move a block.
#[derive(Clone, Copy, Default, Debug)]
pub struct Transfer {
    /// How many transfers.
    pub count: u64,
    /// Bytes in the core.
    pub bytes: u64,
    /// Bytes of DRAM, in whole bursts.
    pub outside: u64,
    /// Cycles that the banks of their place in the core take at least.
    pub banks: f64,
    /// Cycles by which the array takes longer meanwhile.
    pub clash: f64,
}

impl Transfer {
    /// Of these, of elements of `size` bytes, to or from memory number `local`. `None` where one begins at an address that a memory does not allow.
    pub fn of(moves: &[Move], machine: &Machine, local: usize, size: u64) -> Option<Self> {
        let burst = machine.memories[machine.dram()].burst;
        moves.iter().all(|each| each.is_aligned(machine, local, size)).then(|| Self {
            count: moves.len() as u64,
            bytes: moves.iter().map(|each| each.bytes(size)).sum(),
            outside: moves.iter().map(|each| each.outside_bytes(size, burst)).sum(),
            ..Self::default()
        })
    }

    /// The same, to or from this place.
    pub fn at(self, slot: &Slot, machine: &Machine) -> Self {
        Self { banks: slot.cycles(self.bytes as f64, machine), ..self }
    }

    /// Both, one after the other.
    pub fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            bytes: self.bytes + other.bytes,
            outside: self.outside + other.outside,
            banks: self.banks + other.banks,
            clash: self.clash + other.clash,
        }
    }
}

/// A vector instruction on a block.
#[derive(Clone, Copy, Default, Debug)]
pub struct Instruction {
    /// Cycles of the unit.
    pub cycles: f64,
    /// Cycles by which the array takes longer meanwhile.
    pub clash: f64,
}

/// What blocks cost.
#[derive(Clone, Debug)]
pub struct Costs<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its array.
    pub unit: &'a MatrixUnit,
    /// The order of blocks.
    pub order: Order,
    /// Extents of the product.
    pub extents: [u64; 3],
    /// Extents of a whole block.
    pub block: [u64; 3],
    /// Slots of both operands, and of sums.
    pub slots: [usize; 3],
    /// Both operands, and whether they differ from one of a batch to the next.
    pub loads: [Transfer; 2],
    /// What all blocks of a core use, and it loads once.
    pub shared: Vec<Transfer>,
    /// What the sums of a block begin with.
    pub init: Transfer,
    /// Inputs of the epilogue of a block.
    pub inputs: Transfer,
    /// Of a block of the result.
    pub store: Transfer,
    /// Where that was first written.
    pub stored: Source,
    /// What happens to a block of sums.
    pub epilogue: Vec<Instruction>,
    /// Into how many portions the products of a step are taken apart, each with a vector instruction behind it.
    pub portions: u64,
    /// Cycles of the array for a whole block, and for a tile that streams.
    pub array: (f64, f64),
    /// Products of tiles in a whole block.
    pub tiles: u64,
    /// Cycles from when a product leaves its queue until its operands stream, where nothing is in the array.
    pub preload: f64,
    /// Cycles from the end of a stream until its sums are complete.
    pub drain: f64,
}

impl Costs<'_> {
    pub(super) fn cores(&self) -> u64 {
        (self.machine.cores.count() as u64).min(self.order.blocks())
    }

    /// Blocks that each core has at most.
    pub(super) fn blocks(&self) -> u64 {
        self.order.blocks().div_ceil(self.cores())
    }

    /// Bytes of DRAM in a cycle.
    fn bandwidth(&self) -> f64 {
        bandwidth(self.machine)
    }

    /// Cycles of an engine.
    fn engine(&self, transfer: &Transfer) -> f64 {
        let dma = &self.machine.dma;
        transfer.count as f64 * f64::from(dma.startup) + transfer.bytes as f64 / dma.bandwidth as f64
    }

    /// Whole blocks that as much work as that of all blocks makes: those at the edges are smaller.
    fn whole(&self, dimensions: &[usize]) -> f64 {
        dimensions.iter().map(|&at| self.extents[at] as f64 / self.block[at] as f64).product()
    }

    /// How often a core loads a block of an operand, at least.
    fn loaded(&self, operand: usize) -> f64 {
        let [rows, columns, terms] = self.order.counts;
        let (own, other) = if operand == 0 { (rows, columns) } else { (columns, rows) };
        let is_outer = self.order.columns_first == (operand == 1);
        let all = self.whole(if operand == 0 { &[0, 2] } else { &[2, 1] });
        let fits = |blocks: u64| blocks <= self.slots[operand] as u64;
        let stays = fits(own * terms) || other == 1 || (is_outer && fits(terms));
        let share = if fits(own * terms) && !is_outer { 1.0 } else { 1.0 / self.cores() as f64 };
        let times = if stays { all * share } else { all * other as f64 / self.cores() as f64 };
        self.order.batch as f64 * times
    }

    /// About the least that the array, the engines and DRAM take, and what is plain to come on top.
    pub fn bound(&self) -> Prediction {
        let (batch, cores) = (self.order.batch as f64, self.cores() as f64);
        let blocks = batch * self.whole(&[0, 1]) / cores;
        let work = |of: &dyn Fn(&Transfer) -> f64| {
            let loads = self.loaded(0) * of(&self.loads[0]) + self.loaded(1) * of(&self.loads[1]);
            loads + blocks * (of(&self.init) + of(&self.inputs) + of(&self.store))
        };
        let array = batch * self.whole(&[0, 1, 2]) * self.array.0 / cores;
        let vector: f64 = self.epilogue.iter().map(|each| each.clash).sum();
        let compute = array + work(&|transfer| transfer.clash) + blocks * vector;
        let dma = work(&|transfer| self.engine(transfer)) / f64::from(self.machine.dma.engines);
        let dram = work(&|transfer| transfer.outside as f64) * cores / self.bandwidth();
        // The first product waits for its operands, and the last store for the last instruction.
        let transfer = |of: &Transfer| {
            let engines = of.count.clamp(1, self.machine.dma.engines.into()) as f64;
            (self.engine(of) / engines).max(of.outside as f64 * cores / self.bandwidth()).max(of.banks)
        };
        let loads = transfer(&self.loads[0]).max(transfer(&self.loads[1]));
        let each: f64 = self.epilogue.iter().map(|each| each.cycles).sum();
        let store = transfer(&self.store);
        // With one slot for sums, the array waits until they have been used.
        let waits = if self.slots[2] > 1 { 1.0 } else { blocks };
        let last = if self.stored == Source::Sums { (each + store) * waits } else { each * waits + store };
        // A slot is loaded, used until the last sum has left, and only then loaded again: two slots give two steps in that time.
        let steps = batch * self.whole(&[0, 1]) / cores * self.order.counts[2] as f64;
        let turn = (loads + self.latency() + compute / steps + self.drain) / 2.0;
        let turns = if self.loaded(0).max(self.loaded(1)) < steps / 2.0 { 0.0 } else { steps * turn };
        // What is not spread over the products of the next block holds these up, but for the last one.
        let spread = self.order.counts[2] * self.portions + 1;
        let behind = (self.epilogue.len() as u64).saturating_sub(spread) as f64 / self.epilogue.len().max(1) as f64;
        let cycles = (compute + blocks * behind * each).max(dma).max(dram).max(turns).max(blocks * each);
        let cycles = (cycles + loads + last) as u64;
        Prediction { cycles, compute: array as u64, dma: dma as u64, dram: dram as u64 }
    }

    /// Cycles from the end of a transfer until what it brings is there.
    pub(super) fn latency(&self) -> f64 {
        latency(self.machine, [self.unit.lhs, self.unit.accumulator])
    }

    /// Cycles of all steps of the first core.
    pub fn predict(&self) -> Prediction {
        Prediction { cycles: Timeline::new(self).run().ceil() as u64, ..self.bound() }
    }

    /// The part of the work on a whole block that a step is: what stays in the array takes as long for a part of a tile.
    pub(super) fn work(&self, at: At) -> f64 {
        let streams = match self.unit.dataflow {
            Dataflow::WeightStationary => 0,
            Dataflow::OutputStationary => 2,
        };
        let of = |dimension: usize, index: u64| {
            if dimension == streams {
                return self.part(dimension, index);
            }
            let (block, tile) = (self.block[dimension], u64::from(self.unit.limits()[dimension]));
            let rest = (self.part(dimension, index) * block as f64).round() as u64;
            rest.div_ceil(tile) as f64 / block.div_ceil(tile) as f64
        };
        of(0, at.row) * of(1, at.column) * of(2, at.term)
    }

    /// The part of a whole block that number `index` along a dimension is.
    pub(super) fn part(&self, dimension: usize, index: u64) -> f64 {
        let block = self.block[dimension];
        let (extent, start) = (self.extents[dimension], index * block);
        if start >= extent { 1.0 } else { block.min(extent - start) as f64 / block as f64 }
    }
}

/// Bytes of DRAM in a cycle.
pub(super) fn bandwidth(machine: &Machine) -> f64 {
    let dram = &machine.memories[machine.dram()];
    (dram.bandwidth * u64::from(dram.banks)) as f64
}

/// Cycles from the end of a transfer between DRAM and one of these memories until what it brings is there, in a core half-way to the furthest.
pub(super) fn latency(machine: &Machine, local: impl IntoIterator<Item = usize>) -> f64 {
    let local = local.into_iter().map(|memory| machine.memories[memory].latency).max().unwrap_or(0);
    let hops = (machine.cores.rows + machine.cores.columns - 2) * machine.cores.hop_latency / 2;
    f64::from(machine.memories[machine.dram()].latency + local + hops)
}

/// Cycles of the array for a block of `m` × `n` × `k`, and those between two tiles; operands and sums are in these slots. Each cycle in which weights are
/// loaded, rows that stream take `clash` cycles longer.
pub fn array(machine: &Machine, unit: &MatrixUnit, block: [u64; 3], slots: [&[Slot]; 3], clash: f64) -> (f64, f64) {
    let Rates { lhs, rhs, sums } = rates(unit, block, slots.map(|slots| &slots[0]));
    // How much slower their banks are, on average over the slots: not all lie alike.
    let [of_lhs, of_rhs, of_sums] = slots.map(|slots| {
        move |rate: f64| slots.iter().map(|slot| slot.cycles(rate, machine).max(1.0)).sum::<f64>() / slots.len() as f64
    });
    let fill = unit.fill() as f64;
    // The parts of an extent, one for each tile along it.
    let parts = |at: usize| {
        let limit = u64::from(unit.limits()[at]);
        (0..block[at].div_ceil(limit)).map(move |part| limit.min(block[at] - part * limit) as f64)
    };
    match unit.dataflow {
        // Each tile of weights is loaded once and stays for all rows.
        Dataflow::WeightStationary => {
            let slow = of_lhs(lhs).max(of_sums(sums));
            let slow_load = of_rhs(rhs);
            let (stream, instructions) = (block[0] as f64 * slow, parts(0).count() as f64);
            let column = parts(2).map(|k| {
                let load = k * slow_load;
                if unit.double_buffered { (stream + k * clash).max(load) } else { load + stream + instructions * fill }
            });
            (parts(1).count() as f64 * column.sum::<f64>(), stream / instructions)
        }
        // Sums are loaded, if there are some, and unloaded.
        Dataflow::OutputStationary => {
            let slow = of_lhs(lhs).max(of_rhs(rhs));
            let bytes = (tile(unit, block)[1] * slots[2][0].element.size()) as f64;
            let slow_load = of_sums(bytes);
            let tiles = parts(0).map(|m| {
                let one = parts(2).map(|k| {
                    let (stream, load) = (k * slow, m * slow_load);
                    if unit.double_buffered { stream.max(load) } else { stream + 2.0 * load + fill }
                });
                one.sum::<f64>()
            });
            let whole = parts(1).count() as f64 * tiles.sum::<f64>();
            (whole, whole / (parts(0).count() * parts(1).count() * parts(2).count()) as f64)
        }
    }
}

/// Cycles in which the first tile of a block of weights is loaded, at `rate` bytes in each, where nothing else is in the array. Without a second buffer, that
/// is part of the time of the array.
pub fn preload(machine: &Machine, unit: &MatrixUnit, block: [u64; 3], weights: &Slot, rate: f64) -> f64 {
    match unit.dataflow {
        Dataflow::WeightStationary if unit.double_buffered => {
            tile(unit, block)[2] as f64 * weights.cycles(rate, machine).max(1.0)
        }
        _ => 0.0,
    }
}

/// Cycles from the end of a stream until its sums are complete: the same.
pub fn drain(unit: &MatrixUnit, block: [u64; 3]) -> f64 {
    let unload = match unit.dataflow {
        Dataflow::WeightStationary => 0,
        Dataflow::OutputStationary => tile(unit, block)[0],
    };
    if unit.double_buffered { (unload + unit.fill()) as f64 } else { 0.0 }
}

/// Extents of a whole tile.
fn tile(unit: &MatrixUnit, extents: [u64; 3]) -> [u64; 3] {
    let limits = unit.limits();
    [0, 1, 2].map(|at| extents[at].min(limits[at].into()))
}

/// Bytes in a cycle while operands stream: of the one that stays only while it is loaded, which `rhs` says.
pub struct Rates {
    /// Of the left operand.
    pub lhs: f64,
    /// Of the right one.
    pub rhs: f64,
    /// Of sums, read and written.
    pub sums: f64,
}

/// What the array asks of the memories of operands and sums.
pub fn rates(unit: &MatrixUnit, extents: [u64; 3], [lhs, rhs, sums]: [&Slot; 3]) -> Rates {
    let [tm, tn, tk] = tile(unit, extents);
    let size = |slot: &Slot| slot.element.size();
    let (lhs, rhs, sums) = match unit.dataflow {
        Dataflow::WeightStationary => (tk * size(lhs), tn * size(rhs), 2 * tn * size(sums)),
        Dataflow::OutputStationary => (tm * size(lhs), tn * size(rhs), (2 * tm * tn * size(sums)).div_ceil(tk)),
    };
    Rates { lhs: lhs as f64, rhs: rhs as f64, sums: sums as f64 }
}
