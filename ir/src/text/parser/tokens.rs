//! The token level: punctuation, words, numbers, strings, lists.

use super::{Failed, OpParser, Parsed, Token, TokenKind};
use crate::attributes::{Attr, AttrData};
use crate::location::Loc;
use crate::number::{ApInt, float};
use crate::text::strings;
use crate::types::{DYNAMIC, FloatKind};
use smallvec::SmallVec;

/// What stands around a comma-separated list. With `Optional...` the brackets may be missing, and then the list is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each variant is named after its brackets")]
pub enum Delimiter {
    /// Nothing: at least one element.
    None,
    Paren,
    OptionalParen,
    Square,
    OptionalSquare,
    LessGreater,
    OptionalLessGreater,
    Braces,
    OptionalBraces,
}

macro_rules! punctuation {
    ($($kind:ident $text:literal $parse:ident $optional:ident,)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        ///
        /// # Errors
        #[doc = concat!("``expected '", $text, "'``.")]
        #[inline]
        pub fn $parse(&mut self) -> Parsed<()> {
            self.expect(TokenKind::$kind, concat!("expected '", $text, "'"))
        }

        #[doc = concat!("`", $text, "`, if it is there.")]
        #[inline]
        pub fn $optional(&mut self) -> bool {
            self.consume_if(TokenKind::$kind)
        }
    )*};
}

/// Punctuation.
impl OpParser<'_> {
    punctuation! {
        Arrow "->" parse_arrow parse_optional_arrow,
        Colon ":" parse_colon parse_optional_colon,
        Comma "," parse_comma parse_optional_comma,
        Equal "=" parse_equal parse_optional_equal,
        Less "<" parse_less parse_optional_less,
        Greater ">" parse_greater parse_optional_greater,
        LParen "(" parse_l_paren parse_optional_l_paren,
        RParen ")" parse_r_paren parse_optional_r_paren,
        LSquare "[" parse_l_square parse_optional_l_square,
        RSquare "]" parse_r_square parse_optional_r_square,
        LBrace "{" parse_l_brace parse_optional_l_brace,
        RBrace "}" parse_r_brace parse_optional_r_brace,
        Question "?" parse_question parse_optional_question,
        Star "*" parse_star parse_optional_star,
        Plus "+" parse_plus parse_optional_plus,
        Minus "-" parse_minus parse_optional_minus,
        Slash "/" parse_slash parse_optional_slash,
        Bar "|" parse_vertical_bar parse_optional_vertical_bar,
        Ellipsis "..." parse_ellipsis parse_optional_ellipsis,
    }
}

/// The current token.
impl<'s> OpParser<'s> {
    /// What the current token is.
    #[inline]
    pub(crate) fn token_kind(&self) -> TokenKind {
        self.token.kind
    }

    /// First byte and end of the current token.
    #[inline]
    pub(crate) fn token_span(&self) -> (u32, u32) {
        (self.token.start, self.token.end)
    }

    /// End of the token before the current one.
    pub(crate) fn previous_end(&self) -> usize {
        self.previous_end as usize
    }

