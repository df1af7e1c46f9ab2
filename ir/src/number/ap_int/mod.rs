//! Two's-complement integers of any width.
//!
//! # Invariants
//! * The bits above the width are zero, and a width of at most 64 is always stored inline, so that equal numbers have equal
//!   representations and hash alike.
//! * Binary operations take operands of one width; mixing widths is a broken invariant of the caller and panics.
//!
//! A value is 16 bytes. Operations on at most 64 bits allocate nothing; wider ones go through [`BigUint`].

mod arith;
mod bits;
mod text;

#[cfg(test)]
mod tests;

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

pub use text::LiteralError;

/// An integer of [`width`](ApInt::width) bits. Whether the top bit is a sign is up to the operation that reads it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ApInt(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// At most 64 bits.
    Small { width: u32, value: u64 },
    /// More than 64 bits.
    Big { width: u32, value: Box<BigUint> },
}

const _: () = assert!(size_of::<ApInt>() == 16);

/// The low `width` bits set; `width` is at most 64.
const fn mask(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

/// The low `width` bits of `value`, at most 64 and at least one, read as two's complement.
const fn sign_extend(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

fn big_mask(width: u32) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

/// Making numbers.
impl ApInt {
    /// The widest integer type there is, in bits.
    pub const MAX_WIDTH: u32 = (1 << 24) - 1;

    /// The low `width` bits of `value`.
    pub fn from_u64(width: u32, value: u64) -> Self {
        if width <= 64 { Self::small(width, value) } else { Self::big(width, value.into()) }
    }

    /// `value` sign-extended or truncated to `width` bits.
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 { Self::small(width, value as u64) } else { Self::from_bigint(width, value.into()) }
    }

    /// The low `width` bits of `value`.
    pub fn from_u128(width: u32, value: u128) -> Self {
        if width <= 64 { Self::small(width, value as u64) } else { Self::big(width, value.into()) }
    }

    /// `value` sign-extended or truncated to `width` bits.
    pub fn from_i128(width: u32, value: i128) -> Self {
        if width <= 64 { Self::small(width, value as u64) } else { Self::from_bigint(width, value.into()) }
    }

    /// A one-bit number: 1 for `true`.
    pub fn from_bool(value: bool) -> Self {
        Self::small(1, value.into())
    }

    /// `value` modulo 2 to the power of `width`.
    pub fn from_biguint(width: u32, value: BigUint) -> Self {
        if width <= 64 {
            Self::small(width, value.iter_u64_digits().next().unwrap_or(0))
        } else {
            Self::big(width, value)
        }
    }

    /// `value` modulo 2 to the power of `width`.
    pub fn from_bigint(width: u32, value: BigInt) -> Self {
        let (sign, magnitude) = value.into_parts();
        let magnitude = Self::from_biguint(width, magnitude);
        if sign == Sign::Minus { magnitude.neg() } else { magnitude }
    }

    /// Zero of this width in bits.
    pub fn zero(width: u32) -> Self {
        Self::from_u64(width, 0)
    }

    /// One (zero, when the width is zero).
    pub fn one(width: u32) -> Self {
        Self::from_u64(width, 1)
    }

    /// Every bit set: the largest unsigned number, and -1.
    pub fn all_ones(width: u32) -> Self {
        Self::from_i64(width, -1)
    }

    /// The smallest signed number: the top bit alone.
    pub fn min_signed(width: u32) -> Self {
        if width <= 64 {
            Self::small(width, mask(width) ^ (mask(width) >> 1))
        } else {
            Self::big(width, BigUint::from(1u8) << (width - 1))
        }
    }

    /// The largest signed number: every bit but the top one.
    pub fn max_signed(width: u32) -> Self {
        Self::min_signed(width).not()
    }

    fn small(width: u32, value: u64) -> Self {
        Self(Repr::Small { width, value: value & mask(width) })
    }

    /// `value` reduced to `width` bits, which must be more than 64.
    fn big(width: u32, value: BigUint) -> Self {
        debug_assert!(width > 64);
        assert!(width <= Self::MAX_WIDTH, "an integer has at most 2^24 - 1 bits");
        let value = if value.bits() > u64::from(width) { value & big_mask(width) } else { value };
        Self(Repr::Big { width, value: Box::new(value) })
    }
}

/// Reading numbers.
impl ApInt {
    /// Number of bits.
    #[inline]
    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Small { width, .. } | Repr::Big { width, .. } => width,
        }
    }

    /// The signed value, if 64 bits hold it.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { width: 0, .. } => Some(0),
            Repr::Small { width, value } => Some(sign_extend(*value, *width)),
            Repr::Big { .. } => self.to_bigint_signed().try_into().ok(),
        }
    }

    /// The unsigned value, if 64 bits hold it.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small { value, .. } => Some(*value),
            Repr::Big { value, .. } => (&**value).try_into().ok(),
        }
    }

    /// The signed value, if 128 bits hold it.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small { .. } => self.to_i64().map(i128::from),
            Repr::Big { .. } => self.to_bigint_signed().try_into().ok(),
        }
    }

    /// The unsigned value, if 128 bits hold it.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Small { value, .. } => Some((*value).into()),
            Repr::Big { value, .. } => (&**value).try_into().ok(),
        }
    }

    /// The bits read as an unsigned number.
    pub fn to_biguint(&self) -> BigUint {
        match &self.0 {
            Repr::Small { value, .. } => (*value).into(),
            Repr::Big { value, .. } => (**value).clone(),
        }
    }

    /// The bits read as a signed number in two's complement.
    pub fn to_bigint_signed(&self) -> BigInt {
        let unsigned = BigInt::from(self.to_biguint());
        if self.is_negative() { unsigned - (BigInt::from(1) << self.width()) } else { unsigned }
    }

    /// Whether every bit is clear.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.is_u64(0)
    }

    /// Whether the value is 1. A one-bit 1 is also -1.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.is_u64(1)
    }

    /// Whether every bit is set: -1, or the largest unsigned number. True of the number without bits.
    pub fn is_all_ones(&self) -> bool {
        match &self.0 {
            Repr::Small { width, value } => *value == mask(*width),
            Repr::Big { width, value } => value.trailing_ones() == u64::from(*width),
        }
    }

    /// Whether the top bit is set.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.width() != 0 && self.bit(self.width() - 1)
    }

    /// Whether this is the smallest signed number of its width.
    pub fn is_min_signed(&self) -> bool {
        *self == Self::min_signed(self.width())
    }

    /// Whether this is the largest signed number of its width.
    pub fn is_max_signed(&self) -> bool {
        *self == Self::max_signed(self.width())
    }

    /// Bit `index`, counted from the least significant; `false` past the width.
    #[inline]
    pub fn bit(&self, index: u32) -> bool {
        match &self.0 {
            Repr::Small { value, .. } => index < 64 && (*value >> index) & 1 == 1,
            Repr::Big { value, .. } => value.bit(index.into()),
        }
    }

    #[inline]
    fn is_u64(&self, expected: u64) -> bool {
        match &self.0 {
            Repr::Small { value, .. } => *value == expected,
            Repr::Big { value, .. } => **value == expected.into(),
        }
    }
}

