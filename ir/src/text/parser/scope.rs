//! Names while operations are parsed: SSA values and blocks, with forward references.
//!
//! Each isolated operation opens a [`Frame`] with its own arena and names. Inside a frame a region sees the names around it; what
//! it defines is forgotten at its end. A name used before its definition gets a placeholder value of the type it is used
//! with, which the definition replaces.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::{Arena, ValueData};
use crate::context::Context;
use crate::entity::{BlockId, OpName, ValueId};
use crate::location::Loc;
use crate::rewriter::{InsertPoint, Rewriter};
use crate::text::format::Reading;
use crate::types::Type;

/// All open frames, innermost last.
#[derive(Default)]
pub(super) struct Scopes<'s> {
    pub(super) frames: Vec<Frame<'s>>,
    /// Dialects whose prefix may be left out, innermost last.
    pub(super) default_dialects: Vec<&'static str>,
    /// Results named on the left of the pretty operation being parsed.
    pub(super) named_results: u32,
    /// The operation whose pretty form is being parsed, unless that is a type or attribute in it.
    pub(super) custom: Option<OpName>,
    /// Room for what formats read, as many as operations have been nested. In boxes, since they are handed out and back for each operation.
    #[expect(clippy::vec_box, reason = "moving a pointer is cheaper")]
    pub(super) readings: Vec<Box<Reading>>,
    /// Frames that have been closed, for the room that they have.
    spare: Vec<Frame<'s>>,
    /// Bytes of small arenas since the heap was last made [to grow](grow_heap).
    kept: usize,
    /// Whether arenas may become large.
    is_large: bool,
}

/// Bytes by which the heap of a thread grows at a time, about.
const HEAP_STEP: usize = 120 * 1024;

/// Makes room of [`HEAP_STEP`] at the end of the heap, for allocations that follow. glibc's heaps, but for that of the first thread, grow page by page otherwise, each
/// time by a call that keeps other threads from getting pages meanwhile. What is freed at the end of a heap stays there.
#[cold]
fn grow_heap() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(HEAP_STEP)));
}

/// Bytes of a text of which arenas may become [large](Arena::reserve_pages).
const LARGE_TEXT: usize = 1 << 20;

/// Bytes of an arena that is worth a copy of just the right size.
const MAX_COPY: usize = 1 << 20;

impl Scopes<'_> {
    /// No frames yet, for a text of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { is_large: bytes >= LARGE_TEXT, ..Self::default() }
    }

    /// Opens a frame for the regions of an operation, whose arena `body` is, if there is one already.
    pub(super) fn open_frame(&mut self, body: Option<Box<Arena>>, name: OpName, loc: Loc) {
        let mut frame = self.spare.pop().unwrap_or_else(|| {
            let mut frame = Frame::new();
            if self.is_large {
                frame.arena.reserve_pages();
            }
            frame
        });
        match body {
            Some(body) => frame.arena = body,
            None => frame.arena.start(name, loc),
        }
        self.frames.push(frame);
    }

    /// Has the heap of a thread that shares the work grow in large steps while so many bytes of small arenas are added to those that are there.
    pub(super) fn keep(&mut self, bytes: usize) {
        self.kept += bytes;
        if self.kept > HEAP_STEP / 2 && rayon::current_thread_index().is_some() {
            self.kept = 0;
            grow_heap();
        }
    }

    /// Closes the innermost frame. The arena has no room to spare if it is small: many functions would waste much.
    pub(super) fn close_frame(&mut self) -> Option<Box<Arena>> {
        let mut frame = self.frames.pop()?;
        let bytes = frame.arena.bytes();
        self.keep(bytes);
        let arena = match bytes {
            0..=MAX_COPY => Box::new(frame.arena.take_content()),
            _ => std::mem::replace(&mut frame.arena, Box::new(Arena::empty())),
        };
        // More than one is of use only where isolated operations are nested.
        if self.spare.len() < 4 {
            frame.reset();
            self.spare.push(frame);
        }
        Some(arena)
    }
}

/// One isolated operation being parsed.
pub(super) struct Frame<'s> {
    pub(super) arena: Box<Arena>,
    pub(super) point: Option<InsertPoint>,
    names: Names<'s>,
    /// Only for the keys: each region has blocks of its own.
    block_names: Names<'s>,
    /// How many values a name stands for, by the first of them, where it is not one.
    groups: FxHashMap<ValueId, u32>,
    /// Names defined by open regions but the outermost, to forget at their end.
    defined: Vec<Key>,
    /// Placeholders for names that are not defined yet, by name and result number.
    forward: FxHashMap<(Key, u32), Forward>,
    /// Open regions, innermost last.
    pub(super) regions: Vec<RegionScope>,
}

