//! The program of a schedule.

use super::Schedule;
use super::layout::Slots;
use crate::ElementType;
use crate::machine::{Dataflow, Machine, MatrixUnit};
use crate::program::{Address, Base, Buffer, BufferKind, Dma, Instruction, Matmul, Op, Program, Queue, Strided, Token};

/// Most instructions of a program.
const MOST_INSTRUCTIONS: u64 = 1 << 24;

/// Indices of buffers.
const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;

pub(super) fn program(machine: &Machine, unit: &MatrixUnit, schedule: &Schedule) -> Result<Program, String> {
    let product = schedule.product;
    let [ni, nj, nk] = [0, 1, 2].map(|i| product.extents()[i].div_ceil(schedule.block[i]));
    let tiles = product.extents().into_iter().zip(unit.limits()).map(|(extent, limit)| extent.div_ceil(limit.into()));
    if tiles.product::<u64>().saturating_add(ni * nj * nk * 3) > MOST_INSTRUCTIONS {
        return Err(format!("unsupported: the program would have more than {MOST_INSTRUCTIONS} instructions"));
    }
    let mut memories = vec![unit.lhs, unit.rhs, unit.accumulator];
    memories.sort_unstable();
    memories.dedup();
    let memory =
        |index: usize| Base::Memory(memories.iter().position(|known| *known == index).unwrap_or_default() as u32);
    let bases = [memory(unit.lhs), memory(unit.rhs), memory(unit.accumulator)];
    let buffer =
        |name: &str, kind, element, shape: [u64; 2]| Buffer { name: name.into(), kind, element, shape: shape.into() };
    let (m, n, k, types) = (product.m, product.n, product.k, product.types);
    let cores = (machine.cores.count() as u64).min(ni * nj);
    let each = (ni * nj).div_ceil(cores);
    let core = |core: u64| {
        let mut emitter = Emitter { unit, schedule, bases, instructions: Vec::new(), tokens: 0 };
        emitter.blocks(core * each, (core * each + each).min(ni * nj), [nj, nk]);
        emitter.instructions
    };
    Ok(Program {
        name: format!("matmul-{m}x{n}x{k}"),
        memories: memories.iter().map(|&index| machine.memories[index].name.clone()).collect(),
        buffers: vec![
            buffer("a", BufferKind::Input, types.lhs, [m, k]),
            buffer("b", BufferKind::Input, types.rhs, [k, n]),
            buffer("c", BufferKind::Output, types.accumulator, [m, n]),
        ],
        locations: Vec::new(),
        cores: (0..cores).map(core).collect(),
    })
}

/// What the slots of an operand hold.
#[derive(Default)]
struct Held {
    /// Which block each has, and the token of its load.
    blocks: [Option<([u64; 2], Token)>; 2],
    /// The token of the last product that used each.
    used: [Option<Token>; 2],
}

/// A step: the blocks of both operands that are multiplied, and the slots that they are in.
#[derive(Clone, Copy)]
struct Step {
    /// Row and column of the block of the result, and which block of terms.
    at: [u64; 3],
    lhs: (usize, Token),
    rhs: (usize, Token),
}

struct Emitter<'a> {
    unit: &'a MatrixUnit,
    schedule: &'a Schedule,
    bases: [Base; 3],
    instructions: Vec<Instruction>,
    tokens: u32,
}

