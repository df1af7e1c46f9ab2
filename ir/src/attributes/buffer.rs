//! Memory for the elements of a constant while they are computed.

use std::ops::{Deref, DerefMut};

use bytes::Bytes;
use memmap2::MmapMut;

/// Where elements begin: at a cache line, which is what compiled code asks of the constants that it reads in place.
const ALIGNMENT: usize = 64;

/// Bytes from which on memory is mapped, and goes back to the system as soon as it is freed. It is not asked for in huge pages: code that reads weights is no faster
/// for them, and a virtual machine that has to get them from its host first may fill them at a fifth of the speed.
const LARGE: usize = 2 << 20;

/// Bytes that are zero at first, to be filled with elements and made the [`Bytes`] of a [`DenseData`](super::DenseData) without a copy. They begin at a
/// multiple of 64 in memory.
#[derive(Debug)]
pub struct DenseBuffer(Memory);

#[derive(Debug)]
enum Memory {
    /// `len` bytes from `start` on, and what makes up for `start`.
    Heap { memory: Vec<u8>, start: usize, len: usize },
    /// Pages of their own.
    Mapped(MmapMut),
}

impl DenseBuffer {
    /// `len` zeros; `None` for more than there can be.
    pub fn zeroed(len: usize) -> Option<Self> {
        if len >= LARGE {
            return Some(Self(Memory::Mapped(MmapMut::map_anon(len).ok()?)));
        }
        let memory = vec![0; len + ALIGNMENT - 1];
        let start = memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT - 1);
        Some(Self(Memory::Heap { memory, start, len }))
    }
}

impl Deref for DenseBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Memory::Heap { memory, start, len } => &memory[*start..][..*len],
            Memory::Mapped(pages) => pages,
        }
    }
}

impl DerefMut for DenseBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Memory::Heap { memory, start, len } => &mut memory[*start..][..*len],
            Memory::Mapped(pages) => pages,
        }
    }
}

impl From<DenseBuffer> for Bytes {
    fn from(buffer: DenseBuffer) -> Self {
        match buffer.0 {
            Memory::Heap { memory, start, len } => Self::from(memory).slice(start..start + len),
            Memory::Mapped(pages) => Self::from_owner(pages),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::DenseData;

    #[test]
    fn elements_stay_where_they_were_written() {
        for len in [0, 1, 63, 64, 100_000, 3_000_000] {
            let mut buffer = DenseBuffer::zeroed(len).unwrap();
            assert_eq!((buffer.len(), buffer.iter().position(|&byte| byte != 0)), (len, None));
            buffer.iter_mut().zip(1..).for_each(|(byte, number)| *byte = (number % 251) as u8);
            let place = buffer.as_ptr().addr();
            assert!(place.is_multiple_of(ALIGNMENT), "{len} bytes at {place:#x}");
            let data = DenseData::elements(buffer, 1);
            assert!(data.bytes().iter().zip(1..).all(|(&byte, number)| byte == (number % 251) as u8));
            assert_eq!(data.bytes().len(), len);
            assert!(len < 2 || data.bytes().as_ptr().addr() == place);
        }
    }

    #[test]
    fn more_than_there_can_be_is_none() {
        assert!(DenseBuffer::zeroed(usize::MAX).is_none());
        assert!(DenseBuffer::zeroed(isize::MAX as usize).is_none());
    }
}
