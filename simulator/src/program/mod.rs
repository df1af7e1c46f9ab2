//! Programs: what the cores of an accelerator do, as data.
//!
//! A program names memories, declares buffers in DRAM, and has a list of instructions for each core. It is unrolled: all addresses are known. Two
//! outside forms say the same: a compact binary one ([`Program::from_bytes`], [`Program::to_bytes`]; files called `.dlacc`) and text
//! ([`Program::from_text`] and `Display`). `docs/accelerator.md` describes both.

mod assembly;
mod binary;
mod instruction;
mod vector;

pub use assembly::AssemblyError;
pub(crate) use assembly::Shown;
pub use binary::{FORMAT_VERSION, LoadError};
pub use instruction::{Address, Base, Dma, Instruction, Matmul, Op, Padding, Queue, Strided, Tile, Token};
pub use vector::{BinaryOp, Pool, PoolOp, ReduceOp, Requantize, Scale, UnaryOp, Vector, VectorOp};

use rustc_hash::FxHashSet;

use crate::ElementType;

/// A program for an accelerator.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Program {
    /// What reports call it.
    pub name: String,
    /// Names of the memories that [`Base::Memory`] refers to.
    pub memories: Vec<String>,
    /// What it keeps in DRAM.
    pub buffers: Vec<Buffer>,
    /// Places in the source that instructions come from.
    pub locations: Vec<String>,
    /// The instructions of each core. A machine may have more cores; they do nothing.
    pub cores: Vec<Vec<Instruction>>,
}

/// Who fills and who reads a buffer.
#[derive(Clone, PartialEq, Debug)]
pub enum BufferKind {
    /// Filled by the host before the program runs.
    Input,
    /// Read by the host when the program has run.
    Output,
    /// Filled by the program and read by it.
    Temporary,
    /// Part of the program: row-major, little-endian.
    Constant(Vec<u8>),
}

impl BufferKind {
    const NAMES: [&'static str; 4] = ["input", "output", "temporary", "constant"];

    /// Its name in text.
    pub fn name(&self) -> &'static str {
        Self::NAMES[usize::from(self.code())]
    }

    fn code(&self) -> u8 {
        match self {
            Self::Input => 0,
            Self::Output => 1,
            Self::Temporary => 2,
            Self::Constant(_) => 3,
        }
    }
}

/// A row-major array in DRAM.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Its name, unique in the program.
    pub name: String,
    /// Who fills and who reads it.
    pub kind: BufferKind,
    /// Type of its elements.
    pub element: ElementType,
    /// Extents, outermost first; none for a scalar.
    pub shape: Vec<u64>,
}

impl Buffer {
    /// Bytes that it takes, unless that overflows.
    pub fn size(&self) -> Option<u64> {
        self.shape.iter().try_fold(self.element.size(), |size, &extent| size.checked_mul(extent))
    }
}

impl Program {
    /// Inputs in the order in which they are given.
    pub fn inputs(&self) -> impl Iterator<Item = (usize, &Buffer)> {
        self.buffers.iter().enumerate().filter(|(_, buffer)| buffer.kind == BufferKind::Input)
    }

    /// Outputs in the order in which they are handed out.
    pub fn outputs(&self) -> impl Iterator<Item = (usize, &Buffer)> {
        self.buffers.iter().enumerate().filter(|(_, buffer)| buffer.kind == BufferKind::Output)
    }

    /// A name that is there twice, or an index of something that is not there, if there is one.
    fn unknown_reference(&self) -> Option<String> {
        let mut names = FxHashSet::default();
        let buffers = self.buffers.iter().map(|buffer| &buffer.name);
        if let Some(name) = self.memories.iter().chain(buffers).find(|name| !names.insert(name.as_str())) {
            return Some(format!("two memories or buffers with the name '{name}'"));
        }
        let unknown = |base: Base| match base {
            Base::Buffer(index) => {
                (index as usize >= self.buffers.len()).then(|| format!("there is no buffer {index}"))
            }
            Base::Memory(index) => {
                (index as usize >= self.memories.len()).then(|| format!("there is no memory {index}"))
            }
        };
        self.cores.iter().flatten().find_map(|instruction| {
            let location = instruction.location.filter(|location| *location as usize >= self.locations.len());
            let bases = instruction.op.addresses().find_map(|address| unknown(address.base));
            bases.or_else(|| location.map(|location| format!("there is no location {location}")))
        })
    }

    /// How many instructions there are on all cores.
    pub fn instruction_count(&self) -> usize {
        self.cores.iter().map(Vec::len).sum()
    }
}

/// Whether `name` can be the name of a program, memory or buffer: letters, digits, `-`, `_` and `.`, a letter first.
pub fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
