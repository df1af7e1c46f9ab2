//! Names while operations are parsed: SSA values and blocks, with forward references.
//!
//! Each isolated operation opens a [`Frame`] with its own arena and names. Inside a frame a region sees the names around it; what
//! it defines is forgotten at its end. A name used before its definition gets a placeholder value of the type it is used
//! with, which the definition replaces.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::arena::{Arena, ValueData};
use crate::context::Context;
use crate::entity::{BlockId, ValueId};
use crate::rewriter::{InsertPoint, OpState, Rewriter};
use crate::types::Type;

/// All open frames, innermost last.
#[derive(Default)]
pub(super) struct Scopes<'s> {
    pub(super) frames: Vec<Frame<'s>>,
    /// Dialects whose prefix may be left out, innermost last.
    pub(super) default_dialects: Vec<&'static str>,
    /// Results named on the left of the pretty operation being parsed.
    pub(super) named_results: u32,
}

/// One isolated operation being parsed.
pub(super) struct Frame<'s> {
    pub(super) arena: Box<Arena>,
    pub(super) point: Option<InsertPoint>,
    names: Names<'s>,
    /// Names defined by open regions, to forget at their end.
    defined: Vec<Key>,
    /// Placeholders for names that are not defined yet, by name and result number.
    forward: FxHashMap<(Key, u32), Forward>,
    /// Open regions, innermost last.
    pub(super) regions: Vec<RegionScope<'s>>,
}

/// A use before the definition.
#[derive(Clone, Copy)]
pub(super) struct Forward {
    pub(super) value: ValueId,
    /// Where it was first used.
    pub(super) offset: u32,
}

/// Blocks of one open region.
pub(super) struct RegionScope<'s> {
    /// Length of `defined` when the region was opened.
    names_before: usize,
    pub(super) blocks: FxHashMap<&'s [u8], BlockName>,
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

/// What a name stands for: `count` values from `first` on, defined at byte `offset`. `first` is one more than the index, 0 for
/// none. A name whose definition does not parse is *poisoned*: it stands for no value, and is no error to use.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    first: u32,
    pub(super) count: u32,
    pub(super) offset: u32,
}

impl Slot {
    pub(super) fn new(first: ValueId, count: usize, offset: u32) -> Self {
        Self { first: first.index() as u32 + 1, count: count as u32, offset }
    }

    /// Value number `number` of the name.
    pub(super) fn value(self, number: u32) -> Option<ValueId> {
        (self.is_defined() && number < self.count).then(|| ValueId::from_index((self.first - 1 + number) as usize))
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

/// Names of one frame. `%v12` lives in row 12 of the table of `v`, which is much faster than hashing each name; words that do not
/// end in a small number are hashed.
struct Names<'s> {
    prefixes: FxHashMap<&'s [u8], u32>,
    last_prefix: (&'s [u8], u32),
    tables: Vec<Vec<Slot>>,
    words: FxHashMap<&'s [u8], u32>,
    word_slots: Vec<Slot>,
    /// Rows a table may have: tied to the size of the text, so that `%99999999` costs no memory.
    max_row: u32,
}

impl<'s> Names<'s> {
    fn new(text_len: usize) -> Self {
        Self {
            prefixes: FxHashMap::default(),
            last_prefix: (b"", u32::MAX),
            tables: Vec::new(),
            words: FxHashMap::default(),
            word_slots: Vec::new(),
            max_row: u32::try_from(text_len / 4 + 64).unwrap_or(u32::MAX),
        }
    }

    fn key(&mut self, name: &'s [u8]) -> Key {
        let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (prefix, number) = name.split_at(name.len() - digits);
        let canonical = (1..=9).contains(&digits) && (digits == 1 || number[0] != b'0');
        if canonical {
            let row = number.iter().fold(0_u32, |n, &d| n * 10 + u32::from(d - b'0'));
            if row < self.max_row {
                return Key { table: self.table(prefix), row };
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
        if self.last_prefix.1 != u32::MAX && self.last_prefix.0 == prefix {
            return self.last_prefix.1;
        }
        let next = self.tables.len() as u32;
        let table = *self.prefixes.entry(prefix).or_insert(next);
        if table == next {
            self.tables.push(Vec::new());
        }
        self.last_prefix = (prefix, table);
        table
    }

    fn get(&self, key: Key) -> Slot {
        let list = if key.table == WORDS { &self.word_slots } else { &self.tables[key.table as usize] };
        list.get(key.row as usize).copied().unwrap_or_default()
    }

    fn set(&mut self, key: Key, slot: Slot) {
        let list = if key.table == WORDS { &mut self.word_slots } else { &mut self.tables[key.table as usize] };
        if list.len() <= key.row as usize {
            list.resize(key.row as usize + 1, Slot::default());
        }
        list[key.row as usize] = slot;
    }
}

impl<'s> Frame<'s> {
    pub(super) fn new(arena: Box<Arena>, text_len: usize) -> Self {
        Self {
            arena,
            point: None,
            names: Names::new(text_len),
            defined: Vec::new(),
            forward: FxHashMap::default(),
            regions: Vec::new(),
        }
    }

    /// A rewriter at the current end of the block being parsed.
    pub(super) fn rewriter<'a>(&'a mut self, cx: &'a Context) -> Rewriter<'a> {
        let mut rw = Rewriter::new(cx, &mut self.arena);
        rw.set_insertion_point(self.point);
        rw
    }

    pub(super) fn key(&mut self, name: &'s [u8]) -> Key {
        self.names.key(name)
    }

    pub(super) fn slot(&self, key: Key) -> Slot {
        self.names.get(key)
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
        self.define(key, Slot { first: POISON, count: 0, offset });
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

    /// Makes `key`, which stands for nothing, stand for `slot` until the end of the innermost open region.
    pub(super) fn define(&mut self, key: Key, slot: Slot) {
        self.defined.push(key);
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
    arena.values.push(ValueData::result(Arena::ROOT, 0, ty));
    value
}

/// Moves the arena of an isolated operation's regions out of `state`, or makes it.
pub(super) fn take_body(cx: &Context, state: &mut OpState) -> Box<Arena> {
    state.body.take().unwrap_or_else(|| Box::new(Arena::new(state.name(cx), state.loc)))
}
