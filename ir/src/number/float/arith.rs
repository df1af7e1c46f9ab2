//! Arithmetic with one rounding.
//!
//! A format with at most 24 bits of precision computes in `f64` and rounds the result: `f64` has more than twice the bits
//! and two to spare, so that the second rounding cannot go wrong for sum, product and quotient (Figueroa, "When is double
//! rounding innocuous?", 1995). The wider formats use [`rustc_apfloat`].
//!
//! A NaN operand gives that NaN, made quiet; the first one, when there are several. An invalid operation gives
//! [`nan`](super::nan), or the largest number in the formats without NaN.

use std::cmp::Ordering;

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, X87DoubleExtended};

use super::codec::{Value, decode, encode_nan};
use super::format::{Format, Specials};
use super::{from_f64, is_nan, to_f64};
use crate::types::FloatKind;

/// Evaluates `$wide` with `$F` standing for the software format of `$kind`, or `$narrow` when `f64` holds its values.
macro_rules! by_width {
    ($kind:expr, $narrow:expr, $F:ident => $wide:expr) => {
        match $kind {
            FloatKind::F80 => {
                type $F = X87DoubleExtended;
                $wide
            }
            FloatKind::F128 => {
                type $F = Quad;
                $wide
            }
            _ => $narrow,
        }
    };
}

/// The sum `a + b`, rounded to the nearest number of the format, ties to even. Numbers are given by their bits.
pub fn add(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| {
        by_width!(kind, narrow(kind, to_f64(kind, a) + to_f64(kind, b)), F => {
            wide(kind, (F::from_bits(a) + F::from_bits(b)).value)
        })
    })
}

/// The difference `a - b`, rounded to the nearest number of the format, ties to even. Numbers are given by their bits.
pub fn sub(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| {
        by_width!(kind, narrow(kind, to_f64(kind, a) - to_f64(kind, b)), F => {
            wide(kind, (F::from_bits(a) - F::from_bits(b)).value)
        })
    })
}

/// The product `a * b`, rounded to the nearest number of the format, ties to even. Numbers are given by their bits.
pub fn mul(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| {
        by_width!(kind, narrow(kind, to_f64(kind, a) * to_f64(kind, b)), F => {
            wide(kind, (F::from_bits(a) * F::from_bits(b)).value)
        })
    })
}

/// The quotient `a / b`, rounded to the nearest number of the format, ties to even. Numbers are given by their bits.
pub fn div(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| {
        by_width!(kind, narrow(kind, to_f64(kind, a) / to_f64(kind, b)), F => {
            wide(kind, (F::from_bits(a) / F::from_bits(b)).value)
        })
    })
}

/// The remainder of `a / b` rounded toward zero, with the sign of `a`, as C's `fmod`. Always exact.
pub fn rem(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| {
        by_width!(kind, narrow(kind, to_f64(kind, a) % to_f64(kind, b)), F => {
            wide(kind, (F::from_bits(a) % F::from_bits(b)).value)
        })
    })
}

/// `a * b + c`, rounded once.
pub fn fma(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    nan_operand(kind, &[a, b, c]).unwrap_or_else(|| match kind {
        FloatKind::F64 => wide(kind, Double::from_bits(a).mul_add(Double::from_bits(b), Double::from_bits(c)).value),
        _ => by_width!(
            kind,
            narrow(kind, mul_add_to_odd(to_f64(kind, a), to_f64(kind, b), to_f64(kind, c))),
            F => wide(kind, F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value)
        ),
    })
}

/// The number with the other sign. Formats without a sign, or whose negative zero is NaN, keep such a number as it is.
pub fn neg(kind: FloatKind, bits: u128) -> u128 {
    let format = Format::of(kind);
    let one_zero = format.specials == Specials::NanNegativeZero && bits & !format.sign(true) == 0;
    if one_zero { bits } else { bits ^ format.sign(true) }
}

/// The number without its sign.
pub fn abs(kind: FloatKind, bits: u128) -> u128 {
    if is_nan(kind, bits) && neg(kind, bits) == bits { bits } else { bits & !Format::of(kind).sign(true) }
}

/// The order of two numbers, zeros of both signs being equal. `None` when either is NaN.
pub fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    by_width!(kind, to_f64(kind, a).partial_cmp(&to_f64(kind, b)), F => {
        F::from_bits(a).partial_cmp(&F::from_bits(b))
    })
}

/// The smaller number; negative zero is smaller than positive zero; NaN when either is NaN.
pub fn minimum(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| if ordered_less(kind, b, a) { b } else { a })
}

/// The greater number; positive zero is greater than negative zero; NaN when either is NaN.
pub fn maximum(kind: FloatKind, a: u128, b: u128) -> u128 {
    nan_operand(kind, &[a, b]).unwrap_or_else(|| if ordered_less(kind, a, b) { b } else { a })
}

/// As [`minimum`], but NaN only when both are: otherwise the operand that is a number.
pub fn minnum(kind: FloatKind, a: u128, b: u128) -> u128 {
    match (is_nan(kind, a), is_nan(kind, b)) {
        (true, false) => b,
        (false, true) => a,
        _ => minimum(kind, a, b),
    }
}

/// As [`maximum`], but NaN only when both are: otherwise the operand that is a number.
pub fn maxnum(kind: FloatKind, a: u128, b: u128) -> u128 {
    match (is_nan(kind, a), is_nan(kind, b)) {
        (true, false) => b,
        (false, true) => a,
        _ => maximum(kind, a, b),
    }
}

/// Whether `a` is less than `b`, or negative zero where `b` is positive zero.
fn ordered_less(kind: FloatKind, a: u128, b: u128) -> bool {
    match compare(kind, a, b) {
        Some(Ordering::Equal) => super::is_negative(kind, a) && !super::is_negative(kind, b),
        order => order == Some(Ordering::Less),
    }
}

/// The first NaN among the operands, made quiet.
fn nan_operand(kind: FloatKind, operands: &[u128]) -> Option<u128> {
    operands.iter().find_map(|&bits| match decode(kind, bits) {
        Value::Nan { negative, payload } => Some(encode_nan(kind, negative, payload).0),
        _ => None,
    })
}

/// Rounds a result that was computed in `f64`.
fn narrow(kind: FloatKind, result: f64) -> u128 {
    // Hosts disagree about the sign of a NaN that an operation makes.
    if result.is_nan() { encode_nan(kind, false, 0).0 } else { from_f64(kind, result).0 }
}

/// The encoding of a result that was computed in its own format.
fn wide<F: Float>(kind: FloatKind, result: F) -> u128 {
    if result.is_nan() { encode_nan(kind, false, 0).0 } else { result.to_bits() }
}

/// `a * b + c` in `f64` rounded to odd: an inexact result has its last bit set, so that rounding it again to fewer bits
/// gives the correctly rounded sum. `a` and `b` have at most 24 bits each, so that the product is exact.
fn mul_add_to_odd(a: f64, b: f64, c: f64) -> f64 {
    let product = a * b;
    let sum = product + c;
    if !sum.is_finite() {
        return sum;
    }
    // The rounding error of the sum (Knuth's TwoSum), exact because nothing here is near the limits of `f64`.
    let c_part = sum - product;
    let error = (product - (sum - c_part)) + (c - c_part);
    let bits = sum.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        sum
    } else if (error > 0.0) == (sum > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}
