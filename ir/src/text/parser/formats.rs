//! What declarative formats ask for: literals, and attributes without what the format says already.

use super::{Failed, OpParser, Parsed, TokenKind};
use crate::attributes::Attr;
use crate::opdef::EnumDef;
use crate::rewriter::OpState;
use crate::text::strings;
use crate::types::Type;

impl<'s> OpParser<'s> {
    /// Whether the current token is the keyword or punctuation `text`.
    pub(crate) fn at_literal(&self, text: &str) -> bool {
        self.token_bytes() == text.as_bytes() && self.token_kind() != TokenKind::Eof
    }

    /// The keyword or punctuation `text`; nothing where that is empty.
    pub(crate) fn parse_literal(&mut self, text: &str) -> Parsed<()> {
        if self.at_literal(text) {
            self.advance();
            return Ok(());
        }
        if text.is_empty() { Ok(()) } else { Err(self.expected(format!("expected '{text}'"))) }
    }

    /// The current token, if it is a word.
    pub(crate) fn token_word(&self) -> Option<&'s str> {
        (self.token_kind() == TokenKind::BareIdentifier).then(|| self.token_text())
    }

    /// A keyword of the enumeration; of a bit set, any number of them with its separator between.
    ///
    /// # Errors
    /// `expected ... to be one of: ...`.
    pub fn parse_enum(&mut self, def: &EnumDef) -> Parsed<u64> {
        let mut value = self.parse_enum_case(def)?;
        if let Some(separator) = def.separator {
            while self.at_literal(separator.trim()) {
                self.advance();
                value |= self.parse_enum_case(def)?;
            }
        }
        Ok(value)
    }

    fn parse_enum_case(&mut self, def: &EnumDef) -> Parsed<u64> {
        let quoted;
        let keyword = match self.token_kind() {
            TokenKind::BareIdentifier => self.token_text(),
            TokenKind::String => {
                quoted = String::from_utf8(strings::unescape(self.token_bytes())).unwrap_or_default();
                &quoted
            }
            _ => "",
        };
        match def.value(keyword) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.unknown_enum_case(def, keyword)),
        }
    }

    fn unknown_enum_case(&mut self, def: &EnumDef, keyword: &str) -> Failed {
        let cases: Vec<&str> = def.cases.iter().map(|&(name, _)| name).collect();
        let failed = self.error(format!("expected {} to be one of: {}", def.name, cases.join(", ")));
        let near = cases.iter().map(|case| (strsim::osa_distance(case, keyword), case)).min();
        if let Some((distance, case)) = near
            && !keyword.is_empty()
            && distance <= 1 + keyword.len() / 4
        {
            let loc = self.loc();
            self.note_last(loc, format!("did you mean '{case}'?"));
        }
        failed
    }

    /// The parameters of the attribute `name`, `dialect.mnemonic`, as they follow its name.
    pub(crate) fn parse_stripped_attribute(&mut self, name: &str) -> Parsed<Attr> {
        let cx = self.cx();
        match cx.find_ident(name).and_then(|name| cx.attr_definition(name)) {
            Some(definition) => (definition.parse)(self),
            None => Err(self.error(format!("unsupported: attribute '#{name}' is not registered"))),
        }
    }

    /// `[1, 2]` for `array<element: 1, 2>`.
    ///
    /// # Errors
    /// A missing bracket, or an element that is no literal of the type.
    pub fn parse_dense_array_body(&mut self, element: Type) -> Parsed<Attr> {
        self.parse_dense_array_in_brackets(element)
    }

    /// `<{...}>` into the attributes of `state`, if it is there.
    pub(crate) fn parse_optional_prop_dict(&mut self, state: &mut OpState) -> Parsed<()> {
        if !self.parse_optional_less() {
            return Ok(());
        }
        self.parse_attr_dict_entries(&mut state.attrs)?;
        self.parse_greater()
    }
}
