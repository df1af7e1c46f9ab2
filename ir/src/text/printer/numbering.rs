//! Names of values and blocks in the printed form, chosen before printing.
//!
//! The rules are upstream's: entry block arguments are `%argN`, other values `%N`, unless the operation suggests a name;
//! a name that is taken gets `_N` appended. In the pretty form the counters of a region start from those of the region
//! around it; in the generic form they run on.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::arena::Arena;
use crate::dialect::ResultNames;
use crate::entity::{BlockId, OpId, ValueId};
use crate::opdef::Trait;
use crate::view::{OpRef, RegionRef};

/// Names of the values and blocks below one operation.
#[derive(Default)]
pub(super) struct Names {
    arenas: Vec<ArenaNames>,
    by_address: FxHashMap<usize, u32>,
    /// The arena asked for last: most values are of the same.
    last: Cell<(usize, u32)>,
    words: Vec<Box<str>>,
    /// Groups of results of operations that name more than their first result, by arena and operation.
    groups: FxHashMap<(u32, OpId), Vec<u32>>,
}

/// Names within one arena, by entity.
struct ArenaNames {
    /// A number, or a word with the top bit set; `NONE` for results after the first of a group.
    values: Vec<u32>,
    blocks: Vec<u32>,
}

const WORD: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// How a value is called.
#[derive(Clone, Copy)]
pub(super) enum ValueName<'a> {
    /// `%3`.
    Number(u32),
    /// `%arg0`, `%c1_i32`.
    Word(&'a str),
    /// It has no name: the IR is broken.
    Unknown,
}

fn address(ir: &Arena) -> usize {
    std::ptr::from_ref(ir) as usize
}

impl Names {
    /// The handle of the names in `ir`.
    pub(super) fn arena(&self, ir: &Arena) -> Option<u32> {
        let (address, last) = (address(ir), self.last.get());
        if last.0 == address {
            return Some(last.1);
        }
        let found = self.by_address.get(&address).copied()?;
        self.last.set((address, found));
        Some(found)
    }

    /// The name of a value, or of the group of results that it belongs to with its number in the group.
    pub(super) fn value(&self, arena: u32, ir: &Arena, value: ValueId) -> (ValueName<'_>, Option<u32>) {
        let data = ir.value(value);
        let index = data.index;
        let crate::arena::Definition::Result(op) = data.definition() else {
            return (self.lookup(arena, value), None);
        };
        let num_results = u32::from(ir.op(op).num_results);
        if num_results == 1 {
            return (self.lookup(arena, value), None);
        }
        let (start, end) = self.group_of(arena, op, index, num_results);
        let first = ValueId::from_index(value.index() - (index - start) as usize);
        (self.lookup(arena, first), (end - start > 1).then_some(index - start))
    }

    /// First and end of the group that result `index` belongs to.
    fn group_of(&self, arena: u32, op: OpId, index: u32, num_results: u32) -> (u32, u32) {
        let Some(groups) = self.groups.get(&(arena, op)) else { return (0, num_results) };
        let next = groups.partition_point(|&start| start <= index);
        (groups[next - 1], groups.get(next).copied().unwrap_or(num_results))
    }

    /// Starts of the groups of results of `op`.
    pub(super) fn groups(&self, arena: u32, op: OpId) -> SmallVec<[u32; 4]> {
        let groups = if self.groups.is_empty() { None } else { self.groups.get(&(arena, op)) };
        groups.map_or(smallvec![0], |groups| SmallVec::from_slice(groups))
    }

    fn lookup(&self, arena: u32, value: ValueId) -> ValueName<'_> {
        match self.arenas[arena as usize].values.get(value.index()) {
            None | Some(&NONE) => ValueName::Unknown,
            Some(&name) if name & WORD != 0 => ValueName::Word(&self.words[(name & !WORD) as usize]),
            Some(&number) => ValueName::Number(number),
        }
    }

    /// The number of a block, `None` when it is not in the printed IR.
    pub(super) fn block(&self, arena: u32, block: BlockId) -> Option<u32> {
        self.arenas[arena as usize].blocks.get(block.index()).copied().filter(|&n| n != NONE)
    }

    fn arena_or_insert(&mut self, ir: &Arena) -> u32 {
        let next = self.arenas.len() as u32;
        let at = *self.by_address.entry(address(ir)).or_insert(next);
        if at == next {
            self.arenas.push(ArenaNames {
                values: vec![NONE; ir.num_value_slots()],
                blocks: vec![NONE; ir.num_block_slots()],
            });
        }
        at
    }
}

/// Counters that a region hands to the regions in it.
#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

struct Numbering {
    names: Names,
    generic: bool,
    counters: Counters,
    /// Names in use in the regions around, and since when: how many `used` there were.
    taken: FxHashSet<Box<str>>,
    used: Vec<Box<str>>,
}

