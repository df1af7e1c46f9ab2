//! What values and blocks are called while operations are printed.
//!
//! The pretty form names each isolated operation on its own, when it is reached: a table an arena is kept for those that are being
//! printed. In the generic form, and where names are to be unique, numbers run on through the whole text, so everything is named before.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::numbering::{Counters, number, number_all};
use super::plans::Plans;
use crate::arena::{Arena, Definition};
use crate::entity::{BlockId, OpId, RegionId, ValueId};
use crate::view::OpRef;

/// The name of a value in eight bytes: none, the text itself with its `%` if that has at most seven, or where to find it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Name(u64);

impl Name {
    /// No name.
    pub(super) const NONE: Self = Self(0);
    const LEN_SHIFT: u32 = 56;
    /// The lower half is the index of a word.
    const WORD: u64 = 1 << 63;
    /// The lower half is a number.
    const NUMBER: u64 = 1 << 62;
    /// Several results are called so, with a number behind it.
    const GROUP: u64 = 1 << 61;
    /// The lower half is the index of a word; a number that it is [made longer](Self::longer) by is between.
    const LONGER: u64 = Self::WORD | Self::NUMBER;
    const LONGER_SHIFT: u32 = 32;
    /// The largest number by which a word can be made longer.
    pub(super) const MAX_LONGER: u32 = (1 << 29) - 1;

    fn inline(text: &[u8]) -> Option<Self> {
        if text.len() > 6 {
            return None;
        }
        let mut bytes = [0; 8];
        bytes[0] = b'%';
        bytes[1..=text.len()].copy_from_slice(text);
        bytes[7] = text.len() as u8 + 1;
        Some(Self(u64::from_le_bytes(bytes)))
    }

    /// The name of a value that is called `text`, which is word `index`.
    pub(super) fn word(text: &str, index: u32) -> Self {
        Self::inline(text.as_bytes()).unwrap_or(Self(Self::WORD | u64::from(index)))
    }

    /// The name of a value that is called `text`, which is word `index`, then `_` and `number`, at most [`MAX_LONGER`](Self::MAX_LONGER).
    pub(super) fn longer(text: &str, index: u32, number: u32) -> Self {
        let by_parts = || Self(Self::LONGER | u64::from(number) << Self::LONGER_SHIFT | u64::from(index));
        if text.len() > 4 {
            return by_parts();
        }
        let mut whole = SmallVec::<[u8; 16]>::from_slice(text.as_bytes());
        whole.push(b'_');
        whole.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        Self::inline(&whole).unwrap_or_else(by_parts)
    }

    /// `%12`.
    #[cold]
    pub(super) fn number(number: u32) -> Self {
        let short = Self::inline(itoa::Buffer::new().format(number).as_bytes());
        short.unwrap_or(Self(Self::NUMBER | u64::from(number)))
    }

    /// The name of the number after that of this name, unless another digit than the last changes.
    #[inline]
    pub(super) fn next_number(self) -> Option<Self> {
        let shift = (self.inline_len()? as u32 - 1) * 8;
        ((self.0 >> shift) as u8 != b'9').then(|| Self(self.0 + (1 << shift)))
    }

    /// The same, of several results.
    pub(super) fn of_group(self) -> Self {
        Self(self.0 | Self::GROUP)
    }

    /// Whether exactly one value is called so.
    fn is_of_one(self) -> bool {
        self != Self::NONE && self.0 & Self::GROUP == 0
    }

    /// The length of the text, if it is in [`bytes`](Self::bytes) and names one value.
    #[inline]
    pub(super) fn inline_len(self) -> Option<usize> {
        let len = (self.0 >> Self::LEN_SHIFT) as usize;
        (1..=7).contains(&len).then_some(len)
    }

    /// The text, padded.
    #[inline]
    pub(super) fn bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }
}

/// Names within one arena.
#[derive(Default)]
pub(super) struct ArenaNames {
    /// By value.
    pub(super) values: Vec<Name>,
    /// Numbers of blocks from 1 on, by block; 0 for those that are not in the printed IR.
    pub(super) blocks: Vec<u32>,
    /// Groups of results of operations that name more than their first result.
    pub(super) groups: FxHashMap<OpId, Vec<u32>>,
    /// Numbers of operations without results, where users of values are printed.
    pub(super) ops: FxHashMap<OpId, u32>,
    /// Those of all arenas that are named together.
    pub(super) words: Arc<Words>,
    /// What isolated operations in each region start with, by region. Empty where there are none.
    pub(super) scopes: Vec<RegionScope>,
    /// The same for the operation that is printed itself.
    pub(super) root_scope: RegionScope,
}

/// What the isolated operations of a region start with.
#[derive(Clone, Default)]
pub(super) struct RegionScope {
    /// Whether the region is in the printed IR.
    pub(super) is_numbered: bool,
    /// Regions around it that are in the printed IR.
    pub(super) depth: u32,
    pub(super) counters: Counters,
    /// The words that are used in the region itself.
    pub(super) words: Range<u32>,
}