    /// The text of the current token. Empty where it is not UTF-8, which only strings can be.
    #[inline]
    pub(crate) fn token_text(&self) -> &'s str {
        self.text_of(self.token)
    }

    pub(super) fn text_of(&self, token: Token) -> &'s str {
        std::str::from_utf8(&self.text[token.range()]).unwrap_or_default()
    }

    /// The bytes of the current token.
    #[inline]
    pub(crate) fn token_bytes(&self) -> &'s [u8] {
        &self.text[self.token.range()]
    }

    /// Whether the text has ended.
    pub(crate) fn at_eof(&self) -> bool {
        self.token.kind == TokenKind::Eof
    }

    /// Goes to the next token.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.previous_end = self.token.end;
        self.lex();
    }

    /// The same without a call: see [`Lexer::next_here`].
    #[inline(always)]
    pub(in crate::text) fn advance_here(&mut self) {
        self.previous_end = self.token.end;
        if self.lexer.next_here(&mut self.token) == TokenKind::Error {
            self.lexer_error();
        }
    }

    /// Goes on with the token that starts at or after byte `at`, as if what is before had been one token.
    pub(super) fn seek(&mut self, at: usize) {
        self.previous_end = at as u32;
        self.lexer.seek(at);
        self.lex();
    }

    #[inline]
    fn lex(&mut self) {
        if self.lexer.next_into(&mut self.token) == TokenKind::Error {
            self.lexer_error();
        }
    }

    #[cold]
    fn lexer_error(&mut self) {
        if let Some((at, message)) = self.lexer.error.take()
            && !self.recovery.stopped
        {
            let loc = self.source.loc(at);
            self.diagnostics.push(crate::diagnostics::Diagnostic::error(loc, message));
        }
    }

    /// The same as [`consume_if`](Self::consume_if) without a call.
    #[inline(always)]
    pub(in crate::text) fn consume_here(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance_here();
        }
        found
    }

    /// Goes past the current token if it is of this kind.
    #[inline]
    pub(crate) fn consume_if(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    /// Goes past the current token, which must be of this kind.
    ///
    /// # Errors
    /// `message`, after the previous token.
    #[inline]
    pub(crate) fn expect(&mut self, kind: TokenKind, message: &str) -> Parsed<()> {
        if self.consume_if(kind) { Ok(()) } else { Err(self.expected(message)) }
    }
}

/// Words.
impl<'s> OpParser<'s> {
    /// Whether the current token is this word.
    #[inline]
    pub(crate) fn at_keyword(&self, keyword: &str) -> bool {
        self.token.kind == TokenKind::BareIdentifier && self.token_bytes() == keyword.as_bytes()
    }

    /// The word `keyword`.
    ///
    /// # Errors
    /// ``expected 'keyword'``.
    pub fn parse_keyword(&mut self, keyword: &str) -> Parsed<()> {
        if self.parse_optional_keyword(keyword) { Ok(()) } else { Err(self.error(format!("expected '{keyword}'"))) }
    }

