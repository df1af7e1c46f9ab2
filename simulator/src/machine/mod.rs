//! The description of an accelerator: all that simulator and compiler know of it.
//!
//! A description is TOML; `docs/accelerator.md` describes each field. [`Machine::parse`] checks it and says everything that is wrong, each with its
//! line. Times are in cycles of the machine's clock, sizes in bytes, bandwidths in bytes per cycle.

pub(crate) mod description;
pub(crate) mod fields;

use std::fmt;

use crate::ElementType;
use crate::program::{BinaryOp, ReduceOp, UnaryOp};

pub use fields::{DescriptionError, DescriptionErrors};

/// An accelerator.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// What reports call it.
    pub name: String,
    /// Cycles per microsecond.
    pub clock_mhz: u32,
    /// The cores, all alike.
    pub cores: Cores,
    /// The memories: one of kind [`MemoryKind::Dram`], shared by all cores; each core has its own of each other.
    pub memories: Vec<Memory>,
    /// The unit that multiplies matrices, in each core.
    pub matrix: Option<MatrixUnit>,
    /// The unit for everything element by element, in each core.
    pub vector: Option<VectorUnit>,
    /// What moves data between memories, in each core.
    pub dma: DmaEngines,
    /// How instructions reach the units, in each core.
    pub queues: Queues,
}

/// A mesh of cores. The memory controller is at the core in row 0 and column 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cores {
    /// Rows of the mesh.
    pub rows: u32,
    /// Columns of the mesh.
    pub columns: u32,
    /// Cycles that a transfer takes longer for each step between its core and the memory controller.
    pub hop_latency: u32,
    /// Cycles from when the last core reaches a barrier until all go on.
    pub barrier_latency: u32,
}

impl Cores {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.rows as usize * self.columns as usize
    }

    /// Steps from a core to the memory controller.
    pub fn hops(&self, core: usize) -> u32 {
        let columns = self.columns as usize;
        (core / columns + core % columns) as u32
    }
}

/// What a memory is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryKind {
    /// Outside, shared by all cores; holds the buffers of a program.
    Dram,
    /// On chip, managed by the program.
    Scratchpad,
    /// On chip, beside the matrix unit; holds sums.
    Accumulator,
}

impl MemoryKind {
    /// Names in descriptions.
    pub(crate) const NAMES: [(&'static str, Self); 3] =
        [("dram", Self::Dram), ("scratchpad", Self::Scratchpad), ("accumulator", Self::Accumulator)];
}

/// A memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Its name in programs.
    pub name: String,
    /// What it is for.
    pub kind: MemoryKind,
    /// Bytes.
    pub size: u64,
    /// Bytes per cycle, reads and writes together, of each bank.
    pub bandwidth: u64,
    /// Cycles from the last byte of a transfer until it can be used.
    pub latency: u32,
    /// What each address in it must be a multiple of.
    pub alignment: u64,
    /// How many parts work at the same time.
    pub banks: u32,
    /// Bytes after which the next bank follows; without it, each bank is one contiguous part.
    pub interleave: Option<u64>,
    /// What the length of each contiguous run is rounded up to, for the time it takes.
    pub burst: u64,
}

impl Memory {
    /// The bank that `offset` lies in.
    pub fn bank(&self, offset: u64) -> u32 {
        let block = self.interleave.unwrap_or(self.size / u64::from(self.banks));
        ((offset / block) % u64::from(self.banks)) as u32
    }

    /// Bytes from `offset` to the next bank.
    pub(crate) fn rest_of_block(&self, offset: u64) -> u64 {
        let block = self.interleave.unwrap_or(self.size / u64::from(self.banks));
        block - offset % block
    }
}

/// Which operand stays in the array while the others pass through it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dataflow {
    /// The right one: `k` × `n` weights, at most rows × columns; rows of the left one stream through.
    WeightStationary,
    /// The result: `m` × `n` sums, at most rows × columns; both operands stream through.
    OutputStationary,
}

impl Dataflow {
    /// Names in descriptions.
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("weight-stationary", Self::WeightStationary), ("output-stationary", Self::OutputStationary)];
}

/// Element types of a product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatrixTypes {
    /// Of the left operand.
    pub lhs: ElementType,
    /// Of the right operand.
    pub rhs: ElementType,
    /// Of sums.
    pub accumulator: ElementType,
}

impl MatrixTypes {
    /// Whether there is a product of these types: of 8-bit integers in `i32`, or of floats in `f32`.
    pub fn is_sound(self) -> bool {
        let narrow = |element: ElementType| element.size() == 1 && !element.is_float();
        match self.accumulator {
            ElementType::I32 => narrow(self.lhs) && narrow(self.rhs),
            ElementType::F32 => self.lhs.is_float() && self.rhs.is_float(),
            _ => false,
        }
    }
}

impl fmt::Display for MatrixTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}*{}->{}", self.lhs, self.rhs, self.accumulator)
    }
}

