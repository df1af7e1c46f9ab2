//! Aliases: `#name = attribute`, `!name = type`, at the top level of a file.
//!
//! A definition must stand before its uses, but for locations of operations and arguments: the printed form puts their
//! definitions at the end of the file. The first use of an unknown location alias finds all definitions further down (lines that
//! begin with `#name =`) and reads the one it needs on the spot; when the parser comes to that definition in its turn, it skips
//! it. So every location is final when its operation is made. Cost: one scan of the text for line ends, once.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::weights::Weights;
use super::{Failed, OpParser, Parsed, TokenKind, guarded};
use crate::attributes::Attr;
use crate::text::printer::Key;
use crate::types::Type;

/// Bytes that aliases may be written out as for each byte of text.
const EXPANSION: usize = 64;

/// Types and attributes in what an alias stands for that count as one byte: who has structures of many members may name them often.
const PARTS_A_BYTE: u64 = 64;

/// What has been defined, with the byte where.
#[derive(Clone, Default)]
pub(super) struct Defined<'s> {
    attrs: FxHashMap<&'s str, (usize, Attr)>,
    types: FxHashMap<&'s str, (usize, Type)>,
}

/// The aliases of a file.
#[derive(Default)]
pub(super) struct Aliases<'s> {
    /// Shared by those who read parts of the text out of turn.
    pub(super) defined: Arc<Defined<'s>>,
    /// The byte at which what is read out of turn begins: later definitions do not count.
    until: Option<usize>,
    /// Definitions further down than their first use: filled when one is needed.
    later: Option<FxHashMap<&'s str, Later>>,
    /// Whether of types, and names, of those whose definition does not parse.
    poisoned: FxHashSet<(bool, &'s str)>,
    /// Whether a definition further down is being read: it may use others there.
    reading_later: bool,
    /// Bytes that aliases have been written out as.
    expanded: usize,
    weights: Weights,
}

/// An alias that may be used before its definition.
#[derive(Clone, Copy)]
enum Later {
    /// Defined at this byte, not read yet.
    At(usize),
    /// Being read: a use now would be a cycle.
    Reading,
    /// Read; the definition ends at this byte.
    Read(Attr, usize),
    /// Read, and wrong: the error has been recorded.
    Wrong,
}

impl<'s> Aliases<'s> {
    /// Makes it no news that the alias `name` is not defined.
    pub(super) fn poison(&mut self, is_type: bool, name: &'s str) {
        self.poisoned.insert((is_type, name));
    }

    /// Counts that an alias is written out as `bytes` bytes. Whether that is in proportion to the text: aliases of aliases can stand for
    /// more than any memory holds.
    pub(super) fn may_expand(&mut self, bytes: usize, text: usize) -> bool {
        self.expanded = self.expanded.saturating_add(bytes);
        self.expanded <= text.saturating_mul(EXPANSION).saturating_add(1 << 16)
    }

    pub(super) fn find_type(&self, name: &str) -> Option<Type> {
        self.defined.types.get(name).filter(|(at, _)| self.counts(*at)).map(|&(_, ty)| ty)
    }

    fn find_attr(&self, name: &str) -> Option<Attr> {
        self.defined.attrs.get(name).filter(|(at, _)| self.counts(*at)).map(|&(_, attr)| attr)
    }

    fn counts(&self, at: usize) -> bool {
        self.until.is_none_or(|until| at < until)
    }

    /// Goes on with `bytes` bytes of a text of `len` bytes: what aliases are written out as is then in proportion to what is read.
    pub(super) fn budget(&mut self, bytes: usize, len: usize) {
        self.expanded = len.saturating_sub(bytes).saturating_mul(EXPANSION);
    }

    /// Goes on with a part that begins at byte `start`: what is defined after that is not known there.
    pub(super) fn enter(&mut self, start: usize) {
        self.until = Some(start);
    }
}