impl Emitter<'_> {
    /// Blocks of the result from number `from` to before `to`, row by row.
    fn blocks(&mut self, from: u64, to: u64, [nj, nk]: [u64; 2]) {
        let (mut lhs, mut rhs) = (Held::default(), Held::default());
        let sum_slots = self.schedule.layout.sums.offsets.len();
        let mut stored: Vec<Option<Token>> = vec![None; sum_slots];
        let steps = (from..to).flat_map(|block| (0..nk).map(move |k| [block / nj, block % nj, k]));
        let mut steps = steps.peekable();
        let mut next = steps.peek().map(|&at| self.load(at, None, &mut lhs, &mut rhs));
        let mut block = 0;
        while let (Some(at), Some(step)) = (steps.next(), next) {
            // The loads of the next step come before the products of this one, which would keep them from being issued.
            next = steps.peek().map(|&at| self.load(at, Some(step), &mut lhs, &mut rhs));
            let slot = block % sum_slots;
            let free = stored[slot].filter(|_| at[2] == 0);
            let done = self.products(step, slot, free);
            lhs.used[step.lhs.0] = Some(done);
            rhs.used[step.rhs.0] = Some(done);
            if at[2] + 1 == nk {
                stored[slot] = Some(self.store(at, slot, done));
                block += 1;
            }
        }
    }

    fn token(&mut self) -> Token {
        self.tokens += 1;
        Token(self.tokens - 1)
    }

    fn emit(&mut self, op: Op, signals: Option<Token>, after: Vec<Token>) {
        self.instructions.push(Instruction { op, signals, after, location: None });
    }

    /// First element and extents of a block.
    fn part(&self, dimension: usize, index: u64) -> (u64, u64) {
        let (extent, block) = (self.schedule.product.extents()[dimension], self.schedule.block[dimension]);
        (index * block, block.min(extent - index * block))
    }

    /// Brings the operands of a step to slots that `current`, the step before, does not use.
    fn load(&mut self, at: [u64; 3], current: Option<Step>, lhs: &mut Held, rhs: &mut Held) -> Step {
        let product = self.schedule.product;
        let ((m, rows), (n, columns), (k, terms)) = (self.part(0, at[0]), self.part(1, at[1]), self.part(2, at[2]));
        let layout = &self.schedule.layout;
        let (a, b) = (product.types.lhs, product.types.rhs);
        let from_a =
            Side { base: Base::Buffer(A), offset: (m * product.k + k) * a.size(), stride: product.k * a.size() };
        let from_b =
            Side { base: Base::Buffer(B), offset: (k * product.n + n) * b.size(), stride: product.n * b.size() };
        let busy = (current.map(|step| step.lhs.0), current.map(|step| step.rhs.0));
        let lhs = self.bring(lhs, [at[0], at[2]], busy.0, (&layout.lhs, self.bases[0]), (from_a, [rows, terms], a));
        let rhs = self.bring(rhs, [at[2], at[1]], busy.1, (&layout.rhs, self.bases[1]), (from_b, [terms, columns], b));
        Step { at, lhs, rhs }
    }

    /// The slot that holds a block, and the token of its load. Loads it if there is none.
    fn bring(
        &mut self,
        held: &mut Held,
        block: [u64; 2],
        busy: Option<usize>,
        (slots, base): (&Slots, Base),
        (from, shape, element): (Side, [u64; 2], ElementType),
    ) -> (usize, Token) {
        let found = held.blocks.iter().position(|found| found.is_some_and(|(held, _)| held == block));
        if let Some(slot) = found
            && let Some((_, token)) = held.blocks[slot]
        {
            return (slot, token);
        }
        let slot = busy.map_or(0, |busy| 1 - busy);
        let token = self.token();
        let to = Side { base, offset: slots.offsets[slot], stride: slots.stride };
        let after = held.used[slot].into_iter().collect();
        self.emit(transfer(Queue::Load, element, shape, to, from), Some(token), after);
        held.blocks[slot] = Some((block, token));
        (slot, token)
    }

    fn store(&mut self, at: [u64; 3], slot: usize, done: Token) -> Token {
        let product = self.schedule.product;
        let ((m, rows), (n, columns)) = (self.part(0, at[0]), self.part(1, at[1]));
        let element = product.types.accumulator;
        let slots = &self.schedule.layout.sums;
        let from = Side { base: self.bases[2], offset: slots.offsets[slot], stride: slots.stride };
        let to = Side {
            base: Base::Buffer(C),
            offset: (m * product.n + n) * element.size(),
            stride: product.n * element.size(),
        };
        let token = self.token();
        self.emit(transfer(Queue::Store, element, [rows, columns], to, from), Some(token), vec![done]);
        token
    }

    /// The products of a step, and the token of the last one.
    fn products(&mut self, step: Step, slot: usize, free: Option<Token>) -> Token {
        let unit = self.unit;
        let limits = unit.limits().map(u64::from);
        let [(_, m), (_, n), (_, k)] = [0, 1, 2].map(|i| self.part(i, step.at[i]));
        let layout = &self.schedule.layout;
        let types = self.schedule.product.types;
        let place = |slots: &Slots, slot: usize, base: Base, row: u64, column: u64, element: ElementType| Address {
            base,
            offset: slots.offsets[slot] + row * slots.stride + column * element.size(),
        };
        let mut tiles = Vec::new();
        let mut add = |[m0, n0, k0]: [u64; 3], resident: bool| {
            tiles.push(Matmul {
                types,
                m: limits[0].min(m - m0) as u32,
                n: limits[1].min(n - n0) as u32,
                k: limits[2].min(k - k0) as u32,
                lhs: place(&layout.lhs, step.lhs.0, self.bases[0], m0, k0, types.lhs),
                lhs_stride: layout.lhs.stride,
                rhs: place(&layout.rhs, step.rhs.0, self.bases[1], k0, n0, types.rhs),
                rhs_stride: layout.rhs.stride,
                sums: place(&layout.sums, slot, self.bases[2], m0, n0, types.accumulator),
                sums_stride: layout.sums.stride,
                accumulate: step.at[2] > 0 || k0 > 0,
                resident,
            });
        };
        let starts = |extent: u64, limit: u64| (0..extent).step_by(limit as usize);
        match unit.dataflow {
            // Weights stay for all rows.
            Dataflow::WeightStationary => starts(n, limits[1]).for_each(|n0| {
                starts(k, limits[2]).for_each(|k0| starts(m, limits[0]).for_each(|m0| add([m0, n0, k0], m0 > 0)));
            }),
            Dataflow::OutputStationary => starts(m, limits[0]).for_each(|m0| {
                starts(n, limits[1]).for_each(|n0| starts(k, limits[2]).for_each(|k0| add([m0, n0, k0], false)));
            }),
        }
        let done = self.token();
        let last = tiles.len() - 1;
        for (i, tile) in tiles.into_iter().enumerate() {
            // The queue is in order: what the first one waits for, the others have.
            let after = if i == 0 {
                [Some(step.lhs.1), Some(step.rhs.1), free].into_iter().flatten().collect()
            } else {
                Vec::new()
            };
            self.emit(Op::Matmul(tile), (i == last).then_some(done), after);
        }
        done
    }
}

/// One side of a transfer of rows.
#[derive(Clone, Copy)]
struct Side {
    base: Base,
    offset: u64,
    stride: u64,
}

fn transfer(queue: Queue, element: ElementType, [rows, columns]: [u64; 2], to: Side, from: Side) -> Op {
    let strided = |side: Side| Strided {
        address: Address { base: side.base, offset: side.offset },
        strides: [0, side.stride, element.size()],
    };
    let shape = [1, rows as u32, columns as u32];
    Op::Dma(Dma { queue, element, shape, destination: strided(to), source: strided(from), padding: None })
}