/// A use before the definition.
#[derive(Clone, Copy)]
pub(super) struct Forward {
    pub(super) value: ValueId,
    /// Where it was first used.
    pub(super) offset: u32,
}

/// Blocks of one open region.
pub(super) struct RegionScope {
    /// Length of `defined` when the region was opened.
    names_before: usize,
    pub(super) blocks: FxHashMap<Key, BlockName>,
}

/// A block name that has been met.
#[derive(Clone, Copy)]
pub(super) struct BlockName {
    pub(super) block: BlockId,
    pub(super) offset: u32,
    pub(super) defined: bool,
    /// Perhaps defined in a text that was left out.
    pub(super) assumed: bool,
}

/// `first` of a name whose definition was lost to an error.
const POISON: u32 = u32::MAX;

/// What a name stands for: values from `first` on, defined at byte `offset`. `first` is one more than the index, 0 for
/// none. A name whose definition does not parse is *poisoned*: it stands for no value, and is no error to use. How many values there are
/// is kept elsewhere, since mostly it is one: there are as many slots as names, all at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    first: u32,
    pub(super) offset: u32,
}

const _: () = assert!(size_of::<Slot>() == 8);

impl Slot {
    fn new(first: ValueId, offset: u32) -> Self {
        Self { first: first.index() as u32 + 1, offset }
    }

    pub(super) fn is_defined(self) -> bool {
        self.first != 0 && !self.is_poisoned()
    }

    /// Whether the definition was lost to an error.
    pub(super) fn is_poisoned(self) -> bool {
        self.first == POISON
    }
}

/// A name: prefix and number for `%v12`, a whole word for others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    table: u32,
    row: u32,
}

const WORDS: u32 = u32::MAX;

/// Names of one frame. `%v12` lives in row 12 of the table of `v`, which is much faster than hashing each name. Words that do not
/// end in a number are hashed, and so are names of a table that would otherwise become far longer than there are names.
#[derive(Default)]
struct Names<'s> {
    prefixes: FxHashMap<&'s [u8], u32>,
    /// Some prefixes of short names with one more than the index of their tables, by a hash of them.
    recent_prefixes: [(u64, u32); 16],
    tables: Vec<Table>,
    words: FxHashMap<&'s [u8], u32>,
    word_slots: Vec<Slot>,
    /// How many names have been defined, and how many rows tables have.
    defined: usize,
    rows: usize,
}

/// The names with one prefix.
#[derive(Default)]
struct Table {
    slots: Vec<Slot>,
    /// It grows no more: rows that it does not have are words.
    full: bool,
}

/// Rows that tables may have from the start, and for each name.
const ROWS: (usize, usize) = (256, 8);

