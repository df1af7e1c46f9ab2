//! The text of floating-point numbers.

mod digits;
mod pow5;
mod short;

#[cfg(test)]
mod tests;

use num_bigint::BigUint;

use self::digits::{Decimal, Leading, leading_digits_exact};
use super::codec::{Value, decode, encode_finite};
use super::format::Format;
use super::{convert, from_f64};
use crate::types::FloatKind;

/// The number of the format for a decimal literal as `1.5e+3`, or for what is as far on the other side of zero. `None` when `text` is not one.
///
/// The literal is read as an `f64` first and then rounded to the format, because upstream does so: a literal of `f80` or
/// `f128` has no more than the precision of `f64`.
pub fn parse_decimal(kind: FloatKind, text: &[u8], negative: bool) -> Option<u128> {
    // Keeps out signs, and the words for infinity and NaN that the standard library reads.
    if !matches!(text.first(), Some(b'0'..=b'9' | b'.')) {
        return None;
    }
    let value = match short::parse(text) {
        Some(value) => value,
        None => std::str::from_utf8(text).ok()?.parse().ok()?,
    };
    Some(from_f64(kind, if negative { -value } else { value }).0)
}

/// The encoding that a hexadecimal literal as `0x7FC0` gives. `None` when it is not one, or has more bits than the format.
pub fn parse_hex(kind: FloatKind, text: &str) -> Option<u128> {
    let digits = text.strip_prefix("0x")?.trim_start_matches('0');
    if digits.starts_with('+') {
        return None;
    }
    let bits = if digits.is_empty() && text.len() > 2 { 0 } else { u128::from_str_radix(digits, 16).ok()? };
    (128 - bits.leading_zeros() <= kind.width()).then_some(bits)
}

/// Appends a number as the text form spells it: with six digits in scientific form (`1.500000e+00`) when they give the
/// number back, else in enough digits for its format (`0.699999988`, `1.17549435E-38`), and in hexadecimal (`0x7F800000`)
/// what has no such form with a point in it.
///
/// This is what upstream prints, save for an `f80` or `f128` that is not an `f64`: it comes in hexadecimal, because
/// neither parser reads its digits back.
///
/// No allocation beyond `out` for formats up to `f64`, but for round numbers from 10^18 on and about one number in 2^50.
pub fn print(kind: FloatKind, bits: u128, out: &mut String) {
    let Value::Finite { negative, significand, exponent } = decode(kind, bits) else {
        return write_hex(kind, bits, out);
    };
    let reads_back = kind.width() <= 64 || !convert(kind, bits, FloatKind::F64).1;
    let start = out.len();
    if negative {
        out.push('-');
    }
    if significand == 0 {
        out.push_str("0.000000e+00");
    } else if !reads_back || !write_finite(kind, significand, exponent, out) {
        out.truncate(start);
        write_hex(kind, bits, out);
    }
}

/// Digits of the first form that is tried.
const SHORT: u32 = 6;

/// Zeros that the other form may have before or after its digits.
const PADDING: i32 = 3;

/// As many zeros as any form needs in a row.
const ZEROS: &str = "0000000";

/// Writes a positive number, unless it has no decimal form with a point.
fn write_finite(kind: FloatKind, significand: u128, exponent: i32, out: &mut String) -> bool {
    let format = Format::of(kind);
    let full = 2 + format.precision * 59 / 196;
    let leading = if kind.width() <= 64 { Leading::new(significand as u64, exponent) } else { None };
    let shorten = |count| match &leading {
        Some(leading) => leading.shorten(count),
        None => leading_digits_exact(significand, exponent, count),
    };

    let short = shorten(SHORT);
    // Six digits always give the number back when the format needs fewer.
    let faithful = full < SHORT
        || match leading.as_ref().and_then(|leading| is_nearest(leading, short, significand, exponent, format)) {
            Some(faithful) => faithful,
            None => nearest(kind, short) == encode_finite(kind, false, significand, exponent, false).0,
        };
    if faithful {
        write_scientific(short, SHORT, 'e', out);
        return true;
    }
    write_full(shorten(full), full, out)
}