/// A systolic array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatrixUnit {
    /// Rows of the array.
    pub rows: u32,
    /// Columns of the array.
    pub columns: u32,
    /// What stays in it.
    pub dataflow: Dataflow,
    /// Whether the next stationary operand can be loaded, or the last result unloaded, while the array works.
    pub double_buffered: bool,
    /// Most rows (weight-stationary) or terms of each sum (output-stationary) of one instruction.
    pub max_stream: u32,
    /// What it multiplies.
    pub types: Vec<MatrixTypes>,
    /// The memory of the left operand, an index of [`Machine::memories`].
    pub lhs: usize,
    /// The memory of the right operand.
    pub rhs: usize,
    /// The memory of sums.
    pub accumulator: usize,
}

impl MatrixUnit {
    /// The most that one instruction multiplies: `m`, `n`, `k`.
    pub fn limits(&self) -> [u32; 3] {
        match self.dataflow {
            Dataflow::WeightStationary => [self.max_stream, self.columns, self.rows],
            Dataflow::OutputStationary => [self.rows, self.columns, self.max_stream],
        }
    }

    /// Multiplications and additions in a cycle.
    pub fn macs_per_cycle(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.columns)
    }

    /// Cycles from when the last values enter the array until the last sum leaves it.
    pub fn fill(&self) -> u64 {
        u64::from(self.rows) + u64::from(self.columns) - 2
    }
}

/// Something that the vector unit can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorFunction {
    /// Two operands, element by element.
    Binary(BinaryOp),
    /// One operand, element by element.
    Unary(UnaryOp),
    /// A row to one element.
    Reduce(ReduceOp),
    /// Scales to a narrow integer.
    Requantize,
    /// Scales to a float.
    Dequantize,
    /// The greatest in a window.
    PoolMax,
    /// The mean of a window.
    PoolAverage,
}

impl VectorFunction {
    /// Every function.
    pub fn all() -> impl Iterator<Item = Self> {
        let binary = BinaryOp::ALL.into_iter().map(Self::Binary);
        let unary = UnaryOp::ALL.into_iter().map(Self::Unary);
        let reduce = ReduceOp::ALL.into_iter().map(Self::Reduce);
        let rest = [Self::Requantize, Self::Dequantize, Self::PoolMax, Self::PoolAverage];
        binary.chain(unary).chain(reduce).chain(rest)
    }

    /// Its name in descriptions and programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Binary(op) => op.name(),
            Self::Unary(op) => op.name(),
            Self::Reduce(op) => op.name(),
            Self::Requantize => "requantize",
            Self::Dequantize => "dequantize",
            Self::PoolMax => "pool-max",
            Self::PoolAverage => "pool-average",
        }
    }
}

/// Lanes that each work on an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorUnit {
    /// Elements at a time.
    pub lanes: u32,
    /// Cycles from the last elements until their results can be used.
    pub latency: u32,
    /// Element types of operands and results.
    pub types: Vec<ElementType>,
    /// What it can do, and the cycles that it takes for as many elements as there are lanes.
    pub functions: Vec<(VectorFunction, u32)>,
    /// The memories that it reads and writes, indices of [`Machine::memories`].
    pub memories: Vec<usize>,
}

impl VectorUnit {
    /// Cycles for as many elements as there are lanes, where it has this function.
    pub fn cycles(&self, function: VectorFunction) -> Option<u32> {
        self.functions.iter().find(|(known, _)| *known == function).map(|&(_, cycles)| cycles)
    }
}

/// What moves data between DRAM and the memories of a core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DmaEngines {
    /// Transfers at a time.
    pub engines: u32,
    /// Bytes per cycle of each engine.
    pub bandwidth: u64,
    /// Cycles from the start of a transfer to its first byte.
    pub startup: u32,
    /// Most dimensions of a transfer.
    pub dimensions: u32,
    /// Whether neighbouring elements may be apart on either side.
    pub transpose: bool,
    /// Whether it can put constants around what it moves.
    pub pad: bool,
}

/// The way of instructions: each goes, in program order, to the queue of its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queues {
    /// Cycles from one instruction to the next.
    pub issue_interval: u32,
    /// Instructions that can wait in each queue: loads, computations, stores.
    pub depth: [u32; 3],
}

impl Machine {
    /// Reads a description.
    ///
    /// # Errors
    /// All that is wrong with it, each with its place.
    pub fn parse(text: &str) -> Result<Self, DescriptionErrors> {
        description::parse(text)
    }

    /// The memory of this name.
    pub fn memory(&self, name: &str) -> Option<usize> {
        self.memories.iter().position(|memory| memory.name == name)
    }

    /// The memory outside.
    pub fn dram(&self) -> usize {
        self.memories.iter().position(|memory| memory.kind == MemoryKind::Dram).unwrap_or_default()
    }
}