    /// The word `keyword`, if it is there.
    #[inline]
    pub fn parse_optional_keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Any word: a bare identifier, a keyword, an integer type.
    ///
    /// # Errors
    /// `expected valid keyword`.
    pub fn parse_any_keyword(&mut self) -> Parsed<&'s str> {
        match self.parse_optional_any_keyword() {
            Some(word) => Ok(word),
            None => Err(self.error("expected valid keyword")),
        }
    }

    /// Any word, if there is one.
    #[inline]
    pub fn parse_optional_any_keyword(&mut self) -> Option<&'s str> {
        if self.token.kind != TokenKind::BareIdentifier {
            return None;
        }
        let word = self.token_text();
        self.advance();
        Some(word)
    }

    /// One of `keywords`, if it is there.
    pub fn parse_optional_keyword_of(&mut self, keywords: &[&'static str]) -> Option<&'static str> {
        let found = *keywords.iter().find(|keyword| self.at_keyword(keyword))?;
        self.advance();
        Some(found)
    }

    /// A word or a string.
    ///
    /// # Errors
    /// `expected valid keyword or string`.
    pub fn parse_keyword_or_string(&mut self) -> Parsed<String> {
        if let Some(word) = self.parse_optional_any_keyword() {
            return Ok(word.to_owned());
        }
        if self.token.kind == TokenKind::String {
            return self.parse_string();
        }
        Err(self.error("expected valid keyword or string"))
    }
}

/// Numbers.
impl OpParser<'_> {
    /// An integer that fits 64 bits, with an optional minus sign.
    ///
    /// # Errors
    /// `expected integer value`, or that it does not fit.
    pub fn parse_integer(&mut self) -> Parsed<i64> {
        match self.parse_optional_integer()? {
            Some(value) => Ok(value),
            None => Err(self.error("expected integer value")),
        }
    }

    /// An integer that fits 64 bits, if there is one. Hexadecimal literals may use the sign bit.
    ///
    /// # Errors
    /// The value does not fit, or a minus sign stands alone.
    pub fn parse_optional_integer(&mut self) -> Parsed<Option<i64>> {
        if !matches!(self.token.kind, TokenKind::Integer | TokenKind::Minus) {
            return Ok(None);
        }
        let negative = self.parse_optional_minus();
        if self.token.kind != TokenKind::Integer {
            return Err(self.error("expected integer value"));
        }
        match int_value(self.token_bytes(), negative) {
            Some(value) => {
                self.advance();
                Ok(Some(value))
            }
            None => Err(self.error("integer value too large")),
        }
    }

    /// An integer of any size, with an optional minus sign: wide enough that its sign bit is right.
    ///
    /// # Errors
    /// `expected integer value`, or that it has more than 2^24 bits.
    pub fn parse_ap_int(&mut self) -> Parsed<ApInt> {
        let negative = self.parse_optional_minus();
        if self.token.kind != TokenKind::Integer {
            return Err(self.error("expected integer value"));
        }
        let text = self.token_text();
        // A decimal digit is less than four bits, a hexadecimal one exactly four; one more for the sign.
        let width = u32::try_from(text.len()).ok().and_then(|len| len.checked_mul(4)?.checked_add(1));
        let Some(width) = width.map(|w| w.max(64)).filter(|&w| w <= ApInt::MAX_WIDTH) else {
            return Err(self.error("integer value too large"));
        };
        match ApInt::parse_literal(text, false, width, crate::types::Signedness::Signless) {
            Ok(value) => {
                self.advance();
                Ok(if negative { value.neg() } else { value })
            }
            Err(_) => Err(self.error("integer value too large")),
        }
    }

    /// An integer that fits `width` bits, at most 64, as a signed number or as one that is never negative.
    ///
    /// # Errors
    /// `expected integer value`, or that it does not fit.
    pub fn parse_ap_int_of(&mut self, width: u32, signed: bool) -> Parsed<ApInt> {
        let loc = self.loc();
        let value = self.parse_ap_int()?;
        let narrow = value.sext_or_trunc(width);
        let whole = if signed { narrow.sext_or_trunc(value.width()) } else { narrow.zext_or_trunc(value.width()) };
        if whole == value { Ok(narrow) } else { Err(self.error_at(loc, "integer value too large")) }
    }

    /// A number in double precision: with a point and an optional minus sign, or its bits in hexadecimal.
    ///
    /// # Errors
    /// `expected floating point literal`, and what is wrong with one.
    pub fn parse_float(&mut self) -> Parsed<f64> {
        let negative = self.parse_optional_minus();
        let is_decimal = self.token.kind == TokenKind::Float;
        if !is_decimal && self.token.kind != TokenKind::Integer {
            return Err(self.error("expected floating point literal"));
        }
        let (text, loc) = (self.token_bytes(), self.loc());
        let bits = self.float_bits(FloatKind::F64, text, is_decimal, negative, loc)?;
        self.advance();
        Ok(float::to_f64(FloatKind::F64, bits))
    }
}

/// The value of an integer token. Decimal literals must fit a signed number, hexadecimal ones 64 bits.
pub(super) fn int_value(text: &[u8], negative: bool) -> Option<i64> {
    let magnitude = match text.strip_prefix(b"0x") {
        Some(hex) => {
            let digits = std::str::from_utf8(hex).ok()?;
            let value = u64::from_str_radix(digits, 16).ok()?;
            return Some(if negative { (value as i64).wrapping_neg() } else { value as i64 });
        }
        None => decimal_value(text)?,
    };
    if negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// The value of an integer token without a sign.
pub(super) fn unsigned_value(text: &[u8]) -> Option<u64> {
    match text.strip_prefix(b"0x") {
        Some(hex) => u64::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok(),
        None => decimal_value(text),
    }
}

/// The value of decimal digits.
pub(super) fn decimal_value(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |n, &digit| n.checked_mul(10)?.checked_add(u64::from(digit.wrapping_sub(b'0'))))
}

