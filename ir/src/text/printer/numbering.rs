//! Chooses the names of values and blocks.
//!
//! The rules are upstream's: entry block arguments are `%argN`, other values `%N`, unless the operation suggests a name;
//! a name that is taken gets `_N` appended. In the pretty form the counters of a region start from those of the region
//! around it; in the generic form, and where names are to be unique, they run on.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::names::{ArenaNames, Name, RegionScope, Words, address};
use super::plans::Plans;
use crate::arena::{Arena, OpData};
use crate::dialect::ResultNames;
use crate::entity::{OpId, RegionId, ValueId};
use crate::view::{OpRef, RegionRef};

/// Counters that a region hands to the regions in it.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

/// A region to be numbered. There may be one for each few operations: 28 bytes.
struct Pending {
    /// Index of its arena, and of the tables of that.
    at: u32,
    region: RegionId,
    counters: Counters,
    /// Words in use around it, and regions.
    words: u32,
    depth: u32,
}

struct Numbering<'n, 'a> {
    plans: &'n mut Plans<'a>,
    /// Whether isolated operations are named with what is around them, and numbers run on.
    all_at_once: bool,
    /// Words that are taken around the operation.
    outer: &'n FxHashSet<Box<str>>,
    /// One, or one for each arena.
    tables: Vec<ArenaNames>,
    by_address: FxHashMap<usize, usize>,
    counters: Counters,
    /// The last number that became a name.
    last: (u32, Name),
    /// Names that are no numbers, of all tables.
    words: Words,
    /// Words in use in the regions around: runs of them, in the order of their use.
    used: Vec<Range<u32>>,
    /// How many those are.
    num_used: u32,
    /// The same by hash.
    taken: HashTable<u32>,
    /// Names in use that are a word made longer by a number need no words of their own: the words, by number from `first_longer` on. Not where
    /// operations in other arenas ask for the words around them.
    longer: Option<Vec<u32>>,
    first_longer: u32,
    /// Whether a word may look like another one made longer.
    has_numbered: bool,
    /// Room for words that are put together: always empty.
    scratch: String,
}

/// In the place of a word that was not made longer.
const NO_WORD: u32 = u32::MAX;

/// Names the results of `root` and what is in it and belongs to its arena. Isolated operations in it are left for later.
pub(super) fn number(
    root: OpRef<'_>,
    counters: Counters,
    outer: &FxHashSet<Box<str>>,
    plans: &mut Plans<'_>,
) -> ArenaNames {
    let mut tables = Numbering::run(root, false, counters, outer, plans).tables;
    tables.swap_remove(0)
}

/// Names everything in `root`, with numbers that run on: by address of the arena.
pub(super) fn number_all(root: OpRef<'_>, plans: &mut Plans<'_>) -> FxHashMap<usize, ArenaNames> {
    let outer = FxHashSet::default();
    let Numbering { tables, by_address, .. } = Numbering::run(root, true, Counters::default(), &outer, plans);
    let mut by_index: Vec<(usize, usize)> = by_address.into_iter().collect();
    by_index.sort_unstable_by_key(|(_, index)| *index);
    by_index.into_iter().zip(tables).map(|((address, _), names)| (address, names)).collect()
}

