//! Aliases: `#map = affine_map<...>` before the text, `#loc = loc(...)` after it.
//!
//! Which aliases a text needs, and their numbers, depend on the order in which its parts come. So the printing code runs
//! twice: the first time with a [`Collector`], when each type, attribute and location is visited instead of printed; then the aliases
//! get their names; then the text is printed for good.
//!
//! Upstream's order, which this follows: of an operation first its location (if locations are printed), then what its pretty form
//! prints, in order; in the generic form its regions, the types of its operands and results, then its attributes. Aliases are
//! sorted by how deep they nest, types first, then by name, then by first visit, and numbered. One that is used by locations of
//! operations alone is defined after the text.
//!
//! The first run passes over operations whose types and attributes have no alias in them, and over those with the same name, types and attributes as
//! one that it has visited: what they show has been visited.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::attrs::ShowType;
use super::carriers::Carriers;
use super::{AsmPrinter, guarded};
use crate::attributes::{Attr, AttrData};
use crate::context::Context;
use crate::location::Loc;
use crate::opdef::Trait;
use crate::types::{Type, TypeData};
use crate::verify::known::{Kind, Known};
use crate::view::{OpRef, RegionRef};

/// Something that may have an alias.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::text) enum Key {
    Type(Type),
    Attr(Attr),
    Loc(Loc),
}

impl Key {
    /// A location is the same thing as an attribute.
    pub(super) fn of_attr(cx: &Context, attr: Attr) -> Self {
        match cx.attr_data(attr) {
            AttrData::Location(loc) => Self::Loc(*loc),
            AttrData::Type(ty) => Self::Type(*ty),
            _ => Self::Attr(attr),
        }
    }

    /// The name that aliases of it get, before their number.
    pub(in crate::text) fn alias_name(self, cx: &Context) -> Option<&'static str> {
        match self {
            Self::Loc(_) => Some("loc"),
            Self::Type(ty) => match cx.type_data(ty) {
                TypeData::Tuple(types) if types.len() > LONG_TUPLE => Some("tuple"),
                TypeData::Dialect { name, .. } => dialect_alias_name(cx, cx.str(*name)),
                _ => None,
            },
            Self::Attr(attr) => match cx.attr_data(attr) {
                AttrData::AffineMap(_) => Some("map"),
                AttrData::IntegerSet(_) => Some("set"),
                AttrData::Distinct { referenced, .. } if !cx.attr(*referenced).is_unit() => Some("distinct"),
                AttrData::Dialect { name, .. } => dialect_alias_name(cx, cx.str(*name)),
                _ => None,
            },
        }
    }
}

/// What the dialect says of its type or attribute `dialect.mnemonic`.
fn dialect_alias_name(cx: &Context, name: &str) -> Option<&'static str> {
    let (dialect, mnemonic) = name.split_once('.')?;
    cx.dialect(dialect)?.alias_name?(mnemonic)
}

/// Types in a tuple that has no alias.
const LONG_TUPLE: usize = 16;

/// The aliases of a text.
#[derive(Default)]
pub(super) struct Aliases {
    names: FxHashMap<Key, Name>,
    /// In the order of their definitions; whether each comes after the text.
    definitions: Vec<(Key, bool)>,
}

#[derive(Clone, Copy)]
struct Name {
    word: &'static str,
    /// The first one of a word has none.
    number: u32,
}

/// What has been visited so far.
#[derive(Default)]
pub(super) struct Collector {
    index: FxHashMap<Key, u32>,
    visited: Vec<Visited>,
    /// What is being visited, outermost first.
    open: Vec<Open>,
    /// Whether an alias met now may be defined after the text.
    deferrable: bool,
    carriers: Carriers,
    /// Operations that have been visited.
    known: Known,
}

struct Visited {
    key: Key,
    word: Option<&'static str>,
    /// Longest chain of aliases inside.
    depth: u32,
    deferrable: bool,
    /// What inside it matters: has an alias, or something inside that has one.
    children: SmallVec<[u32; 2]>,
}

#[derive(Default)]
struct Open {
    depth: u32,
    children: SmallVec<[u32; 2]>,
}

impl Collector {
    /// Notes that `at` occurs in what is being visited.
    fn note(&mut self, at: u32) {
        let visited = &self.visited[at as usize];
        if visited.word.is_none() && visited.depth == 0 {
            return;
        }
        if let Some(open) = self.open.last_mut() {
            open.depth = open.depth.max(visited.depth + 1);
            open.children.push(at);
        }
    }

