//! How long a schedule should take.
//!
//! Three things go on at the same time: the array computes, engines move blocks, and DRAM serves all cores. What takes longest is what the whole takes,
//! but for what cannot overlap: the first blocks come before the first product, and the last one is stored after the last. Blocks must also be large
//! enough to hide the latency of loading the next ones, since there are two slots for each operand. Costs O(1).

use super::Product;
use crate::ElementType;
use crate::machine::{Dataflow, Machine, MatrixUnit};

/// Predicted cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// All in all.
    pub cycles: u64,
    /// Of the array, in the core with most to do.
    pub compute: u64,
    /// Of the engines of that core, shared out among them.
    pub dma: u64,
    /// Of DRAM, for all cores.
    pub dram: u64,
    /// Before the first product and after the last one.
    pub exposed: u64,
}

/// A transfer of a block.
#[derive(Clone, Copy)]
struct Transfer {
    /// Cycles of an engine.
    engine: u64,
    /// Bytes of DRAM, in whole bursts.
    outside: u64,
}

/// What happens to a block of sums when they are complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finish {
    /// How many blocks of sums there is room for.
    pub slots: usize,
    /// Type of what is stored.
    pub stored: ElementType,
    /// Vector instructions for a block. One goes behind the products of each step of the next block, as far as there are steps.
    pub steps: u64,
    /// Cycles of all of them.
    pub vector: u64,
    /// Cycles of all but the last, which the next products wait for where there are too few steps.
    pub blocking: u64,
}

/// How long a product should take on `unit` of `machine`, cut into blocks of `block`.
pub fn predict(machine: &Machine, unit: &MatrixUnit, product: Product, block: [u64; 3], finish: Finish) -> Prediction {
    let limits = unit.limits().map(u64::from);
    let extents = product.extents();
    let [ni, nj, nk] = [0, 1, 2].map(|i| extents[i].div_ceil(block[i]));
    let cores = (machine.cores.count() as u64).min(ni * nj);
    let blocks = (ni * nj).div_ceil(cores);
    let dram = &machine.memories[machine.dram()];
    let outside = dram.bandwidth * u64::from(dram.banks);
    let transfer = |rows: u64, columns: u64, size: u64| {
        let run = columns * size;
        let bytes = rows * run.next_multiple_of(dram.burst);
        let at_least = bytes.div_ceil(outside);
        let engine = u64::from(machine.dma.startup) + (rows * run).div_ceil(machine.dma.bandwidth).max(at_least);
        Transfer { engine, outside: bytes }
    };
    let types = product.types;
    let [bm, bn, bk] = [0, 1, 2].map(|i| block[i].min(extents[i]));
    let (lhs, rhs) = (transfer(bm, bk, types.lhs.size()), transfer(bk, bn, types.rhs.size()));
    let sums = transfer(bm, bn, finish.stored.size());

    // Two slots hold what comes back soon enough.
    let rows = blocks.div_ceil(nj);
    let lhs_loads = if nk <= 2 { rows * nk } else { blocks * nk };
    let rhs_loads = if nj * nk <= 2 { nj * nk } else { blocks * nk };
    let work = |what: fn(&Transfer) -> u64| lhs_loads * what(&lhs) + rhs_loads * what(&rhs) + blocks * what(&sums);
    // Blocks at the edges are smaller: what all have together is known exactly, so only the share of a core is rounded.
    let dma = work(|transfer| transfer.engine).div_ceil(u64::from(machine.dma.engines));
    let dram_cycles = (cores * work(|transfer| transfer.outside)).div_ceil(outside);
    let array = compute(machine, unit, product, block, limits).div_ceil(cores).max(1);
    // Vectors and products are in one queue: one that waits for another keeps all behind it from beginning.
    let blocking = if finish.slots < 2 || nk >= finish.steps { 0 } else { finish.blocking };
    let compute = array + blocks * blocking;

    let latency = u64::from(dram.latency) + hops(machine);
    let local = |memory: usize| u64::from(machine.memories[memory].latency);
    let first = if machine.dma.engines > 1 { lhs.engine.max(rhs.engine) } else { lhs.engine + rhs.engine };
    let first = first.max(cores * (lhs.outside + rhs.outside) / outside);
    let before = first + latency + local(unit.lhs).max(local(unit.rhs));
    let after = unit.fill() + finish.vector + sums.engine + latency + local(unit.accumulator);
    // A slot is loaded, used until the last sum has left, and only then loaded again: two slots give two steps in that time.
    let steps = blocks * nk;
    let step = compute.div_ceil(steps);
    let turn = |loads: u64, transfer: &Transfer, memory: usize| {
        let load = transfer.engine.max(cores * (lhs.outside + rhs.outside) / outside) + latency + local(memory);
        if loads < steps { 0 } else { (load + step + unit.fill()).div_ceil(2) }
    };
    let turn = turn(lhs_loads, &lhs, unit.lhs).max(turn(rhs_loads, &rhs, unit.rhs));
    let slots = steps.saturating_mul(turn);
    // With one slot for sums, the array waits for each store.
    let serial = if finish.slots > 1 { 0 } else { (blocks - 1) * after };
    let exposed = before + after;
    Prediction {
        cycles: exposed + serial + compute.max(dma).max(dram_cycles).max(slots),
        compute,
        dma,
        dram: dram_cycles,
        exposed,
    }
}

