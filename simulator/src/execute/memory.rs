//! Memories, and which of their bytes have been written.

use bytemuck::allocation::try_zeroed_vec;

use crate::SimulationError;
use crate::machine::{Machine, MemoryKind};
use crate::program::{Base, BufferKind, Program};

/// All memory of a machine that a program uses.
pub(super) struct Memories {
    buffers: Vec<Memory>,
    /// Of each core, those that the program names.
    cores: Vec<Vec<Memory>>,
}

/// Bytes that may be read once they are written.
struct Memory {
    bytes: Vec<u8>,
    /// A bit for each byte; none where all have been written.
    written: Option<Vec<u64>>,
}

impl Memory {
    fn new(size: u64, is_written: bool) -> Result<Self, SimulationError> {
        let no_memory = |()| SimulationError::Memory(format!("not enough memory to simulate {size} bytes"));
        let size = usize::try_from(size).map_err(|_| no_memory(()))?;
        let bytes = try_zeroed_vec(size).map_err(no_memory)?;
        let written = if is_written { None } else { Some(try_zeroed_vec(size.div_ceil(64)).map_err(no_memory)?) };
        Ok(Self { bytes, written })
    }

    /// Words of bits for the bytes from `start`, each with the mask that counts.
    fn masks(start: usize, len: usize) -> impl Iterator<Item = (usize, u64)> {
        let end = start + len;
        (start / 64..end.div_ceil(64)).map(move |word| {
            let (low, high) = (start.max(word * 64) % 64, end.min(word * 64 + 64) - word * 64);
            (word, (u64::MAX >> (64 - (high - low))) << low)
        })
    }

    fn first_unwritten(&self, start: usize, len: usize) -> Option<usize> {
        let written = self.written.as_ref()?;
        Self::masks(start, len).find_map(|(word, mask)| {
            let missing = mask & !written[word];
            (missing != 0).then(|| word * 64 + missing.trailing_zeros() as usize)
        })
    }

    fn mark(&mut self, start: usize, len: usize) {
        if let Some(written) = &mut self.written {
            Self::masks(start, len).for_each(|(word, mask)| written[word] |= mask);
        }
    }
}

impl Memories {
    /// Memories in which nothing has been written, but for inputs and constants.
    pub(super) fn new(machine: &Machine, program: &Program) -> Result<Self, SimulationError> {
        let buffer = |buffer: &crate::program::Buffer| {
            let is_written = matches!(buffer.kind, BufferKind::Input | BufferKind::Constant(_));
            Memory::new(buffer.size().unwrap_or(u64::MAX), is_written)
        };
        let buffers = program.buffers.iter().map(buffer).collect::<Result<_, _>>()?;
        let local = |name: &String| {
            let memory = machine.memories.iter().find(|memory| memory.name == *name && memory.kind != MemoryKind::Dram);
            Memory::new(memory.map_or(0, |memory| memory.size), false)
        };
        let core = |_| program.memories.iter().map(local).collect::<Result<_, _>>();
        let cores = program.cores.iter().map(core).collect::<Result<_, _>>()?;
        Ok(Self { buffers, cores })
    }

    fn of(&self, core: usize, base: Base) -> &Memory {
        match base {
            Base::Buffer(index) => &self.buffers[index as usize],
            Base::Memory(index) => &self.cores[core][index as usize],
        }
    }

    /// Bytes that have been written.
    ///
    /// # Errors
    /// The first byte that has not.
    pub(super) fn read(&self, core: usize, base: Base, start: u64, len: u64) -> Result<&[u8], u64> {
        let memory = self.of(core, base);
        let (start, len) = (start as usize, len as usize);
        match memory.first_unwritten(start, len) {
            Some(byte) => Err(byte as u64),
            None => Ok(&memory.bytes[start..start + len]),
        }
    }

    /// Writes bytes.
    pub(super) fn write(&mut self, core: usize, base: Base, start: u64, data: &[u8]) {
        let memory = match base {
            Base::Buffer(index) => &mut self.buffers[index as usize],
            Base::Memory(index) => &mut self.cores[core][index as usize],
        };
        let start = start as usize;
        memory.bytes[start..start + data.len()].copy_from_slice(data);
        memory.mark(start, data.len());
    }

    pub(super) fn buffer(&self, index: usize) -> &[u8] {
        &self.buffers[index].bytes
    }

    pub(super) fn buffer_mut(&mut self, index: usize) -> &mut [u8] {
        &mut self.buffers[index].bytes
    }

    pub(super) fn first_unwritten(&self, buffer: usize) -> Option<usize> {
        let memory = &self.buffers[buffer];
        memory.first_unwritten(0, memory.bytes.len())
    }
}
