//! Conversions between formats, and from and to integers.

use super::codec::{Value, decode, encode, encode_finite};
use crate::number::ApInt;
use crate::types::FloatKind;

/// The number of format `to` nearest to `bits` of format `from`, and whether it differs. A NaN stays one, made quiet, and
/// keeps what fits of its payload.
pub fn convert(from: FloatKind, bits: u128, to: FloatKind) -> (u128, bool) {
    if from == to { (bits, false) } else { encode(to, decode(from, bits)) }
}

/// The number of the format nearest to `value`, and whether it differs.
#[inline]
pub fn from_f64(kind: FloatKind, value: f64) -> (u128, bool) {
    match kind {
        FloatKind::F64 => (value.to_bits().into(), false),
        FloatKind::F32 if !value.is_nan() => {
            let rounded = value as f32;
            (rounded.to_bits().into(), f64::from(rounded).to_bits() != value.to_bits())
        }
        _ => convert(FloatKind::F64, value.to_bits().into(), kind),
    }
}

/// The number of the format nearest to what a function gave. A NaN that a function makes has neither sign nor payload.
pub fn nearest(kind: FloatKind, value: f64) -> u128 {
    let nan = if value.is_nan() { super::nan(kind) } else { None };
    nan.unwrap_or_else(|| from_f64(kind, value).0)
}

/// The value as `f64`, rounded when the format is `f80` or `f128`, else exact.
#[inline]
pub fn to_f64(kind: FloatKind, bits: u128) -> f64 {
    match kind {
        FloatKind::F64 => f64::from_bits(bits as u64),
        FloatKind::F32 if f32::from_bits(bits as u32).is_finite() => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(convert(kind, bits, FloatKind::F64).0 as u64),
    }
}

/// The number of the format nearest to an integer, read as signed or unsigned.
#[expect(clippy::missing_panics_doc, reason = "what is left has 128 bits")]
pub fn from_int(kind: FloatKind, value: &ApInt, signed: bool) -> u128 {
    let negative = signed && value.is_negative();
    let magnitude = if negative { value.neg() } else { value.clone() };
    let bits = magnitude.width() - magnitude.leading_zeros();
    // More than two bits beyond the widest precision, the rest as a sticky bit.
    let dropped = bits.saturating_sub(128);
    let top = if dropped == 0 { Some(magnitude.clone()) } else { magnitude.lshr(dropped.into()) };
    let significand = top.and_then(|top| top.to_u128()).expect("128 bits remain");
    let sticky = dropped != 0 && magnitude.trailing_zeros() < dropped;
    encode_finite(kind, negative, significand, dropped as i32, sticky).0
}

/// The value as an integer of `width` bits, rounded toward zero. `None` when it is not finite or does not fit the signed or
/// unsigned range.
pub fn to_int(kind: FloatKind, bits: u128, width: u32, signed: bool) -> Option<ApInt> {
    let Value::Finite { negative, significand, exponent } = decode(kind, bits) else {
        return None;
    };
    let significant = 128 - significand.leading_zeros() as i32;
    if significand == 0 || significant + exponent <= 0 {
        return Some(ApInt::zero(width));
    }
    if significant + exponent > width as i32 || (negative && !signed) {
        return None;
    }
    let magnitude = if exponent <= 0 {
        ApInt::from_u128(width, significand >> -exponent)
    } else {
        ApInt::from_u128(width, significand).shl(exponent as u64)?
    };
    let value = if negative { magnitude.neg() } else { magnitude };
    (!signed || value.is_negative() == negative).then_some(value)
}
