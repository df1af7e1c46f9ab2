//! Splitting of an input into parts that are worked on one by one.

use bytes::Bytes;
use dl_ir::location::Start;

/// A part of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) text: Bytes,
    /// Where it begins in the whole.
    pub(super) start: Start,
}

/// An input in parts.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    /// Bytes at which something ends that is almost a marker.
    pub(super) near_misses: Vec<usize>,
}

/// How many characters may be missing at the end of what is almost a marker.
const SLACK: usize = 2;

/// The parts between the markers, which may stand anywhere in a line, as upstream has it. At the end of the text there is no
/// marker, since nothing is left for a part after it.
pub(super) fn split(text: &Bytes, marker: &str) -> Parts {
    let (almost, last) = marker.as_bytes().split_at(marker.len().saturating_sub(SLACK));
    let (mut list, mut near_misses) = (Vec::new(), Vec::new());
    let (mut start, mut line) = (0, 1);
    let mut line_start = 0;
    for found in memchr::memmem::find_iter(text, almost) {
        let at = found + almost.len();
        let rest = &text[at..];
        if found < start {
            // It overlaps the marker before.
        } else if rest.starts_with(last) && rest.len() > last.len() {
            list.push(Part {
                text: text.slice(start..found),
                start: Start { line, column: column(start, line_start) },
            });
            for newline in memchr::memchr_iter(b'\n', &text[start..at + last.len()]) {
                line += 1;
                line_start = start + newline + 1;
            }
            start = at + last.len();
        } else {
            near_misses.push(at);
        }
    }
    list.push(Part { text: text.slice(start..), start: Start { line, column: column(start, line_start) } });
    Parts { list, near_misses }
}

/// The column of the byte `at` in the line that begins with byte `line_start`.
fn column(at: usize, line_start: usize) -> u32 {
    u32::try_from(at - line_start).map_or(u32::MAX, |before| before.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, and the line and column where it begins.
    type Shown = (&'static str, (u32, u32));

    fn parts(text: &'static str) -> (Vec<Shown>, Vec<usize>) {
        let bytes = Bytes::from_static(text.as_bytes());
        let parts = split(&bytes, "// -----");
        let show = |part: Part| {
            let at = part.text.as_ptr().addr() - text.as_ptr().addr();
            (&text[at..at + part.text.len()], (part.start.line, part.start.column))
        };
        (parts.list.into_iter().map(show).collect(), parts.near_misses)
    }

    #[test]
    fn parts_know_where_they_begin() {
        let (list, near_misses) = parts("a\nb\n// -----\nc\n  // ----- more\n");
        assert_eq!(list, [("a\nb\n", (1, 1)), ("\nc\n  ", (3, 9)), (" more\n", (5, 11))]);
        assert_eq!(near_misses, [0; 0]);
    }

    #[test]
    fn what_is_almost_a_marker_is_found() {
        let (list, near_misses) = parts("a\n// ----\nb\n// ---\n// ------\nc\n// -----");
        assert_eq!(list, [("a\n// ----\nb\n// ---\n", (1, 1)), ("-\nc\n// -----", (5, 9))]);
        assert_eq!(near_misses, [8, 18, 37]);
    }
}
