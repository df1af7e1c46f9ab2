//! Instructions, but for what the vector unit does.

use super::vector::Vector;
use crate::ElementType;
use crate::machine::MatrixTypes;

/// What an instruction signals when it, and all that was before it in its queue, is complete. Numbered for each core; each number is used once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Token(pub u32);

/// An instruction of a core.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// What it does.
    pub op: Op,
    /// What it signals.
    pub signals: Option<Token>,
    /// What it waits for; defined by instructions before it.
    pub after: Vec<Token>,
    /// Where it comes from: an index of [`super::Program::locations`].
    pub location: Option<u32>,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Moves data.
    Dma(Dma),
    /// Multiplies tiles.
    Matmul(Matmul),
    /// Computes element by element.
    Vector(Vector),
    /// Nothing. No later instruction is issued before its tokens are signalled.
    Wait,
    /// No core issues a later instruction before all instructions of all cores up to their barrier are complete.
    Barrier,
}

/// Where instructions of a kind stand in line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Queue {
    /// Transfers into the core.
    Load,
    /// Matrix and vector instructions.
    Compute,
    /// Transfers out of the core.
    Store,
}

impl Queue {
    /// All queues.
    pub const ALL: [Self; 3] = [Self::Load, Self::Compute, Self::Store];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Compute => "compute",
            Self::Store => "store",
        }
    }
}

impl Op {
    /// The queue that it goes to; `wait` and `barrier` go to none.
    pub fn queue(&self) -> Option<Queue> {
        match self {
            Self::Dma(Dma { queue, .. }) => Some(*queue),
            Self::Matmul(_) | Self::Vector(_) => Some(Queue::Compute),
            Self::Wait | Self::Barrier => None,
        }
    }

    /// All that it refers to.
    pub fn addresses(&self) -> impl Iterator<Item = Address> {
        let addresses = match self {
            Self::Dma(dma) => [Some(dma.destination.address), Some(dma.source.address), None],
            Self::Matmul(matmul) => [Some(matmul.sums), Some(matmul.lhs), Some(matmul.rhs)],
            Self::Vector(vector) => {
                let second = vector.second.map(|second| second.address);
                [Some(vector.destination.address), Some(vector.first.address), second]
            }
            Self::Wait | Self::Barrier => [None; 3],
        };
        addresses.into_iter().flatten()
    }

    /// Replaces what addresses are relative to.
    pub fn rebase(&mut self, mut with: impl FnMut(Base) -> Base) {
        let mut each = |address: &mut Address| address.base = with(address.base);
        match self {
            Self::Dma(dma) => [&mut dma.destination.address, &mut dma.source.address].into_iter().for_each(each),
            Self::Matmul(matmul) => [&mut matmul.sums, &mut matmul.lhs, &mut matmul.rhs].into_iter().for_each(each),
            Self::Vector(vector) => {
                each(&mut vector.destination.address);
                each(&mut vector.first.address);
                vector.second.iter_mut().for_each(|second| each(&mut second.address));
            }
            Self::Wait | Self::Barrier => {}
        }
    }

    /// Its name in text and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dma(Dma { queue: Queue::Store, .. }) => "store",
            Self::Dma(_) => "load",
            Self::Matmul(_) => "matmul",
            Self::Vector(vector) => vector.op.function().name(),
            Self::Wait => "wait",
            Self::Barrier => "barrier",
        }
    }
}

/// What an offset is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Base {
    /// A buffer in DRAM: an index of [`super::Program::buffers`].
    Buffer(u32),
    /// A memory of the core: an index of [`super::Program::memories`].
    Memory(u32),
}

/// A byte of a buffer or of a memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// What it lies in.
    pub base: Base,
    /// Bytes from its beginning.
    pub offset: u64,
}

/// A matrix in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// Its first element.
    pub address: Address,
    /// Bytes from an element to that below it, and to that beside it. Zero where they are the same one.
    pub strides: [u64; 2],
}

/// One side of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strided {
    /// The first element.
    pub address: Address,
    /// Bytes between neighbours along each dimension, outermost first.
    pub strides: [u64; 3],
}

/// Constants around what is moved, as part of the destination.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Padding {
    /// Elements before the data along each dimension.
    pub before: [u32; 3],
    /// Elements after it.
    pub after: [u32; 3],
    /// The bits of the constant: as many of the lower ones as an element has.
    pub value: u32,
}

/// A transfer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dma {
    /// [`Queue::Load`] or [`Queue::Store`].
    pub queue: Queue,
    /// Type of what is moved.
    pub element: ElementType,
    /// Extents of what is read, outermost first.
    pub shape: [u32; 3],
    /// Where it goes: the first element, of padding where there is some.
    pub destination: Strided,
    /// Where it comes from.
    pub source: Strided,
    /// What is put around it.
    pub padding: Option<Padding>,
}

impl Dma {
    /// Extents of what is written.
    pub fn padded_shape(&self) -> [u64; 3] {
        let extent = |i: usize| {
            let padding = self.padding.map_or(0, |pad| u64::from(pad.before[i]) + u64::from(pad.after[i]));
            u64::from(self.shape[i]) + padding
        };
        [extent(0), extent(1), extent(2)]
    }
}

/// `sums = lhs · rhs`, or `sums += lhs · rhs`.
///
/// Integers wrap. Floats: each product is rounded to `f32` and added to the sum, rounded to `f32`, in ascending order of `k`, beginning with the
/// old sum or with zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matmul {
    /// Element types.
    pub types: MatrixTypes,
    /// Rows of left operand and sums.
    pub m: u32,
    /// Columns of right operand and sums.
    pub n: u32,
    /// Columns of the left operand and rows of the right one.
    pub k: u32,
    /// `m` × `k`; neighbours in a row are adjacent in memory, and so for the others.
    pub lhs: Address,
    /// Bytes from row to row of the left operand.
    pub lhs_stride: u64,
    /// `k` × `n`.
    pub rhs: Address,
    /// Bytes from row to row of the right operand.
    pub rhs_stride: u64,
    /// `m` × `n`.
    pub sums: Address,
    /// Bytes from row to row of the sums.
    pub sums_stride: u64,
    /// Whether it adds to what is there.
    pub accumulate: bool,
    /// Whether the right operand is the one that the unit holds since its last product: it is not read again. Weight-stationary units only.
    pub resident: bool,
}
