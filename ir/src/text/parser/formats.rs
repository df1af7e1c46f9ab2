//! What formats of definitions need on top of tokens, types and attributes.

use super::{OpParser, Parsed, TokenKind};
use crate::attributes::{Attr, AttrData};
use crate::context::Context;
use crate::diagnostics::{Diagnostic, Severity};
use crate::opdef::EnumDef;
use crate::rewriter::OpState;
use crate::text::format::Reading;
use crate::text::lexer::kind_of_punctuation;

impl<'s> OpParser<'s> {
    /// Room for what is read of an operation: hand it back with [`keep_reading`](Self::keep_reading).
    pub(in crate::text) fn take_reading(&mut self) -> Box<Reading> {
        self.ops.readings.pop().unwrap_or_default()
    }

    pub(in crate::text) fn keep_reading(&mut self, reading: Box<Reading>) {
        self.ops.readings.push(reading);
    }

    /// The current token if it is a word.
    pub fn token_word(&self) -> Option<&'s str> {
        (self.token_kind() == TokenKind::BareIdentifier).then(|| self.token_text())
    }

    /// Whether the text at hand is `literal`, a keyword or punctuation of a format.
    pub(crate) fn at_literal(&self, literal: &str) -> bool {
        match kind_of_punctuation(literal) {
            Some(kind) => self.token_kind() == kind,
            None => self.token_bytes() == literal.as_bytes(),
        }
    }

    /// `literal`, a keyword or punctuation of a format. The empty one is nothing.
    pub(crate) fn parse_format_literal(&mut self, literal: &str) -> Parsed<()> {
        if literal.is_empty() {
            return Ok(());
        }
        match kind_of_punctuation(literal) {
            Some(kind) => {
                if self.consume_if(kind) {
                    return Ok(());
                }
                Err(self.expected(format!("expected '{literal}'")))
            }
            None => self.parse_keyword(literal),
        }
    }

    /// Whether a type starts here, as far as one token tells.
    pub(crate) fn at_type(&self) -> bool {
        match self.token_kind() {
            TokenKind::LParen | TokenKind::ExclamationIdentifier => true,
            TokenKind::BareIdentifier => is_type_word(self.token_text()),
            _ => false,
        }
    }

    /// Whether an attribute starts here, as far as one token tells.
    pub(crate) fn at_attribute(&self) -> bool {
        match self.token_kind() {
            TokenKind::Integer
            | TokenKind::Float
            | TokenKind::Minus
            | TokenKind::String
            | TokenKind::AtIdentifier
            | TokenKind::HashIdentifier
            | TokenKind::LSquare
            | TokenKind::LBrace
            | TokenKind::Less => true,
            TokenKind::BareIdentifier => is_attribute_word(self.token_text()) || self.at_type(),
            _ => self.at_type(),
        }
    }

    /// Whether an operand that may be left out starts here, and not, on a line of its own, the results of the next operation: `%a, %b:2 =`.
    pub(crate) fn at_operand(&self) -> bool {
        let (start, end) = self.token_span();
        let is_on_new_line = || self.text[self.previous_end()..start as usize].contains(&b'\n');
        self.token_kind() == TokenKind::PercentIdentifier
            && !(is_on_new_line() && is_rest_of_results(&self.text[end as usize..]))
    }

    /// Whether a bracket closes here.
    pub(crate) fn at_list_end(&self) -> bool {
        matches!(self.token_kind(), TokenKind::Greater | TokenKind::RParen | TokenKind::RSquare | TokenKind::RBrace)
    }

    /// A keyword of an enumeration, or for a bit set several with its separator.
    ///
    /// # Errors
    /// `expected ... to be one of: ...`.
    pub fn parse_enum(&mut self, def: &EnumDef) -> Parsed<u64> {
        let mut value = self.parse_enum_case(def)?;
        if let Some(separator) = def.separator {
            let separator = separator.trim();
            while self.at_literal(separator) {
                self.advance();
                value |= self.parse_enum_case(def)?;
            }
        }
        Ok(value)
    }

    /// One case, or in quotation marks several with their separator.
    fn parse_enum_case(&mut self, def: &EnumDef) -> Parsed<u64> {
        let loc = self.loc();
        let word = if self.token_kind() == TokenKind::String {
            self.parse_string()?
        } else if self.token_kind() == TokenKind::Integer {
            let text = self.token_text().to_owned();
            self.advance();
            text
        } else {
            self.parse_any_keyword()?.to_owned()
        };
        let several = def.separator.filter(|separator| word.contains(separator.trim()));
        let parts = several.into_iter().flat_map(|separator| word.split(separator.trim()));
        let parts = parts.chain(several.is_none().then_some(&*word));
        let value = parts.map(|part| def.value(part.trim())).try_fold(0, |all, part| Some(all | part?));
        value.ok_or_else(|| {
            let cases: Vec<&str> = def.cases.iter().map(|c| c.0).collect();
            self.error_at(loc, format!("expected {} to be one of: {}, but got '{word}'", def.name, cases.join(", ")))
        })
    }

    /// `<{...}>` with inherent attributes, if it is there.
    ///
    /// # Errors
    /// What is wrong with the dictionary, or an attribute that the definition does not know.
    pub fn parse_optional_prop_dict(&mut self, state: &mut OpState) -> Parsed<()> {
        if !self.consume_if(TokenKind::Less) {
            return Ok(());
        }
        self.parse_optional_attr_dict(state)?;
        self.parse_greater()
    }

    /// What follows `#name` of the registered attribute `name` (`dialect.mnemonic`), or the whole attribute where its name is written.
    ///
    /// # Errors
    /// What is wrong with the text, or that it is another attribute.
    pub fn parse_stripped_attribute(&mut self, name: &str) -> Parsed<Attr> {
        let cx = self.cx();
        if self.token_kind() == TokenKind::HashIdentifier {
            let loc = self.loc();
            let attr = self.parse_attribute(None)?;
            if !matches!(cx.attr_data(attr), AttrData::Dialect { name: n, .. } if cx.str(*n) == name) {
                return Err(self.error_at(loc, format!("expected an attribute '#{name}', but got '{}'", cx.attr(attr))));
            }
            return Ok(attr);
        }
        match cx.find_ident(name).and_then(|name| cx.attr_definition(name)) {
            Some(definition) => definition.parse(self),
            None => Err(self.error(format!("unsupported: attribute '#{name}' is not registered"))),
        }
    }
}

