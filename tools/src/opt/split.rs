//! Splitting of an input into parts that are worked on one by one.

use bytes::Bytes;

/// A part of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) text: Bytes,
    /// The number of its first line in the whole.
    pub(super) first_line: u32,
}

/// The parts between the lines that begin with `marker`.
pub(super) fn split(text: &Bytes, marker: &str) -> Vec<Part> {
    let marker = marker.as_bytes();
    let (mut parts, mut start, mut first_line) = (Vec::new(), 0, 1);
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let end = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |n| at + n + 1);
        if text[at..end].starts_with(marker) {
            parts.push(Part { text: text.slice(start..at), first_line });
            (start, first_line) = (end, line + 1);
        }
        at = end;
        line += 1;
    }
    parts.push(Part { text: text.slice(start..), first_line });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_first_line() {
        let parts = split(&Bytes::from_static(b"a\nb\n// -----\nc\n// ----- more\n"), "// -----");
        let texts: Vec<_> = parts.iter().map(|part| (&part.text[..], part.first_line)).collect();
        assert_eq!(texts, [(&b"a\nb\n"[..], 1), (&b"c\n"[..], 4), (&b""[..], 6)]);
    }
}
