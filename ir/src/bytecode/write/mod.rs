//! Writing bytecode.
//!
//! First everything that operations refer to is numbered ([`numbering`]), then the sections are written one after the other. The same
//! code says what an attribute or type refers to and how it is encoded: it writes to a [`Sink`], which numbers the first time
//! and writes the second.

mod attrs;
mod emitter;
mod facts;
mod ir;
mod numbering;
mod properties;
mod resources;
mod sink;
mod strings;
mod types;
mod use_lists;

use std::borrow::Cow;
use std::io;

use self::emitter::{Emitter, Output, push_varint};
use self::numbering::{Entries, Numbering, split_name};
use self::properties::Properties;
use self::sink::Sink;
use self::strings::Strings;
use super::encoding::{MAGIC, Section, VERSION, attr_code, version};
use crate::attributes::Attr;
use crate::diagnostics::Diagnostic;
use crate::entity::Ident;
use crate::location::Loc;
use crate::text::ExternalResource;
use crate::types::Type;
use crate::view::OpRef;

/// How to write bytecode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// The version of the format, at most [`VERSION`] (`--emit-bytecode-version`).
    pub version: u32,
    /// What the file says who wrote it.
    pub producer: String,
    /// Whether resources are written without their data (`--elide-resource-data-from-bytecode`).
    pub elide_resource_data: bool,
    /// Dialects whose operations, where they are not registered, have their properties written as attributes. Upstream's reader takes
    /// properties of operations that it knows for encoded as their definitions say, whatever the file says; attributes
    /// of their names it accepts as well.
    pub properties_as_attrs: &'static [&'static str],
    /// Levels of regions, and of attributes and types, that are written; an operation that nests deeper, or has such an attribute, is an error. For readers
    /// that work recursively and have no limit of their own.
    pub max_nesting: usize,
}

impl Default for WriteOptions {
    fn default() -> Self {
        let producer = concat!("dl ", env!("CARGO_PKG_VERSION")).to_owned();
        Self {
            version: VERSION,
            producer,
            elide_resource_data: false,
            properties_as_attrs: &[],
            max_nesting: usize::MAX,
        }
    }
}

/// Writes `op`, the root of an arena, and everything in it to `out`, with external resources of the file it came from.
///
/// Cost: O(operations + operands), a few tenths of a microsecond an operation. The result is the same for any order in which things
/// were interned.
///
/// # Errors
/// A version that there is none, what that version has no place for, an operation that misses a property, or what is nested too deep. The outer result is
/// that of `out`.
pub fn write_bytecode(
    op: OpRef<'_>,
    external: &[ExternalResource],
    options: &WriteOptions,
    out: &mut dyn io::Write,
) -> io::Result<Result<(), Diagnostic>> {
    if options.version > VERSION {
        let message = format!("unsupported version requested {}, must be in range [0, {VERSION}]", options.version);
        return Ok(Err(Diagnostic::error(op.loc(), message)));
    }
    let numbers = match Numbering::of(op, options) {
        Ok(numbers) => numbers,
        Err(error) => return Ok(Err(error)),
    };
    let mut strings = Strings::default();
    let mut properties = Properties::default();
    let dialects = dialect_section(&numbers, &mut strings);
    let (entry_offsets, entries) = entry_sections(&numbers, &mut strings);
    let ir = match ir::section(op, &numbers, &mut strings, &mut properties) {
        Ok(ir) => ir,
        Err(error) => return Ok(Err(error)),
    };
    let (resource_offsets, resources) =
        resources::sections(&numbers, external, &mut strings, options.elide_resource_data);

    let mut output = Output::new(out);
    let mut header = MAGIC.to_vec();
    push_varint(&mut header, u64::from(options.version));
    header.extend(options.producer.bytes().filter(|&byte| byte != 0));
    header.push(0);
    output.bytes(&header)?;
    output.section(Section::Dialect, &dialects)?;
    output.section(Section::AttrTypeOffset, &entry_offsets)?;
    output.section(Section::AttrType, &entries)?;
    output.section(Section::Ir, &ir)?;
    output.section(Section::ResourceOffset, &resource_offsets)?;
    output.section(Section::Resource, &resources)?;
    output.section(Section::String, &strings.section())?;
    if options.version >= version::PROPERTIES {
        output.section(Section::Properties, &properties.section())?;
    }
    Ok(Ok(()))
}

/// The dialects, and the operation names in groups of one dialect each.
fn dialect_section(numbers: &Numbering<'_>, strings: &mut Strings) -> Emitter {
    let cx = numbers.cx;
    let mut section = Emitter::default();
    section.varint(numbers.dialects.len() as u64);
    for &dialect in &numbers.dialects {
        let name = strings.number(cx.str(dialect).as_bytes());
        if numbers.version >= version::DIALECT_VERSIONS {
            section.varint_with_flag(name, false);
        } else {
            section.varint(name);
        }
    }
    if numbers.version >= version::ELIDED_ARGUMENT_LOCATIONS {
        section.varint(numbers.op_names.list.len() as u64);
    }
    groups(&numbers.op_names, &mut section, |section, entry| {
        let info = cx.op_info(entry.key);
        let name = strings.number(split_name(&info.name).1.as_bytes());
        if numbers.version >= version::PROPERTIES {
            section.varint_with_flag(name, info.is_registered());
        } else {
            section.varint(name);
        }
    });
    section
}

