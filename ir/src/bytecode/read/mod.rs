//! Reading bytecode.
//!
//! The sections of a file are found first, then decoded in the order in which they need one another: strings, properties, dialects,
//! resources, attributes and types, and last the operations.
//!
//! # Invariants
//! * Any bytes are input: what is wrong with them is a [`Fault`](cursor::Fault), which becomes one error about the file.
//! * Memory is in proportion to the file: no count is believed that its bytes cannot hold.
//! * Recursion that input controls goes through [`guarded`](crate::text::guarded) or is a loop.

mod builtin_attrs;
mod builtin_types;
mod cursor;
mod custom;
mod dialects;
mod entries;
mod ir;
mod properties;
mod resources;
mod scope;
mod strings;
mod use_lists;

use self::cursor::{Cursor, Fault, Read};
use self::entries::Decoder;
use self::ir::Tables;
use self::properties::Properties;
use self::strings::Strings;
use super::encoding::{MAGIC, Section, VERSION};
use super::layout::Layout;
use crate::arena::Arena;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::location::{Loc, LocData, Source};
use crate::rewriter::Rewriter;
use crate::text::{ExternalResource, ParsedSource, unwrap_module};

/// Reads a bytecode file: the module that it consists of, or a module around its operations.
///
/// Cost: O(bytes), about a tenth of a microsecond an operation; the bodies of isolated operations are read by several threads
/// where the context allows it.
///
/// # Errors
/// The first thing that is wrong, as an error about the file, with notes on where in it and on what wrote it.
pub fn read_bytecode(cx: &Context, source: &Source) -> Result<ParsedSource, Diagnostics> {
    let file = cx.ident(source.name());
    let loc = cx.intern_loc(LocData::FileRange { file, start: (0, 0), end: (0, 0) });
    let mut header = Header::default();
    read(cx, source.text(), loc, &mut header).map_err(|fault| {
        let (message, at) = fault.into_parts();
        let mut diagnostic = Diagnostic::error(loc, message);
        if let Some(at) = at {
            diagnostic = diagnostic.note(loc, format!("at byte {at} of {}", source.text().len()));
        }
        if let Some(producer) = header.producer {
            let text = format!("in bytecode version {} produced by: {producer}", header.version);
            diagnostic = diagnostic.note(loc, text);
        }
        diagnostic.into()
    })
}

/// What a file says of itself.
#[derive(Default)]
struct Header {
    version: u64,
    producer: Option<String>,
}

fn read(cx: &Context, bytes: &[u8], loc: Loc, header: &mut Header) -> Read<ParsedSource> {
    let mut file = Cursor::new(bytes, 0);
    if file.take(MAGIC.len() as u64).ok() != Some(&MAGIC) {
        return Err(Fault::new("input buffer is not an MLIR bytecode file"));
    }
    header.version = file.varint()?;
    let Some(version) = u32::try_from(header.version).ok().filter(|&version| version <= VERSION) else {
        let message = format!("bytecode version {} is newer than the current version {VERSION}", header.version);
        return Err(file.fault(message));
    };
    header.producer = Some(String::from_utf8_lossy(file.null_terminated()?).into_owned());
    let sections = Sections::read(file, version)?;

    let strings = Strings::read(sections.required(Section::String)?)?;
    let properties = match sections.get(Section::Properties) {
        Some(section) if !section.is_empty() => Properties::read(section)?,
        _ => Properties::default(),
    };
    let (dialects, ops) = dialects::read(cx, version, &strings, sections.required(Section::Dialect)?)?;
    let (data, offsets) = (sections.get(Section::Resource), sections.get(Section::ResourceOffset));
    let (resources, external_resources) = resources::read(cx, &strings, &dialects, data, offsets)?;
    let (data, offsets) = (sections.required(Section::AttrType)?, sections.required(Section::AttrTypeOffset)?);
    let entries = Decoder::new(cx, &strings, &resources, &dialects, offsets, data)?.finish()?;
    let layouts = ops.iter().map(|op| Layout::of(cx, cx.op_info(op.name), version)).collect();
    let tables = Tables { cx, version, attrs: entries.attrs, types: entries.types, ops, layouts, properties };

    let mut implicit = Box::new(Arena::new(cx.op_name("builtin.module"), loc));
    Rewriter::new(cx, &mut implicit).add_region(Arena::ROOT);
    let module = ir::read_root(&tables, implicit, sections.required(Section::Ir)?)?;
    Ok(parsed(cx, module, external_resources))
}

fn parsed(cx: &Context, implicit: Box<Arena>, external_resources: Vec<ExternalResource>) -> ParsedSource {
    let (module, is_explicit) = unwrap_module(cx, implicit);
    ParsedSource { module, is_explicit, external_resources, warnings: Diagnostics::default() }
}

/// The sections of a file, by kind.
struct Sections<'b> {
    found: [Option<Cursor<'b>>; Section::ALL.len()],
}

impl<'b> Sections<'b> {
    fn read(mut file: Cursor<'b>, version: u32) -> Read<Self> {
        let mut found = [None; Section::ALL.len()];
        while !file.is_empty() {
            let (section, content) = file.section()?;
            if found[section as usize].replace(content).is_some() {
                return Err(file.fault(format!("duplicate top-level section: {}", section.name())));
            }
        }
        let is_missing = |section: &Section| found[*section as usize].is_none() && section.is_required(version);
        if let Some(section) = Section::ALL.into_iter().find(is_missing) {
            return Err(file.fault(format!("missing data for top-level section: {}", section.name())));
        }
        Ok(Self { found })
    }

    fn get(&self, section: Section) -> Option<Cursor<'b>> {
        self.found[section as usize]
    }

    fn required(&self, section: Section) -> Read<Cursor<'b>> {
        let missing = || Fault::new(format!("missing data for top-level section: {}", section.name()));
        self.get(section).ok_or_else(missing)
    }
}
