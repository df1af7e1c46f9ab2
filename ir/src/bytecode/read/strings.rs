//! The string table.

use super::cursor::{Cursor, Read};

/// The strings that a file refers to by their numbers.
pub(super) struct Strings<'b> {
    strings: Vec<&'b [u8]>,
}

impl<'b> Strings<'b> {
    /// Reads the table: how many there are, their lengths from the last to the first, each with its zero byte, then the bytes.
    pub(super) fn read(mut section: Cursor<'b>) -> Read<Self> {
        let count = section.varint()?;
        let mut whole = section;
        let mut lengths = Vec::with_capacity(section.capacity(count));
        let mut total = 0_u64;
        for _ in 0..count {
            let length = section.varint()?;
            total = total.saturating_add(length);
            if total > whole.len() as u64 {
                return Err(section.fault("string size exceeds the available data size"));
            }
            if length == 0 {
                return Err(section.fault("expected every string to end with a null character"));
            }
            lengths.push(length);
        }
        if section.len() as u64 != total {
            let message = "unexpected trailing data between the offsets for strings and their data";
            return Err(section.fault(message));
        }
        whole = section;
        let mut strings = Vec::with_capacity(lengths.len());
        for &length in lengths.iter().rev() {
            let with_end = whole.take(length)?;
            strings.push(&with_end[..with_end.len() - 1]);
        }
        Ok(Self { strings })
    }

    /// The string that is referred to at `cursor`.
    pub(super) fn at(&self, cursor: &mut Cursor<'_>) -> Read<&'b [u8]> {
        let index = cursor.varint()?;
        self.get(cursor, index)
    }

    /// String number `index`.
    pub(super) fn get(&self, cursor: &Cursor<'_>, index: u64) -> Read<&'b [u8]> {
        let string = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        string.copied().ok_or_else(|| cursor.fault(format!("invalid string index: {index}")))
    }

    /// The same, for a name: it must be UTF-8.
    pub(super) fn name(&self, cursor: &Cursor<'_>, index: u64) -> Read<&'b str> {
        let bytes = self.get(cursor, index)?;
        std::str::from_utf8(bytes)
            .map_err(|_| cursor.fault(format!("unsupported: a name that is not UTF-8: '{}'", bytes.escape_ascii())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let strings = Strings::read(Cursor::new(bytes, 0)).map_err(|fault| fault.into_parts().0)?;
        Ok(strings.strings.iter().map(|s| s.to_vec()).collect())
    }

    /// `value` as a varint of one byte.
    const fn v(value: u8) -> u8 {
        value << 1 | 1
    }

    #[test]
    fn lengths_come_last_first() {
        let bytes = [v(2), v(1), v(3), b'a', b'b', 0, 0];
        assert_eq!(table(&bytes).unwrap(), [b"ab".to_vec(), Vec::new()]);
        assert_eq!(table(&[v(0)]).unwrap(), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn faults() {
        assert_eq!(table(&[v(1), v(9), 0]).unwrap_err(), "string size exceeds the available data size");
        assert_eq!(table(&[v(1), v(0)]).unwrap_err(), "expected every string to end with a null character");
        assert_eq!(table(&[v(2), v(1)]).unwrap_err(), "attempting to parse a byte at the end of the bytecode");
        assert_eq!(
            table(&[v(1), v(1), 0, 0]).unwrap_err(),
            "unexpected trailing data between the offsets for strings and their data"
        );
        // 2^62 strings in ten bytes.
        let bytes = [0, 0, 0, 0, 0, 0, 0, 0, 0x40, v(1)];
        assert_eq!(table(&bytes).unwrap_err(), "attempting to parse a byte at the end of the bytecode");
    }
}
