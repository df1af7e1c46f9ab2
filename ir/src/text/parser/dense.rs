//! Elements attributes: `dense<...>`, `sparse<...>`, `dense_resource<...>`.
//!
//! The type of the elements stands after them. The parser goes ahead to the type first, then comes back and writes the elements
//! as packed bytes while it reads them: memory is that of the result, whatever the nesting.

use smallvec::SmallVec;

use super::bodies::closing_quote;
use super::numbers::{IN_ELEMENTS, int_format};
use super::{OpParser, Parsed, TokenKind};
use crate::attributes::{Attr, AttrData, DenseData, DenseElement, check_sparse};
use crate::entity::Ident;
use crate::location::Loc;
use crate::text::strings;
use crate::types::{FloatKind, Signedness, Type, TypeData, TypeRef};

/// How the elements of one literal are read.
#[derive(Clone, Copy)]
enum Element {
    Int {
        width: u32,
        signedness: Signedness,
    },
    Float(FloatKind),
    ComplexInt {
        width: u32,
        signedness: Signedness,
    },
    ComplexFloat(FloatKind),
    /// Elements of any other type are strings.
    Text,
}

impl Element {
    fn of(ty: TypeRef<'_>) -> Self {
        let complex = match ty.data() {
            TypeData::Complex(part) => Some(ty.cx().type_data(*part)),
            _ => None,
        };
        match (complex.unwrap_or(ty.data()), complex.is_some()) {
            (TypeData::Float(kind), false) => Self::Float(*kind),
            (TypeData::Float(kind), true) => Self::ComplexFloat(*kind),
            (data, is_complex) => match (int_format(data), is_complex) {
                (Some((width, signedness)), false) => Self::Int { width, signedness },
                (Some((width, signedness)), true) => Self::ComplexInt { width, signedness },
                (None, _) => Self::Text,
            },
        }
    }

    fn stored(self) -> DenseElement {
        match self {
            Self::Int { width, .. } => DenseElement { bits: width, count: 1 },
            Self::Float(kind) => DenseElement { bits: kind.width(), count: 1 },
            Self::ComplexInt { width, .. } => DenseElement { bits: width, count: 2 },
            Self::ComplexFloat(kind) => DenseElement { bits: kind.width(), count: 2 },
            Self::Text => DenseElement { bits: 0, count: 0 },
        }
    }
}

/// What stands between the brackets of an elements literal.
#[derive(Default)]
struct Literal {
    /// Extents of the nested lists; empty for a single element.
    shape: SmallVec<[u64; 6]>,
    /// Packed elements.
    bytes: Vec<u8>,
    /// Elements of a type that has no numbers.
    texts: Vec<Box<[u8]>>,
    /// A hexadecimal string for the elements.
    hex: Option<Vec<u8>>,
    /// Whether there was nothing at all.
    empty: bool,
    /// Whether a number stood where a complex one should have been.
    has_half: bool,
}

/// Extents of nested lists, found while they are read.
#[derive(Default)]
struct Nesting {
    /// Elements so far in each open list, outermost first.
    open: SmallVec<[u64; 6]>,
    /// Extent at each depth, once the first list of that depth has been closed.
    extents: SmallVec<[Option<u64>; 6]>,
    /// The depth at which elements stand, once the first has been seen.
    leaf: Option<usize>,
}

impl Nesting {
    /// A list begins. Whether it may, at this depth.
    fn open(&mut self) -> bool {
        let fits = self.leaf.is_none_or(|leaf| self.open.len() < leaf);
        self.open.push(0);
        if self.extents.len() < self.open.len() {
            self.extents.push(None);
        }
        fits
    }

    /// An element. Whether it may stand at this depth.
    fn element(&mut self) -> bool {
        let depth = self.open.len();
        if let Some(last) = self.open.last_mut() {
            *last += 1;
        }
        *self.leaf.get_or_insert(depth) == depth && self.extents.len() == depth
    }

