//! Types and attributes of dialects: `!dialect.name<...>`, `#dialect<...>`, and uses of aliases.
//!
//! A registered type or attribute reads its own parameters. What belongs to an unknown dialect is kept as text: everything up
//! to the bracket that closes the first one.

use super::{OpParser, Parsed, TokenKind};
use crate::attributes::{Attr, AttrData};
use crate::diagnostics::closest;
use crate::entity::Ident;
use crate::text::lexer::Lexer;
use crate::text::printer::Key;
use crate::text::{attr_text, strings, type_text};
use crate::types::{Type, TypeData};

/// The two kinds of dialect symbols, for messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    Attribute,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Attribute => "attribute",
        }
    }
}

/// A dialect symbol of an unknown dialect.
struct Opaque {
    dialect: Ident,
    data: Box<str>,
}

/// What a name after `!` or `#` is.
enum Symbol<'s> {
    /// `!name`, nothing more: an alias.
    Alias(&'s str),
    /// `!dialect.mnemonic`, or `!dialect<mnemonic` with the bracket still to come.
    Dialect { dialect: &'s str, mnemonic: &'s str, bracketed: bool },
}

impl<'s> OpParser<'s> {
    /// A type that begins with `!`.
    pub(super) fn parse_extended_type(&mut self) -> Parsed<Type> {
        match self.parse_symbol_head() {
            Symbol::Alias(name) => match self.aliases.find_type(name) {
                Some(ty) => self.spend(Key::Type(ty)).map(|()| ty),
                None => Err(self.undefined_alias(true, name)),
            },
            Symbol::Dialect { dialect, mnemonic, bracketed } => {
                if let Some(name) = self.registered_name(dialect, mnemonic, bracketed)
                    && let Some(definition) = self.cx().type_definition(name)
                {
                    return self.parse_registered(bracketed, |p| definition.parse(p));
                }
                let opaque = self.parse_opaque(Kind::Type, dialect, mnemonic, bracketed)?;
                Ok(self.cx().intern_type(TypeData::Opaque { dialect: opaque.dialect, data: opaque.data }))
            }
        }
    }

    /// An attribute that begins with `#`.
    pub(super) fn parse_extended_attr(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        match self.parse_symbol_head() {
            Symbol::Alias(name) => match self.find_attr_alias(name)? {
                Some(attr) => self.spend(Key::Attr(attr)).map(|()| attr),
                None => Err(self.undefined_alias(false, name)),
            },
            Symbol::Dialect { dialect, mnemonic, bracketed } => {
                if let Some(name) = self.registered_name(dialect, mnemonic, bracketed)
                    && let Some(definition) = self.cx().attr_definition(name)
                {
                    return self.parse_registered(bracketed, |p| definition.parse(p));
                }
                let opaque = self.parse_opaque(Kind::Attribute, dialect, mnemonic, bracketed)?;
                let ty = match expected {
                    Some(ty) => Some(ty),
                    None if self.parse_optional_colon() => Some(self.parse_type()?),
                    None => None,
                };
                let cx = self.cx();
                let ty = ty.filter(|&ty| ty != cx.none_type());
                Ok(cx.intern_attr(AttrData::Opaque { dialect: opaque.dialect, data: cx.ident(&opaque.data), ty }))
            }
        }
    }

