//! The tables of attributes and types. Entries refer to one another by number, in any direction; each is decoded once.
//!
//! # Invariants
//! * An entry that leads back to itself is refused, so decoding ends. Nesting is limited by memory only.
//! * Handles share what is equal: however often entries refer to one, it is stored once. What text they stand for is limited as
//!   well, in proportion to the file, since types and attributes are printed in full.

use std::sync::Arc;

use super::cursor::{Cursor, Read};
use super::dialects::{FileDialect, read_group};
use super::resources::Resources;
use super::strings::Strings;
use crate::attributes::{Attr, AttrData};
use crate::bytecode::custom::Resolved;
use crate::context::Context;
use crate::entity::Ident;
use crate::location::Loc;
use crate::text::guarded;
use crate::types::Type;

/// One entry, encoded.
#[derive(Clone, Copy)]
struct Entry<'b> {
    dialect: usize,
    /// Whether the dialect has encoded it; else it is text.
    is_custom: bool,
    data: Cursor<'b>,
    /// How many attributes and types it stands for, with those that they refer to, each as often as it is referred to.
    weight: u64,
}

/// What has become of an entry. Locations stay locations: most are never used as attributes.
#[derive(Clone, Copy)]
pub(super) enum AttrSlot {
    /// Not decoded yet.
    Unread,
    /// Being decoded.
    Open,
    /// An attribute.
    Attr(Attr),
    /// A location.
    Loc(Loc),
}

#[derive(Clone, Copy)]
enum TypeSlot {
    Unread,
    Open,
    Done(Type),
}

/// Decodes entries.
pub(super) struct Decoder<'c, 'f, 'b> {
    pub(super) cx: &'c Context,
    pub(super) strings: &'f Strings<'b>,
    pub(super) resources: &'f Resources,
    dialects: &'f [FileDialect<'b>],
    /// The attribute encodings of each dialect of the file, resolved at first use.
    custom: Vec<Option<Arc<[Option<Resolved<'c>>]>>>,
    attrs: Vec<Entry<'b>>,
    types: Vec<Entry<'b>>,
    attr_slots: Vec<AttrSlot>,
    type_slots: Vec<TypeSlot>,
    /// What the entry being decoded weighs so far.
    weight: u64,
    max_weight: u64,
}

/// All entries, decoded.
pub(super) struct Entries {
    pub(super) attrs: Vec<AttrSlot>,
    pub(super) types: Vec<Type>,
}