impl<'n, 'a> Numbering<'n, 'a> {
    fn run(
        root: OpRef<'_>,
        all_at_once: bool,
        counters: Counters,
        outer: &'n FxHashSet<Box<str>>,
        plans: &'n mut Plans<'a>,
    ) -> Self {
        let mut n = Self {
            plans,
            all_at_once,
            outer,
            tables: vec![ArenaNames::new(root.arena(), all_at_once)],
            by_address: FxHashMap::default(),
            counters,
            last: (0, Name::number(0)),
            words: Words::default(),
            used: Vec::new(),
            num_used: 0,
            taken: HashTable::new(),
            longer: (!all_at_once && root.arena().children.is_empty()).then(Vec::new),
            first_longer: counters.conflict,
            has_numbered: !outer.is_empty(),
            scratch: String::new(),
        };
        n.by_address.insert(address(root.arena()), 0);
        if root.num_results() > 0 {
            n.results(0, root, root.arena().op(root.id()));
        } else if all_at_once {
            n.number_op(0, root.id());
        }
        let words = 0..n.words.len();
        n.tables[0].root_scope = RegionScope { is_numbered: true, depth: 0, counters: n.counters, words };
        let (cx, mut arenas, mut pending) = (root.cx(), vec![root.arena()], Vec::new());
        n.postpone(root, 0, 0, &mut arenas, &mut pending);
        let mut nested = Vec::new();
        while let Some(Pending { at, region, counters, words, depth }) = pending.pop() {
            if !all_at_once {
                n.counters = counters;
            }
            n.forget_words(words);
            if let Some(longer) = &mut n.longer {
                longer.truncate((counters.conflict - n.first_longer) as usize);
            }
            let (at, ir) = (at as usize, arenas[at as usize]);
            let first = n.words.len();
            n.region(at, RegionRef::new(cx, ir, region), &mut nested);
            n.keep_scope(at, region, depth, first);
            for op in nested.drain(..) {
                n.postpone(OpRef::new(cx, ir, op), at, depth + 1, &mut arenas, &mut pending);
            }
        }
        let words = Arc::new(std::mem::take(&mut n.words));
        n.tables.iter_mut().for_each(|table| table.words = Arc::clone(&words));
        n
    }

