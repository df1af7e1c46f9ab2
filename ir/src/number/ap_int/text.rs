//! Literals in, digits out.

use std::fmt;

use num_bigint::BigUint;

use super::{ApInt, Repr};
use crate::types::Signedness;

/// Why a literal is not a value of its type. Displayed in the words of MLIR's parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralError {
    /// The value does not fit the type.
    OutOfRange,
    /// A minus sign before a literal of an unsigned type.
    NegativeUnsigned,
    /// Not digits of the literal's radix.
    Malformed,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfRange => "integer constant out of range for attribute",
            Self::NegativeUnsigned => "negative integer literal not valid for unsigned integer type",
            Self::Malformed => "expected integer literal",
        })
    }
}

impl std::error::Error for LiteralError {}

impl ApInt {
    /// The value of the literal `digits` (decimal, or hexadecimal after `0x`), negated when a minus sign stood before it,
    /// as a number of `width` bits. Use [`Signedness::Signed`] with 64 bits for `index`.
    ///
    /// A literal without a minus sign fits a signless or unsigned type when its magnitude has no more bits than the type
    /// (`255 : i8` is -1), and a signed type when the top bit stays clear. A negative one must come out with the top bit set,
    /// so that `-0` fits no type. Leading zeros do not count.
    ///
    /// # Errors
    /// See [`LiteralError`].
    pub fn parse_literal(
        digits: &str,
        negative: bool,
        width: u32,
        signedness: Signedness,
    ) -> Result<Self, LiteralError> {
        if negative && signedness == Signedness::Unsigned {
            return Err(LiteralError::NegativeUnsigned);
        }
        let magnitude = parse_magnitude(digits, width)?;
        if negative {
            let value = magnitude.neg();
            return if value.is_negative() { Ok(value) } else { Err(LiteralError::OutOfRange) };
        }
        if signedness == Signedness::Signed && magnitude.is_negative() {
            return Err(LiteralError::OutOfRange);
        }
        Ok(magnitude)
    }

    /// Appends the signed value in decimal.
    pub fn write_signed(&self, out: &mut String) {
        match self.to_i64() {
            Some(value) => out.push_str(itoa::Buffer::new().format(value)),
            None => out.push_str(&self.to_bigint_signed().to_str_radix(10)),
        }
    }

    /// Appends the unsigned value in decimal.
    pub fn write_unsigned(&self, out: &mut String) {
        match &self.0 {
            Repr::Small { value, .. } => out.push_str(itoa::Buffer::new().format(*value)),
            Repr::Big { value, .. } => out.push_str(&value.to_str_radix(10)),
        }
    }

    /// Appends the unsigned value as `0x` and capital hexadecimal digits, without leading zeros.
    #[expect(clippy::missing_panics_doc, reason = "writing into a string cannot fail")]
    pub fn write_hex(&self, out: &mut String) {
        use fmt::Write as _;
        let written = match &self.0 {
            Repr::Small { value, .. } => write!(out, "0x{value:X}"),
            Repr::Big { value, .. } => write!(out, "0x{:X}", **value),
        };
        written.expect("writing into a string cannot fail");
    }
}

/// The digits as an unsigned number of `width` bits. Digits that cannot fit are counted, not evaluated.
fn parse_magnitude(digits: &str, width: u32) -> Result<ApInt, LiteralError> {
    let (digits, radix) = match digits.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None => (digits, 10),
    };
    if digits.is_empty() || !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        return Err(LiteralError::Malformed);
    }
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Ok(ApInt::zero(width));
    }
    // Nineteen digits of either radix: a hexadecimal literal may overflow the word, a decimal one may not.
    if significant.len() <= 19
        && let Ok(value) = u64::from_str_radix(significant, radix)
    {
        let number = ApInt::from_u64(width, value);
        return if number.to_u64() == Some(value) { Ok(number) } else { Err(LiteralError::OutOfRange) };
    }
    // A decimal digit after the first one stands for more than 3.3 bits, a hexadecimal one for 4.
    let least_bits = (significant.len() as u64 - 1) * if radix == 16 { 40 } else { 33 } / 10;
    if least_bits >= u64::from(width) {
        return Err(LiteralError::OutOfRange);
    }
    let value = BigUint::parse_bytes(significant.as_bytes(), radix).ok_or(LiteralError::Malformed)?;
    if value.bits() > width.into() {
        return Err(LiteralError::OutOfRange);
    }
    Ok(ApInt::from_biguint(width, value))
}