/// Bytes.
impl ApInt {
    /// Bytes that a number of `width` bits takes.
    pub const fn byte_len(width: u32) -> usize {
        (width as usize).div_ceil(8)
    }

    /// Appends the number in [`byte_len`](Self::byte_len) bytes, least significant first. Unused bits are zero.
    pub fn write_le_bytes(&self, out: &mut Vec<u8>) {
        let end = out.len() + Self::byte_len(self.width());
        match &self.0 {
            Repr::Small { width, value } => {
                out.extend_from_slice(&value.to_le_bytes()[..Self::byte_len(*width)]);
            }
            Repr::Big { value, .. } => out.extend(value.to_bytes_le()),
        }
        out.resize(end, 0);
    }

    /// The number whose low bytes, least significant first, are `bytes`. Bits past the width are dropped, missing bytes are zero.
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> Self {
        if width > 64 {
            return Self::big(width, BigUint::from_bytes_le(&bytes[..bytes.len().min(Self::byte_len(width))]));
        }
        let mut word = [0; 8];
        let len = bytes.len().min(8);
        word[..len].copy_from_slice(&bytes[..len]);
        Self::small(width, u64::from_le_bytes(word))
    }
}

impl fmt::Debug for ApInt {
    /// As in `-1 : i8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_signed(&mut text);
        write!(f, "{text} : i{}", self.width())
    }
}