/// The sizes of attributes and types, in groups of one dialect each, and their encodings.
fn entry_sections(numbers: &Numbering<'_>, strings: &mut Strings) -> (Emitter, Emitter) {
    let cx = numbers.cx;
    let (mut offsets, mut data) = (Emitter::default(), Emitter::default());
    offsets.varint(numbers.attrs.list.len() as u64);
    offsets.varint(numbers.types.list.len() as u64);
    let mut size_of = |text: &Option<Box<str>>, encode: &mut dyn FnMut(&mut Encoder<'_, '_>)| {
        let start = data.bytes.len();
        if let Some(text) = text {
            data.bytes.extend_from_slice(text.as_bytes());
            data.byte(0);
        } else {
            encode(&mut Encoder { numbers, strings, out: &mut data.bytes });
        }
        (data.bytes.len() - start) as u64
    };
    groups(&numbers.attrs, &mut offsets, |offsets, entry| {
        let size = size_of(&entry.text, &mut |encoder| {
            attrs::encode(cx, entry.key, encoder);
        });
        offsets.varint_with_flag(size, entry.text.is_none());
    });
    groups(&numbers.types, &mut offsets, |offsets, entry| {
        let size = size_of(&entry.text, &mut |encoder| {
            types::encode(cx, entry.key, encoder);
        });
        offsets.varint_with_flag(size, entry.text.is_none());
    });
    (offsets, data)
}

/// Writes entries in groups of one dialect each: the dialect, how many, and each of them.
fn groups<K>(entries: &Entries<K>, section: &mut Emitter, mut each: impl FnMut(&mut Emitter, &numbering::Entry<K>)) {
    for group in entries.list.chunk_by(|a, b| a.dialect == b.dialect) {
        section.varint(u64::from(group[0].dialect));
        section.varint(group.len() as u64);
        for entry in group {
            each(section, entry);
        }
    }
}

/// Writes encodings, references as numbers.
struct Encoder<'e, 'c> {
    numbers: &'e Numbering<'c>,
    strings: &'e mut Strings,
    out: &'e mut Vec<u8>,
}

impl Sink for Encoder<'_, '_> {
    fn attr(&mut self, attr: Attr) {
        push_varint(self.out, self.numbers.attr_number(attr));
    }

    fn optional_attr(&mut self, attr: Option<Attr>) {
        push_varint(self.out, attr.map_or(0, |attr| self.numbers.attr_number(attr) << 1 | 1));
    }

    fn loc(&mut self, loc: Loc) {
        push_varint(self.out, self.numbers.loc_number(loc));
    }

    fn name(&mut self, name: Ident) {
        push_varint(self.out, self.numbers.name_number(name));
    }

    fn flat_symbol(&mut self, root: Ident) {
        push_varint(self.out, self.numbers.symbol_number(root));
    }

    fn ty(&mut self, ty: Type) {
        push_varint(self.out, self.numbers.type_number(ty));
    }

    fn resource(&mut self, key: Ident) {
        let number = self.numbers.resources.get_index_of(&key).unwrap_or(0);
        push_varint(self.out, number as u64);
    }

    fn string(&mut self, bytes: &[u8]) {
        let number = self.strings.number(bytes);
        push_varint(self.out, number);
    }

    fn varint(&mut self, value: u64) {
        push_varint(self.out, value);
    }

    fn byte(&mut self, value: u8) {
        self.out.push(value);
    }

    fn blob<'a>(&mut self, bytes: impl FnOnce() -> Cow<'a, [u8]>) {
        let bytes = bytes();
        push_varint(self.out, bytes.len() as u64);
        self.out.extend_from_slice(&bytes);
    }

    fn position(&mut self, loc: Loc) -> bool {
        let Some((file, line, column)) = self.numbers.position_of(loc) else { return false };
        self.varint(attr_code::FILE_LINE_COL_LOC);
        self.name(file);
        self.varint(u64::from(line));
        self.varint(u64::from(column));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_producer_has_no_null_character() {
        let cx = crate::Context::new();
        let arena = crate::Arena::new(cx.op_name("builtin.module"), Loc::UNKNOWN);
        let options = WriteOptions { producer: "a\0b".to_owned(), ..WriteOptions::default() };
        let mut out = Vec::new();
        write_bytecode(OpRef::root(&cx, &arena), &[], &options, &mut out).unwrap().unwrap();
        assert_eq!(out[..8], *b"ML\xefR\x0dab\0");
    }
}