/// Words, one after the other in one text.
#[derive(Default)]
pub(super) struct Words {
    text: String,
    ends: Vec<u32>,
}

impl Words {
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(super) fn get(&self, index: u32) -> &str {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// Adds a word: its index.
    pub(super) fn push(&mut self, word: &str) -> u32 {
        self.text.push_str(word);
        self.ends.push(self.text.len() as u32);
        self.len() - 1
    }
}

impl ArenaNames {
    /// Tables for `ir`, with nothing named. `all_at_once` says that isolated operations in it are named with it.
    pub(super) fn new(ir: &Arena, all_at_once: bool) -> Self {
        let with_scopes = !all_at_once && !ir.children.is_empty();
        Self {
            values: vec![Name::NONE; ir.num_value_slots()],
            blocks: vec![0; ir.num_block_slots()],
            scopes: if with_scopes { vec![RegionScope::default(); ir.num_region_slots()] } else { Vec::new() },
            ..Self::default()
        }
    }

    /// The number of a block, `None` when it is not in the printed IR.
    pub(super) fn block(&self, block: BlockId) -> Option<u32> {
        self.blocks.get(block.index())?.checked_sub(1)
    }

    /// The name of a value that may be one of several results with the same name, and its number among them.
    pub(super) fn value(&self, ir: &Arena, value: ValueId) -> (Name, Option<u32>) {
        let name = |value: ValueId| self.values.get(value.index()).copied().unwrap_or_default();
        if name(value).is_of_one() {
            return (name(value), None);
        }
        let Definition::Result(op) = ir.definition(value) else { return (name(value), None) };
        let num_results = u32::from(ir.op(op).num_results);
        if num_results <= 1 {
            return (name(value), None);
        }
        let index = ir.value_index(value) as u32;
        let (start, end) = self.group_of(op, index, num_results);
        let first = ValueId::from_index(value.index() - (index - start) as usize);
        (name(first), (end - start > 1).then_some(index - start))
    }

    /// First and end of the group that result `index` belongs to.
    fn group_of(&self, op: OpId, index: u32, num_results: u32) -> (u32, u32) {
        let Some(groups) = self.groups.get(&op) else { return (0, num_results) };
        let next = groups.partition_point(|&start| start <= index);
        (groups[next - 1], groups.get(next).copied().unwrap_or(num_results))
    }

    /// Starts of the groups of results of `op`, which has some.
    pub(super) fn groups(&self, op: OpId) -> &[u32] {
        self.groups.get(&op).map_or(&[0], Vec::as_slice)
    }

    /// Calls `push` with the parts of a name; with what stands for one where there is none: the IR is broken.
    fn write(&self, name: Name, mut push: impl FnMut(&str)) {
        let kind = name.0 & !Name::GROUP;
        if let Some(len) = Name(kind).inline_len() {
            push(std::str::from_utf8(&name.bytes()[..len]).unwrap_or_default());
        } else if kind & Name::LONGER == Name::LONGER {
            let number = (kind & !Name::LONGER) >> Name::LONGER_SHIFT;
            push("%");
            push(self.words.get(kind as u32));
            push("_");
            push(itoa::Buffer::new().format(number));
        } else if kind & Name::WORD != 0 {
            push("%");
            push(self.words.get(kind as u32));
        } else if kind & Name::NUMBER != 0 {
            push("%");
            push(itoa::Buffer::new().format(kind as u32));
        } else {
            push(UNKNOWN);
        }
    }
}

/// What a value without a name is called.
const UNKNOWN: &str = "<<UNKNOWN SSA VALUE>>";

/// Names that are used around the isolated operation that is being named.
#[derive(Clone, Default)]
struct Scope {
    taken: FxHashSet<Box<str>>,
    used: Vec<Box<str>>,
}

impl Scope {
    fn push(&mut self, word: &str) {
        self.taken.insert(word.into());
        self.used.push(word.into());
    }

    fn truncate(&mut self, len: usize) {
        for word in self.used.drain(len..) {
            self.taken.remove(&word);
        }
    }
}

/// An arena that is being printed.
#[derive(Clone)]
struct Level {
    address: usize,
    names: Arc<ArenaNames>,
    /// Words in scope without those of the regions in `opened`.
    words: usize,
    /// The regions whose words are in scope, outermost first, and how many words were before each.
    opened: Vec<(RegionId, usize)>,
}

/// The names of what is being printed. A copy is cheap, and names other operations of the same blocks.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// All names, by address of the arena, where they are given all at once.
    all: Option<Arc<FxHashMap<usize, Arc<ArenaNames>>>>,
    /// Outermost first.
    open: Vec<Level>,
    scope: Arc<Scope>,
}

pub(super) fn address(ir: &Arena) -> usize {
    std::ptr::from_ref(ir) as usize
}

