//! Locations and the source texts they point into.
//!
//! A location is 32 bits: nothing (unknown), a byte position in the context's source map, or an interned
//! [`LocData`]. Line and column are worked out when a message needs them.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::attributes::Attr;
use crate::entity::Ident;
use crate::lock::RwLock;

/// Where an operation or block argument comes from. `Loc::UNKNOWN` prints as `loc(unknown)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Loc(u32);

const INTERNED: u32 = 1 << 31;

/// Base of a text that has no place in the source map.
const UNMAPPED: u32 = u32::MAX - 1;

impl Loc {
    /// No location.
    pub const UNKNOWN: Self = Self(0);

    pub(crate) fn from_position(position: u32) -> Self {
        Self(if position < INTERNED - 1 { position + 1 } else { 0 })
    }

    pub(crate) fn from_interned(index: usize) -> Self {
        match u32::try_from(index) {
            Ok(i) if i < INTERNED => Self(i | INTERNED),
            _ => Self::UNKNOWN,
        }
    }

    /// Whether there is none.
    pub const fn is_unknown(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn kind(self) -> LocKind {
        match self.0 {
            0 => LocKind::Unknown,
            p if p & INTERNED == 0 => LocKind::Position(p - 1),
            i => LocKind::Interned((i & !INTERNED) as usize),
        }
    }
}

impl std::fmt::Debug for Loc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.kind())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum LocKind {
    Unknown,
    Position(u32),
    Interned(usize),
}

/// A location that is not a plain source position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are those of the text form")]
pub enum LocData {
    /// `loc("file":line:column)` as written in a file, and ranges `loc("file":1:2 to 3:4)`: the end is equal to the start
    /// when there is no range.
    FileRange { file: Ident, start: (u32, u32), end: (u32, u32) },
    /// `loc("name"(child))`.
    Name { name: Ident, child: Loc },
    /// `loc(callsite(callee at caller))`.
    CallSite { callee: Loc, caller: Loc },
    /// `loc(fused<metadata>[a, b])`.
    Fused { locs: Box<[Loc]>, metadata: Option<Attr> },
}

/// A position resolved for humans: file name, line and column, both from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilePosition {
    /// As given on the command line, `<stdin>` for standard input.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// The memory that a text lies in, where parts of it can be given back and come again by themselves: a mapped file.
pub trait TextMemory: std::fmt::Debug + Send + Sync {
    /// The bytes in `range` have been read. They are seldom asked for again, and may take longer then.
    fn release(&self, range: Range<usize>);
}

/// Where in its file a text begins: not in line 1, column 1 for a part of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl Start {
    /// The beginning of a file.
    pub const OF_FILE: Self = Self { line: 1, column: 1 };
}

/// One text that locations point into.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: Bytes,
    memory: Option<Arc<dyn TextMemory>>,
    base: u32,
    start: Start,
    line_starts: OnceLock<Vec<u32>>,
}

impl Source {
    /// A text that belongs to no context: its locations are unknown. For text that is only wrong when the program is.
    pub(crate) fn detached(text: &[u8]) -> Self {
        Self {
            name: String::new(),
            text: Bytes::copy_from_slice(text),
            memory: None,
            base: UNMAPPED,
            start: Start::OF_FILE,
            line_starts: OnceLock::new(),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where in its file it begins.
    pub(crate) fn start(&self) -> Start {
        self.start
    }

    /// The text: any bytes.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether [`release`](Self::release) is of use.
    pub(crate) fn is_releasable(&self) -> bool {
        self.memory.is_some()
    }

    /// Gives back the memory of a part of the text that has been read.
    pub(crate) fn release(&self, range: Range<usize>) {
        if let Some(memory) = &self.memory {
            memory.release(range);
        }
    }

    /// The location of the byte at `offset`.
    #[inline]
    pub fn loc(&self, offset: usize) -> Loc {
        Loc::from_position(self.base.saturating_add(offset as u32))
    }

    /// The byte that `loc` is, if it is one of this text.
    pub(crate) fn offset_of(&self, loc: Loc) -> Option<usize> {
        let LocKind::Position(position) = loc.kind() else { return None };
        let offset = position.checked_sub(self.base)? as usize;
        (offset <= self.text.len()).then_some(offset)
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let newlines = memchr::memchr_iter(b'\n', &self.text).map(|at| at as u32 + 1);
            std::iter::once(0).chain(newlines).collect()
        })
    }

    /// The number of the line with the byte at `offset`, from 0, and the number of the byte in it.
    fn place(&self, offset: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start as usize <= offset).max(1) - 1;
        (line, offset - starts[line] as usize)
    }

    /// Line and column in the file, from 1, of the byte at `offset`. The first call costs O(text), others O(log lines).
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let (line, byte) = self.place(offset);
        let before = if line == 0 { self.start.column } else { 1 };
        (self.start.line + line as u32, before + byte as u32)
    }

    /// The line with the byte at `offset`, as far as it belongs to this text and without its end, and the number of the byte in
    /// it, from 0. Costs as [`line_column`](Self::line_column).
    pub fn line_at(&self, offset: usize) -> (&[u8], usize) {
        let (line, byte) = self.place(offset);
        let rest = &self.text[self.line_starts()[line] as usize..];
        (&rest[..memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())], byte)
    }
}

/// All source texts of a context, laid end to end in one space of 2^31 positions. A text that no longer fits gets
/// unknown locations.
#[derive(Default)]
pub(crate) struct SourceMap {
    sources: RwLock<Vec<Arc<Source>>>,
}

impl SourceMap {
    pub(crate) fn add(
        &self,
        name: &str,
        text: Bytes,
        start: Start,
        memory: Option<Arc<dyn TextMemory>>,
    ) -> Arc<Source> {
        let mut sources = self.sources.write();
        let base = sources.last().map_or(0, |s| s.base.saturating_add(s.text.len() as u32).saturating_add(1));
        let fits = u32::try_from(text.len()).is_ok_and(|len| base.saturating_add(len) < INTERNED - 1);
        let base = if fits { base } else { UNMAPPED };
        let source =
            Arc::new(Source { name: name.to_owned(), text, memory, base, start, line_starts: OnceLock::new() });
        sources.push(source.clone());
        source
    }

    pub(crate) fn find(&self, position: u32) -> Option<(Arc<Source>, usize)> {
        let sources = self.sources.read();
        let at = sources.partition_point(|s| s.base <= position).checked_sub(1)?;
        let source = &sources[at];
        let offset = (position - source.base) as usize;
        (offset <= source.text.len()).then(|| (source.clone(), offset))
    }
}