impl<'s> OpParser<'s> {
    /// `#name = attribute` or `!name = type`.
    ///
    /// # Errors
    /// A name with a dot or one that is defined already, a missing `=`, or what is wrong with the value.
    pub(crate) fn parse_alias_definition(&mut self) -> Parsed<()> {
        let is_type = self.token_kind() == TokenKind::ExclamationIdentifier;
        let what = if is_type { "type" } else { "attribute" };
        let name = &self.token_text()[1..];
        if name.contains('.') {
            return Err(self.syntax_error(format!("{what} names with a '.' are reserved for dialect-defined names")));
        }
        let at = self.token_span().0 as usize;
        let defined = &self.aliases.defined;
        if defined.types.contains_key(name) && is_type || defined.attrs.contains_key(name) && !is_type {
            return Err(self.syntax_error(format!("redefinition of {what} alias id '{name}'")));
        }
        self.advance();
        if !self.parse_optional_equal() {
            return Err(self.expected(format!("expected '=' in {what} alias definition")));
        }
        if is_type {
            let ty = self.parse_type()?;
            Arc::make_mut(&mut self.aliases.defined).types.insert(name, (at, ty));
            return Ok(());
        }
        let attr = match self.later(name) {
            Some(Later::Read(attr, end)) => {
                self.seek(end);
                attr
            }
            Some(Later::Wrong) => return Err(Failed),
            _ => self.parse_attribute(None)?,
        };
        Arc::make_mut(&mut self.aliases.defined).attrs.insert(name, (at, attr));
        Ok(())
    }

    /// Counts a use of an alias for `key`.
    ///
    /// # Errors
    /// The aliases that were used so far stand for too much text.
    pub(super) fn spend(&mut self, key: Key) -> Parsed<()> {
        let weight = self.aliases.weights.of(self.cx(), key) / PARTS_A_BYTE;
        if self.aliases.may_expand(usize::try_from(weight).unwrap_or(usize::MAX), self.bytes().len()) {
            return Ok(());
        }
        Err(self.syntax_error("unsupported: aliases that stand for too much text"))
    }

    /// The attribute alias `name`. Inside a definition that is read ahead of its turn, others further down count as well.
    pub(super) fn find_attr_alias(&mut self, name: &'s str) -> Parsed<Option<Attr>> {
        if self.aliases.reading_later {
            return self.find_later_alias(name);
        }
        Ok(self.aliases.find_attr(name))
    }

    /// Records that the alias `name` is used but not defined: an error, unless its definition was one.
    pub(super) fn undefined_alias(&mut self, is_type: bool, name: &'s str) -> Failed {
        self.recovery.tainted |= self.aliases.poisoned.contains(&(is_type, name));
        self.expected(format!("undefined symbol alias id '{name}'"))
    }

    /// The attribute alias `name`, also if its definition is further down.
    pub(super) fn find_later_alias(&mut self, name: &'s str) -> Parsed<Option<Attr>> {
        if let Some(&(_, attr)) = self.aliases.defined.attrs.get(name) {
            return Ok(Some(attr));
        }
        if self.aliases.later.is_none() {
            self.aliases.later = Some(self.definitions_after(self.token_span().0 as usize));
        }
        match self.later(name) {
            Some(Later::Read(attr, _)) => Ok(Some(attr)),
            Some(Later::Wrong) => Err(Failed),
            Some(Later::At(at)) => guarded(|| self.read_ahead(name, at)).map(Some),
            Some(Later::Reading) | None => Ok(None),
        }
    }

    fn later(&self, name: &str) -> Option<Later> {
        self.aliases.later.as_ref()?.get(name).copied()
    }

    fn set_later(&mut self, name: &'s str, state: Later) {
        if let Some(later) = &mut self.aliases.later {
            later.insert(name, state);
        }
    }

    /// Reads the attribute at byte `at`, which defines `name`, and comes back.
    fn read_ahead(&mut self, name: &'s str, at: usize) -> Parsed<Attr> {
        let (token, previous_end) = (self.token, self.previous_end);
        let outer = std::mem::replace(&mut self.aliases.reading_later, true);
        self.set_later(name, Later::Reading);
        self.seek(at);
        let attr = self.parse_attribute(None);
        let end = self.previous_end();
        self.set_later(name, attr.map_or(Later::Wrong, |attr| Later::Read(attr, end)));
        self.aliases.reading_later = outer;
        self.seek(token.start as usize);
        self.previous_end = previous_end;
        attr
    }

    /// Names and values of the lines after byte `from` that begin with `#name =`. The first definition of a name counts.
    fn definitions_after(&self, from: usize) -> FxHashMap<&'s str, Later> {
        let text = self.bytes();
        let mut found = FxHashMap::default();
        for newline in memchr::memchr_iter(b'\n', &text[from..]) {
            let line = from + newline + 1;
            let indent = text[line..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            let Some(rest) = text[line + indent..].strip_prefix(b"#") else { continue };
            let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'-');
            let name = rest.iter().take_while(|b| is_name(b)).count();
            let spaces = rest[name..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if rest.get(name + spaces) != Some(&b'=') {
                continue;
            }
            if let Ok(name_text) = std::str::from_utf8(&rest[..name]) {
                let value = line + indent + 1 + name + spaces + 1;
                found.entry(name_text).or_insert(Later::At(value));
            }
        }
        found
    }
}
