//! Arithmetic: wrapping, checked division, and the forms that report overflow.

use super::{ApInt, Repr, big_mask};

/// Wrapping arithmetic.
impl ApInt {
    /// The sum, modulo 2 to the power of the width.
    pub fn wrapping_add(&self, rhs: &Self) -> Self {
        self.zip(rhs, u64::wrapping_add, |a, b| a + b)
    }

    /// The difference, modulo 2 to the power of the width.
    pub fn wrapping_sub(&self, rhs: &Self) -> Self {
        let width = self.width();
        self.zip(rhs, u64::wrapping_sub, |a, b| a + (big_mask(width) - b) + 1u8)
    }

    /// The product, modulo 2 to the power of the width.
    pub fn wrapping_mul(&self, rhs: &Self) -> Self {
        self.zip(rhs, u64::wrapping_mul, |a, b| a * b)
    }

    /// The negation; the smallest signed number is its own.
    pub fn neg(&self) -> Self {
        match &self.0 {
            Repr::Small { width, value } => Self::small(*width, value.wrapping_neg()),
            Repr::Big { width, value } => Self::big(*width, big_mask(*width) - &**value + 1u8),
        }
    }

    /// The magnitude of the signed value; the smallest signed number is its own.
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
}

/// Division. `None` when the divisor is zero, and for signed quotients when the quotient does not fit.
impl ApInt {
    /// The quotient of the unsigned values, rounded towards zero; `None` for a divisor of zero.
    pub fn udiv(&self, rhs: &Self) -> Option<Self> {
        (!rhs.is_zero()).then(|| self.zip(rhs, |a, b| a / b, |a, b| a / b))
    }

    /// The remainder of the unsigned values; `None` for a divisor of zero.
    pub fn urem(&self, rhs: &Self) -> Option<Self> {
        (!rhs.is_zero()).then(|| self.zip(rhs, |a, b| a % b, |a, b| a % b))
    }

    /// Unsigned quotient rounded up.
    pub fn ceildiv_unsigned(&self, rhs: &Self) -> Option<Self> {
        (!rhs.is_zero()).then(|| self.zip(rhs, u64::div_ceil, |a, b| (a + b - 1u8) / b))
    }

    /// Signed quotient rounded toward zero.
    pub fn sdiv(&self, rhs: &Self) -> Option<Self> {
        self.signed_quotient(rhs, |_| false)
    }

    /// Signed quotient rounded down.
    pub fn floordiv_signed(&self, rhs: &Self) -> Option<Self> {
        self.signed_quotient(rhs, |negative| negative)
    }

    /// Signed quotient rounded up.
    pub fn ceildiv_signed(&self, rhs: &Self) -> Option<Self> {
        self.signed_quotient(rhs, |negative| !negative)
    }

    /// Signed remainder, with the sign of the dividend. The smallest signed number leaves 0 when divided by -1, although there is no
    /// [quotient](Self::sdiv): to run such a division is undefined.
    pub fn srem(&self, rhs: &Self) -> Option<Self> {
        let remainder = self.abs().urem(&rhs.abs())?;
        Some(if self.is_negative() { remainder.neg() } else { remainder })
    }

    /// Divides magnitudes; `rounds_away` tells from the sign of an inexact quotient whether it moves away from zero.
    fn signed_quotient(&self, rhs: &Self, rounds_away: impl FnOnce(bool) -> bool) -> Option<Self> {
        let (dividend, divisor) = (self.abs(), rhs.abs());
        let mut quotient = dividend.udiv(&divisor)?;
        let negative = self.is_negative() != rhs.is_negative();
        if !dividend.urem(&divisor)?.is_zero() && rounds_away(negative) {
            quotient = quotient.wrapping_add(&Self::one(self.width()));
        }
        if negative {
            return Some(quotient.neg());
        }
        (!quotient.is_negative()).then_some(quotient)
    }
}

/// The wrapped result, and whether the exact one did not fit.
impl ApInt {
    /// The sum of the unsigned values modulo 2^width, and whether that is another number than the sum.
    pub fn uadd_overflow(&self, rhs: &Self) -> (Self, bool) {
        let sum = self.wrapping_add(rhs);
        let overflow = sum.ult(self);
        (sum, overflow)
    }

    /// The sum of the signed values modulo 2^width, and whether that is another number than the sum.
    pub fn sadd_overflow(&self, rhs: &Self) -> (Self, bool) {
        let sum = self.wrapping_add(rhs);
        let overflow = self.is_negative() == rhs.is_negative() && sum.is_negative() != self.is_negative();
        (sum, overflow)
    }

    /// The difference of the unsigned values modulo 2^width, and whether that is another number than the difference.
    pub fn usub_overflow(&self, rhs: &Self) -> (Self, bool) {
        (self.wrapping_sub(rhs), self.ult(rhs))
    }

    /// The difference of the signed values modulo 2^width, and whether that is another number than the difference.
    pub fn ssub_overflow(&self, rhs: &Self) -> (Self, bool) {
        let difference = self.wrapping_sub(rhs);
        let overflow = self.is_negative() != rhs.is_negative() && difference.is_negative() != self.is_negative();
        (difference, overflow)
    }

    /// The product of the unsigned values modulo 2^width, and whether that is another number than the product.
    pub fn umul_overflow(&self, rhs: &Self) -> (Self, bool) {
        let product = self.wrapping_mul(rhs);
        let overflow = match (&self.0, &rhs.0) {
            (Repr::Small { value: a, .. }, Repr::Small { value: b, .. }) => {
                u128::from(*a) * u128::from(*b) != product.to_u128().unwrap_or_default()
            }
            _ => self.to_biguint() * rhs.to_biguint() != product.to_biguint(),
        };
        (product, overflow)
    }

    /// The product of the signed values modulo 2^width, and whether that is another number than the product.
    pub fn smul_overflow(&self, rhs: &Self) -> (Self, bool) {
        let product = self.wrapping_mul(rhs);
        let overflow = match (&self.0, &rhs.0) {
            (Repr::Small { .. }, Repr::Small { .. }) => {
                let exact = self.to_i64().zip(rhs.to_i64()).map(|(a, b)| i128::from(a) * i128::from(b));
                exact != product.to_i128()
            }
            _ => self.to_bigint_signed() * rhs.to_bigint_signed() != product.to_bigint_signed(),
        };
        (product, overflow)
    }
}
