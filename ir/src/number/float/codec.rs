//! From encodings to exact values and back, for every format.

use super::format::{Format, Specials};
use crate::types::FloatKind;

/// What an encoding means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// Not a number. `payload` is the fraction in the high bits; its top bit says that the NaN is quiet.
    Nan { negative: bool, payload: u128 },
    /// Infinity.
    Infinite { negative: bool },
    /// `significand` · 2^`exponent`. A normal number of precision p has a significand of p bits.
    Finite { negative: bool, significand: u128, exponent: i32 },
}

/// The value of `bits`.
pub(super) fn decode(kind: FloatKind, bits: u128) -> Value {
    let format = Format::of(kind);
    let stored = format.stored_bits();
    let negative = bits & format.sign(true) != 0;
    let fraction = bits & ((1 << stored) - 1);
    let field = (bits >> stored) as u32 & format.highest_exponent();

    let integer_bit = 1 << (format.precision - 1);
    let is_nan = match format.specials {
        Specials::Ieee if field == format.highest_exponent() => {
            if bits & !format.sign(true) == format.infinity() {
                return Value::Infinite { negative };
            }
            true
        }
        Specials::Ieee => format.stores_integer_bit && field != 0 && fraction & integer_bit == 0,
        Specials::NanAllOnes => field == format.highest_exponent() && fraction == (1 << stored) - 1,
        Specials::NanNegativeZero if bits == format.sign(true) => {
            return Value::Nan { negative: false, payload: 0 };
        }
        Specials::NanNegativeZero | Specials::None => false,
    };
    if is_nan {
        let payload = match format.specials {
            Specials::Ieee => (fraction & (integer_bit - 1)) << (129 - format.precision),
            _ => 0,
        };
        return Value::Nan { negative, payload };
    }

    let subnormal = field == 0 && format.has_subnormals;
    let significand = if subnormal || format.stores_integer_bit { fraction } else { fraction | integer_bit };
    let above_lowest = if subnormal { 0 } else { field as i32 - i32::from(format.has_subnormals) };
    Value::Finite { negative, significand, exponent: format.smallest_unit() + above_lowest }
}

/// The encoding of a value, and whether it differs from the value.
pub(super) fn encode(kind: FloatKind, value: Value) -> (u128, bool) {
    match value {
        Value::Nan { negative, payload } => encode_nan(kind, negative, payload),
        Value::Infinite { negative } => {
            let format = Format::of(kind);
            (overflow(kind, negative), format.specials != Specials::Ieee)
        }
        Value::Finite { negative, significand, exponent } => {
            encode_finite(kind, negative, significand, exponent, false)
        }
    }
}

/// A quiet NaN with the part of the payload that fits, and whether any of it got lost. The formats without NaN give their
/// largest number.
pub(super) fn encode_nan(kind: FloatKind, negative: bool, payload: u128) -> (u128, bool) {
    let format = Format::of(kind);
    let lost = payload << 1 != 0;
    match format.specials {
        Specials::Ieee => {
            let quiet = 1 << (format.precision - 2);
            // One-bit precision never has IEEE specials, so that the fraction is not empty.
            let fraction = payload >> (129 - format.precision);
            let dropped = payload & ((1 << (129 - format.precision)) - 1) != 0;
            (format.infinity() | quiet | fraction | format.sign(negative), dropped)
        }
        Specials::NanAllOnes => ((format.largest() + 1) | format.sign(negative), lost),
        Specials::NanNegativeZero => (format.sign(true), lost),
        Specials::None => (format.largest() | format.sign(negative), true),
    }
}

/// What a result beyond the largest finite number becomes.
fn overflow(kind: FloatKind, negative: bool) -> u128 {
    let format = Format::of(kind);
    match format.specials {
        Specials::Ieee => format.infinity() | format.sign(negative),
        Specials::NanAllOnes | Specials::NanNegativeZero => encode_nan(kind, negative, 0).0,
        Specials::None => format.largest() | format.sign(negative),
    }
}

/// Rounds `significand` · 2^`exponent` to the nearest number of the format, and tells whether it differs.
///
/// `sticky` says that the value is a little greater than that, by less than one unit of the significand, which must then
/// have at least two bits more than the precision of the format.
pub(super) fn encode_finite(
    kind: FloatKind,
    negative: bool,
    significand: u128,
    exponent: i32,
    sticky: bool,
) -> (u128, bool) {
    let format = Format::of(kind);
    if significand == 0 {
        return (zero(format, negative), !format.has_subnormals || (negative && zero(format, true) == 0));
    }
    let leading = exponent + (127 - significand.leading_zeros() as i32);
    let unit = (leading - (format.precision as i32 - 1)).max(format.smallest_unit());
    let (mut rounded, inexact) = shift_to_nearest(significand, unit - exponent, sticky);
    if rounded == 0 && !format.has_subnormals {
        rounded = 1; // the smallest number stands for zero
    }
    if rounded == 0 {
        return (zero(format, negative), true);
    }
    let integer_bit = 1u128 << (format.precision - 1);
    let carry = u32::from(rounded == integer_bit << 1);
    rounded >>= carry;
    let field = if rounded < integer_bit {
        0
    } else {
        i64::from(unit) + i64::from(carry) - i64::from(format.smallest_unit()) + i64::from(format.has_subnormals)
    };
    if field > i64::from(format.highest_exponent()) {
        return (overflow(kind, negative), true);
    }
    let fraction = if format.stores_integer_bit { rounded } else { rounded & !integer_bit };
    let magnitude = (field as u128) << format.stored_bits() | fraction;
    if magnitude > format.largest() {
        return (overflow(kind, negative), true);
    }
    (magnitude | format.sign(negative), inexact || (negative && !format.signed))
}

fn zero(format: Format, negative: bool) -> u128 {
    if format.specials == Specials::NanNegativeZero { 0 } else { format.sign(negative) }
}

/// `value` / 2^`shift` rounded to nearest, ties to even, and whether it was not exact. A negative shift multiplies.
fn shift_to_nearest(value: u128, shift: i32, sticky: bool) -> (u128, bool) {
    let Ok(shift) = u32::try_from(shift) else {
        debug_assert!(!sticky, "not enough bits to round");
        return (value << shift.unsigned_abs(), false);
    };
    if shift == 0 || shift > 128 {
        return if shift == 0 { (value, sticky) } else { (0, true) };
    }
    let half = 1u128 << (shift - 1);
    let quotient = value.checked_shr(shift).unwrap_or(0);
    let remainder = value & (half | (half - 1));
    let round_up = remainder > half || (remainder == half && (sticky || quotient & 1 == 1));
    (quotient + u128::from(round_up), remainder != 0 || sticky)
}
