//! Types.

use smallvec::SmallVec;

use super::{Delimiter, OpParser, Parsed, TokenKind, guarded};
use crate::attributes::{Attr, AttrData};
use crate::entity::Ident;
use crate::location::Loc;
use crate::number::ApInt;
use crate::types::{DYNAMIC, FloatKind, Signedness, Type, TypeData};

/// A list of types, mostly short.
pub type TypeList = SmallVec<[Type; 4]>;

/// Longest text of a bracketed type that is remembered.
const MAX_MEMO: usize = 128;

impl OpParser<'_> {
    /// Any type.
    ///
    /// # Errors
    /// `expected non-function type`, or what is wrong with it.
    pub fn parse_type(&mut self) -> Parsed<Type> {
        match self.token_kind() {
            TokenKind::LParen => self.parse_function_type(),
            _ => self.parse_non_function_type(),
        }
    }

    /// Any type, if one begins here.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse_optional_type(&mut self) -> Parsed<Option<Type>> {
        if self.at_type() { self.parse_type().map(Some) } else { Ok(None) }
    }

    /// `: type`.
    ///
    /// # Errors
    /// A missing colon, or what is wrong with the type.
    pub fn parse_colon_type(&mut self) -> Parsed<Type> {
        self.parse_colon()?;
        self.parse_type()
    }

    /// `: types`, if there is a colon.
    ///
    /// # Errors
    /// What is wrong with a type.
    pub fn parse_optional_colon_type_list(&mut self) -> Parsed<TypeList> {
        if self.parse_optional_colon() { self.parse_type_list() } else { Ok(TypeList::new()) }
    }

    /// `: types`.
    ///
    /// # Errors
    /// A missing colon, or what is wrong with a type.
    pub fn parse_colon_type_list(&mut self) -> Parsed<TypeList> {
        self.parse_colon()?;
        self.parse_type_list()
    }

    /// Types with commas between them: at least one.
    ///
    /// # Errors
    /// What is wrong with a type.
    pub fn parse_type_list(&mut self) -> Parsed<TypeList> {
        let mut types = TypeList::new();
        self.parse_comma_separated(Delimiter::None, |p| {
            types.push(p.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// `()`, `(a)`, `(a, b)`.
    ///
    /// # Errors
    /// A missing parenthesis, or what is wrong with a type.
    pub fn parse_paren_type_list(&mut self) -> Parsed<TypeList> {
        let mut types = TypeList::new();
        self.parse_comma_separated(Delimiter::Paren, |p| {
            types.push(p.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// `-> type` or `-> (types)`.
    ///
    /// # Errors
    /// A missing arrow, or what is wrong with a type.
    pub fn parse_arrow_type_list(&mut self) -> Parsed<TypeList> {
        self.parse_arrow()?;
        self.parse_function_results()
    }

    /// `-> type` or `-> (types)`, if there is an arrow.
    ///
    /// # Errors
    /// What is wrong with a type.
    pub fn parse_optional_arrow_type_list(&mut self) -> Parsed<TypeList> {
        if self.parse_optional_arrow() { self.parse_function_results() } else { Ok(TypeList::new()) }
    }

    /// `type`, not a function type, or `(types)`.
    pub(crate) fn parse_function_results(&mut self) -> Parsed<TypeList> {
        if self.token_kind() == TokenKind::LParen {
            return self.parse_paren_type_list();
        }
        Ok(smallvec::smallvec![self.parse_non_function_type()?])
    }

    /// `(inputs) -> results`, in parts.
    ///
    /// # Errors
    /// ``expected '->' in function type``, or what is wrong with a type.
    pub fn parse_function_type_parts(&mut self) -> Parsed<(TypeList, TypeList)> {
        guarded(|| {
            let inputs = self.parse_paren_type_list()?;
            self.expect(TokenKind::Arrow, "expected '->' in function type")?;
            Ok((inputs, self.parse_function_results()?))
        })
    }

    /// `(inputs) -> results`.
    ///
    /// # Errors
    /// As of [`parse_function_type_parts`](Self::parse_function_type_parts).
    pub fn parse_function_type(&mut self) -> Parsed<Type> {
        let (inputs, results) = self.parse_function_type_parts()?;
        Ok(self.cx().function_type(&inputs, &results))
    }

    fn parse_non_function_type(&mut self) -> Parsed<Type> {
        match self.token_kind() {
            TokenKind::BareIdentifier => self.parse_builtin_type(),
            TokenKind::ExclamationIdentifier => guarded(|| self.parse_extended_type()),
            _ => Err(self.expected("expected non-function type")),
        }
    }

    /// Parses the body of the type `name`, which may refer to itself there.
    ///
    /// # Errors
    /// Those of `parse`.
    pub fn within_named_type<T>(&mut self, name: Ident, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.named_types.push(name);
        let parsed = parse(self);
        self.named_types.pop();
        parsed
    }

    /// The names of the types whose bodies are being parsed, innermost last.
    pub fn named_types_around(&self) -> &[Ident] {
        &self.named_types
    }

    /// A type that begins with a word. Texts met before are looked up.
    #[inline(always)]
    fn parse_builtin_type(&mut self) -> Parsed<Type> {
        let (start, end) = self.token_span();
        let (start, end) = (start as usize, end as usize);
        let bracketed = self.bytes().get(end) == Some(&b'<');
        let short = if bracketed { None } else { self.short_word(start, end) };
        let place = short.map_or(0, |word| (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59) as usize);
        if let (word, Some(known)) = self.memo.short_types[place]
            && short == Some(word)
        {
            self.advance_here();
            return Ok(known);
        }
        self.parse_other_builtin_type(short, place, bracketed)
    }

    /// The same for what is not among the short types, where it belongs at `place`.
    fn parse_other_builtin_type(&mut self, short: Option<u64>, place: usize, bracketed: bool) -> Parsed<Type> {
        let (start, end) = self.token_span();
        let (start, end) = (start as usize, end as usize);
        let end = if bracketed { self.closing_bracket(end) } else { Some(end) };
        if let Some(end) = end
            && short.is_none()
            && let Some(&known) = self.memo.types.get(&self.bytes()[start..end])
        {
            self.seek(end);
            return Ok(known);
        }
        let ty = if bracketed || self.at_bracketed_word() {
            guarded(|| self.parse_bracketed_type())?
        } else {
            self.parse_word_type()?
        };
        if let Some(end) = end
            && end == self.previous_end()
            && self.named_types.is_empty()
        {
            match short {
                Some(word) => self.memo.short_types[place] = (word, Some(ty)),
                None => drop(self.memo.types.insert(&self.bytes()[start..end], ty)),
            }
        }
        Ok(ty)
    }

    /// The word at these bytes as a number, where it has at most eight of them.
    #[inline]
    fn short_word(&self, start: usize, end: usize) -> Option<u64> {
        let before = end.checked_sub(8)?;
        let bytes = self.bytes().get(before..end)?.first_chunk()?;
        (start >= before).then(|| u64::from_le_bytes(*bytes) >> (8 * (start - before)))
    }

    /// The end of the bracket that opens at `open`, where that is near and plain: no strings or comments in between.
    fn closing_bracket(&self, open: usize) -> Option<usize> {
        let near = &self.bytes()[open..self.bytes().len().min(open + MAX_MEMO)];
        let mut depth = 0_u32;
        let mut before = 0;
        for (i, &b) in near.iter().enumerate() {
            match b {
                b'<' => depth += 1,
                b'>' if before != b'-' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(open + i + 1);
                    }
                }
                b'"' | b'/' => return None,
                _ => {}
            }
            before = b;
        }
        None
    }

    /// Whether the current word needs a bracket after it, perhaps after white space.
    fn at_bracketed_word(&self) -> bool {
        matches!(self.token_bytes(), b"complex" | b"memref" | b"tensor" | b"tuple" | b"vector")
    }

    /// A type that is one word.
    fn parse_word_type(&mut self) -> Parsed<Type> {
        let word = self.token_text();
        let cx = self.cx();
        let ty = match word {
            "index" => cx.index_type(),
            "none" => cx.none_type(),
            _ => match (int_type_parts(word), float_kind(word)) {
                (Some((signedness, digits)), _) => {
                    let width = super::tokens::decimal_value(digits).and_then(|w| u32::try_from(w).ok());
                    if width.is_none() {
                        return Err(self.syntax_error("invalid integer width"));
                    }
                    let Some(width) = width.filter(|&w| w <= ApInt::MAX_WIDTH) else {
                        return Err(
                            self.syntax_error(format!("integer bitwidth is limited to {} bits", ApInt::MAX_WIDTH))
                        );
                    };
                    cx.intern_type(TypeData::Integer { width, signedness })
                }
                (None, Some(kind)) => cx.float_type(kind),
                (None, None) => return Err(self.expected("expected non-function type")),
            },
        };
        self.advance();
        Ok(ty)
    }

    fn parse_bracketed_type(&mut self) -> Parsed<Type> {
        let loc = self.loc();
        let word = self.token_text();
        match word {
            "complex" => {
                self.open_bracket("complex type")?;
                self.parse_complex_type()
            }
            "memref" => {
                self.open_bracket("memref type")?;
                self.parse_memref_type(loc)
            }
            "tensor" => {
                self.open_bracket("tensor type")?;
                self.parse_tensor_type()
            }
            "tuple" => {
                self.open_bracket("tuple type")?;
                self.parse_tuple_type()
            }
            "vector" => {
                self.open_bracket("vector type")?;
                self.parse_vector_type(loc)
            }
            _ => self.parse_word_type(),
        }
    }

    fn open_bracket(&mut self, what: &str) -> Parsed<()> {
        self.advance();
        if self.parse_optional_less() { Ok(()) } else { Err(self.expected(format!("expected '<' in {what}"))) }
    }

    fn close_bracket(&mut self, what: &str) -> Parsed<()> {
        if self.parse_optional_greater() { Ok(()) } else { Err(self.expected(format!("expected '>' in {what}"))) }
    }

    fn parse_complex_type(&mut self) -> Parsed<Type> {
        let loc = self.loc();
        let element = self.parse_type()?;
        let view = self.cx().ty(element);
        if !view.is_integer() && !view.is_float() {
            return Err(self.syntax_error_at(loc, "invalid element type for complex"));
        }
        self.close_bracket("complex type")?;
        Ok(self.cx().intern_type(TypeData::Complex(element)))
    }

    fn parse_tuple_type(&mut self) -> Parsed<Type> {
        let mut types = TypeList::new();
        if !self.parse_optional_greater() {
            types = self.parse_type_list()?;
            self.close_bracket("tuple type")?;
        }
        Ok(self.cx().intern_type(TypeData::Tuple(types.into_boxed_slice())))
    }

    /// `*x` of an unranked type, if it is there.
    fn parse_optional_unranked(&mut self) -> Parsed<bool> {
        if !self.parse_optional_star() {
            return Ok(false);
        }
        self.parse_x()?;
        Ok(true)
    }

    fn parse_tensor_type(&mut self) -> Parsed<Type> {
        let unranked = self.parse_optional_unranked()?;
        let shape = if unranked { SmallVec::new() } else { self.parse_dimension_list(true, true)? };
        let loc = self.loc();
        let element = self.parse_non_function_element()?;
        let has_encoding = self.parse_optional_comma() && self.token_kind() != TokenKind::Greater;
        let encoding = if has_encoding { Some(self.parse_attribute(None)?) } else { None };
        if unranked && encoding.is_some() {
            return Err(self.syntax_error_at(loc, "cannot apply encoding to unranked tensor"));
        }
        self.require(self.cx().is_tensor_element(element), loc, || "invalid tensor element type".to_owned())?;
        self.close_bracket("tensor type")?;
        let cx = self.cx();
        let shape = shape.as_slice().into();
        let ranked = TypeData::RankedTensor { shape, element, encoding };
        Ok(cx.intern_type(if unranked { TypeData::UnrankedTensor { element } } else { ranked }))
    }

    /// The element type of a shaped type: any type, as its kind is checked with its own message.
    fn parse_non_function_element(&mut self) -> Parsed<Type> {
        self.parse_type()
    }

    fn parse_vector_type(&mut self, loc: Loc) -> Parsed<Type> {
        let mut shape: SmallVec<[i64; 4]> = SmallVec::new();
        let mut scalable: SmallVec<[bool; 4]> = SmallVec::new();
        while matches!(self.token_kind(), TokenKind::Integer | TokenKind::LSquare) {
            let in_brackets = self.parse_optional_l_square();
            if in_brackets && self.token_kind() != TokenKind::Integer {
                return Err(self.syntax_error("invalid dimension"));
            }
            shape.push(self.parse_dimension()?);
            scalable.push(in_brackets);
            if in_brackets && !self.parse_optional_r_square() {
                return Err(self.syntax_error("missing ']' closing scalable dimension"));
            }
            self.parse_x()?;
        }
        let element = self.parse_non_function_element()?;
        self.close_bracket("vector type")?;
        let cx = self.cx();
        if !self.cx().is_vector_element(element) {
            return Err(
                self.syntax_error_at(loc, "failed to verify 'elementType': VectorElementTypeInterface instance")
            );
        }
        if shape.contains(&0) {
            let list: Vec<String> = shape.iter().map(i64::to_string).collect();
            let msg = format!("vector types must have positive constant sizes but got {}", list.join(", "));
            return Err(self.syntax_error_at(loc, msg));
        }
        if !scalable.contains(&true) {
            scalable.clear();
        }
        let (shape, scalable) = (shape.as_slice().into(), scalable.as_slice().into());
        Ok(cx.intern_type(TypeData::Vector { shape, scalable, element }))
    }

    fn parse_memref_type(&mut self, loc: Loc) -> Parsed<Type> {
        let unranked = self.parse_optional_unranked()?;
        let shape = if unranked { SmallVec::new() } else { self.parse_dimension_list(true, true)? };
        let element_loc = self.loc();
        let element = self.parse_non_function_element()?;
        self.require(self.cx().is_memref_element(element), element_loc, || "invalid memref element type".to_owned())?;
        let (mut layout, mut space) = (None, None);
        while self.parse_optional_comma() {
            if self.token_kind() == TokenKind::Greater {
                return Err(self.expected("expected list element"));
            }
            let attr = self.parse_attribute(None)?;
            if self.is_layout(attr) {
                if unranked {
                    return Err(self.syntax_error("cannot have affine map for unranked memref type"));
                }
                if space.is_some() {
                    return Err(self.syntax_error("expected memory space to be last in memref type"));
                }
                layout = Some(attr);
            } else if space.is_some() {
                return Err(self.syntax_error("multiple memory spaces specified in memref type"));
            } else {
                space = Some(attr);
            }
        }
        self.expect(TokenKind::Greater, "expected ',' or '>' in memref type")?;
        let cx = self.cx();
        if let Some(space) = space {
            self.require(self.cx().is_memory_space(space), loc, || "unsupported memory space Attribute".to_owned())?;
        }
        // Space 0 is the default one.
        let space = space.filter(|&s| !(cx.attr(s).is_integer() && cx.attr(s).as_int() == Some(0)));
        if unranked {
            return Ok(cx.intern_type(TypeData::UnrankedMemRef { element, space }));
        }
        if let Some(layout) = layout {
            cx.check_layout(layout, shape.len()).map_err(|message| self.syntax_error_at(loc, message))?;
        }
        Ok(cx.memref_type_with(&shape, element, layout, space))
    }

    /// Affine maps, `strided<...>` and dialect attributes that say they are layouts, which none does yet.
    fn is_layout(&self, attr: Attr) -> bool {
        matches!(self.cx().attr_data(attr), AttrData::AffineMap(_) | AttrData::Strided { .. })
    }

    /// `[a, ?]`: numbers that fit 64 bits, [`DYNAMIC`] for `?`.
    pub(super) fn parse_strides(&mut self) -> Parsed<SmallVec<[i64; 4]>> {
        let mut strides = SmallVec::new();
        self.parse_comma_separated(Delimiter::Square, |p| {
            strides.push(p.parse_stride()?);
            Ok(())
        })?;
        Ok(strides)
    }

    /// One number or `?`.
    pub(super) fn parse_stride(&mut self) -> Parsed<i64> {
        const MESSAGE: &str = "expected a 64-bit signed integer or '?'";
        if self.parse_optional_question() {
            return Ok(DYNAMIC);
        }
        let loc = self.loc();
        let negative = self.parse_optional_minus();
        let value = match self.token_kind() {
            TokenKind::Integer => super::tokens::int_value(self.token_bytes(), negative),
            _ => None,
        };
        match value.filter(|&value| value != DYNAMIC) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.syntax_error_at(loc, MESSAGE)),
        }
    }
}

/// Sign and digits of `i32`, `si8`, `ui1`.
fn int_type_parts(word: &str) -> Option<(Signedness, &[u8])> {
    let (signedness, digits) = match word.as_bytes() {
        [b'i', digits @ ..] => (Signedness::Signless, digits),
        [b's', b'i', digits @ ..] => (Signedness::Signed, digits),
        [b'u', b'i', digits @ ..] => (Signedness::Unsigned, digits),
        _ => return None,
    };
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then_some((signedness, digits))
}

fn float_kind(word: &str) -> Option<FloatKind> {
    if !word.starts_with(['f', 'b', 't']) {
        return None;
    }
    FloatKind::ALL.into_iter().find(|kind| kind.keyword() == word)
}