    /// Puts the regions of `op` on the stack: last region first, as upstream. Where numbers run on, the order decides them.
    fn postpone<'r>(
        &mut self,
        op: OpRef<'r>,
        at: usize,
        depth: u32,
        arenas: &mut Vec<&'r Arena>,
        pending: &mut Vec<Pending>,
    ) {
        let at = match (op.is_stub(), self.all_at_once) {
            (true, false) => return,
            (true, true) => self.tables_of(op.body().arena(), arenas),
            (false, _) => at,
        };
        let (at, counters, words) = (at as u32, self.counters, self.num_used);
        pending.extend(op.regions().map(|region| Pending { at, region: region.id(), counters, words, depth }));
    }

    /// The index of the tables of `ir`, which gets some.
    fn tables_of<'r>(&mut self, ir: &'r Arena, arenas: &mut Vec<&'r Arena>) -> usize {
        let at = self.tables.len();
        arenas.push(ir);
        self.tables.push(ArenaNames::new(ir, true));
        self.by_address.insert(address(ir), at);
        at
    }

    /// Keeps what isolated operations in a region start with.
    fn keep_scope(&mut self, at: usize, region: RegionId, depth: u32, first_word: u32) {
        let words = first_word..self.words.len();
        if let Some(scope) = self.tables[at].scopes.get_mut(region.index()) {
            *scope = RegionScope { is_numbered: true, depth, counters: self.counters, words };
        }
    }

    /// Numbers what is in `region`, and lists the operations in it that have regions.
    fn region(&mut self, at: usize, region: RegionRef<'_>, nested: &mut Vec<OpId>) {
        let ir = region.arena();
        let (cx, from_locations) = (self.plans.cx(), self.plans.names_from_locations);
        let from_location = |arg: ValueId| {
            let loc = ir.arg_loc(arg).filter(|_| from_locations)?;
            cx.name_in(loc).filter(|name| !name.is_empty())
        };
        if let Some(parent) = region.parent_op()
            && let Some(hook) = self.plans.of(parent.name_id()).region_arg_names
            && let Some(entry) = region.entry()
        {
            let args = ir.block_args(entry.id());
            hook(parent, region, &mut |index, name| {
                if let Some(&arg) = args.get(index)
                    && self.tables[at].values[arg.index()] == Name::NONE
                {
                    self.name_value(at, arg, from_location(arg).unwrap_or(name));
                }
            });
        }
        for (number, block) in region.blocks().enumerate() {
            self.tables[at].blocks[block.id().index()] = number as u32 + 1;
            for &arg in ir.block_args(block.id()) {
                if self.tables[at].values[arg.index()] != Name::NONE {
                    continue;
                }
                let name = from_location(arg);
                if number == 0 {
                    self.name_argument(at, arg, name);
                } else {
                    self.name_value(at, arg, name.unwrap_or_default());
                }
            }
            for op in block.ops() {
                let data = ir.op(op.id());
                if data.num_results > 0 {
                    self.results(at, op, data);
                } else {
                    self.number_op(at, op.id());
                }
                if !data.is_leaf() {
                    nested.push(op.id());
                }
            }
        }
    }

    /// Names the results of `op`, which has some.
    #[inline(always)]
    fn results(&mut self, at: usize, op: OpRef<'_>, data: &OpData) {
        let first = data.first_result as usize;
        let from_location = if self.plans.names_from_locations { op.cx().name_in(op.loc()) } else { None };
        match self.plans.of(data.name).result_names {
            _ if from_location.is_some_and(|name| !name.is_empty()) => {
                self.name_value(at, ValueId::from_index(first), from_location.unwrap_or_default());
            }
            Some(hook) => self.suggested_names(at, op, hook),
            None if data.num_results == 1 => return self.number_value(at, ValueId::from_index(first)),
            None => {}
        }
        if self.tables[at].values[first] == Name::NONE {
            self.number_value(at, ValueId::from_index(first));
        }
        if data.num_results > 1 {
            self.mark_groups(at, op.id(), first, usize::from(data.num_results));
        }
    }

    /// Numbers an operation without results, where that is asked for.
    #[inline]
    fn number_op(&mut self, at: usize, op: OpId) {
        if self.plans.value_users {
            self.tables[at].ops.insert(op, self.counters.value);
            self.counters.value += 1;
        }
    }

    /// Names the results of `op` as `hook` says.
    fn suggested_names(&mut self, at: usize, op: OpRef<'_>, hook: ResultNames) {
        let num_results = op.num_results();
        let mut groups: SmallVec<[u32; 4]> = SmallVec::new();
        hook(op, &mut |index, name| {
            if index < num_results {
                self.name_value(at, op.arena().result(op.id(), index), name);
                if index > 0 {
                    groups.push(index as u32);
                }
            }
        });
        if !groups.is_empty() {
            groups.push(0);
            groups.sort_unstable();
            groups.dedup();
            self.tables[at].groups.insert(op.id(), groups.into_vec());
        }
    }

    /// Marks the names that several results of `op` share.
    fn mark_groups(&mut self, at: usize, op: OpId, first: usize, num_results: usize) {
        let starts: Vec<usize> = self.tables[at].groups(op).iter().map(|&start| start as usize).collect();
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(num_results);
            if end - start > 1 {
                let name = &mut self.tables[at].values[first + start];
                *name = name.of_group();
            }
        }
    }

    #[inline]
    fn number_value(&mut self, at: usize, value: ValueId) {
        let number = self.counters.value;
        self.counters.value += 1;
        let next = if self.last.0.wrapping_add(1) == number { self.last.1.next_number() } else { None };
        let name = if let Some(next) = next { next } else { Name::number(number) };
        self.last = (number, name);
        self.tables[at].values[value.index()] = name;
    }

    /// Calls an argument of an entry block `name`, or `%argN`; it counts in either case.
    fn name_argument(&mut self, at: usize, value: ValueId, name: Option<&str>) {
        let number = self.counters.argument;
        self.counters.argument += 1;
        if let Some(name) = name {
            return self.name_value(at, value, name);
        }
        let mut name = std::mem::take(&mut self.scratch);
        name.push_str("arg");
        name.push_str(itoa::Buffer::new().format(number));
        self.name_value(at, value, &name);
        name.clear();
        self.scratch = name;
    }

    /// Calls a value `name`, made fit for an identifier and unique.
    fn name_value(&mut self, at: usize, value: ValueId, name: &str) {
        if name.is_empty() {
            self.number_value(at, value);
            return;
        }
        let wanted = sanitize(name);
        let hashed = hash(&wanted);
        let name = match self.find_word(&wanted, hashed) {
            Some(word) => match self.make_longer(word) {
                Some(name) => name,
                None => self.longer_word(&wanted),
            },
            None if self.is_taken_otherwise(&wanted) => self.longer_word(&wanted),
            None => self.word(&wanted, hashed),
        };
        self.tables[at].values[value.index()] = name;
    }

    /// The name that is word `word` made longer by the next number that makes it unique. `None` where it has to be a word of its own.
    fn make_longer(&mut self, word: u32) -> Option<Name> {
        loop {
            let number = self.counters.conflict;
            if self.longer.is_none() || number > Name::MAX_LONGER {
                return None;
            }
            self.counters.conflict += 1;
            let text = self.words.get(word);
            // The same with another number is another name, so only words can be in the way.
            if self.has_numbered {
                let longer = format!("{text}_{number}");
                if self.is_taken(&longer, hash(&longer)) {
                    continue;
                }
            }
            let name = Name::longer(text, word, number);
            if let Some(longer) = &mut self.longer {
                longer.resize((number - self.first_longer) as usize, NO_WORD);
                longer.push(word);
            }
            return Some(name);
        }
    }

    /// A new word: `wanted` made longer by the next number that makes it unique.
    fn longer_word(&mut self, wanted: &str) -> Name {
        let mut longer = std::mem::take(&mut self.scratch);
        longer.push_str(wanted);
        longer.push('_');
        let len = longer.len();
        let hashed = loop {
            longer.truncate(len);
            longer.push_str(itoa::Buffer::new().format(self.counters.conflict));
            self.counters.conflict += 1;
            let hashed = hash(&longer);
            if !self.is_taken(&longer, hashed) {
                break hashed;
            }
        };
        let name = self.word(&longer, hashed);
        longer.clear();
        self.scratch = longer;
        name
    }

    /// A new word, `text`.
    fn word(&mut self, text: &str, hashed: u64) -> Name {
        let word = self.words.push(text);
        // In the generic form arguments alone have words, all different, unless locations have.
        if !self.plans.generic || self.plans.names_from_locations {
            self.has_numbered |= split_number(text).is_some();
            match self.used.last_mut() {
                Some(run) if run.end == word => run.end += 1,
                _ => self.used.push(word..word + 1),
            }
            self.num_used += 1;
            self.taken.insert_unique(hashed, word, |&word| hash(self.words.get(word)));
        }
        Name::word(text, word)
    }

    /// The word in use that is `name`.
    fn find_word(&self, name: &str, hashed: u64) -> Option<u32> {
        self.taken.find(hashed, |&word| self.words.get(word) == name).copied()
    }

    fn is_taken(&self, name: &str, hashed: u64) -> bool {
        self.find_word(name, hashed).is_some() || self.is_taken_otherwise(name)
    }

    /// Whether a word made longer is `name`, or a word around the operation.
    fn is_taken_otherwise(&self, name: &str) -> bool {
        let made_longer = || {
            let (start, number) = split_number(name)?;
            let at = number.checked_sub(self.first_longer)?;
            let word = *self.longer.as_ref()?.get(at as usize)?;
            (word != NO_WORD && self.words.get(word) == start).then_some(())
        };
        made_longer().is_some() || (!self.outer.is_empty() && self.outer.contains(name))
    }

    /// Frees all but the first `keep` words.
    fn forget_words(&mut self, keep: u32) {
        while self.num_used > keep
            && let Some(run) = self.used.last_mut()
        {
            run.end -= 1;
            let Range { start, end: word } = *run;
            if start == word {
                self.used.pop();
            }
            self.num_used -= 1;
            if let Ok(entry) = self.taken.find_entry(hash(self.words.get(word)), |&entry| entry == word) {
                entry.remove();
            }
        }
    }
}

