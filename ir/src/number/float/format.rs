//! The layouts of the formats. The table in the documentation of [the parent module](super) is this one in words.

use crate::types::FloatKind;

/// What the format has beside finite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Specials {
    /// The highest exponent is for infinities (fraction 0) and NaN.
    Ieee,
    /// One NaN of each sign: all other bits set.
    NanAllOnes,
    /// One NaN, where negative zero would be.
    NanNegativeZero,
    /// Nothing.
    None,
}

/// The layout of one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Bits of the significand, the implied one included.
    pub(super) precision: u32,
    /// Bits of the exponent field.
    pub(super) exponent_bits: u32,
    /// The exponent field of numbers from one to two.
    pub(super) bias: i32,
    /// What there is beside finite numbers.
    pub(super) specials: Specials,
    /// Whether the top bit is a sign.
    pub(super) signed: bool,
    /// Whether the leading bit of the significand is stored.
    pub(super) stores_integer_bit: bool,
    /// Whether exponent field 0 means zero and subnormal numbers.
    pub(super) has_subnormals: bool,
}

impl Format {
    /// The layout of `kind`.
    pub(super) const fn of(kind: FloatKind) -> Self {
        use FloatKind as F;
        use Specials::{Ieee, NanAllOnes, NanNegativeZero, None};
        match kind {
            F::F4E2M1FN => Self::new(2, 1, 1, None),
            F::F6E2M3FN => Self::new(2, 3, 1, None),
            F::F6E3M2FN => Self::new(3, 2, 3, None),
            F::F8E5M2 => Self::new(5, 2, 15, Ieee),
            F::F8E4M3 => Self::new(4, 3, 7, Ieee),
            F::F8E4M3FN => Self::new(4, 3, 7, NanAllOnes),
            F::F8E5M2FNUZ => Self::new(5, 2, 16, NanNegativeZero),
            F::F8E4M3FNUZ => Self::new(4, 3, 8, NanNegativeZero),
            F::F8E4M3B11FNUZ => Self::new(4, 3, 11, NanNegativeZero),
            F::F8E3M4 => Self::new(3, 4, 3, Ieee),
            F::F8E8M0FNU => Self { signed: false, has_subnormals: false, ..Self::new(8, 0, 127, NanAllOnes) },
            F::BF16 => Self::new(8, 7, 127, Ieee),
            F::F16 => Self::new(5, 10, 15, Ieee),
            F::TF32 => Self::new(8, 10, 127, Ieee),
            F::F32 => Self::new(8, 23, 127, Ieee),
            F::F64 => Self::new(11, 52, 1023, Ieee),
            F::F80 => Self { stores_integer_bit: true, ..Self::new(15, 63, 16383, Ieee) },
            F::F128 => Self::new(15, 112, 16383, Ieee),
        }
    }

    const fn new(exponent_bits: u32, fraction_bits: u32, bias: i32, specials: Specials) -> Self {
        Self {
            precision: fraction_bits + 1,
            exponent_bits,
            bias,
            specials,
            signed: true,
            stores_integer_bit: false,
            has_subnormals: true,
        }
    }

    /// Bits of the significand that are stored.
    pub(super) const fn stored_bits(self) -> u32 {
        if self.stores_integer_bit { self.precision } else { self.precision - 1 }
    }

    /// The sign bit when `negative`, else nothing.
    pub(super) const fn sign(self, negative: bool) -> u128 {
        if negative && self.signed { 1 << (self.exponent_bits + self.stored_bits()) } else { 0 }
    }

    /// The exponent field with all bits set.
    pub(super) const fn highest_exponent(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    /// Positive infinity of a format that has one.
    pub(super) const fn infinity(self) -> u128 {
        let integer_bit = if self.stores_integer_bit { 1 << (self.precision - 1) } else { 0 };
        (self.highest_exponent() as u128) << self.stored_bits() | integer_bit
    }

    /// The largest finite number.
    pub(super) const fn largest(self) -> u128 {
        let all_ones = (1 << (self.exponent_bits + self.stored_bits())) - 1;
        match self.specials {
            Specials::Ieee => all_ones - (1 << self.stored_bits()),
            Specials::NanAllOnes => all_ones - 1,
            Specials::NanNegativeZero | Specials::None => all_ones,
        }
    }

    /// The exponent of the last bit of the smallest normal number, which is that of every subnormal one.
    pub(super) const fn smallest_unit(self) -> i32 {
        let lowest_field = if self.has_subnormals { 1 } else { 0 };
        lowest_field - self.bias - (self.precision as i32 - 1)
    }
}
