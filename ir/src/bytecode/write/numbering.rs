//! Numbers of all that operations refer to: dialects, operation names, attributes, types and resources.
//!
//! What is referred to most gets the smallest number, which takes the fewest bytes; among those whose numbers take the same number of
//! bytes, what belongs to one dialect stands together, since the dialect is written once for each such group. The order in
//! which things are met is that of upstream's writer, and so are the numbers.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::sink::{Key, Sink};
use super::{WriteOptions, attrs, properties, types};
use crate::attributes::{Attr, AttrData};
use crate::bytecode::encoding::version;
use crate::bytecode::layout::Layout;
use crate::context::{Context, LISTS};
use crate::diagnostics::Diagnostic;
use crate::entity::{Ident, OpName};
use crate::location::{Loc, LocKind, Source};
use crate::side_table::SideTable;
use crate::text::{PROPERTIES, closing_quote, guarded};
use crate::types::Type;
use crate::view::{OpRef, RegionRef};

/// A number for each index of some table of the context, plus one; 0 where there is none yet.
#[derive(Default)]
struct Slots<const LISTS: usize = 1>(SideTable<u32, LISTS>);

impl<const LISTS: usize> Slots<LISTS> {
    #[inline]
    fn get(&self, index: usize) -> Option<u32> {
        self.0.get(index).checked_sub(1)
    }

    fn set(&mut self, index: usize, slot: u32) {
        *self.0.entry(index) = slot + 1;
    }

    /// Puts the final number of each entry in the place of its first one.
    fn renumber(&mut self, numbers: &[u32]) {
        for slot in self.0.entries_mut().filter(|slot| **slot != 0) {
            *slot = numbers[*slot as usize - 1] + 1;
        }
    }
}

/// Something that is numbered.
pub(super) struct Entry<K> {
    pub(super) key: K,
    /// Number of its dialect.
    pub(super) dialect: u32,
    references: u32,
    /// Levels of what it refers to, itself included; of its text, levels of brackets.
    depth: usize,
    /// Its text, where it has no other encoding.
    pub(super) text: Option<Box<str>>,
}

/// Entries, in the order of their numbers once all are there.
pub(super) struct Entries<K> {
    pub(super) list: Vec<Entry<K>>,
}

impl<K> Default for Entries<K> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<K> Entries<K> {
    fn add(&mut self, key: K) -> u32 {
        self.list.push(Entry { key, dialect: 0, references: 1, depth: 0, text: None });
        self.list.len() as u32 - 1
    }

    /// One more reference to an entry. Answers its depth.
    fn refer(&mut self, slot: u32) -> usize {
        let entry = &mut self.list[slot as usize];
        entry.references += 1;
        entry.depth
    }

    /// Ends the numbering of what an entry refers to, of which the deepest has depth `inside`. Answers the depth of the entry.
    fn close(&mut self, slot: u32, inside: usize) -> usize {
        let entry = &mut self.list[slot as usize];
        entry.depth = 1 + inside.max(entry.text.as_deref().map_or(0, levels));
        entry.depth
    }

    /// Sorts the entries; answers the number of each by its position before.
    fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        order.sort_by_key(|&at| Reverse(self.list[at as usize].references));
        let dialect = |at: u32| self.list[at as usize].dialect;
        let (mut first, mut len) = (0, 0_u64);
        let mut rest = &mut order[..];
        for bytes in 1..9 {
            len = (1_u64 << (7 * bytes)) - len;
            let (group, after) = rest.split_at_mut(rest.len().min(len as usize));
            group.sort_by_key(|&at| (dialect(at) != first, dialect(at)));
            let Some(&last) = group.last() else { break };
            first = dialect(last);
            rest = after;
        }
        let mut numbers = vec![0; order.len()];
        for (number, &at) in order.iter().enumerate() {
            numbers[at as usize] = number as u32;
        }
        let mut list: Vec<Option<Entry<K>>> = std::mem::take(&mut self.list).into_iter().map(Some).collect();
        self.list = order.iter().filter_map(|&at| list[at as usize].take()).collect();
        numbers
    }
}