    /// A list ends. Whether it has as many elements as those before it at the same depth.
    fn close(&mut self) -> bool {
        let Some(count) = self.open.pop() else { return false };
        let depth = self.open.len();
        let fits = *self.extents[depth].get_or_insert(count) == count;
        if let Some(last) = self.open.last_mut() {
            *last += 1;
        }
        fits
    }
}

const RAGGED: &str = "tensor literal is invalid; ranks are not consistent between elements";

impl OpParser<'_> {
    /// `dense<...> : type`; the type is left out where `expected` says it.
    pub(super) fn parse_dense_attr(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        let loc = self.loc();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'dense'")?;
        let (ty, end) = self.type_after_literals(expected)?;
        let cx = self.cx();
        let view = cx.ty(ty);
        self.require(view.is_shaped(), loc, || "elements literal must be a shaped type".to_owned())?;
        self.require(view.has_static_shape(), loc, || "elements literal type must have static shape".to_owned())?;
        let Some(count) = view.num_elements().and_then(|n| usize::try_from(n).ok()) else {
            return Err(self.syntax_error_at(loc, format!("unsupported: more than 2^64 elements in '{view}'")));
        };
        let element = self.element_format(view, loc)?;
        let literal = self.parse_elements(element)?;
        self.parse_greater()?;
        self.go_on_at(end);
        self.dense_of(literal, ty, count, element, loc)
    }

    fn element_format(&mut self, ty: TypeRef<'_>, loc: Loc) -> Parsed<Element> {
        let element = ty.element_type().map_or(Element::Text, Element::of);
        if matches!(element, Element::Int { width: 0, .. } | Element::ComplexInt { width: 0, .. }) {
            return Err(self.syntax_error_at(loc, "unsupported: elements of an integer type without bits"));
        }
        Ok(element)
    }

    /// Reads the type behind the closing `>` and comes back; answers it with where it ends.
    fn type_after_literals(&mut self, expected: Option<Type>) -> Parsed<(Type, Option<usize>)> {
        if let Some(ty) = expected {
            return Ok((ty, None));
        }
        let begins_elements = match self.token_kind() {
            TokenKind::BareIdentifier => matches!(self.token_bytes(), b"true" | b"false"),
            kind => self.at_attribute() || matches!(kind, TokenKind::Greater | TokenKind::LParen),
        };
        if !begins_elements {
            return Err(self.syntax_error("expected element literal of primitive type"));
        }
        let start = self.token_span().0 as usize;
        let close = match self.closing_greater(start) {
            Ok(close) => close,
            Err(at) => return Err(self.syntax_error_at(self.loc_at(at), "expected '>'")),
        };
        self.seek(close + 1);
        let ty = self.parse_colon_type()?;
        let end = self.previous_end();
        self.seek(start);
        Ok((ty, Some(end)))
    }

    /// Goes on after the type that was read ahead.
    fn go_on_at(&mut self, end: Option<usize>) {
        if let Some(end) = end {
            self.seek(end);
        }
    }

    /// The first `>` from byte `at` on, outside strings and comments; or where it should have been: before a colon, which no
    /// elements have, or the end.
    fn closing_greater(&self, mut at: usize) -> Result<usize, usize> {
        let text = self.bytes();
        let end = text.trim_ascii_end().len();
        loop {
            let plain = memchr::memchr3(b'>', b'"', b'/', &text[at..]).ok_or(end)?;
            if let Some(colon) = memchr::memchr(b':', &text[at..at + plain]) {
                return Err(text[..at + colon].trim_ascii_end().len());
            }
            at += plain;
            match text[at] {
                b'>' => return Ok(at),
                b'"' => at = closing_quote(text, at + 1).ok_or(end)?,
                _ => at += memchr::memchr2(b'\n', b'\r', &text[at..]).ok_or(end)?,
            }
        }
    }

    /// Nested lists of elements, one element, one string of hexadecimal digits, or nothing.
    fn parse_elements(&mut self, element: Element) -> Parsed<Literal> {
        let mut literal = Literal::default();
        match self.token_kind() {
            TokenKind::Greater | TokenKind::Comma => literal.empty = true,
            TokenKind::String if !matches!(element, Element::Text) => {
                literal.hex = Some(self.parse_hex_string()?);
            }
            TokenKind::LSquare => self.parse_lists(element, &mut literal)?,
            _ => self.parse_element(element, &mut literal)?,
        }
        Ok(literal)
    }

    fn parse_hex_string(&mut self) -> Parsed<Vec<u8>> {
        let text = strings::unescape(self.token_bytes());
        match strings::parse_hex(&text) {
            Some(bytes) => {
                self.advance();
                Ok(bytes)
            }
            None => Err(self.syntax_error("expected string containing hex digits starting with `0x`")),
        }
    }

    fn parse_lists(&mut self, element: Element, literal: &mut Literal) -> Parsed<()> {
        let mut nesting = Nesting::default();
        loop {
            // At the start of a list or an element.
            if self.token_kind() == TokenKind::LSquare {
                if !nesting.open() {
                    return Err(self.syntax_error(RAGGED));
                }
                self.advance();
                if self.token_kind() != TokenKind::RSquare {
                    continue;
                }
            } else {
                self.parse_element(element, literal)?;
                if !nesting.element() {
                    return Err(self.syntax_error(RAGGED));
                }
            }
            // At the end of one.
            while self.parse_optional_r_square() {
                if !nesting.close() {
                    return Err(self.syntax_error(RAGGED));
                }
                if nesting.open.is_empty() {
                    literal.shape = nesting.extents.iter().map(|extent| extent.unwrap_or(0)).collect();
                    return Ok(());
                }
            }
            self.expect(TokenKind::Comma, "expected ']'")?;
        }
    }

    /// One element: a number, two in parentheses, or a string.
    fn parse_element(&mut self, element: Element, literal: &mut Literal) -> Parsed<()> {
        match element {
            Element::Int { width, signedness } => {
                if self.token_kind() == TokenKind::LParen {
                    return Err(self.syntax_error("unsupported: a complex element of a type that is not complex"));
                }
                self.parse_int_element(width, signedness, &mut literal.bytes)
            }
            Element::Float(kind) => self.parse_float_element(kind, &mut literal.bytes),
            Element::ComplexInt { .. } | Element::ComplexFloat(_) => {
                if self.token_kind() != TokenKind::LParen {
                    literal.has_half = true;
                    return self.parse_part(element, &mut literal.bytes);
                }
                self.advance();
                self.parse_part(element, &mut literal.bytes)?;
                self.expect(TokenKind::Comma, "expected ',' between complex elements")?;
                self.parse_part(element, &mut literal.bytes)?;
                self.expect(TokenKind::RParen, "expected ')' after complex elements")
            }
            Element::Text => {
                let Some(text) = self.parse_optional_string_bytes() else {
                    let msg = format!("expected string token, got {}", self.token_text());
                    return Err(self.syntax_error(msg));
                };
                literal.texts.push(text.into());
                Ok(())
            }
        }
    }

    fn parse_part(&mut self, element: Element, bytes: &mut Vec<u8>) -> Parsed<()> {
        match element {
            Element::ComplexInt { width, signedness } => self.parse_int_element(width, signedness, bytes),
            Element::ComplexFloat(kind) => self.parse_float_element(kind, bytes),
            Element::Int { .. } | Element::Float(_) | Element::Text => Ok(()),
        }
    }

    fn parse_int_element(&mut self, width: u32, signedness: Signedness, bytes: &mut Vec<u8>) -> Parsed<()> {
        let negative = self.parse_optional_minus();
        let loc = self.loc();
        match self.token_kind() {
            TokenKind::Integer => {
                let text = self.token_bytes();
                // Up to 18 digits fit a word; the type may be narrower.
                let small = if text.len() <= 18 { super::tokens::decimal_value(text) } else { None };
                let small = small.filter(|_| !text.starts_with(b"0x") && (8..=64).contains(&width));
                match small {
                    Some(value) if !negative && value >> (width.min(64) - 1) == 0 => {
                        bytes.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8) as usize]);
                    }
                    _ => {
                        let text = self.token_text();
                        let value = self.int_literal(text, negative, width, signedness, &IN_ELEMENTS, loc)?;
                        value.write_le_bytes(bytes);
                    }
                }
            }
            TokenKind::BareIdentifier if !negative && matches!(self.token_bytes(), b"true" | b"false") => {
                if width != 1 {
                    return Err(self.syntax_error("expected i1 type for 'true' or 'false' values"));
                }
                bytes.push(u8::from(self.token_bytes() == b"true"));
            }
            TokenKind::Float => {
                return Err(self.syntax_error("expected integer elements, but parsed floating-point"));
            }
            _ => return Err(self.expected("expected element literal of primitive type")),
        }
        self.advance();
        Ok(())
    }

    fn parse_float_element(&mut self, kind: FloatKind, bytes: &mut Vec<u8>) -> Parsed<()> {
        let negative = self.parse_optional_minus();
        let loc = self.loc();
        let token = self.token_kind();
        if matches!(self.token_bytes(), b"true" | b"false") {
            return Err(self.syntax_error("expected floating point literal"));
        }
        if !matches!(token, TokenKind::Integer | TokenKind::Float) {
            return Err(self.expected("expected element literal of primitive type"));
        }
        let text = self.token_bytes();
        let bits = self.float_bits(kind, text, token == TokenKind::Float, negative, loc)?;
        bytes.extend_from_slice(&bits.to_le_bytes()[..kind.width().div_ceil(8) as usize]);
        self.advance();
        Ok(())
    }

    /// The attribute of type `ty`, which has `count` elements, made of `literal`.
    fn dense_of(&mut self, literal: Literal, ty: Type, count: usize, element: Element, loc: Loc) -> Parsed<Attr> {
        let cx = self.cx();
        let view = cx.ty(ty);
        if literal.empty && count != 0 {
            return Err(
                self.syntax_error_at(loc, format!("parsed zero elements, but type ('{view}') expected at least 1"))
            );
        }
        let shape = view.shape().unwrap_or_default();
        let is_list = !literal.shape.is_empty();
        if literal.has_half {
            let found = literal.bytes.len() / (element.stored().bytes() / 2);
            let single = view.element_type().filter(|_| !is_list);
            let (ty, expected) = single.map_or((view, count.saturating_mul(2)), |ty| (ty, 2));
            let msg = format!("parsed {found} elements, but type ('{ty}') expected {expected} elements");
            return Err(self.syntax_error_at(loc, msg));
        }
        if is_list && !shape.iter().map(|&d| d as u64).eq(literal.shape.iter().copied()) {
            let msg = format!(
                "inferred shape of elements literal ({}) does not match type ({})",
                bracketed(&literal.shape),
                bracketed(shape)
            );
            return Err(self.syntax_error_at(loc, msg));
        }
        if matches!(element, Element::Text) {
            return Ok(cx.intern_attr(AttrData::DenseStrings { ty, values: literal.texts.into() }));
        }
        let size = element.stored();
        let data = match literal.hex {
            Some(raw) => {
                let Some(data) = DenseData::from_raw(raw.into(), size, count) else {
                    let msg = format!("elements hex data size is invalid for provided type: '{view}'");
                    return Err(self.syntax_error_at(loc, msg));
                };
                data
            }
            None if is_list || literal.empty => DenseData::elements(literal.bytes, size.bytes()),
            None => DenseData::splat(literal.bytes),
        };
        Ok(cx.intern_attr(AttrData::DenseElements { ty, data }))
    }

    /// `dense_resource<key> : type`.
    pub(super) fn parse_dense_resource_attr(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        let loc = self.loc();
        let cx = self.cx();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'dense_resource'")?;
        let key = self.parse_resource_key()?;
        self.parse_greater()?;
        let ty = match expected {
            Some(ty) => ty,
            None => self.parse_colon_type()?,
        };
        self.require(cx.ty(ty).is_shaped(), loc, || "`dense_resource` expected a shaped type".to_owned())?;
        Ok(cx.intern_attr(AttrData::DenseResource { ty, key }))
    }

    /// The name of a resource: a word or a string.
    pub(super) fn parse_resource_key(&mut self) -> Parsed<Ident> {
        match self.token_kind() {
            TokenKind::BareIdentifier => {
                let key = self.token_text();
                self.advance();
                Ok(self.ident(key))
            }
            TokenKind::String => {
                let key = self.parse_string()?;
                Ok(self.cx().ident(&key))
            }
            _ => Err(self.syntax_error("expected identifier key for 'resource' entry")),
        }
    }

    /// `sparse<indices, values> : type`.
    pub(super) fn parse_sparse_attr(&mut self, expected: Option<Type>) -> Parsed<Attr> {
        let loc = self.loc();
        let cx = self.cx();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'sparse'")?;
        let (ty, end) = self.type_after_literals(expected)?;
        let view = cx.ty(ty);
        self.require(view.is_shaped(), loc, || "elements literal must be a shaped type".to_owned())?;
        self.require(view.has_static_shape(), loc, || "elements literal type must have static shape".to_owned())?;
        let element = self.element_format(view, loc)?;
        let index = Element::Int { width: 64, signedness: Signedness::Signless };
        let indices = self.parse_elements(index)?;
        let values = if indices.empty {
            Literal { empty: true, ..Literal::default() }
        } else {
            self.parse_comma()?;
            self.parse_elements(element)?
        };
        self.parse_greater()?;
        self.go_on_at(end);
        let rank = view.rank().unwrap_or(0);
        let element_type = view.element_type().map_or(ty, TypeRef::id);
        let (indices, values) = self.sparse_parts(indices, values, rank, element_type, element, loc)?;
        self.check_sparse(ty, indices, values, loc)?;
        Ok(cx.intern_attr(AttrData::SparseElements { ty, indices, values }))
    }

    /// The indices and values of a sparse literal as dense attributes.
    fn sparse_parts(
        &mut self,
        indices: Literal,
        values: Literal,
        rank: usize,
        element_type: Type,
        element: Element,
        loc: Loc,
    ) -> Parsed<(Attr, Attr)> {
        let cx = self.cx();
        let index = Element::Int { width: 64, signedness: Signedness::Signless };
        let shape_of = |literal: &Literal, otherwise: &[i64]| -> SmallVec<[i64; 4]> {
            let given = literal.shape.iter().map(|&d| d as i64);
            if literal.shape.is_empty() { otherwise.into() } else { given.collect() }
        };
        let rows = i64::from(!indices.empty);
        let indices_shape = shape_of(&indices, &[rows, rank as i64]);
        let values_shape = shape_of(&values, &indices_shape[..1]);
        let count = |shape: &[i64]| shape.iter().product::<i64>() as usize;
        let indices_type = cx.tensor_type(&indices_shape, cx.i64_type());
        let values_type = cx.tensor_type(&values_shape, element_type);
        let indices = self.dense_of(indices, indices_type, count(&indices_shape), index, loc)?;
        let values = self.dense_of(values, values_type, count(&values_shape), element, loc)?;
        Ok((indices, values))
    }

    fn check_sparse(&mut self, ty: Type, indices: Attr, values: Attr, loc: Loc) -> Parsed<()> {
        check_sparse(self.cx(), ty, indices, values).map_err(|message| self.syntax_error_at(loc, message))
    }
}

/// `[2, 3]`, for messages.
fn bracketed(list: &[impl ToString]) -> String {
    format!("[{}]", list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}
