//! A place in the bytes of a file, and the primitives that are read there.

use crate::bytecode::encoding::{ALIGNED, PADDING, Section, unzigzag};

/// What is wrong with a file, and the byte where that was noticed.
#[derive(Debug)]
pub(super) struct Fault(Box<(String, Option<usize>)>);

/// What was read.
pub(super) type Read<T> = Result<T, Fault>;

impl Fault {
    /// One that no byte in particular shows.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(Box::new((message.into(), None)))
    }

    /// The message, and the byte of the file.
    pub(super) fn into_parts(self) -> (String, Option<usize>) {
        *self.0
    }
}

/// The rest of a section.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'b> {
    /// What is left.
    bytes: &'b [u8],
    /// The place in the file of the end of the section.
    end: usize,
}

impl<'b> Cursor<'b> {
    /// All of `bytes`, which begin at byte `at` of the file.
    pub(super) fn new(bytes: &'b [u8], at: usize) -> Self {
        Self { bytes, end: at + bytes.len() }
    }

    /// The place in the file.
    pub(super) fn position(&self) -> usize {
        self.end - self.bytes.len()
    }

    /// Bytes left.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A fault here.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault(Box::new((message.into(), Some(self.position()))))
    }

    /// How much room to reserve for `count` things that take a byte each at least: as many as can be there.
    pub(super) fn capacity(&self, count: u64) -> usize {
        usize::try_from(count).unwrap_or(usize::MAX).min(self.len())
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Read<u8> {
        let Some((&first, rest)) = self.bytes.split_first() else {
            return Err(self.fault("attempting to parse a byte at the end of the bytecode"));
        };
        self.bytes = rest;
        Ok(first)
    }

    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: u64) -> Read<&'b [u8]> {
        let split = usize::try_from(len).ok().and_then(|len| self.bytes.split_at_checked(len));
        let Some((taken, rest)) = split else {
            let message = format!("attempting to parse {len} bytes when only {} remain", self.len());
            return Err(self.fault(message));
        };
        self.bytes = rest;
        Ok(taken)
    }

    /// The next `len` bytes, to read on there.
    pub(super) fn sub(&mut self, len: u64) -> Read<Self> {
        let at = self.position();
        Ok(Self::new(self.take(len)?, at))
    }

    /// An unsigned number: the zeros at the end of the first byte count those that follow, then the digits come, lowest first.
    #[inline]
    pub(super) fn varint(&mut self) -> Read<u64> {
        let first = self.byte()?;
        if first & 1 != 0 { Ok(u64::from(first >> 1)) } else { self.long_varint(first) }
    }

    fn long_varint(&mut self, first: u8) -> Read<u64> {
        let more = first.trailing_zeros();
        let mut word = [0; 8];
        if more == 8 {
            word.copy_from_slice(self.take(8)?);
            return Ok(u64::from_le_bytes(word));
        }
        word[0] = first;
        word[1..=more as usize].copy_from_slice(self.take(u64::from(more))?);
        Ok(u64::from_le_bytes(word) >> (more + 1))
    }

    /// A number that may be negative.
    #[inline]
    pub(super) fn signed_varint(&mut self) -> Read<i64> {
        Ok(unzigzag(self.varint()?))
    }

    /// A number with a flag in its lowest bit.
    #[inline]
    pub(super) fn varint_with_flag(&mut self) -> Read<(u64, bool)> {
        let value = self.varint()?;
        Ok((value >> 1, value & 1 != 0))
    }

    /// Length and bytes.
    pub(super) fn blob(&mut self) -> Read<&'b [u8]> {
        let len = self.varint()?;
        self.take(len)
    }

    /// Text up to a zero byte, which is skipped.
    pub(super) fn null_terminated(&mut self) -> Read<&'b [u8]> {
        let Some(len) = memchr::memchr(0, self.bytes) else {
            return Err(self.fault("malformed null-terminated string, no null character found"));
        };
        let text = &self.bytes[..len];
        self.bytes = &self.bytes[len + 1..];
        Ok(text)
    }

    /// Skips the padding before the next place in the file that `alignment` divides.
    pub(super) fn align(&mut self, alignment: u64) -> Read<()> {
        if !alignment.is_power_of_two() {
            return Err(self.fault("expected alignment to be a power-of-two"));
        }
        while !(self.position() as u64).is_multiple_of(alignment) {
            let byte = self.byte()?;
            if byte != PADDING {
                return Err(self.fault(format!("expected alignment byte (0xCB), but got: '0x{byte:X}'")));
            }
        }
        Ok(())
    }

    /// A section: its kind and content.
    pub(super) fn section(&mut self) -> Read<(Section, Self)> {
        let code = self.byte()?;
        let len = self.varint()?;
        let Some(section) = Section::from_code(code & !ALIGNED) else {
            return Err(self.fault(format!("invalid section ID: {}", code & !ALIGNED)));
        };
        if code & ALIGNED != 0 {
            let alignment = self.varint()?;
            self.align(alignment)?;
        }
        Ok((section, self.sub(len)?))
    }

    /// That nothing is left.
    pub(super) fn expect_end(&self, message: impl FnOnce() -> String) -> Read<()> {
        if self.is_empty() { Ok(()) } else { Err(self.fault(message())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(fault: Fault) -> String {
        fault.into_parts().0
    }

    #[test]
    fn varints_of_every_length() {
        let cases: [(&[u8], u64); 6] = [
            (&[0x01], 0),
            (&[0xff], 127),
            (&[0x02, 0x02], 128),
            (&[0xfc, 0xff, 0xff], (1 << 21) - 1),
            (&[0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], (1 << 56) - 1),
            (&[0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], u64::MAX),
        ];
        for (bytes, value) in cases {
            let mut cursor = Cursor::new(bytes, 0);
            assert_eq!(cursor.varint().unwrap(), value, "{bytes:x?}");
            assert!(cursor.is_empty());
            let mut short = Cursor::new(&bytes[..bytes.len() - 1], 0);
            assert!(message(short.varint().unwrap_err()).starts_with("attempting to parse"));
        }
    }

    #[test]
    fn padding_is_checked() {
        let mut cursor = Cursor::new(&[PADDING, PADDING, 7], 6);
        cursor.align(8).unwrap();
        assert_eq!(cursor.byte().unwrap(), 7);
        let fault = Cursor::new(&[PADDING, 0], 6).align(8).unwrap_err();
        assert_eq!(message(fault), "expected alignment byte (0xCB), but got: '0x0'");
        let fault = Cursor::new(&[], 0).align(3).unwrap_err();
        assert_eq!(message(fault), "expected alignment to be a power-of-two");
    }

    #[test]
    fn sections_have_known_kinds() {
        let (section, content) = Cursor::new(&[4, 0x03, 9], 0).section().unwrap();
        assert_eq!((section, content.len(), content.position()), (Section::Ir, 1, 2));
        let fault = Cursor::new(&[9, 0x01], 0).section().err().unwrap();
        assert_eq!(message(fault), "invalid section ID: 9");
        let fault = Cursor::new(&[4, 0x05, 9], 0).section().err().unwrap();
        assert_eq!(fault.into_parts(), ("attempting to parse 2 bytes when only 1 remain".to_owned(), Some(2)));
    }
}
