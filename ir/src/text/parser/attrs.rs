//! Attributes.

use smallvec::SmallVec;

use super::numbers::IN_ARRAY;
use super::{Delimiter, OpParser, Parsed, TokenKind, guarded};
use crate::attributes::{Attr, AttrData};
use crate::entity::Ident;
use crate::rewriter::OpState;
use crate::text::strings;
use crate::types::{Type, TypeData};

/// Entries of an attribute dictionary, in the order of the text.
pub type AttrEntries = SmallVec<[(Ident, Attr); 4]>;

impl OpParser<'_> {
    /// Any attribute. `expected` is the type of a typed attribute that is written without one, as after `$attr` of a format
    /// whose type stands elsewhere.
    ///
    /// # Errors
    /// `expected attribute value`, or what is wrong with it.
    pub fn parse_attribute(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        match self.token_kind() {
            TokenKind::Integer | TokenKind::Float => self.parse_number_attr(expected, false),
            TokenKind::Minus => {
                self.advance();
                if !matches!(self.token_kind(), TokenKind::Integer | TokenKind::Float) {
                    return Err(self.expected("expected constant integer or floating point value"));
                }
                self.parse_number_attr(expected, true)
            }
            TokenKind::String => self.parse_typed_string_attr(expected),
            TokenKind::AtIdentifier => self.parse_symbol_ref(),
            TokenKind::BareIdentifier => self.parse_word_attr(expected),
            TokenKind::HashIdentifier => guarded(|| self.parse_extended_attr(expected)),
            TokenKind::LSquare => guarded(|| self.parse_array_attr()),
            TokenKind::LBrace => self.parse_dictionary_attr(),
            TokenKind::LParen | TokenKind::ExclamationIdentifier => {
                let ty = self.parse_type()?;
                Ok(self.cx().type_attr(ty))
            }
            _ => Err(self.expected("expected attribute value")),
        }
    }

    /// Any attribute, if one begins here.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse_optional_attribute(&mut self, expected: Option<Type>) -> Parsed<Option<Attr>> {
        let begins = self.at_attribute() && self.token_kind() != TokenKind::Less;
        if begins { self.parse_attribute(expected).map(Some) } else { Ok(None) }
    }

    /// An attribute that begins with a word.
    fn parse_word_attr(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        let cx = self.cx();
        let attr = match self.token_text() {
            "true" => self.word_attr(|| cx.bool_attr(true)),
            "false" => self.word_attr(|| cx.bool_attr(false)),
            "unit" => self.word_attr(|| cx.unit_attr()),
            "affine_map" => return self.parse_affine_map_attr(),
            "affine_set" => return self.parse_integer_set_attr(),
            "array" => return self.parse_dense_array_attr(),
            "dense" => return self.parse_dense_attr(expected),
            "dense_resource" => return self.parse_dense_resource_attr(expected),
            "sparse" => return self.parse_sparse_attr(expected),
            "strided" => return self.parse_strided_attr(),
            "distinct" => return guarded(|| self.parse_distinct_attr()),
            "loc" => {
                self.advance();
                let loc = self.parse_inline_location()?;
                cx.intern_attr(AttrData::Location(loc))
            }
            _ => match self.parse_optional_type()? {
                Some(ty) => cx.type_attr(ty),
                None => return Err(self.expected("expected attribute value")),
            },
        };
        Ok(attr)
    }

    fn word_attr(&mut self, attr: impl FnOnce() -> Attr) -> Attr {
        self.advance();
        attr()
    }

    fn parse_typed_string_attr(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        let cx = self.cx();
        let value: Box<[u8]> = strings::unescape(self.token_bytes()).into();
        self.advance();
        let ty = match expected {
            Some(ty) => Some(ty),
            None if self.parse_optional_colon() => Some(self.parse_type()?),
            None => None,
        };
        let ty = ty.filter(|&ty| ty != cx.none_type());
        Ok(cx.intern_attr(AttrData::String { value, ty }))
    }

    /// `@root` or `@root::@nested::@leaf`.
    ///
    /// # Errors
    /// `expected nested symbol reference identifier`, or as of [`parse_symbol_name`](Self::parse_symbol_name).
    pub fn parse_symbol_ref(&mut self) -> Parsed<Attr> {
        let cx = self.cx();
        let root = self.parse_symbol_name()?;
        let root = cx.ident(&root);
        let mut nested: SmallVec<[Ident; 2]> = SmallVec::new();
        while self.token_kind() == TokenKind::Colon && self.bytes().get(self.token_span().1 as usize) == Some(&b':') {
            self.advance();
            self.advance();
            if self.token_kind() != TokenKind::AtIdentifier {
                return Err(self.expected("expected nested symbol reference identifier"));
            }
            let name = self.parse_symbol_name()?;
            nested.push(cx.ident(&name));
        }
        Ok(cx.intern_attr(AttrData::SymbolRef { root, nested: nested.into_boxed_slice() }))
    }

    /// The same, if there is an `@`.
    ///
    /// # Errors
    /// As of [`parse_symbol_ref`](Self::parse_symbol_ref).
    pub fn parse_optional_symbol_ref(&mut self) -> Parsed<Option<Attr>> {
        if self.token_kind() == TokenKind::AtIdentifier { self.parse_symbol_ref().map(Some) } else { Ok(None) }
    }

    fn parse_array_attr(&mut self) -> Parsed<Attr> {
        self.advance();
        let mut elements: SmallVec<[Attr; 8]> = SmallVec::new();
        if !self.parse_optional_r_square() {
            loop {
                elements.push(self.parse_attribute(None)?);
                if !self.parse_optional_comma() {
                    break;
                }
            }
            self.expect(TokenKind::RSquare, "expected ',' or ']'")?;
        }
        Ok(self.cx().array_attr(&elements))
    }

    /// A dictionary. One that was met before is told by its text, which ends with its brace.
    fn parse_dictionary_attr(&mut self) -> Parsed<Attr> {
        let start = self.token_span().0 as usize;
        let rest = &self.bytes()[start..];
        for &(text, attr) in &self.memo.dictionaries {
            if let Some(attr) = attr
                && rest.starts_with(text)
            {
                self.seek(start + text.len());
                return Ok(attr);
            }
        }
        let mut entries = AttrEntries::new();
        guarded(|| self.parse_attr_dict_entries(&mut entries))?;
        let attr = self.cx().dictionary_attr(&entries);
        let oldest = self.memo.oldest_dictionary;
        self.memo.dictionaries[oldest] = (&self.bytes()[start..self.previous_end()], Some(attr));
        self.memo.oldest_dictionary = (oldest + 1) % self.memo.dictionaries.len();
        Ok(attr)
    }

    /// `{a = 1, b}`: adds the entries to `entries`. A name without a value is `unit`.
    ///
    /// # Errors
    /// A name that is given twice, also one that `entries` has already, and what is wrong with a value.
    pub fn parse_attr_dict_entries(&mut self, entries: &mut AttrEntries) -> Parsed<()> {
        let mut seen = Seen::new(entries);
        self.expect(TokenKind::LBrace, "expected '{' in attribute dictionary")?;
        if self.parse_optional_r_brace() {
            return Ok(());
        }
        loop {
            let loc = self.loc();
            let name = self.parse_attr_name()?;
            if !seen.insert(name, entries) {
                let msg = format!("duplicate key '{}' in dictionary attribute", self.cx().str(name));
                return Err(self.syntax_error_at(loc, msg));
            }
            let value = if self.parse_optional_equal() { self.parse_attribute(None)? } else { self.cx().unit_attr() };
            entries.push((name, value));
            if !self.parse_optional_comma() {
                return self.expect(TokenKind::RBrace, "expected '}' in attribute dictionary");
            }
        }
    }

    /// The name of an entry: a word or a string.
    fn parse_attr_name(&mut self) -> Parsed<Ident> {
        match self.token_kind() {
            TokenKind::BareIdentifier => {
                let name = self.token_text();
                self.advance();
                Ok(self.ident(name))
            }
            TokenKind::String => {
                let loc = self.loc();
                let name = self.parse_string()?;
                self.require(!name.is_empty(), loc, || "expected valid attribute name".to_owned())?;
                Ok(self.cx().ident(&name))
            }
            _ => Err(self.expected("expected attribute name")),
        }
    }

    /// `{...}` into the attributes of `state`, if it is there.
    ///
    /// # Errors
    /// As of [`parse_attr_dict_entries`](Self::parse_attr_dict_entries).
    pub fn parse_optional_attr_dict(&mut self, state: &mut OpState) -> Parsed<()> {
        if self.token_kind() == TokenKind::LBrace { self.parse_attr_dict_entries(&mut state.attrs) } else { Ok(()) }
    }

    /// `attributes {...}` into the attributes of `state`, if the word is there.
    ///
    /// # Errors
    /// As of [`parse_attr_dict_entries`](Self::parse_attr_dict_entries).
    pub fn parse_optional_attr_dict_with_keyword(&mut self, state: &mut OpState) -> Parsed<()> {
        if self.parse_optional_keyword("attributes") {
            return self.parse_attr_dict_entries(&mut state.attrs);
        }
        Ok(())
    }

    /// `strided<[2, 1], offset: 4>`.
    fn parse_strided_attr(&mut self) -> Parsed<Attr> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'strided'")?;
        let strides = self.parse_strides()?;
        let mut offset = 0;
        if self.parse_optional_comma() {
            self.expect_keyword("offset", "expected 'offset' after comma")?;
            self.expect(TokenKind::Colon, "expected ':' after 'offset'")?;
            offset = self.parse_stride()?;
        }
        self.parse_greater()?;
        Ok(self.cx().strided_attr(&strides, offset))
    }

    /// `distinct[3]<attr>`. One number means one attribute throughout a context, since the number is its identity.
    fn parse_distinct_attr(&mut self) -> Parsed<Attr> {
        let cx = self.cx();
        let loc = self.loc();
        self.advance();
        self.expect(TokenKind::LSquare, "expected '[' after 'distinct'")?;
        if self.token_kind() != TokenKind::Integer {
            return Err(self.syntax_error("expected distinct ID"));
        }
        let Some(id) = super::tokens::unsigned_value(self.token_bytes()) else {
            return Err(self.syntax_error("expected an unsigned 64-bit integer"));
        };
        self.advance();
        self.expect(TokenKind::RSquare, "expected ']' to close distinct ID")?;
        self.expect(TokenKind::Less, "expected '<' after distinct ID")?;
        let referenced = match self.token_kind() {
            TokenKind::Greater => cx.unit_attr(),
            _ => self.parse_attribute(None)?,
        };
        self.expect(TokenKind::Greater, "expected '>' to close distinct attribute")?;
        let before = *self.memo.distinct.entry(id).or_insert(referenced);
        if before != referenced {
            let before = cx.attr(before);
            let msg = format!("referenced attribute does not match previous definition: {before}");
            return Err(self.syntax_error_at(loc, msg));
        }
        let id = if self.own_distinct {
            *self.memo.own_distinct.entry(id).or_insert_with(|| cx.fresh_distinct())
        } else {
            id
        };
        Ok(cx.intern_attr(AttrData::Distinct { id, referenced }))
    }

    /// `array<i32: 1, 2>`.
    fn parse_dense_array_attr(&mut self) -> Parsed<Attr> {
        let cx = self.cx();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'array'")?;
        let loc = self.loc();
        let element = self.parse_type()?;
        let view = cx.ty(element);
        if !view.is_integer() && !view.is_float() {
            return Err(self.syntax_error_at(loc, format!("expected integer or float type, got: '{view}'")));
        }
        let width = view.int_or_float_width().unwrap_or(0);
        if width != 1 && !width.is_multiple_of(8) {
            return Err(self.syntax_error_at(loc, "element type bitwidth must be a multiple of 8"));
        }
        let mut data = Vec::new();
        if !self.parse_optional_greater() {
            self.expect(TokenKind::Colon, "expected ':' after dense array type")?;
            let format = cx.type_data(element);
            self.parse_comma_separated(Delimiter::None, |p| p.parse_dense_array_element(format, &mut data))?;
            self.expect(TokenKind::Greater, "expected '>' to close an array attribute")?;
        }
        Ok(cx.intern_attr(AttrData::DenseArray { element, data: data.into() }))
    }

    /// `[1, 2]`: the attribute `array<element: 1, 2>` as formats write it. Integers are signed here.
    ///
    /// # Errors
    /// A missing bracket, or an element that is no literal of the type.
    pub fn parse_dense_array_in_brackets(&mut self, element: Type) -> Parsed<Attr> {
        let format = self.cx().type_data(element);
        let mut data = Vec::new();
        self.parse_comma_separated(Delimiter::Square, |p| match *format {
            TypeData::Integer { width: width @ 2..=64, .. } => {
                p.parse_ap_int_of(width, true)?.write_le_bytes(&mut data);
                Ok(())
            }
            _ => p.parse_dense_array_element(format, &mut data),
        })?;
        Ok(self.cx().intern_attr(AttrData::DenseArray { element, data: data.into() }))
    }

    fn parse_dense_array_element(&mut self, format: &TypeData, data: &mut Vec<u8>) -> Parsed<()> {
        let is_bool = matches!(format, TypeData::Integer { width: 1, .. });
        let word = matches!(self.token_bytes(), b"true" | b"false");
        if word && !is_bool && !matches!(format, TypeData::Float(_)) {
            return Err(self.syntax_error("expected i1 type for 'true' or 'false' values"));
        }
        if is_bool {
            if !word {
                return Err(self.syntax_error("expected 'true' or 'false' values for i1 type"));
            }
            data.push(u8::from(self.token_bytes() == b"true"));
            self.advance();
            return Ok(());
        }
        let negative = self.parse_optional_minus();
        let (loc, text) = (self.loc(), self.token_text());
        match (format, self.token_kind()) {
            (TypeData::Float(kind), kind_of_token @ (TokenKind::Integer | TokenKind::Float)) => {
                let bits = self.float_bits(*kind, text.as_bytes(), kind_of_token == TokenKind::Float, negative, loc)?;
                data.extend_from_slice(&bits.to_le_bytes()[..kind.width().div_ceil(8) as usize]);
            }
            (TypeData::Float(_), _) => {
                return Err(self.syntax_error("expected integer or floating point literal"));
            }
            (_, TokenKind::Integer) => {
                let Some((width, signedness)) = super::numbers::int_format(format) else {
                    return Err(self.syntax_error("expected integer or float type"));
                };
                let value = self.int_literal(text, negative, width, signedness, &IN_ARRAY, loc)?;
                match width {
                    0 => data.push(0),
                    _ => value.write_le_bytes(data),
                }
            }
            _ => return Err(self.syntax_error("expected integer literal")),
        }
        self.advance();
        Ok(())
    }
}

/// The names of a dictionary: searched in the list while it is short, hashed when it is long.
struct Seen {
    hashed: rustc_hash::FxHashSet<Ident>,
}

/// Length up to which a list is searched.
const SHORT: usize = 16;

impl Seen {
    fn new(entries: &AttrEntries) -> Self {
        let hashed = if entries.len() > SHORT {
            entries.iter().map(|e| e.0).collect()
        } else {
            rustc_hash::FxHashSet::default()
        };
        Self { hashed }
    }

    /// Whether `name` is not among `entries`.
    fn insert(&mut self, name: Ident, entries: &AttrEntries) -> bool {
        if entries.len() <= SHORT {
            return entries.iter().all(|e| e.0 != name);
        }
        if self.hashed.is_empty() {
            self.hashed = entries.iter().map(|e| e.0).collect();
        }
        self.hashed.insert(name)
    }
}