/// Strings and symbols.
impl OpParser<'_> {
    /// A string literal; its value must be UTF-8.
    ///
    /// # Errors
    /// `expected string`, or that the value is not UTF-8.
    pub fn parse_string(&mut self) -> Parsed<String> {
        match self.parse_optional_string()? {
            Some(text) => Ok(text),
            None => Err(self.error("expected string")),
        }
    }

    /// A string literal as an attribute: any bytes.
    ///
    /// # Errors
    /// `expected string`.
    pub fn parse_string_attr(&mut self) -> Parsed<Attr> {
        match self.parse_optional_string_bytes() {
            Some(bytes) => Ok(self.cx().intern_attr(AttrData::String { value: bytes.into(), ty: None })),
            None => Err(self.error("expected string")),
        }
    }

    /// A string literal, if there is one; its value must be UTF-8.
    ///
    /// # Errors
    /// The value is not UTF-8.
    pub fn parse_optional_string(&mut self) -> Parsed<Option<String>> {
        let loc = self.loc();
        match self.parse_optional_string_bytes() {
            None => Ok(None),
            Some(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err(self.error_at(loc, "unsupported: a string that is not UTF-8 here")),
            },
        }
    }

    /// The value of a string literal, if there is one: any bytes.
    pub fn parse_optional_string_bytes(&mut self) -> Option<Vec<u8>> {
        if self.token.kind != TokenKind::String {
            return None;
        }
        let value = strings::unescape(self.token_bytes()).into_owned();
        self.advance();
        Some(value)
    }

    /// `@name` or `@"name"`.
    ///
    /// # Errors
    /// `expected valid '@'-identifier for symbol name`.
    pub fn parse_symbol_name(&mut self) -> Parsed<String> {
        match self.parse_optional_symbol_name()? {
            Some(name) => Ok(name),
            None => Err(self.error("expected valid '@'-identifier for symbol name")),
        }
    }

    /// `@name` or `@"name"`, if it is there.
    ///
    /// # Errors
    /// The name is not UTF-8.
    pub fn parse_optional_symbol_name(&mut self) -> Parsed<Option<String>> {
        if self.token.kind != TokenKind::AtIdentifier {
            return Ok(None);
        }
        let name = &self.token_bytes()[1..];
        let name = if name.starts_with(b"\"") { strings::unescape(name).into_owned() } else { name.to_vec() };
        match String::from_utf8(name) {
            Ok(name) => {
                self.advance();
                Ok(Some(name))
            }
            Err(_) => Err(self.error("unsupported: a symbol name that is not UTF-8")),
        }
    }
}