    /// Whether there may be something to visit in `op`, apart from what is in its regions, that has not been visited yet.
    fn may_visit_more(&mut self, op: OpRef<'_>) -> bool {
        self.carriers.has(op)
            && (!Kind::of(op).is_some_and(|kind| self.known.contains(&kind)) || self.carriers.has_in_args(op))
    }

    /// `at` and all inside it must be defined before the text.
    fn need_early(&mut self, at: u32) {
        let mut pending = vec![at];
        while let Some(at) = pending.pop() {
            let visited = &mut self.visited[at as usize];
            if std::mem::replace(&mut visited.deferrable, false) {
                pending.extend_from_slice(&visited.children);
            }
        }
    }

    /// Adds what `other` has visited: the same as to visit it here.
    fn absorb(&mut self, other: Self) {
        let known = self.visited.len() as u32;
        let mut here = Vec::with_capacity(other.visited.len());
        for visited in &other.visited {
            let next = self.visited.len() as u32;
            let at = *self.index.entry(visited.key).or_insert(next);
            if at == next {
                self.visited.push(Visited { children: SmallVec::new(), ..*visited });
            }
            here.push(at);
        }
        for (visited, &at) in other.visited.into_iter().zip(&here) {
            if at >= known {
                self.visited[at as usize].children =
                    visited.children.iter().map(|&child| here[child as usize]).collect();
            } else if !visited.deferrable {
                self.need_early(at);
            }
        }
    }

    /// Names for what has been visited.
    fn finish(mut self) -> Aliases {
        self.visited.retain(|visited| visited.word.is_some());
        let is_type = |visited: &Visited| matches!(visited.key, Key::Type(_));
        self.visited.sort_by(|a, b| (a.depth, !is_type(a), a.word).cmp(&(b.depth, !is_type(b), b.word)));
        let mut numbers: FxHashMap<(bool, &str), u32> = FxHashMap::default();
        let mut aliases = Aliases::default();
        for visited in &self.visited {
            let Some(word) = visited.word else { continue };
            let next = numbers.entry((is_type(visited), word)).or_insert(0);
            aliases.names.insert(visited.key, Name { word, number: *next });
            aliases.definitions.push((visited.key, visited.deferrable));
            *next += 1;
        }
        aliases
    }
}

