//! The leading decimal digits of a binary number, chosen as upstream's printer chooses them.
//!
//! Upstream writes the number as an exact integer S times a power of ten, where S is as small as halving and doubling
//! permit. To keep n digits it first divides S by a power of ten that it estimates from the bit length of S, dropping the
//! remainder, and then rounds half up. The estimate sometimes leaves no digit to round by, so that the result is cut off
//! instead: `0.7 : f32` shows as `0.699999988`, not as `7.000000e-01`. To print the same text the same choice must be
//! made, which takes the exact bit length and the exact digit count of S.

use num_bigint::BigUint;

use super::pow5::{Power, is_exact, pow5};

/// A decimal number: `digits` · 10^`exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    pub(super) digits: u128,
    pub(super) exponent: i32,
}

/// Bits that hold any number of `count` digits, by upstream's approximation of log2(10).
const fn bits_for_digits(count: u32) -> u32 {
    (count * 196).div_ceil(59)
}

/// How many digits upstream cuts off an integer of `bits` bits before it rounds to `count` digits.
const fn digits_cut(bits: u32, count: u32) -> u32 {
    bits.saturating_sub(bits_for_digits(count)) * 59 / 196
}

/// The leading `count` digits (at most 36) of `significand` · 2^`exponent`, which is not zero. Any format, but slow: works
/// on the whole integer.
pub(super) fn leading_digits_exact(significand: u128, exponent: i32, count: u32) -> Decimal {
    let zeros = significand.trailing_zeros();
    let (odd, exponent) = (BigUint::from(significand >> zeros), exponent + zeros as i32);
    let (mut digits, mut exponent) = if exponent >= 0 {
        (odd << exponent, 0)
    } else {
        (odd * BigUint::from(5u8).pow(exponent.unsigned_abs()), exponent)
    };
    let cut = digits_cut(digits.bits() as u32, count);
    if cut > 0 {
        digits /= BigUint::from(10u8).pow(cut);
        exponent += cut as i32;
    }
    // What is left has at most two digits more than asked for, so that it fits.
    let digits = u128::try_from(&digits).expect("at most 38 digits are left");
    round_half_up(Decimal { digits, exponent }, count)
}

fn round_half_up(number: Decimal, count: u32) -> Decimal {
    let excess = (number.digits.checked_ilog10().unwrap_or(0) + 1).saturating_sub(count);
    if excess == 0 {
        return number;
    }
    let unit = 10u128.pow(excess);
    Decimal { digits: (number.digits + unit / 2) / unit, exponent: number.exponent + excess as i32 }
}

/// The first 18 or 19 digits of a number of at most 64 significant bits, with what is needed to shorten them as
/// [`leading_digits_exact`] does.
pub(super) struct Leading {
    /// The digits, from 10^17 to just below 10^19; the number is at least `digits` · 10^`exponent`.
    pub(super) digits: u64,
    exponent: i32,
    /// Whether nothing follows the digits.
    pub(super) exact: bool,
    /// Length of the integer S in decimal digits and in bits.
    integer_digits: u32,
    integer_bits: u32,
}

impl Leading {
    /// Of `significand` · 2^`exponent`, in the range of `f64` and not zero. `None` when the approximated power of ten is
    /// not precise enough to tell a digit, which has to be looked for: about one number in 2^50, and large round ones.
    pub(super) fn new(significand: u64, exponent: i32) -> Option<Self> {
        let zeros = significand.trailing_zeros();
        let (odd, exponent) = (significand >> zeros, exponent + zeros as i32);
        let magnitude = exponent + odd.ilog2() as i32;
        // floor(magnitude * log10(2)): the number of digits before the point, less one, or one less than that.
        let scale = 17 - ((magnitude * 78913) >> 18);

        let normalized = odd << odd.leading_zeros();
        let power = pow5(scale);
        let (high, low) = product(normalized, power);
        // Where the point is in `high`: between bit 63 and bit 71.
        let point = -(exponent + scale - odd.leading_zeros() as i32 + power.exponent) as u32 - 64;
        let digits = (high >> point) as u64;
        let fraction = ((high << (128 - point)) >> 64) as u64;
        if !is_exact(scale) && fraction.wrapping_add(1 << 10) < 1 << 11 {
            return None;
        }
        let exact = is_exact(scale) && high.trailing_zeros() >= point && low == 0;

        let after_point = (-exponent).max(0);
        let length = digits.ilog10() as i32 + 1;
        let integer_bits = if exponent >= 0 { magnitude as u32 + 1 } else { bit_length(odd, after_point)? };
        Some(Self {
            digits,
            exponent: -scale,
            exact,
            integer_digits: (length - scale + after_point) as u32,
            integer_bits,
        })
    }

    /// The leading `count` digits, at most 17.
    pub(super) fn shorten(&self, count: u32) -> Decimal {
        let excess = self.digits.ilog10() + 1 - count;
        let unit = 10u64.pow(excess);
        let left = self.integer_digits - digits_cut(self.integer_bits, count);
        let carry = u64::from(left > count && self.digits / (unit / 10) % 10 >= 5);
        Decimal { digits: (self.digits / unit + carry).into(), exponent: self.exponent + excess as i32 }
    }

    /// `other` less these digits, in units of the last digit.
    pub(super) fn difference(&self, other: Decimal) -> Option<i128> {
        let power = 10i64.checked_pow(u32::try_from(other.exponent - self.exponent).ok()?)?;
        Some(other.digits as i128 * i128::from(power) - i128::from(self.digits))
    }
}

/// Bits of the integer `odd` · 5^`power`, unless the approximation is too close to a power of two.
fn bit_length(odd: u64, power: i32) -> Option<u32> {
    let zeros = odd.leading_zeros();
    let power = pow5(power);
    let (high, _) = product(odd << zeros, power);
    let top = high >> 127;
    if top == 0 && high >> 16 == u128::MAX >> 17 {
        return None;
    }
    Some((192 + power.exponent - zeros as i32) as u32 - u32::from(top == 0))
}

/// The 192 bits of `value` times the mantissa of `power`.
fn product(value: u64, power: Power) -> (u128, u64) {
    let (value, mantissa) = (u128::from(value), power.mantissa);
    let low = value * (mantissa & u128::from(u64::MAX));
    let high = value * (mantissa >> 64) + (low >> 64);
    (high, low as u64)
}
