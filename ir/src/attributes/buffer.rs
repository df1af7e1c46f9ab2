//! Memory for the elements of a constant while they are computed.

use std::ops::{Deref, DerefMut};

use bytes::Bytes;

/// Where elements begin: at a cache line, which is what compiled code asks of the constants that it reads in place.
const ALIGNMENT: usize = 64;

/// Bytes that are zero at first, to be filled with elements and made the [`Bytes`] of a [`DenseData`](super::DenseData) without a copy. They begin at a
/// multiple of 64 in memory.
#[derive(Debug)]
pub struct DenseBuffer {
    /// `len` bytes from `start` on, and what makes up for `start`.
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl DenseBuffer {
    /// `len` zeros; `None` for more than there can be.
    pub fn zeroed(len: usize) -> Option<Self> {
        let all = len.checked_add(ALIGNMENT - 1).filter(|&all| isize::try_from(all).is_ok())?;
        let memory = vec![0; all];
        let start = memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT - 1);
        Some(Self { memory, start, len })
    }
}

impl Deref for DenseBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.start..][..self.len]
    }
}

impl DerefMut for DenseBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..][..self.len]
    }
}

impl From<DenseBuffer> for Bytes {
    fn from(buffer: DenseBuffer) -> Self {
        Self::from(buffer.memory).slice(buffer.start..buffer.start + buffer.len)
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