/// Chooses names for everything at and below `root`.
pub(super) fn number(root: OpRef<'_>, generic: bool) -> Names {
    let mut n = Numbering {
        names: Names::default(),
        generic,
        counters: Counters::default(),
        taken: FxHashSet::default(),
        used: Vec::new(),
    };
    n.op(root);
    // Last region first, as upstream: in the generic form the order decides the numbers.
    let mut pending: Vec<(RegionRef<'_>, Counters, usize)> = Vec::new();
    pending.extend(root.regions().map(|r| (r, n.counters, n.used.len())));
    while let Some((region, counters, scope)) = pending.pop() {
        if !generic {
            n.counters = counters;
        }
        for name in n.used.drain(scope..) {
            n.taken.remove(&name);
        }
        n.region(region);
        for op in region.ops() {
            if op.num_regions() > 0 {
                pending.extend(op.regions().map(|r| (r, n.counters, n.used.len())));
            }
        }
    }
    n.names
}

impl Numbering {
    fn region(&mut self, region: RegionRef<'_>) {
        let arena = self.names.arena_or_insert(region.arena());
        if !self.generic
            && let Some(parent) = region.parent_op()
            && let Some(hook) = parent.info().hooks.region_arg_names
            && let Some(entry) = region.entry()
        {
            let args: Vec<ValueId> = entry.args().map(|a| a.id()).collect();
            hook(parent, region, &mut |index, name| {
                if let Some(&arg) = args.get(index) {
                    self.name_value(arena, arg, name);
                }
            });
        }
        for (number, block) in region.blocks().enumerate() {
            self.names.arenas[arena as usize].blocks[block.id().index()] = number as u32;
            let entry = number == 0;
            for arg in region.arena().block_args(block.id()) {
                if self.names.arenas[arena as usize].values[arg.index()] != NONE {
                    continue;
                }
                if entry {
                    let mut buffer = itoa::Buffer::new();
                    let mut name = String::with_capacity(8);
                    name.push_str("arg");
                    name.push_str(buffer.format(self.counters.argument));
                    self.counters.argument += 1;
                    self.name_value(arena, *arg, &name);
                } else {
                    self.number_value(arena, *arg);
                }
            }
            for op in block.ops() {
                self.op_in(arena, op);
            }
        }
    }

    fn op(&mut self, op: OpRef<'_>) {
        let arena = self.names.arena_or_insert(op.arena());
        self.op_in(arena, op);
    }

    fn op_in(&mut self, arena: u32, op: OpRef<'_>) {
        let num_results = op.num_results();
        if num_results == 0 {
            return;
        }
        let first = op.arena().result(op.id(), 0);
        if !self.generic
            && let Some(hook) = op.info().hooks.result_names.or_else(|| names_by_definition(op))
        {
            let mut groups = vec![0];
            hook(op, &mut |index, name| {
                if index < num_results {
                    self.name_value(arena, op.arena().result(op.id(), index), name);
                    if index > 0 {
                        groups.push(index as u32);
                    }
                }
            });
            if groups.len() > 1 {
                groups.sort_unstable();
                groups.dedup();
                self.names.groups.insert((arena, op.id()), groups);
            }
        }
        if self.names.arenas[arena as usize].values[first.index()] == NONE {
            self.number_value(arena, first);
        }
    }

    fn number_value(&mut self, arena: u32, value: ValueId) {
        self.names.arenas[arena as usize].values[value.index()] = self.counters.value;
        self.counters.value += 1;
    }

    /// Calls a value `name`, made fit for an identifier and unique.
    fn name_value(&mut self, arena: u32, value: ValueId, name: &str) {
        if name.is_empty() {
            self.number_value(arena, value);
            return;
        }
        let mut unique = sanitize(name);
        if self.taken.contains(unique.as_str()) {
            unique.push('_');
            let len = unique.len();
            loop {
                let mut buffer = itoa::Buffer::new();
                unique.truncate(len);
                unique.push_str(buffer.format(self.counters.conflict));
                self.counters.conflict += 1;
                if !self.taken.contains(unique.as_str()) {
                    break;
                }
            }
        }
        let word = self.names.words.len() as u32 | WORD;
        self.names.words.push(unique.as_str().into());
        self.names.arenas[arena as usize].values[value.index()] = word;
        let unique: Box<str> = unique.into();
        self.taken.insert(unique.clone());
        self.used.push(unique);
    }
}

/// Results of several definitions are named as these, where the operation says nothing else of names.
fn names_by_definition(op: OpRef<'_>) -> Option<ResultNames> {
    let def = op.def().filter(|def| def.results.len() > 1)?;
    let names_its_own = |each: &Trait| matches!(each, Trait::Interface(name) if name == "OpAsmOpInterface");
    if def.traits.iter().any(names_its_own) {
        return None;
    }
    Some(|op, name| {
        let mut start = 0;
        for (index, result) in op.def().into_iter().flat_map(|def| def.results.iter()).enumerate() {
            let len = op.result_group(index).len();
            if len > 0 && !result.name.is_empty() {
                name(start, &result.name);
            }
            start += len;
        }
    })
}

/// `name` with characters that no identifier may have replaced: a leading digit gets `_` before it, a space becomes `_`, others
/// become hexadecimal.
fn sanitize(name: &str) -> String {
    use std::fmt::Write as _;
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'_' | b'-');
    let mut out = String::with_capacity(name.len() + 4);
    if name.as_bytes().first().is_some_and(u8::is_ascii_digit) {
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
    out
}