/// Whether `short` lies closer to the number than to its neighbours, when that is clear from the leading digits.
fn is_nearest(leading: &Leading, short: Decimal, significand: u128, exponent: i32, format: Format) -> Option<bool> {
    let difference = leading.difference(short)?;
    if difference == 0 && leading.exact {
        return Some(true);
    }
    // Half of the way to a neighbour is number / (2 significand); the one below a power of two is closer.
    let close_below = significand == 1 << (format.precision - 1) && exponent > format.smallest_unit();
    let parts = significand * if difference < 0 && close_below { 4 } else { 2 };
    // The digits are up to one unit below the number.
    let (number, distance) = (u128::from(leading.digits), difference.unsigned_abs());
    if parts * (distance + 1) < number {
        Some(true)
    } else if parts * distance.saturating_sub(1) > number + 1 {
        Some(false)
    } else {
        None
    }
}

/// The encoding nearest to a decimal number, whatever the format.
fn nearest(kind: FloatKind, decimal: Decimal) -> u128 {
    let digits = BigUint::from(decimal.digits);
    let power = BigUint::from(10u8).pow(decimal.exponent.unsigned_abs());
    let (numerator, denominator) =
        if decimal.exponent >= 0 { (digits * power, BigUint::from(1u8)) } else { (digits, power) };
    // Scaled so that the quotient has 127 or 128 bits: more than any format, and the remainder tells the rest.
    let exponent = numerator.bits() as i32 - denominator.bits() as i32 - 127;
    let (numerator, denominator) = if exponent >= 0 {
        (numerator, denominator << exponent)
    } else {
        (numerator << exponent.unsigned_abs(), denominator)
    };
    let quotient = u128::try_from(&numerator / &denominator).expect("the scale leaves at most 128 bits");
    let sticky = numerator % denominator != BigUint::ZERO;
    encode_finite(kind, false, quotient, exponent, sticky).0
}

/// As `1.500000e+00`: `count` decimals, of which the last is there for show, and an exponent of two digits at least.
fn write_scientific(number: Decimal, count: u32, letter: char, out: &mut String) {
    let mut buffer = itoa::Buffer::new();
    let digits = format_digits(&mut buffer, number);
    let exponent = number.exponent + digits.len() as i32 - 1;
    let digits = digits.trim_end_matches('0');
    out.push_str(&digits[..1]);
    out.push('.');
    out.push_str(&digits[1..]);
    out.push_str(&ZEROS[..(count as usize + 1).saturating_sub(digits.len())]);
    out.push(letter);
    out.push(if exponent < 0 { '-' } else { '+' });
    if letter == 'e' && exponent.abs() < 10 {
        out.push('0');
    }
    out.push_str(itoa::Buffer::new().format(exponent.unsigned_abs()));
}

fn format_digits(buffer: &mut itoa::Buffer, number: Decimal) -> &str {
    match u64::try_from(number.digits) {
        Ok(digits) => buffer.format(digits),
        Err(_) => buffer.format(number.digits),
    }
}

/// As `0.00125`, `123456.703` or `1.25E-7`, in at most `count` digits. `false` when it would have no point.
fn write_full(number: Decimal, count: u32, out: &mut String) -> bool {
    let mut buffer = itoa::Buffer::new();
    let all = format_digits(&mut buffer, number);
    let digits = all.trim_end_matches('0');
    let length = digits.len() as i32;
    let exponent = number.exponent + (all.len() - digits.len()) as i32;
    let leading_exponent = exponent + length - 1;
    if (0..=PADDING).contains(&exponent) && length + exponent <= count as i32 {
        return false;
    }
    if exponent >= 0 || leading_exponent < -PADDING {
        write_scientific(number, 1, 'E', out);
    } else if leading_exponent >= 0 {
        let (whole, fraction) = digits.split_at(leading_exponent as usize + 1);
        out.push_str(whole);
        out.push('.');
        out.push_str(fraction);
    } else {
        out.push_str("0.");
        out.push_str(&ZEROS[..(-leading_exponent - 1) as usize]);
        out.push_str(digits);
    }
    true
}

/// The encoding in hexadecimal without leading zeros. A NaN of `f80` with a clear integer bit shows as the NaN it is.
fn write_hex(kind: FloatKind, bits: u128, out: &mut String) {
    use std::fmt::Write as _;
    let format = Format::of(kind);
    let nan_exponent = format.infinity() & !(1 << (format.precision - 1));
    let bits = match decode(kind, bits) {
        Value::Nan { .. } if format.stores_integer_bit => bits | nan_exponent,
        _ => bits,
    };
    write!(out, "0x{bits:X}").expect("writing into a string cannot fail");
}