impl Names {
    /// Names for printing `root`.
    pub(super) fn new(root: OpRef<'_>, all_at_once: bool, plans: &mut Plans<'_>) -> Self {
        let mut names = Self::default();
        if all_at_once {
            let all = number_all(root, plans);
            names.all = Some(Arc::new(all.into_iter().map(|(at, names)| (at, Arc::new(names))).collect()));
            names.push(root.arena(), None);
        } else {
            let own = number(root, Counters::default(), &FxHashSet::default(), plans);
            names.push(root.arena(), Some(own));
        }
        names
    }

    /// The names in `ir`, which is being printed.
    #[inline]
    pub(super) fn of(&self, ir: &Arena) -> Option<&ArenaNames> {
        let address = address(ir);
        match self.open.last() {
            Some(last) if last.address == address => Some(&last.names),
            _ => self.further_out(address),
        }
    }

    /// Calls `push` with the parts of the name of a value, its number among several of the same name being one where `numbered` holds.
    pub(super) fn write(&self, ir: &Arena, value: ValueId, numbered: bool, mut push: impl FnMut(&str)) {
        let Some(names) = self.of(ir) else { return push(UNKNOWN) };
        let (name, number) = names.value(ir, value);
        names.write(name, &mut push);
        if numbered && let Some(number) = number {
            push("#");
            push(itoa::Buffer::new().format(number));
        }
    }

    #[cold]
    fn further_out(&self, address: usize) -> Option<&ArenaNames> {
        self.open.iter().rev().find(|level| level.address == address).map(|level| &*level.names)
    }

    /// Names what is in the isolated operation `stub`, up to [`leave`](Self::leave).
    pub(super) fn enter(&mut self, stub: OpRef<'_>, plans: &mut Plans<'_>) {
        let child = stub.body().arena();
        if self.all.is_some() {
            return self.push(child, None);
        }
        let counters = self.open_scope(stub);
        let own = number(stub.body(), counters, &self.scope.taken, plans);
        self.push(child, Some(own));
    }

    /// Gets ready for copies of these names to [`enter`](Self::enter) isolated operations beside `op`.
    pub(super) fn prepare(&mut self, op: OpRef<'_>) {
        if self.all.is_none() {
            self.open_scope(op);
        }
    }

    /// Undoes [`enter`](Self::enter).
    pub(super) fn leave(&mut self) {
        let Some(level) = self.open.pop() else { return };
        if self.scope.used.len() > level.words {
            Arc::make_mut(&mut self.scope).truncate(level.words);
        }
    }

    fn push(&mut self, ir: &Arena, own: Option<ArenaNames>) {
        let address = address(ir);
        let shared = || self.all.as_ref().and_then(|all| all.get(&address)).cloned();
        let names = own.map_or_else(|| shared().unwrap_or_default(), Arc::new);
        let words = self.scope.used.len();
        let root_words = names.root_scope.words.clone();
        self.open.push(Level { address, names, words, opened: Vec::new() });
        if !root_words.is_empty()
            && let Some(level) = self.open.last_mut()
        {
            let scope = Arc::make_mut(&mut self.scope);
            root_words.for_each(|word| scope.push(level.names.words.get(word)));
        }
    }

    /// Brings the words of the regions around `stub` into scope, and no others of its arena. Answers what its own numbers start
    /// with. A switch to another region costs O(regions and words that come in or go out).
    fn open_scope(&mut self, stub: OpRef<'_>) -> Counters {
        let ir = stub.arena();
        let own = address(ir);
        let Some(level) = self.open.iter_mut().rfind(|level| level.address == own) else { return Counters::default() };
        let region_of = |op: OpId| ir.block_of(op).and_then(|block| ir.region_of(block));
        let numbered = |region: &RegionId| level.names.scopes.get(region.index()).is_some_and(|s| s.is_numbered);
        let Some(innermost) = region_of(stub.id()).filter(numbered) else { return level.names.root_scope.counters };
        let scopes = &level.names.scopes;
        let counters = scopes[innermost.index()].counters;
        if level.names.words.len() == 0 || level.opened.last().is_some_and(|(region, _)| *region == innermost) {
            return counters;
        }
        let outer = |region: &RegionId| ir.region_parent(*region).and_then(region_of).filter(numbered);
        let depth = |region: RegionId| scopes[region.index()].depth as usize;
        let is_open = |region: RegionId| level.opened.get(depth(region)).is_some_and(|(open, _)| *open == region);
        let around = std::iter::successors(Some(innermost), outer);
        let missing: Vec<RegionId> = around.take_while(|&region| !is_open(region)).collect();
        let keep = depth(innermost) + 1 - missing.len();
        let scope = Arc::make_mut(&mut self.scope);
        if let Some((_, before)) = level.opened.drain(keep..).next() {
            scope.truncate(before);
        }
        for region in missing.into_iter().rev() {
            level.opened.push((region, scope.used.len()));
            scopes[region.index()].words.clone().for_each(|word| scope.push(level.names.words.get(word)));
        }
        counters
    }
}