/// All numbers.
pub(super) struct Numbering<'c> {
    pub(super) cx: &'c Context,
    pub(super) version: u32,
    dialects_with_attrs: &'static [&'static str],
    /// Names of dialects, in the order of their numbers.
    pub(super) dialects: IndexSet<Ident, FxBuildHasher>,
    pub(super) attrs: Entries<Key>,
    pub(super) types: Entries<Type>,
    pub(super) op_names: Entries<OpName>,
    /// Keys of resources of the `builtin` dialect, in the order of their numbers: first those with data.
    pub(super) resources: IndexSet<Ident, FxBuildHasher>,
    attr_slots: Slots<LISTS>,
    name_slots: Slots,
    symbol_slots: FxHashMap<Ident, u32>,
    loc_slots: FxHashMap<Loc, u32>,
    type_slots: Slots,
    op_slots: Slots,
    /// Layouts of properties, by operation name. `None` for operations without properties, and for those not met yet.
    layouts: Vec<Option<Layout>>,
    /// The source of the last position, and its name.
    source: Option<(Arc<Source>, Ident)>,
    builtin: Ident,
    /// Depth of the deepest entry that what is being numbered refers to.
    deepest: usize,
    max_nesting: usize,
}

impl<'c> Numbering<'c> {
    /// Numbers all that `root` and the operations in it refer to.
    pub(super) fn of(root: OpRef<'c>, options: &WriteOptions) -> Result<Self, Diagnostic> {
        let cx = root.cx();
        let mut numbering = Self {
            cx,
            version: options.version,
            dialects_with_attrs: options.properties_as_attrs,
            dialects: IndexSet::default(),
            attrs: Entries::default(),
            types: Entries::default(),
            op_names: Entries::default(),
            resources: IndexSet::default(),
            attr_slots: Slots::default(),
            name_slots: Slots::default(),
            symbol_slots: FxHashMap::default(),
            loc_slots: FxHashMap::default(),
            type_slots: Slots::default(),
            op_slots: Slots::default(),
            layouts: Vec::new(),
            source: None,
            builtin: cx.ident("builtin"),
            deepest: 0,
            max_nesting: options.max_nesting,
        };
        numbering.op(root)?;
        numbering.check_depth(root, 0)?;
        // Last region first, as upstream.
        let mut pending: Vec<(RegionRef<'c>, usize)> = root.regions().map(|region| (region, 1)).collect();
        while let Some((region, depth)) = pending.pop() {
            for block in region.blocks() {
                for arg in block.args() {
                    numbering.loc(arg.loc());
                    numbering.ty(arg.ty().id());
                }
                for op in block.ops() {
                    numbering.op(op)?;
                    numbering.check_depth(op, depth)?;
                }
            }
            let inside = region.ops().filter(|op| op.num_regions() > 0).flat_map(OpRef::regions);
            pending.extend(inside.map(|region| (region, depth + 1)));
        }
        numbering.check_depth(root, 0)?;
        numbering.finish();
        Ok(numbering)
    }

    /// Refuses what nests too deep: an operation in so many regions, or what was numbered since the last check.
    fn check_depth(&mut self, op: OpRef<'_>, regions: usize) -> Result<(), Diagnostic> {
        let depth = std::mem::take(&mut self.deepest).max(regions);
        if depth <= self.max_nesting {
            return Ok(());
        }
        Err(op.error(format_args!("unsupported: nested deeper than {} levels", self.max_nesting)))
    }

    fn op(&mut self, op: OpRef<'c>) -> Result<(), Diagnostic> {
        let cx = self.cx;
        let name = op.name_id();
        match self.op_slots.get(name.index()) {
            Some(slot) => _ = self.op_names.refer(slot),
            None => self.new_op_name(name),
        }
        for result in op.results().iter() {
            self.ty(result.ty().id());
        }
        if let Some(dictionary) = self.dictionary(op)? {
            self.attr(dictionary);
        }
        if self.version >= version::PROPERTIES {
            // Taken out, since the properties are written to this very table.
            let layout = self.layouts[name.index()].take();
            let are_attrs = self.properties_as_attrs(op).is_some();
            let written = properties::write(cx, op, layout.as_ref(), are_attrs, self);
            self.layouts[name.index()] = layout;
            written?;
        }
        self.loc(op.loc());
        Ok(())
    }

    fn new_op_name(&mut self, name: OpName) {
        let cx = self.cx;
        let slot = self.op_names.add(name);
        self.op_slots.set(name.index(), slot);
        let (dialect, _) = split_name(&cx.op_info(name).name);
        self.op_names.list[slot as usize].dialect = self.dialect(cx.ident(dialect));
        if self.layouts.len() <= name.index() {
            self.layouts.resize_with(name.index() + 1, || None);
        }
        self.layouts[name.index()] = Layout::of(cx, cx.op_info(name), self.version);
    }

    /// The layout of the properties of `op`, which is numbered.
    pub(super) fn layout(&self, op: OpRef<'_>) -> Option<&Layout> {
        self.layouts.get(op.name_id().index())?.as_ref()
    }

    /// The properties of an unregistered operation that are written as attributes: before version 5, and those of dialects that the
    /// options name.
    pub(super) fn properties_as_attrs(&self, op: OpRef<'c>) -> Option<&'c [(Ident, Attr)]> {
        let info = op.info();
        if info.is_registered()
            || self.version >= version::PROPERTIES && !self.dialects_with_attrs.contains(&info.dialect())
        {
            return None;
        }
        let properties = op.attr(PROPERTIES)?;
        properties.is_dictionary().then(|| properties.entries())
    }

    /// The attributes of `op` that are written as a dictionary: those that are no properties, or all of them before those came.
    ///
    /// # Errors
    /// Properties of an unregistered operation that are no dictionary before version 5: there is no place for them.
    pub(super) fn dictionary(&self, op: OpRef<'c>) -> Result<Option<Attr>, Diagnostic> {
        let cx = self.cx;
        let body = op.body();
        let stored = body.arena().op_attrs(body.id());
        let layout = self.layout(op);
        let with_properties = self.version < version::PROPERTIES;
        if stored.is_empty() && !(with_properties && layout.is_some()) {
            return Ok(None);
        }
        let is_registered = op.info().is_registered();
        let mut entries: Vec<(Ident, Attr)> = Vec::with_capacity(stored.len());
        let merged = self.properties_as_attrs(op);
        for &(name, value) in stored {
            if !is_registered && cx.str(name) == PROPERTIES {
                if with_properties && merged.is_none() {
                    let message =
                        "has properties that are no dictionary, which have no place in bytecode before version 5";
                    return Err(op.error(format_args!("unsupported: {message}")));
                }
            } else if with_properties || !layout.is_some_and(|layout| layout.contains(name)) {
                entries.push((name, value));
            }
        }
        let defaults = if with_properties { op.properties() } else { Vec::new() };
        if with_properties || merged.is_some() {
            for &(name, value) in merged.unwrap_or_default().iter().chain(&defaults) {
                if entries.iter().all(|&(known, _)| known != name) {
                    entries.push((name, value));
                }
            }
            entries.sort_by(|a, b| cx.str(a.0).cmp(cx.str(b.0)));
        }
        Ok((!entries.is_empty()).then(|| cx.intern_attr(AttrData::Dictionary(entries.into()))))
    }

    fn dialect(&mut self, name: Ident) -> u32 {
        self.dialects.insert_full(name).0 as u32
    }

    fn new_attr(&mut self, key: Key, slot: u32) {
        let around = std::mem::take(&mut self.deepest);
        self.number_parts_of_attr(key, slot);
        self.deepest = around.max(self.attrs.close(slot, self.deepest));
    }

    fn new_type(&mut self, ty: Type, slot: u32) {
        let around = std::mem::take(&mut self.deepest);
        self.number_parts_of_type(ty, slot);
        self.deepest = around.max(self.types.close(slot, self.deepest));
    }

    fn refer_to_attr(&mut self, slot: u32) {
        let depth = self.attrs.refer(slot);
        self.deepest = self.deepest.max(depth);
    }

    fn number_parts_of_attr(&mut self, key: Key, slot: u32) {
        let cx = self.cx;
        let dialect = match key {
            Key::Attr(attr) => match cx.attr_data(attr) {
                AttrData::Dialect { name, .. } => cx.ident(split_name(cx.str(*name)).0),
                AttrData::Opaque { dialect, .. } => *dialect,
                _ => self.builtin,
            },
            _ => self.builtin,
        };
        self.attrs.list[slot as usize].dialect = self.dialect(dialect);
        if guarded(|| attrs::encode(cx, key, self)) {
            return;
        }
        if let Key::Attr(attr) = key {
            let (text, resources) = crate::text::attr_text_with_resources(cx, attr);
            self.attrs.list[slot as usize].text = Some(text.into());
            for key in resources {
                self.resource(key);
            }
        }
    }

    fn number_parts_of_type(&mut self, ty: Type, slot: u32) {
        use crate::types::TypeData;
        let cx = self.cx;
        let dialect = match cx.type_data(ty) {
            TypeData::Dialect { name, .. } => cx.ident(split_name(cx.str(*name)).0),
            TypeData::Opaque { dialect, .. } => *dialect,
            _ => self.builtin,
        };
        self.types.list[slot as usize].dialect = self.dialect(dialect);
        if !guarded(|| types::encode(cx, ty, self)) {
            self.types.list[slot as usize].text = Some(crate::text::type_text(cx, ty).into());
        }
    }

    /// Sorts everything.
    fn finish(&mut self) {
        let cx = self.cx;
        let numbers = self.attrs.sort();
        self.attr_slots.renumber(&numbers);
        self.name_slots.renumber(&numbers);
        let hashed = self.symbol_slots.values_mut().chain(self.loc_slots.values_mut());
        for slot in hashed {
            *slot = numbers[*slot as usize];
        }
        let numbers = self.types.sort();
        self.type_slots.renumber(&numbers);
        let numbers = self.op_names.sort();
        self.op_slots.renumber(&numbers);
        let (with_data, declared): (Vec<Ident>, Vec<Ident>) =
            self.resources.iter().partition(|&&key| cx.resource(key).is_some());
        self.resources = with_data.into_iter().chain(declared).collect();
    }

    // Final numbers.

    /// The number of an attribute.
    pub(super) fn attr_number(&self, attr: Attr) -> u64 {
        self.attr_slots.get(attr.index()).map_or(0, u64::from)
    }

    /// The number of the location attribute.
    pub(super) fn loc_number(&self, loc: Loc) -> u64 {
        self.loc_slots.get(&loc).map_or(0, |&number| u64::from(number))
    }

    /// The number of the string attribute.
    pub(super) fn name_number(&self, name: Ident) -> u64 {
        self.name_slots.get(name.index()).map_or(0, u64::from)
    }

    /// The number of the symbol.
    pub(super) fn symbol_number(&self, root: Ident) -> u64 {
        self.symbol_slots.get(&root).map_or(0, |&number| u64::from(number))
    }

    /// The number of a type.
    pub(super) fn type_number(&self, ty: Type) -> u64 {
        self.type_slots.get(ty.index()).map_or(0, u64::from)
    }

    /// The number of an operation name.
    pub(super) fn op_number(&self, name: OpName) -> u64 {
        self.op_slots.get(name.index()).map_or(0, u64::from)
    }

    /// The file, line and column of a source position.
    pub(super) fn position_of(&self, loc: Loc) -> Option<(Ident, u32, u32)> {
        if let Some((source, name)) = &self.source
            && let Some(offset) = source.offset_of(loc)
        {
            let (line, column) = source.line_column(offset);
            return Some((*name, line, column));
        }
        let (source, offset) = self.cx.source_position(loc)?;
        let (line, column) = source.line_column(offset);
        Some((self.cx.ident(source.name()), line, column))
    }
}

/// Levels of brackets in the text of an attribute or a type. Those in strings do not count, nor does what ends an arrow or begins `>=`.
fn levels(text: &str) -> usize {
    let text = text.as_bytes();
    let (mut depth, mut deepest, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match (byte, text.get(at)) {
            (b'-', Some(b'>')) | (b'>', Some(b'=')) => at += 1,
            (b'(' | b'[' | b'{' | b'<', _) => depth += 1,
            (b')' | b']' | b'}' | b'>', _) => depth = depth.saturating_sub(1),
            (b'"', _) => at = closing_quote(text, at).unwrap_or(text.len()),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The dialect of a name, and what follows its dot. A name without a dot is its own dialect.
pub(super) fn split_name(name: &str) -> (&str, &str) {
    name.split_once('.').unwrap_or((name, ""))
}

impl Sink for Numbering<'_> {
    fn attr(&mut self, attr: Attr) {
        if let Some(slot) = self.attr_slots.get(attr.index()) {
            return self.refer_to_attr(slot);
        }
        // What has other handles as well is numbered by those.
        let slot = match self.cx.attr_data(attr) {
            AttrData::String { value, ty: None } if std::str::from_utf8(value).is_ok() => {
                let name = self.cx.ident(&String::from_utf8_lossy(value));
                self.name(name);
                self.name_slots.get(name.index())
            }
            AttrData::SymbolRef { root, nested } if nested.is_empty() => {
                let root = *root;
                self.flat_symbol(root);
                self.symbol_slots.get(&root).copied()
            }
            AttrData::Location(loc) => {
                let loc = *loc;
                self.loc(loc);
                self.loc_slots.get(&loc).copied()
            }
            _ => None,
        };
        if let Some(slot) = slot {
            return self.attr_slots.set(attr.index(), slot);
        }
        let slot = self.attrs.add(Key::Attr(attr));
        self.attr_slots.set(attr.index(), slot);
        self.new_attr(Key::Attr(attr), slot);
    }

    fn optional_attr(&mut self, attr: Option<Attr>) {
        if let Some(attr) = attr {
            self.attr(attr);
        }
    }

    fn loc(&mut self, loc: Loc) {
        if let Some(&slot) = self.loc_slots.get(&loc) {
            return self.refer_to_attr(slot);
        }
        let slot = self.attrs.add(Key::Loc(loc));
        self.loc_slots.insert(loc, slot);
        self.new_attr(Key::Loc(loc), slot);
    }

    fn name(&mut self, name: Ident) {
        if let Some(slot) = self.name_slots.get(name.index()) {
            return self.refer_to_attr(slot);
        }
        let slot = self.attrs.add(Key::Name(name));
        self.name_slots.set(name.index(), slot);
        self.new_attr(Key::Name(name), slot);
    }

    fn flat_symbol(&mut self, root: Ident) {
        if let Some(&slot) = self.symbol_slots.get(&root) {
            return self.refer_to_attr(slot);
        }
        let slot = self.attrs.add(Key::FlatSymbol(root));
        self.symbol_slots.insert(root, slot);
        self.new_attr(Key::FlatSymbol(root), slot);
    }

    fn ty(&mut self, ty: Type) {
        if let Some(slot) = self.type_slots.get(ty.index()) {
            let depth = self.types.refer(slot);
            self.deepest = self.deepest.max(depth);
            return;
        }
        let slot = self.types.add(ty);
        self.type_slots.set(ty.index(), slot);
        self.new_type(ty, slot);
    }

    fn resource(&mut self, key: Ident) {
        self.dialect(self.builtin);
        self.resources.insert(key);
    }

    fn string(&mut self, _: &[u8]) {}
    fn varint(&mut self, _: u64) {}
    fn byte(&mut self, _: u8) {}
    fn blob<'a>(&mut self, _: impl FnOnce() -> Cow<'a, [u8]>) {}

    fn position(&mut self, loc: Loc) -> bool {
        let LocKind::Position(_) = loc.kind() else { return false };
        let is_known = self.source.as_ref().is_some_and(|(source, _)| source.offset_of(loc).is_some());
        if !is_known {
            let Some((source, _)) = self.cx.source_position(loc) else { return false };
            let name = self.cx.ident(source.name());
            self.source = Some((source, name));
        }
        let Some((_, name)) = self.source else { return false };
        self.name(name);
        true
    }
}