impl AsmPrinter<'_> {
    /// Prints the alias of `key`, if it has one.
    pub(super) fn alias(&mut self, key: Key) -> bool {
        if self.aliases.names.is_empty() {
            return false;
        }
        let Some(&Name { word, number }) = self.aliases.names.get(&key) else { return false };
        self.char(if matches!(key, Key::Type(_)) { '!' } else { '#' });
        self.text(word);
        if number > 0 {
            self.int(i64::from(number));
        }
        true
    }

    /// Definitions of the aliases, those before or those after the text.
    pub(super) fn alias_definitions(&mut self, after: bool) {
        let definitions: Vec<Key> =
            self.aliases.definitions.iter().filter(|(_, late)| *late == after).map(|&(key, _)| key).collect();
        for key in definitions {
            self.alias(key);
            self.text(" = ");
            match key {
                Key::Type(ty) => guarded(|| self.type_body(ty)),
                Key::Attr(attr) => self.attr_body(attr, ShowType::Always),
                Key::Loc(loc) => self.location_body(loc),
            }
            self.newline();
        }
    }

    /// Finds the aliases that printing `root` needs.
    pub(super) fn collect_aliases(&mut self, root: OpRef<'_>) {
        if self.options.local_scope {
            return;
        }
        self.collector = Some(Box::default());
        self.operation(root);
        self.out.clear();
        if let Some(collector) = self.collector.take() {
            self.aliases = Arc::new(collector.finish());
        }
        self.resources.clear();
        self.distinct_ids = Arc::default();
    }

    /// What there is to visit in `ops`.
    pub(super) fn collect<'o>(mut self, ops: impl Iterator<Item = OpRef<'o>>) -> Collector {
        self.collector = Some(Box::default());
        self.is_part = false; // Numbers do not matter.
        ops.for_each(|op| self.operation(op));
        self.collector.map_or_else(Collector::default, |collector| *collector)
    }

    /// Adds what was visited elsewhere, as if it were visited now.
    pub(super) fn absorb(&mut self, visited: Collector) {
        if let Some(collector) = &mut self.collector {
            collector.absorb(visited);
        }
    }

    /// Visits `key` and what is inside it.
    pub(super) fn visit(&mut self, key: Key) {
        let cx = self.cx;
        let Some(collector) = &mut self.collector else { return };
        if let Some(&at) = collector.index.get(&key) {
            if !collector.deferrable {
                collector.need_early(at);
            }
            return collector.note(at);
        }
        let at = collector.visited.len() as u32;
        collector.index.insert(key, at);
        collector.visited.push(Visited {
            key,
            word: key.alias_name(cx),
            depth: 0,
            deferrable: collector.deferrable,
            children: SmallVec::new(),
        });
        collector.open.push(Open::default());
        let start = self.out.len();
        guarded(|| match key {
            Key::Type(ty) => self.type_body(ty),
            Key::Attr(attr) => self.attr_body(attr, ShowType::Always),
            Key::Loc(loc) => self.location_inside(loc),
        });
        self.out.truncate(start);
        let Some(collector) = &mut self.collector else { return };
        let Open { depth, children } = collector.open.pop().unwrap_or_default();
        let visited = &mut collector.visited[at as usize];
        (visited.depth, visited.children) = (depth, children);
        collector.note(at);
    }

    /// Whether aliases are being collected: what is printed now does not matter, only what is visited.
    pub(crate) fn is_collecting(&self) -> bool {
        self.collector.is_some()
    }

    /// Visits what is in the regions of `op` where the rest of it shows no alias. Answers whether that was so.
    pub(super) fn collect_regions_only(&mut self, op: OpRef<'_>) -> bool {
        let Some(collector) = &mut self.collector else { return false };
        if self.options.debug_info || collector.may_visit_more(op) {
            return false;
        }
        if self.options.generic || !op.info().hooks.hides_regions {
            for region in op.regions() {
                self.region(region, true, true);
            }
        }
        true
    }

    /// Notes that `op`, with all that is in it, has been visited.
    pub(super) fn note_visited(&mut self, op: OpRef<'_>) {
        if let Some(collector) = &mut self.collector
            && let Some(kind) = Kind::of(op)
        {
            collector.known.insert(&kind);
        }
    }

    /// Visits what is in `region` by a look at attributes and nested operations alone, where no type in its arena shows an alias.
    /// Answers whether that was so.
    pub(super) fn collect_by_attrs(&mut self, region: RegionRef<'_>, with_terminator: bool) -> bool {
        let (cx, ir) = (self.cx, region.arena());
        let Some(collector) = &mut self.collector else { return false };
        let carriers = collector.carriers.in_arena(cx, ir);
        if self.options.debug_info || carriers.types {
            return false;
        }
        if !carriers.attrs && ir.children.is_empty() {
            return true;
        }
        for block in region.blocks() {
            if self.pays_in_parallel(block) {
                self.collect_in_parallel(block, with_terminator);
                continue;
            }
            for op in block.ops() {
                let data = ir.op(op.id());
                let is_plain = data.num_attrs() == 0 && data.is_leaf();
                let is_left_out = || !with_terminator && data.next.is_none() && op.has_trait(&Trait::Terminator);
                if !is_plain && !is_left_out() {
                    self.operation(op);
                    self.flush();
                }
            }
        }
        true
    }

    /// Visits the location of an operation, before anything else of it.
    pub(super) fn collect_op_location(&mut self, loc: Loc) {
        if !self.options.debug_info {
            return;
        }
        self.set_deferrable(true);
        self.visit(Key::Loc(loc));
        self.set_deferrable(false);
    }

    fn set_deferrable(&mut self, deferrable: bool) {
        if let Some(collector) = &mut self.collector {
            collector.deferrable = deferrable;
        }
    }

    /// Visits the parts of an operation in the generic form.
    pub(super) fn collect_generic(&mut self, op: OpRef<'_>) {
        if !self.options.skip_regions {
            for region in op.regions() {
                self.region(region, true, true);
            }
        }
        for ty in op.operands().types().into_iter().chain(op.results().types()) {
            self.ty(ty);
        }
        let mut attrs = op.properties();
        attrs.extend(op.discardable_attrs().map(|(name, attr)| (name, attr.id())));
        attrs.sort_by(|a, b| self.cx.str(a.0).cmp(self.cx.str(b.0)));
        for (_, attr) in attrs {
            self.attr(attr);
        }
    }
}