    /// The current token, which begins with `!` or `#`, and whether a bracket follows it directly.
    fn parse_symbol_head(&mut self) -> Symbol<'s> {
        let name = &self.token_text()[1..];
        let end = self.token_span().1;
        self.advance();
        let follows = self.token_kind() == TokenKind::Less && self.token_span().0 == end;
        match name.split_once('.') {
            Some((dialect, mnemonic)) => Symbol::Dialect { dialect, mnemonic, bracketed: false },
            None if follows => Symbol::Dialect { dialect: name, mnemonic: "", bracketed: true },
            None => Symbol::Alias(name),
        }
    }

    /// The full name of a type or attribute that may be registered. In `!dialect<mnemonic ...>` the mnemonic is the word after the
    /// bracket.
    fn registered_name(&self, dialect: &str, mnemonic: &str, bracketed: bool) -> Option<Ident> {
        let cx = self.cx();
        cx.dialect(dialect)?;
        let mnemonic = if bracketed { self.word_after_bracket() } else { mnemonic };
        cx.find_ident(&format!("{dialect}.{mnemonic}"))
    }

    fn word_after_bracket(&self) -> &'s str {
        let rest = &self.bytes()[self.token_span().1 as usize..];
        let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
        let len = rest.iter().take_while(|b| word(b)).count();
        std::str::from_utf8(&rest[..len]).unwrap_or_default()
    }

    /// Hands on to the hook of a registered type or attribute.
    fn parse_registered<T>(&mut self, bracketed: bool, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if bracketed {
            self.advance();
            self.advance();
        }
        let around = self.ops.custom.take();
        let parsed = parse(self);
        self.ops.custom = around;
        let value = parsed?;
        if bracketed {
            self.parse_greater()?;
        }
        Ok(value)
    }

    /// The text of a symbol that nothing defines, of a dialect that is not registered or known in part, as it is: `name<...>` of `!dialect.name<...>`, `...` of
    /// `!dialect<...>`.
    fn parse_opaque(&mut self, kind: Kind, dialect: &'s str, mnemonic: &'s str, bracketed: bool) -> Parsed<Opaque> {
        let cx = self.cx();
        // The head is behind: `previous_end` is where a body would begin.
        let head_end = self.previous_end();
        let start = if bracketed { head_end + 1 } else { head_end - mnemonic.len() };
        let is_known = cx.dialect(dialect).is_some() && !cx.accepts_unknown_symbols(dialect);
        let at = match (is_known, bracketed) {
            (true, _) | (false, false) => start,
            (false, true) => head_end - dialect.len() - 1,
        };
        if is_known {
            let word = if bracketed { self.word_after_bracket() } else { mnemonic };
            return Err(self.unknown_symbol(kind, dialect, word, at));
        }
        let has_body = bracketed || (self.token_kind() == TokenKind::Less && self.token_span().0 as usize == head_end);
        let end = if has_body { self.body_end(head_end)? } else { head_end };
        let inner = if bracketed { start..end - 1 } else { start..end };
        let Ok(data) = std::str::from_utf8(&self.bytes()[inner]) else {
            return Err(self.syntax_error_at(
                self.loc_at(at),
                format!("unsupported: a dialect {} that is not UTF-8", kind.word()),
            ));
        };
        if !is_namespace(dialect) {
            return Err(self.syntax_error_at(self.loc_at(at), format!("invalid dialect namespace '\"{dialect}\"'")));
        }
        if !cx.allows_unregistered() {
            let subject = match kind {
                Kind::Type => format!("`!\"{dialect}\"<\"{data}\">` type"),
                Kind::Attribute => format!("#\"{dialect}\"<\"{data}\"> : 'none' attribute"),
            };
            let msg = format!(
                "{subject} created with unregistered dialect. If this is intended, please call \
                 allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt \
                 tool used"
            );
            let failed = self.syntax_error_at(self.loc_at(at), msg);
            if let Some(near) = closest(dialect, cx.dialects().map(|known| &*known.namespace)) {
                self.help_last(self.loc_at(at), format!("did you mean the dialect '{near}'?"));
            }
            return Err(failed);
        }
        let data = self.with_aliases_expanded(data, at)?;
        self.seek(end);
        Ok(Opaque { dialect: cx.ident(dialect), data })
    }

    /// `text` of an unregistered symbol with its aliases in full: what is printed has other aliases, or none. `at` is where it stands.
    fn with_aliases_expanded(&mut self, text: &'s str, at: usize) -> Parsed<Box<str>> {
        if memchr::memchr2(b'#', b'!', text.as_bytes()).is_none() {
            return Ok(text.into());
        }
        let cx = self.cx();
        let (mut full, mut copied) = (String::new(), 0);
        let mut lexer = Lexer::new(text.as_bytes());
        loop {
            let token = lexer.next();
            let range = token.range();
            let name = || &text[range.start + 1..range.end];
            let alias = match token.kind {
                TokenKind::Eof => break,
                TokenKind::HashIdentifier => self.find_attr_alias(name())?.map(|attr| attr_text(cx, attr)),
                TokenKind::ExclamationIdentifier => self.aliases.find_type(name()).map(|ty| type_text(cx, ty)),
                _ => None,
            };
            if let Some(alias) = alias {
                full.push_str(&text[copied..range.start]);
                full.push_str(&alias);
                copied = range.end;
                if !self.aliases.may_expand(alias.len(), self.bytes().len()) {
                    let message =
                        "unsupported: aliases that stand for too much text in symbols of unregistered dialects";
                    return Err(self.syntax_error_at(self.loc_at(at), message));
                }
            }
        }
        full.push_str(&text[copied..]);
        Ok(full.into())
    }

    fn unknown_symbol(&mut self, kind: Kind, dialect: &str, mnemonic: &str, at: usize) -> super::Failed {
        let cx = self.cx();
        let known = match kind {
            Kind::Type => cx.type_mnemonics(dialect),
            Kind::Attribute => cx.attr_mnemonics(dialect),
        };
        let word = kind.word();
        let loc = self.loc_at(at);
        if known.is_empty() {
            return self.syntax_error_at(loc, format!("dialect '{dialect}' provides no {word} parsing hook"));
        }
        let failed = self.syntax_error_at(loc, format!("unknown {word} `{mnemonic}` in dialect `{dialect}`"));
        if let Some(name) = closest(mnemonic, known.iter().copied()) {
            self.help_last(loc, format!("did you mean `{name}`?"));
        }
        failed
    }

    /// The end of the bracketed text that begins at `open`. Brackets of all kinds nest; `->` and strings are skipped.
    fn body_end(&mut self, open: usize) -> Parsed<usize> {
        let text = self.bytes();
        let mut nesting: Vec<u8> = Vec::new();
        let mut at = open;
        while let Some(&b) = text.get(at) {
            at += 1;
            match b {
                b'<' | b'(' | b'[' | b'{' => nesting.push(b),
                b'-' if text.get(at) == Some(&b'>') => at += 1,
                b'>' | b')' | b']' | b'}' => {
                    if nesting.last() != Some(&opening(b)) {
                        break;
                    }
                    nesting.pop();
                    if nesting.is_empty() {
                        return Ok(at);
                    }
                }
                b'"' => at = self.string_end(at - 1)?,
                0 => break,
                _ => {}
            }
        }
        let innermost = char::from(nesting.last().copied().unwrap_or(b'<'));
        let msg = format!("unbalanced '{innermost}' character in pretty dialect name");
        Err(self.syntax_error_at(self.loc_at(open), msg))
    }

    /// The byte after the string that begins at `at`. The lexer has reported one that does not end.
    fn string_end(&mut self, at: usize) -> Parsed<usize> {
        self.seek(at);
        if self.token_kind() == TokenKind::String { Ok(self.token_span().1 as usize) } else { Err(super::Failed) }
    }
}

/// `[A-Za-z_][A-Za-z0-9_$]*`.
fn is_namespace(name: &str) -> bool {
    strings::is_bare_word(name) && !name.contains('.')
}

fn opening(close: u8) -> u8 {
    match close {
        b'>' => b'<',
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    }
}