impl<'c, 'f, 'b> Decoder<'c, 'f, 'b> {
    /// Reads where the entries are. `offsets` is the section of their sizes, `data` that of their encodings.
    pub(super) fn new(
        cx: &'c Context,
        strings: &'f Strings<'b>,
        resources: &'f Resources,
        dialects: &'f [FileDialect<'b>],
        mut offsets: Cursor<'b>,
        mut data: Cursor<'b>,
    ) -> Read<Self> {
        let (num_attrs, num_types) = (offsets.varint()?, offsets.varint()?);
        let max_weight = (data.len() as u64).saturating_mul(256).max(1 << 20);
        let attrs = read_entries(dialects, num_attrs, &mut offsets, &mut data)?;
        let types = read_entries(dialects, num_types, &mut offsets, &mut data)?;
        offsets.expect_end(|| "unexpected trailing data in the Attribute/Type offset section".to_owned())?;
        Ok(Self {
            cx,
            strings,
            resources,
            dialects,
            custom: dialects.iter().map(|_| None).collect(),
            attr_slots: vec![AttrSlot::Unread; attrs.len()],
            type_slots: vec![TypeSlot::Unread; types.len()],
            attrs,
            types,
            weight: 0,
            max_weight,
        })
    }

    /// Decodes everything.
    pub(super) fn finish(mut self) -> Read<Entries> {
        let here = Cursor::new(&[], 0);
        for index in 0..self.attrs.len() as u64 {
            self.slot(&here, index)?;
        }
        let types = (0..self.types.len() as u64).map(|index| self.ty_number(&here, index));
        let types = types.collect::<Read<_>>()?;
        Ok(Entries { attrs: self.attr_slots, types })
    }

    // What the encodings of entries refer to.

    /// The attribute that is referred to at `cursor`.
    pub(super) fn attr(&mut self, cursor: &mut Cursor<'_>) -> Read<Attr> {
        let index = cursor.varint()?;
        self.attr_number(cursor, index)
    }

    /// Attribute number `index`. `cursor` is where it is referred to.
    pub(super) fn attr_number(&mut self, cursor: &Cursor<'_>, index: u64) -> Read<Attr> {
        Ok(match self.slot(cursor, index)? {
            AttrSlot::Loc(loc) => self.cx.intern_attr(AttrData::Location(loc)),
            AttrSlot::Attr(attr) => attr,
            AttrSlot::Unread | AttrSlot::Open => return Err(cursor.fault("an attribute that refers to itself")),
        })
    }

    /// The attribute that is referred to at `cursor`, where there is one.
    pub(super) fn optional_attr(&mut self, cursor: &mut Cursor<'_>) -> Read<Option<Attr>> {
        let (index, is_there) = cursor.varint_with_flag()?;
        if is_there { self.attr_number(cursor, index).map(Some) } else { Ok(None) }
    }

    /// The location that is referred to at `cursor`.
    pub(super) fn loc(&mut self, cursor: &mut Cursor<'_>) -> Read<Loc> {
        let index = cursor.varint()?;
        let slot = self.slot(cursor, index)?;
        loc_of(self.cx, slot, cursor)
    }

    /// The type that is referred to at `cursor`.
    pub(super) fn ty(&mut self, cursor: &mut Cursor<'_>) -> Read<Type> {
        let index = cursor.varint()?;
        self.ty_number(cursor, index)
    }

    /// The string attribute that is referred to at `cursor`, as a name.
    pub(super) fn name(&mut self, cursor: &mut Cursor<'_>) -> Read<Ident> {
        let attr = self.attr(cursor)?;
        let AttrData::String { value, .. } = self.cx.attr_data(attr) else {
            let message = format!("expected a string attribute, but got: {}", self.cx.attr(attr));
            return Err(cursor.fault(message));
        };
        match std::str::from_utf8(value) {
            Ok(text) => Ok(self.cx.ident(text)),
            Err(_) => Err(cursor.fault(format!("unsupported: a name that is not UTF-8: '{}'", value.escape_ascii()))),
        }
    }

    /// A list: how many there are, then each by `read`.
    pub(super) fn list<T>(
        &mut self,
        cursor: &mut Cursor<'b>,
        mut read: impl FnMut(&mut Self, &mut Cursor<'b>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = cursor.varint()?;
        let mut list = Vec::with_capacity(cursor.capacity(count));
        for _ in 0..count {
            list.push(read(self, cursor)?);
        }
        Ok(list)
    }

    // Entries.

    fn slot(&mut self, cursor: &Cursor<'_>, index: u64) -> Read<AttrSlot> {
        let Some(slot) = usize::try_from(index).ok().and_then(|index| self.attr_slots.get(index)).copied() else {
            return Err(cursor.fault(format!("invalid Attribute index: {index}")));
        };
        let at = index as usize;
        let slot = match slot {
            AttrSlot::Open => return Err(cursor.fault(format!("attribute #{index} refers to itself"))),
            AttrSlot::Unread => guarded(|| self.decode_attr(at))?,
            done => done,
        };
        self.weight = self.weight.saturating_add(self.attrs[at].weight);
        Ok(slot)
    }

    fn decode_attr(&mut self, at: usize) -> Read<AttrSlot> {
        self.attr_slots[at] = AttrSlot::Open;
        let outer = std::mem::replace(&mut self.weight, 1);
        let Entry { dialect, is_custom, data: mut cursor, .. } = self.attrs[at];
        self.dialects[dialect].check_known(self.cx)?;
        let slot = if is_custom {
            self.custom_attr(dialect, &mut cursor)?
        } else {
            let text = asm_text(&mut cursor)?;
            let attr = crate::text::parse_attribute_fragment(self.cx, text)
                .map_err(|error| cursor.fault(format!("attribute #{at} '{text}': {}", error.message)))?;
            match self.cx.attr_data(attr) {
                AttrData::Location(loc) => AttrSlot::Loc(*loc),
                _ => AttrSlot::Attr(attr),
            }
        };
        cursor.expect_end(|| format!("unexpected trailing bytes after Attribute entry #{at}"))?;
        // Locations and dialect attributes are printed once, as aliases.
        let is_aliased =
            !matches!(slot, AttrSlot::Attr(attr) if !matches!(self.cx.attr_data(attr), AttrData::Dialect { .. }));
        self.attrs[at].weight = if is_aliased { 1 } else { self.weight };
        self.check_weight(&cursor, at, "attribute")?;
        self.weight = outer;
        self.attr_slots[at] = slot;
        Ok(slot)
    }

    fn ty_number(&mut self, cursor: &Cursor<'_>, index: u64) -> Read<Type> {
        let Some(slot) = usize::try_from(index).ok().and_then(|index| self.type_slots.get(index)).copied() else {
            return Err(cursor.fault(format!("invalid Type index: {index}")));
        };
        let at = index as usize;
        let ty = match slot {
            TypeSlot::Done(ty) => ty,
            TypeSlot::Open => return Err(cursor.fault(format!("type #{index} refers to itself"))),
            TypeSlot::Unread => guarded(|| self.decode_type(at))?,
        };
        self.weight = self.weight.saturating_add(self.types[at].weight);
        Ok(ty)
    }

    fn decode_type(&mut self, at: usize) -> Read<Type> {
        self.type_slots[at] = TypeSlot::Open;
        let outer = std::mem::replace(&mut self.weight, 1);
        let Entry { dialect, is_custom, data: mut cursor, .. } = self.types[at];
        self.dialects[dialect].check_known(self.cx)?;
        let ty = if is_custom {
            match self.dialects[dialect].name {
                "builtin" => self.builtin_type(&mut cursor)?,
                name => self.custom_type(name, &mut cursor)?,
            }
        } else {
            let text = asm_text(&mut cursor)?;
            crate::text::parse_type(self.cx, text)
                .map_err(|error| cursor.fault(format!("type #{at} '{text}': {}", error.message)))?
        };
        cursor.expect_end(|| format!("unexpected trailing bytes after Type entry #{at}"))?;
        self.types[at].weight = self.weight;
        self.check_weight(&cursor, at, "type")?;
        self.weight = outer;
        self.type_slots[at] = TypeSlot::Done(ty);
        Ok(ty)
    }

    fn check_weight(&self, cursor: &Cursor<'_>, at: usize, what: &str) -> Read<()> {
        if self.weight <= self.max_weight {
            return Ok(());
        }
        let message =
            format!("unsupported: {what} #{at} stands for more than {} nested attributes and types", self.max_weight);
        Err(cursor.fault(message))
    }

    fn custom_type(&mut self, dialect: &str, cursor: &mut Cursor<'b>) -> Read<Type> {
        let encodings = self.cx.dialect(dialect).map_or(&[][..], |info| info.type_encodings);
        if encodings.is_empty() {
            return Err(no_encodings(dialect, cursor));
        }
        let code = cursor.varint()?;
        match usize::try_from(code).ok().and_then(|code| encodings.get(code)) {
            Some(Some(encoding)) => self.encoded_type(encoding, cursor),
            _ => Err(cursor.fault(format!("unknown type code of dialect '{dialect}': {code}"))),
        }
    }

    fn custom_attr(&mut self, dialect: usize, cursor: &mut Cursor<'b>) -> Read<AttrSlot> {
        let (cx, name) = (self.cx, self.dialects[dialect].name);
        if name == "builtin" {
            return self.builtin_attr(cursor);
        }
        let Some(info) = cx.dialect(name).filter(|info| !info.attr_encodings.is_empty()) else {
            return Err(no_encodings(name, cursor));
        };
        let resolve = || info.attr_encodings.iter().map(|encoding| Resolved::of(cx, encoding)).collect();
        let table = self.custom[dialect].get_or_insert_with(resolve).clone();
        let code = cursor.varint()?;
        match usize::try_from(code).ok().and_then(|code| table.get(code)) {
            Some(Some(encoding)) => self.encoded_attr(encoding, cursor).map(AttrSlot::Attr),
            Some(None) => Err(cursor.fault(format!("unsupported: code {code} of an attribute of dialect '{name}'"))),
            None => Err(cursor.fault(format!("unknown attribute code of dialect '{name}': {code}"))),
        }
    }
}