/// What stands before `_12` at the end of a word, and the number. `None` where no number follows an underscore, as it is printed.
fn split_number(word: &str) -> Option<(&str, u32)> {
    if !word.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (start, digits) = word.rsplit_once('_')?;
    let number = digits.parse().ok()?;
    (itoa::Buffer::new().format(number) == digits).then_some((start, number))
}

fn hash(word: &str) -> u64 {
    FxBuildHasher.hash_one(word)
}

/// Which bytes words may have.
const IN_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_' | b'-');
        byte += 1;
    }
    table
};

/// `name` with characters that no identifier may have replaced: a leading digit gets `_` before it, a space becomes `_`, others
/// become hexadecimal.
fn sanitize(name: &str) -> Cow<'_, str> {
    use std::fmt::Write as _;
    let allowed = |b: u8| IN_WORDS[usize::from(b)];
    let starts_well = !name.as_bytes().first().is_some_and(u8::is_ascii_digit);
    if starts_well && name.bytes().all(allowed) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len() + 4);
    if !starts_well {
        out.push('_');
    }
    for &b in name.as_bytes() {
        if allowed(b) {
            out.push(b as char);
        } else if b == b' ' {
            out.push('_');
        } else {
            let _ = write!(out, "{b:X}");
        }
    }
    Cow::Owned(out)
}
