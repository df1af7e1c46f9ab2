//! Bytes at an aligned address.

/// A copy of bytes at an aligned address, followed by a zero.
#[derive(Debug)]
pub(crate) struct Aligned {
    room: Vec<u8>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// Copies bytes to an address that is a multiple of `alignment`, a power of two.
    pub(crate) fn new(bytes: &[u8], alignment: usize) -> Self {
        let mut room = Vec::<u8>::with_capacity(bytes.len() + alignment + 1);
        let start = room.as_ptr().align_offset(alignment).min(alignment);
        room.resize(start, 0);
        room.extend_from_slice(bytes);
        room.push(0);
        Self { room, start, len: bytes.len() }
    }

    /// The bytes, without the zero behind them.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.room[self.start..self.start + self.len]
    }
}
