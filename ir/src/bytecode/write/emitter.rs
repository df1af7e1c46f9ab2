//! Primitives of the format, and sections.

use std::io;

use crate::bytecode::encoding::{ALIGNED, PADDING, Section};

/// The bytes of a section that is being written.
#[derive(Default)]
pub(super) struct Emitter {
    pub(super) bytes: Vec<u8>,
    /// The largest alignment asked for inside: the section has to begin at such a place.
    alignment: u64,
}

/// Appends an unsigned number: as many zeros at the end of the first byte as bytes follow it, then the digits, lowest first.
#[inline]
pub(super) fn push_varint(out: &mut Vec<u8>, value: u64) {
    if value < 1 << 7 {
        out.push((value << 1) as u8 | 1);
    } else {
        push_long_varint(out, value);
    }
}

fn push_long_varint(out: &mut Vec<u8>, value: u64) {
    let len = varint_len(value);
    if len == 9 {
        out.push(0);
        out.extend(value.to_le_bytes());
    } else {
        let coded = (value << 1 | 1) << (len - 1);
        out.extend_from_slice(&coded.to_le_bytes()[..len]);
    }
}

/// Bytes of a number.
pub(super) fn varint_len(value: u64) -> usize {
    let bits = 64 - (value | 1).leading_zeros() as usize;
    if bits > 56 { 9 } else { bits.div_ceil(7) }
}

impl Emitter {
    pub(super) fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, alignment: 0 }
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(super) fn varint(&mut self, value: u64) {
        push_varint(&mut self.bytes, value);
    }

    pub(super) fn varint_with_flag(&mut self, value: u64, flag: bool) {
        self.varint(value << 1 | u64::from(flag));
    }

    /// Pads to the next place that `alignment`, a power of two, divides.
    pub(super) fn align(&mut self, alignment: u64) {
        if alignment < 2 {
            return;
        }
        let len = (self.bytes.len() as u64).next_multiple_of(alignment) as usize;
        self.bytes.resize(len, PADDING);
        self.alignment = self.alignment.max(alignment);
    }
}

/// A file that is being written.
pub(super) struct Output<'w> {
    sink: &'w mut dyn io::Write,
    position: u64,
}

impl<'w> Output<'w> {
    pub(super) fn new(sink: &'w mut dyn io::Write) -> Self {
        Self { sink, position: 0 }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.sink.write_all(bytes)
    }

    /// A section: its code, its length, padding where it asks for an alignment, its content.
    pub(super) fn section(&mut self, section: Section, content: &Emitter) -> io::Result<()> {
        let mut header = Emitter::default();
        header.byte(section as u8);
        header.varint(content.bytes.len() as u64);
        let at = self.position + header.bytes.len() as u64;
        if content.alignment > 1 && !at.is_multiple_of(content.alignment) {
            header.bytes[0] |= ALIGNED;
            header.varint(content.alignment);
            let at = self.position + header.bytes.len() as u64;
            let padding = at.next_multiple_of(content.alignment) - at;
            header.bytes.resize(header.bytes.len() + padding as usize, PADDING);
        }
        self.bytes(&header.bytes)?;
        self.bytes(&content.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints() {
        let cases: [(u64, &[u8]); 6] = [
            (0, &[0x01]),
            (127, &[0xff]),
            (128, &[0x02, 0x02]),
            ((1 << 21) - 1, &[0xfc, 0xff, 0xff]),
            ((1 << 56) - 1, &[0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            (u64::MAX, &[0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ];
        for (value, bytes) in cases {
            let mut out = Vec::new();
            push_varint(&mut out, value);
            assert_eq!(out, bytes, "{value}");
            assert_eq!(varint_len(value), bytes.len());
        }
    }

    #[test]
    fn sections_are_aligned_in_the_file() {
        let mut content = Emitter::default();
        content.byte(1);
        content.align(8);
        let mut file = Vec::new();
        let mut output = Output::new(&mut file);
        output.bytes(&[0; 3]).unwrap();
        output.section(Section::Resource, &content).unwrap();
        let (code, pad) = (Section::Resource as u8 | ALIGNED, PADDING);
        assert_eq!(file[3..8], [code, 8 << 1 | 1, 8 << 1 | 1, pad, pad]);
        assert_eq!(file[8..], [1, pad, pad, pad, pad, pad, pad, pad]);
    }
}
