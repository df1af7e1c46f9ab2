//! Floating-point numbers as encodings: the bits of a number in a [`FloatKind`], in the low bits of a `u128`.
//!
//! Every operation rounds once, to nearest, ties to even. A result beyond the largest finite number becomes infinity, NaN
//! in the formats without infinities, and the largest finite number in the formats without NaN.
//!
//! | kind | sign, exponent, fraction bits | bias | beyond finite |
//! |---|---|---|---|
//! | `f4E2M1FN`, `f6E2M3FN`, `f6E3M2FN` | 1 2 1, 1 2 3, 1 3 2 | 1, 1, 3 | nothing |
//! | `f8E5M2`, `f8E4M3`, `f8E3M4` | 1 5 2, 1 4 3, 1 3 4 | 15, 7, 3 | as IEEE 754 |
//! | `f8E4M3FN` | 1 4 3 | 7 | NaN: all bits but the sign set |
//! | `f8E5M2FNUZ`, `f8E4M3FNUZ`, `f8E4M3B11FNUZ` | 1 5 2, 1 4 3, 1 4 3 | 16, 8, 11 | NaN: the sign bit alone; no negative zero |
//! | `f8E8M0FNU` | 0 8 0 | 127 | NaN: all bits set; no zero, no sign |
//! | `bf16`, `f16`, `tf32`, `f32`, `f64`, `f128` | 1 8 7, 1 5 10, 1 8 10, 1 8 23, 1 11 52, 1 15 112 | 127, 15, 127, 127, 1023, 16383 | as IEEE 754 |
//! | `f80` | 1 15 63, and an integer bit after the exponent | 16383 | as IEEE 754; a number with an exponent and a clear integer bit is NaN |
//!
//! `f8E8M0FNU` holds powers of two: zero and what is smaller becomes its smallest number, and a sign is lost.
//!
//! Sources: IEEE 754-2019; OCP 8-bit Floating Point Specification 1.0 and Microscaling Formats 1.0; for the FNUZ formats
//! Noune et al., "8-bit Numerical Formats for Deep Neural Networks" (2022).

mod arith;
mod codec;
mod convert;
mod decimal;
mod format;
mod round;

#[cfg(test)]
mod tests;

pub use arith::{abs, add, compare, div, fma, maximum, maxnum, minimum, minnum, mul, neg, rem, sub};
pub use convert::{convert, from_f64, from_int, nearest, to_f64, to_int};
pub use decimal::{parse_decimal, parse_hex, print};
pub use round::{Rounding, round_to_integral};

use crate::types::FloatKind;
use codec::{Value, decode, encode_nan};
use format::{Format, Specials};

/// Positive zero; for `f8E8M0FNU`, which has none, its smallest number.
pub const fn zero(_kind: FloatKind) -> u128 {
    0
}

/// The bits of the number 1.
pub fn one(kind: FloatKind) -> u128 {
    from_f64(kind, 1.0).0
}

/// The quiet NaN without payload, positive where NaN has a sign. `None` for the formats without NaN.
pub fn nan(kind: FloatKind) -> Option<u128> {
    (Format::of(kind).specials != Specials::None).then(|| encode_nan(kind, false, 0).0)
}

/// Positive or negative infinity. `None` for the formats without infinities.
pub fn infinity(kind: FloatKind, negative: bool) -> Option<u128> {
    let format = Format::of(kind);
    (format.specials == Specials::Ieee).then(|| format.infinity() | format.sign(negative))
}

/// The largest finite number, or the one farthest below zero.
pub fn largest(kind: FloatKind, negative: bool) -> u128 {
    let format = Format::of(kind);
    format.largest() | format.sign(negative)
}

/// Bits of the significand, the implied one included: all integers of so many bits are numbers of the format, its range permitting.
pub fn precision(kind: FloatKind) -> u32 {
    Format::of(kind).precision
}

/// Whether every value of `kind`, infinities, NaN and both zeros included, is also one of `wider`.
pub fn is_included(kind: FloatKind, wider: FloatKind) -> bool {
    let (from, to) = (Format::of(kind), Format::of(wider));
    let is_exact = |bits: u128| !convert(kind, bits, wider).1;
    let smallest = u128::from(from.has_subnormals);
    let has_negative_zero = |format: Format| format.signed && format.specials != Specials::NanNegativeZero;
    to.precision >= from.precision
        && is_exact(from.largest())
        && is_exact(smallest)
        && (to.signed || !from.signed)
        && (to.has_subnormals || !from.has_subnormals)
        && (has_negative_zero(to) || !has_negative_zero(from))
        && (to.specials == Specials::Ieee || from.specials != Specials::Ieee)
        && (to.specials != Specials::None || from.specials == Specials::None)
}

/// Whether `bits` is not a number.
pub fn is_nan(kind: FloatKind, bits: u128) -> bool {
    matches!(decode(kind, bits), Value::Nan { .. })
}

/// Whether `bits` is an infinity of either sign.
pub fn is_infinite(kind: FloatKind, bits: u128) -> bool {
    matches!(decode(kind, bits), Value::Infinite { .. })
}

/// Whether `bits` is a number that is not infinite.
pub fn is_finite(kind: FloatKind, bits: u128) -> bool {
    matches!(decode(kind, bits), Value::Finite { .. })
}

/// Whether `bits` is finite and has the whole precision of its format: neither zero nor subnormal.
pub fn is_normal(kind: FloatKind, bits: u128) -> bool {
    let leading = Format::of(kind).precision - 1;
    matches!(decode(kind, bits), Value::Finite { significand, .. } if significand >> leading != 0)
}

/// Whether `bits` is a zero of either sign.
pub fn is_zero(kind: FloatKind, bits: u128) -> bool {
    matches!(decode(kind, bits), Value::Finite { significand: 0, .. })
}

/// Whether the sign is set; true of negative zero and of a NaN with a sign.
pub fn is_negative(kind: FloatKind, bits: u128) -> bool {
    match decode(kind, bits) {
        Value::Nan { negative, .. } | Value::Infinite { negative } | Value::Finite { negative, .. } => negative,
    }
}