/// Whether `word` begins a builtin type.
fn is_type_word(word: &str) -> bool {
    matches!(word, "index" | "none" | "vector" | "tensor" | "memref" | "tuple" | "complex")
        || is_integer_type(word)
        || crate::types::FloatKind::ALL.iter().any(|kind| kind.keyword() == word)
}

/// Whether `word` is the type of an integer, such as `i32` or `ui8`.
pub(super) fn is_integer_type(word: &str) -> bool {
    let digits = word.strip_prefix(['s', 'u']).unwrap_or(word).strip_prefix('i');
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether `word` begins a builtin attribute that is no type.
fn is_attribute_word(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "unit"
            | "dense"
            | "dense_resource"
            | "sparse"
            | "array"
            | "affine_map"
            | "affine_set"
            | "strided"
            | "loc"
            | "distinct"
    )
}

/// Parses `text`, all of it, by `parse`.
pub(crate) fn parse_with<T>(
    cx: &Context,
    text: &str,
    parse: impl FnOnce(&mut OpParser<'_>) -> Parsed<T>,
) -> Result<T, Diagnostic> {
    let source = cx.add_source("<default>", text.as_bytes());
    let mut parser = OpParser::new(cx, &source);
    let parsed = parse(&mut parser);
    let first = parser.diagnostics.take().into_iter().find(|d| d.severity == Severity::Error);
    match (parsed, first) {
        (Ok(value), None) => Ok(value),
        (_, first) => Err(first.unwrap_or_else(|| Diagnostic::error(source.loc(0), "does not parse"))),
    }
}

/// Whether `text`, which follows the name of a value, is what follows the name of a result: `:2` perhaps, more names after commas, then `=`.
fn is_rest_of_results(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    loop {
        if let Some(count) = rest.strip_prefix(b":") {
            let count = count.trim_ascii_start();
            let digits = count.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            rest = count[digits..].trim_ascii_start();
        }
        let Some(more) = rest.strip_prefix(b",") else { return rest.first() == Some(&b'=') };
        let Some(name) = more.trim_ascii_start().strip_prefix(b"%") else { return false };
        let end = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte)).count();
        rest = name[end..].trim_ascii_start();
    }
}
