//! The text that has not been handed on yet, and short pieces of text that are copied as a whole.
//!
//! Most of what is printed is a few bytes long: names, types, punctuation. A copy of so many bytes as only the run knows is a call;
//! a [`Piece`] is copied with its padding, in a fixed number of bytes, and the padding is overwritten by what follows.

/// A text of at most [`Piece::MAX`] bytes, padded.
#[derive(Clone, Copy)]
pub(crate) struct Piece([u8; Piece::SIZE]);

impl Piece {
    const SIZE: usize = 32;
    /// The longest text that fits. The byte after it holds the length.
    pub(crate) const MAX: usize = Self::SIZE - 1;
    /// No text.
    pub(crate) const EMPTY: Self = Self([0; Self::SIZE]);

    /// `text`, if it fits.
    pub(crate) fn new(text: &str) -> Option<Self> {
        if text.len() > Self::MAX {
            return None;
        }
        let mut piece = Self::EMPTY;
        piece.0[..text.len()].copy_from_slice(text.as_bytes());
        piece.0[Self::MAX] = text.len() as u8;
        Some(piece)
    }

    /// Whether there is no text.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn len(&self) -> usize {
        usize::from(self.0[Self::MAX])
    }
}

/// Text that grows at its end.
#[derive(Default)]
pub(super) struct Buffer {
    /// Room; what is behind `len` means nothing.
    bytes: Vec<u8>,
    len: usize,
    /// For those who write strings: always empty.
    scratch: String,
}

impl Buffer {
    /// Bytes so far.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The text so far.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// What was appended since there were `start` bytes.
    pub(super) fn since(&self, start: usize) -> &str {
        std::str::from_utf8(&self.bytes[start..self.len]).unwrap_or_default()
    }

    /// Drops all but the first `len` bytes.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Drops the text and keeps the room.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends `text`.
    #[inline]
    pub(super) fn push_str(&mut self, text: &str) {
        let end = self.len + text.len();
        if end > self.bytes.len() {
            self.grow(text.len());
        }
        self.bytes[self.len..end].copy_from_slice(text.as_bytes());
        self.len = end;
    }

    /// Appends `piece`.
    #[inline]
    pub(super) fn push(&mut self, piece: &Piece) {
        self.push_padded(&piece.0, piece.len());
    }

    /// Appends the first `len` bytes of `padded`.
    #[inline]
    pub(super) fn push_padded<const N: usize>(&mut self, padded: &[u8; N], len: usize) {
        loop {
            // An array, so that the length of the copy is known and there is no call.
            if let Some(room) = self.bytes.get_mut(self.len..).and_then(|room| room.first_chunk_mut()) {
                *room = *padded;
                self.len += len;
                return;
            }
            self.grow(N);
        }
    }

    /// Appends one character.
    #[inline]
    pub(super) fn push_char(&mut self, c: char) {
        self.push_str(c.encode_utf8(&mut [0; 4]));
    }

    /// Appends a number in decimal.
    #[inline]
    pub(super) fn push_int(&mut self, value: impl itoa::Integer) {
        self.push_str(itoa::Buffer::new().format(value));
    }

    /// Appends two capital hexadecimal digits for each byte.
    pub(super) fn push_hex(&mut self, bytes: &[u8]) {
        let end = self.len + 2 * bytes.len();
        if end > self.bytes.len() {
            self.grow(2 * bytes.len());
        }
        // It fails for another length only.
        if const_hex::encode_to_slice_upper(bytes, &mut self.bytes[self.len..end]).is_ok() {
            self.len = end;
        }
    }

    /// Appends what `write` appends to a string.
    pub(super) fn push_with<T>(&mut self, write: impl FnOnce(&mut String) -> T) -> T {
        let mut text = std::mem::take(&mut self.scratch);
        let result = write(&mut text);
        self.push_str(&text);
        text.clear();
        self.scratch = text;
        result
    }

    /// The text as bytes.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len);
        self.bytes
    }

    /// The text as a string.
    pub(super) fn into_string(self) -> String {
        String::from_utf8(self.into_bytes()).unwrap_or_default()
    }

    /// Makes room for `more` bytes: doubles, so that appending is O(1) on average.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let room = (self.len + more).max(self.bytes.len() * 2).max(64);
        self.bytes.resize(room, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_overwritten() {
        let mut out = Buffer::default();
        let mut expected = String::new();
        for text in ["%12", " = ", "arith.addi", "", "a text as long as any piece is.", ", "] {
            out.push(&Piece::new(text).unwrap());
            out.push_str("|");
            expected.push_str(text);
            expected.push('|');
        }
        assert_eq!(out.len(), expected.len());
        assert_eq!(out.into_string(), expected);
    }

    #[test]
    fn longer_texts_are_no_pieces() {
        assert!(Piece::new(&"x".repeat(Piece::MAX)).is_some());
        assert!(Piece::new(&"x".repeat(Piece::MAX + 1)).is_none());
    }

    #[test]
    fn strings_numbers_and_cuts() {
        let mut out = Buffer::default();
        out.push_hex(&[0x0a, 0xff, 0x10]);
        assert_eq!(out.since(0), "0AFF10");
        out.truncate(0);
        out.push_with(|text| text.push_str("é ="));
        out.push_char(' ');
        out.push_int(-42);
        assert_eq!((out.since(5), out.bytes().len()), ("-42", 8));
        out.truncate(4);
        assert_eq!(out.into_string(), "é =");
    }
}