/// The prefix of a short name, and the number at its end: digits without a leading zero.
///
/// `bytes` are the last eight before the end of the name, of which `len`, 1 to 8, belong to it. Eight bytes at a time, as in D. Lemire,
/// "Number parsing at a gigabyte per second" (2021).
#[inline]
fn split_short(bytes: [u8; 8], len: usize) -> Option<(u64, u32)> {
    let name = u64::from_le_bytes(bytes) & (u64::MAX << (64 - 8 * len));
    let digits = name ^ 0x3030_3030_3030_3030;
    // The top bit of each byte that is no digit.
    let others = (((digits & 0x7f7f_7f7f_7f7f_7f7f) + 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let count = others.leading_zeros() / 8;
    if count == 0 {
        return None;
    }
    let (prefix, number) =
        if count == 8 { (0, digits) } else { (name << (8 * count), digits & (u64::MAX << (64 - 8 * count))) };
    let leading_zero = (digits >> (64 - 8 * count)) as u8 == 0;
    if leading_zero && count > 1 {
        return None;
    }
    let pairs = number.wrapping_mul(10).wrapping_add(number >> 8);
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    Some((prefix, (low.wrapping_add(high) >> 32) as u32))
}

/// Prefixes that are worth remembering from one frame to the next.
const MAX_PREFIXES: usize = 64;

impl<'s> Names<'s> {
    /// Forgets all names, but not how prefixes have been numbered.
    fn reset(&mut self) {
        if self.tables.len() > MAX_PREFIXES || self.words.len() > MAX_PREFIXES {
            *self = Self::default();
            return;
        }
        for table in &mut self.tables {
            table.slots.clear();
            table.full = false;
        }
        self.words.clear();
        self.word_slots.clear();
        (self.defined, self.rows) = (0, 0);
    }

    /// The key of the name at `span` of `text`, and what it stands for.
    #[inline(always)]
    fn find(&mut self, text: &'s [u8], span: (u32, u32)) -> (Key, Slot) {
        let (start, end) = (span.0 as usize, span.1 as usize);
        let len = end - start;
        if (1..=8).contains(&len)
            && let Some(bytes) = end.checked_sub(8).and_then(|from| text[from..].first_chunk())
            && let Some((prefix, row)) = split_short(*bytes, len)
        {
            let (known, table) = self.recent_prefixes[recent(prefix)];
            let table = table.wrapping_sub(1);
            if known == prefix
                && let Some(names) = self.tables.get(table as usize)
                && let Some(&slot) = names.slots.get(row as usize)
            {
                return (Key { table, row }, slot);
            }
        }
        let key = self.long_key(&text[start..end]);
        (key, self.get(key))
    }

    #[cold]
    fn long_key(&mut self, name: &'s [u8]) -> Key {
        let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (prefix, number) = name.split_at(name.len() - digits);
        let canonical = (1..=9).contains(&digits) && (digits == 1 || number[0] != b'0');
        if canonical {
            let row = number.iter().fold(0_u32, |n, &d| n * 10 + u32::from(d - b'0'));
            let table = self.table(prefix);
            if self.has_row(table, row as usize) {
                return Key { table, row };
            }
        }
        let next = self.word_slots.len() as u32;
        let row = *self.words.entry(name).or_insert(next);
        if row == next {
            self.word_slots.push(Slot::default());
        }
        Key { table: WORDS, row }
    }

    fn table(&mut self, prefix: &'s [u8]) -> u32 {
        let next = self.tables.len() as u32;
        let table = *self.prefixes.entry(prefix).or_insert(next);
        if table == next {
            self.tables.push(Table::default());
        }
        if prefix.len() < 8 {
            let mut bytes = [0; 8];
            bytes[8 - prefix.len()..].copy_from_slice(prefix);
            let prefix = u64::from_le_bytes(bytes);
            self.recent_prefixes[recent(prefix)] = (prefix, table + 1);
        }
        table
    }

    /// Whether the table has the row; makes it where that is in proportion to what has been defined.
    fn has_row(&mut self, table: u32, row: usize) -> bool {
        let table = &mut self.tables[table as usize];
        if row < table.slots.len() {
            return true;
        }
        let len = table.slots.len();
        let allowed = (ROWS.0 + ROWS.1 * self.defined).saturating_sub(self.rows) + len;
        if !table.full && row < allowed {
            // With some to spare for the next ones.
            let new = allowed.min(row + 1 + len / 8);
            self.rows += new - len;
            table.slots.resize(new, Slot::default());
            return true;
        }
        table.full = true;
        false
    }

    fn slots(&mut self, key: Key) -> &mut Slot {
        let slots = if key.table == WORDS { &mut self.word_slots } else { &mut self.tables[key.table as usize].slots };
        &mut slots[key.row as usize]
    }

    fn get(&self, key: Key) -> Slot {
        let slots = if key.table == WORDS { &self.word_slots } else { &self.tables[key.table as usize].slots };
        slots[key.row as usize]
    }

    #[inline]
    fn set(&mut self, key: Key, slot: Slot) {
        self.defined += 1;
        *self.slots(key) = slot;
    }
}

/// Where in the table of recent prefixes `prefix` has its place.
#[inline]
fn recent(prefix: u64) -> usize {
    (prefix.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize
}

impl<'s> Frame<'s> {
    /// A frame with an empty arena.
    fn new() -> Self {
        Self {
            arena: Box::new(Arena::empty()),
            point: None,
            names: Names::default(),
            block_names: Names::default(),
            groups: FxHashMap::default(),
            defined: Vec::new(),
            forward: FxHashMap::default(),
            regions: Vec::new(),
        }
    }

    /// Forgets everything but the room there is.
    fn reset(&mut self) {
        self.point = None;
        self.names.reset();
        self.block_names.reset();
        self.groups.clear();
        self.defined.clear();
        self.forward.clear();
        self.regions.clear();
    }

    /// A rewriter at the current end of the block being parsed.
    pub(super) fn rewriter<'a>(&'a mut self, cx: &'a Context) -> Rewriter<'a> {
        let mut rw = Rewriter::new(cx, &mut self.arena);
        rw.set_insertion_point(self.point);
        rw
    }

    /// The key of the name at `span` of `text`, and what it stands for.
    #[inline(always)]
    pub(super) fn find(&mut self, text: &'s [u8], span: (u32, u32)) -> (Key, Slot) {
        self.names.find(text, span)
    }

    /// The key of the block name at `span` of `text`. Keys of names, unlike names, can be compared without the text.
    pub(super) fn block_key(&mut self, text: &'s [u8], span: (u32, u32)) -> Key {
        self.block_names.defined += 1;
        self.block_names.find(text, span).0
    }

    /// Value number `number` of the name that `slot` is of.
    #[inline]
    pub(super) fn value(&self, slot: Slot, number: u32) -> Option<ValueId> {
        if !slot.is_defined() {
            return None;
        }
        let first = ValueId::from_index(slot.first as usize - 1);
        let is_there = number == 0 || self.groups.get(&first).is_some_and(|&count| number < count);
        is_there.then(|| ValueId::from_index(first.index() + number as usize))
    }

    /// The value `number` of `key`, or a placeholder of type `ty`.
    pub(super) fn value_or_forward(&mut self, key: Key, number: u32, ty: Type, offset: u32) -> ValueId {
        let arena = &mut self.arena;
        let new = || Forward { value: placeholder(arena, ty), offset };
        self.forward.entry((key, number)).or_insert_with(new).value
    }

    /// A value of type `ty` that nothing defines.
    pub(super) fn placeholder(&mut self, ty: Type) -> ValueId {
        placeholder(&mut self.arena, ty)
    }

    /// Poisons a name that was to be defined at byte `offset`, until the end of the innermost open region.
    pub(super) fn poison(&mut self, key: Key, offset: u32) {
        self.forward.retain(|(name, _), _| *name != key);
        self.bind(key, Slot { first: POISON, offset });
    }

    pub(super) fn has_forwards(&self) -> bool {
        !self.forward.is_empty()
    }

    /// The placeholder of value `number` of `key`, if there is one, which the caller now replaces.
    pub(super) fn take_forward(&mut self, key: Key, number: u32) -> Option<Forward> {
        if self.forward.is_empty() { None } else { self.forward.remove(&(key, number)) }
    }

    /// Uses that were never defined, in the order of the text.
    pub(super) fn undefined(&self) -> Vec<Forward> {
        let mut all: SmallVec<[Forward; 4]> = self.forward.values().copied().collect();
        all.sort_by_key(|f| f.offset);
        all.into_vec()
    }

    /// Makes `key`, which stands for nothing, stand for `count` values from `first` on until the end of the innermost open region.
    pub(super) fn define(&mut self, key: Key, first: ValueId, count: usize, offset: u32) {
        if count != 1 {
            self.groups.insert(first, count as u32);
        }
        self.bind(key, Slot::new(first, offset));
    }

    fn bind(&mut self, key: Key, slot: Slot) {
        // The names of the outermost region end with the frame.
        if self.regions.len() > 1 {
            self.defined.push(key);
        }
        self.names.set(key, slot);
    }

    pub(super) fn open_region(&mut self) {
        self.regions.push(RegionScope { names_before: self.defined.len(), blocks: FxHashMap::default() });
    }

    /// Forgets the names of the innermost region; answers the block names that were used but not defined, in text order.
    pub(super) fn close_region(&mut self) -> Vec<BlockName> {
        let Some(scope) = self.regions.pop() else { return Vec::new() };
        while self.defined.len() > scope.names_before {
            if let Some(key) = self.defined.pop() {
                self.names.set(key, Slot::default());
            }
        }
        let mut undefined: SmallVec<[BlockName; 4]> =
            scope.blocks.values().filter(|b| !b.defined && !b.assumed).copied().collect();
        undefined.sort_by_key(|b| b.offset);
        undefined.into_vec()
    }
}

fn placeholder(arena: &mut Arena, ty: Type) -> ValueId {
    let value = ValueId::from_index(arena.values.len());
    arena.values.push(ValueData::result(Arena::ROOT, ty));
    value
}