/// Lists.
impl OpParser<'_> {
    /// Elements with commas between them, within `delimiter`. Calls `element` at the first token of each.
    ///
    /// # Errors
    /// Those of `element`, and a missing bracket.
    pub fn parse_comma_separated(
        &mut self,
        delimiter: Delimiter,
        element: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        self.parse_comma_separated_in(delimiter, "", element)
    }

    /// The same; `context` ends the messages about missing brackets, as in ` in fused location`.
    pub(crate) fn parse_comma_separated_in(
        &mut self,
        delimiter: Delimiter,
        context: &str,
        mut element: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        use TokenKind as T;
        let (open, close, optional) = match delimiter {
            Delimiter::None => {
                element(self)?;
                while self.consume_if(T::Comma) {
                    element(self)?;
                }
                return Ok(());
            }
            Delimiter::Paren => (T::LParen, T::RParen, false),
            Delimiter::OptionalParen => (T::LParen, T::RParen, true),
            Delimiter::Square => (T::LSquare, T::RSquare, false),
            Delimiter::OptionalSquare => (T::LSquare, T::RSquare, true),
            Delimiter::LessGreater => (T::Less, T::Greater, false),
            Delimiter::OptionalLessGreater => (T::Less, T::Greater, true),
            Delimiter::Braces => (T::LBrace, T::RBrace, false),
            Delimiter::OptionalBraces => (T::LBrace, T::RBrace, true),
        };
        if !self.consume_if(open) {
            return if optional { Ok(()) } else { Err(self.missing_bracket(open, context)) };
        }
        if self.consume_if(close) {
            return Ok(());
        }
        loop {
            element(self)?;
            if !self.consume_if(T::Comma) {
                return if self.consume_if(close) { Ok(()) } else { Err(self.missing_bracket(close, context)) };
            }
        }
    }

    #[cold]
    fn missing_bracket(&mut self, bracket: TokenKind, context: &str) -> Failed {
        let text = match bracket {
            TokenKind::LParen => "(",
            TokenKind::RParen => ")",
            TokenKind::LSquare => "[",
            TokenKind::RSquare => "]",
            TokenKind::LBrace => "{",
            TokenKind::RBrace => "}",
            TokenKind::Less => "<",
            _ => ">",
        };
        self.expected(format!("expected '{text}'{context}"))
    }

    /// `4x?x8` and, with `trailing_x`, the `x` after each: as the shape of a type. [`DYNAMIC`] stands for `?`.
    ///
    /// # Errors
    /// A missing `x`, an extent that does not fit 63 bits, `?` where `allow_dynamic` does not hold.
    pub fn parse_dimension_list(&mut self, allow_dynamic: bool, trailing_x: bool) -> Parsed<SmallVec<[i64; 4]>> {
        let mut shape = SmallVec::new();
        loop {
            match self.token.kind {
                TokenKind::Integer => shape.push(self.parse_dimension()?),
                TokenKind::Question if !allow_dynamic => {
                    return Err(self.syntax_error("expected static shape"));
                }
                TokenKind::Question => {
                    self.advance();
                    shape.push(DYNAMIC);
                }
                _ if shape.is_empty() || trailing_x => return Ok(shape),
                _ => return Err(self.expected("expected integer or '?' in dimension list")),
            }
            if trailing_x {
                self.parse_x()?;
            } else if !self.at_x() {
                return Ok(shape);
            } else {
                self.parse_x()?;
            }
        }
    }

    /// One extent. In `0x4` the zero is an extent and the `x` stands for itself.
    pub(super) fn parse_dimension(&mut self) -> Parsed<i64> {
        let text = self.token_bytes();
        if text.starts_with(b"0x") {
            self.seek(self.token.start as usize + 1);
            return Ok(0);
        }
        match decimal_value(text).and_then(|value| i64::try_from(value).ok()) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.syntax_error("invalid dimension")),
        }
    }

    /// Whether a word that begins with `x` follows.
    fn at_x(&self) -> bool {
        self.token.kind == TokenKind::BareIdentifier && self.text[self.token.start as usize] == b'x'
    }

    /// The `x` of a dimension list; the rest of a word that begins with it is a token of its own.
    pub(super) fn parse_x(&mut self) -> Parsed<()> {
        if !self.at_x() {
            return Err(self.expected("expected 'x' in dimension list"));
        }
        self.seek(self.token.start as usize + 1);
        Ok(())
    }

    /// Consumes the word `keyword` or fails with `message`.
    pub(super) fn expect_keyword(&mut self, keyword: &str, message: &str) -> Parsed<()> {
        if self.parse_optional_keyword(keyword) { Ok(()) } else { Err(self.expected(message)) }
    }

    /// Records `message` at `loc` where `condition` does not hold.
    pub(super) fn require(&mut self, condition: bool, loc: Loc, message: impl FnOnce() -> String) -> Parsed<()> {
        if condition { Ok(()) } else { Err(self.syntax_error_at(loc, message())) }
    }
}