/// Cycles of the way between memory controller and the farthest core.
fn hops(machine: &Machine) -> u64 {
    let cores = &machine.cores;
    u64::from(cores.rows + cores.columns - 2) * u64::from(cores.hop_latency)
}

/// Cycles of the arrays of all cores together.
fn compute(machine: &Machine, unit: &MatrixUnit, product: Product, block: [u64; 3], limits: [u64; 3]) -> u64 {
    let extents = product.extents();
    let mut total = 0.0;
    // For each dimension, whole blocks and the one at the edge.
    let parts = |i: usize| {
        let (whole, rest) = (extents[i] / block[i], extents[i] % block[i]);
        [(whole, block[i].min(extents[i])), (u64::from(rest > 0), rest)].into_iter().filter(|(count, _)| *count > 0)
    };
    for (mi, m) in parts(0) {
        for (ni, n) in parts(1) {
            for (ki, k) in parts(2) {
                total += (mi * ni * ki) as f64 * block_cycles(machine, unit, product, [m, n, k], limits);
            }
        }
    }
    total as u64
}

/// Cycles of a block.
fn block_cycles(machine: &Machine, unit: &MatrixUnit, product: Product, [m, n, k]: [u64; 3], limits: [u64; 3]) -> f64 {
    let types = product.types;
    let bandwidth = |memory: usize| machine.memories[memory].bandwidth as f64;
    let demand = |bytes: u64, memory: usize| bytes as f64 / bandwidth(memory);
    let (tm, tn, tk) = (m.min(limits[0]), n.min(limits[1]), k.min(limits[2]));
    let fill = unit.fill() as f64;
    let (load, stream, count) = match unit.dataflow {
        Dataflow::WeightStationary => {
            let sums = 2 * tn * types.accumulator.size();
            let slow = demand(tk * types.lhs.size(), unit.lhs).max(demand(sums, unit.accumulator)).max(1.0);
            let load = tk as f64 * demand(tn * types.rhs.size(), unit.rhs).max(1.0);
            // Each tile of weights is loaded once and stays for all rows.
            (load, m as f64 * slow, n.div_ceil(limits[1]) * k.div_ceil(limits[2]))
        }
        Dataflow::OutputStationary => {
            let slow = demand(tm * types.lhs.size(), unit.lhs).max(demand(tn * types.rhs.size(), unit.rhs)).max(1.0);
            // Sums are loaded and unloaded.
            let load = 2.0 * tm as f64 * demand(tn * types.accumulator.size(), unit.accumulator).max(1.0);
            (load, tk as f64 * slow, m.div_ceil(limits[0]) * n.div_ceil(limits[1]) * k.div_ceil(limits[2]))
        }
    };
    let each = if unit.double_buffered { stream.max(load) } else { stream + load + fill };
    count as f64 * each
}
