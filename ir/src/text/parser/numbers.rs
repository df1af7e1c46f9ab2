//! Number literals of a given type: integers of any width, decimal and hexadecimal floats, `true` and `false`.

use super::{Failed, OpParser, Parsed, TokenKind};
use crate::attributes::Attr;
use crate::location::Loc;
use crate::number::{ApInt, LiteralError, float};
use crate::types::{FloatKind, Signedness, Type, TypeData};

/// Messages of integer literals: the same faults are named differently where a type is implied by its surroundings.
pub(super) struct IntMessages {
    pub(super) out_of_range: &'static str,
    pub(super) negative_unsigned: &'static str,
}

/// In an attribute of its own.
pub(super) const IN_ATTRIBUTE: IntMessages = IntMessages {
    out_of_range: "integer constant out of range for attribute",
    negative_unsigned: "negative integer literal not valid for unsigned integer type",
};
/// Among the elements of `dense<...>`.
pub(super) const IN_ELEMENTS: IntMessages = IntMessages {
    out_of_range: "integer constant out of range for type",
    negative_unsigned: "expected unsigned integer elements, but parsed negative value",
};

/// Among the elements of `array<...>`.
pub(super) const IN_ARRAY: IntMessages =
    IntMessages { out_of_range: "integer constant out of range", negative_unsigned: IN_ELEMENTS.negative_unsigned };

/// Width of an integer type, or of `index`, and how its literals are read.
pub(super) fn int_format(data: &TypeData) -> Option<(u32, Signedness)> {
    match data {
        TypeData::Integer { width, signedness } => Some((*width, *signedness)),
        TypeData::Index => Some((64, Signedness::Signed)),
        _ => None,
    }
}

impl OpParser<'_> {
    /// A number attribute: the current token is a number, or follows the minus sign that `negative` tells of. Without `expected`
    /// a type may follow; `i64` and `f64` where it does not.
    pub(super) fn parse_number_attr(&mut self, expected: Option<Type>, negative: bool) -> Parsed<Attr> {
        let token = self.token;
        let loc = self.loc();
        self.advance();
        let cx = self.cx();
        let is_float = token.kind == TokenKind::Float;
        let ty = match expected {
            Some(ty) => ty,
            None if self.parse_optional_colon() => self.parse_type()?,
            None if is_float => cx.float_type(FloatKind::F64),
            None => cx.i64_type(),
        };
        let data = cx.type_data(ty);
        if let TypeData::Float(kind) = data {
            let text = &self.text[token.range()];
            let bits = self.float_bits(*kind, text, is_float, negative, loc)?;
            return Ok(cx.float_bits_attr(ty, bits));
        }
        if is_float {
            return Err(self.syntax_error("floating point value not valid for specified type"));
        }
        let Some((width, signedness)) = int_format(data) else {
            return Err(self.syntax_error_at(loc, "integer literal not valid for specified type"));
        };
        let text = self.text_of(token);
        // Small numbers, nearly all there are, neither touch the interner nor arbitrary precision.
        let small = (text.len() <= 4 && !text.starts_with("0x") && width >= 16)
            .then(|| super::tokens::int_value(text.as_bytes(), negative))
            .flatten()
            .filter(|&value| value > 0 || !negative);
        if let Some(value) = small {
            return Ok(*self.memo.integers.entry((ty, value)).or_insert_with(|| cx.int_attr(ty, value)));
        }
        let value = self.int_literal(text, negative, width, signedness, &IN_ATTRIBUTE, loc)?;
        Ok(cx.ap_int_attr(ty, value))
    }

    /// The value of an integer literal.
    pub(super) fn int_literal(
        &mut self,
        text: &str,
        negative: bool,
        width: u32,
        signedness: Signedness,
        messages: &IntMessages,
        loc: Loc,
    ) -> Parsed<ApInt> {
        ApInt::parse_literal(text, negative, width, signedness).map_err(|fault| self.int_fault(fault, messages, loc))
    }

    #[cold]
    fn int_fault(&mut self, fault: LiteralError, messages: &IntMessages, loc: Loc) -> Failed {
        let message = match fault {
            LiteralError::OutOfRange => messages.out_of_range,
            LiteralError::NegativeUnsigned => messages.negative_unsigned,
            LiteralError::Malformed => "expected integer literal",
        };
        self.syntax_error_at(loc, message)
    }

    /// The encoding of a literal in the format `kind`: decimal with a point, or the bits in hexadecimal. `loc` is that of its
    /// first digit.
    pub(super) fn float_bits(
        &mut self,
        kind: FloatKind,
        text: &[u8],
        is_decimal: bool,
        negative: bool,
        loc: Loc,
    ) -> Parsed<u128> {
        if is_decimal {
            return match float::parse_decimal(kind, text, negative) {
                Some(bits) => Ok(bits),
                None => Err(self.syntax_error_at(loc, "floating point value too large for attribute")),
            };
        }
        if !text.starts_with(b"0x") {
            let failed = self.syntax_error_at(loc, "unexpected decimal integer literal for a floating point value");
            self.note_last(loc, "add a trailing dot to make the literal a float");
            return Err(failed);
        }
        if negative {
            return Err(self.syntax_error_at(loc, "hexadecimal float literal should not have a leading minus"));
        }
        match std::str::from_utf8(text).ok().and_then(|text| float::parse_hex(kind, text)) {
            Some(bits) => Ok(bits),
            None => Err(self.syntax_error_at(loc, "hexadecimal float constant out of range for type")),
        }
    }
}