/// The sizes of `count` entries, in groups of one dialect each.
fn read_entries<'b>(
    dialects: &[FileDialect<'_>],
    count: u64,
    offsets: &mut Cursor<'b>,
    data: &mut Cursor<'b>,
) -> Read<Vec<Entry<'b>>> {
    let mut entries = Vec::with_capacity(offsets.capacity(count));
    while (entries.len() as u64) < count {
        let (dialect, len) = read_group(dialects, offsets)?;
        if len > count - entries.len() as u64 {
            let message = format!("a group of {len} entries where {} remain", count - entries.len() as u64);
            return Err(offsets.fault(message));
        }
        for _ in 0..len {
            let (size, is_custom) = offsets.varint_with_flag()?;
            if size > data.len() as u64 {
                return Err(offsets.fault("Attribute or Type entry offset points past the end of section"));
            }
            entries.push(Entry { dialect, is_custom, data: data.sub(size)?, weight: 1 });
        }
    }
    Ok(entries)
}

/// The text of an entry that is encoded as text.
fn asm_text<'b>(cursor: &mut Cursor<'b>) -> Read<&'b str> {
    let text = cursor.null_terminated()?;
    std::str::from_utf8(text).map_err(|_| cursor.fault("unsupported: the text of an entry is not UTF-8"))
}

fn no_encodings(dialect: &str, cursor: &Cursor<'_>) -> super::cursor::Fault {
    cursor.fault(format!("dialect '{dialect}' does not implement the bytecode interface"))
}

/// The location that a slot is.
pub(super) fn loc_of(cx: &Context, slot: AttrSlot, cursor: &Cursor<'_>) -> Read<Loc> {
    match slot {
        AttrSlot::Loc(loc) => Ok(loc),
        AttrSlot::Attr(attr) => {
            let message = format!("expected a location attribute, but got: {}", cx.attr(attr));
            Err(cursor.fault(message))
        }
        AttrSlot::Unread | AttrSlot::Open => Err(cursor.fault("a location that refers to itself")),
    }
}
