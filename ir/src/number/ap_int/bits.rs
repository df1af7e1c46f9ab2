//! Bitwise operations, shifts, width changes and comparisons.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::{ApInt, Repr, big_mask, mask};

/// Bitwise operations.
impl ApInt {
    /// Bits set in both.
    pub fn and(&self, rhs: &Self) -> Self {
        self.zip(rhs, |a, b| a & b, |a, b| a & b)
    }

    /// Bits set in either.
    pub fn or(&self, rhs: &Self) -> Self {
        self.zip(rhs, |a, b| a | b, |a, b| a | b)
    }

    /// Bits set in one of the two.
    pub fn xor(&self, rhs: &Self) -> Self {
        self.zip(rhs, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// The integer of the same width with every bit flipped.
    pub fn not(&self) -> Self {
        match &self.0 {
            Repr::Small { width, value } => Self::small(*width, !value),
            Repr::Big { width, value } => Self::big(*width, big_mask(*width) ^ &**value),
        }
    }

    /// Shifted to the left, zeros coming in. `None` when `amount` is not less than the width.
    pub fn shl(&self, amount: u64) -> Option<Self> {
        (amount < self.width().into()).then(|| match &self.0 {
            Repr::Small { width, value } => Self::small(*width, value << amount),
            Repr::Big { width, value } => Self::big(*width, &**value << amount),
        })
    }

    /// Shifted to the right, zeros coming in. `None` when `amount` is not less than the width.
    pub fn lshr(&self, amount: u64) -> Option<Self> {
        (amount < self.width().into()).then(|| match &self.0 {
            Repr::Small { width, value } => Self::small(*width, value >> amount),
            Repr::Big { width, value } => Self::big(*width, &**value >> amount),
        })
    }

    /// Shifted to the right, copies of the top bit coming in. `None` when `amount` is not less than the width.
    pub fn ashr(&self, amount: u64) -> Option<Self> {
        if self.is_negative() {
            return Some(self.not().lshr(amount)?.not());
        }
        self.lshr(amount)
    }

    /// Zero bits above the highest set one.
    pub fn leading_zeros(&self) -> u32 {
        match &self.0 {
            Repr::Small { width, value } => width - (64 - value.leading_zeros()),
            Repr::Big { width, value } => width - value.bits() as u32,
        }
    }

    /// Zero bits below the lowest set one; the width, for zero.
    pub fn trailing_zeros(&self) -> u32 {
        match &self.0 {
            Repr::Small { width, value } => value.trailing_zeros().min(*width),
            Repr::Big { width, value } => value.trailing_zeros().map_or(*width, |zeros| zeros as u32),
        }
    }

    /// Number of set bits.
    pub fn count_ones(&self) -> u32 {
        match &self.0 {
            Repr::Small { value, .. } => value.count_ones(),
            Repr::Big { value, .. } => value.count_ones() as u32,
        }
    }

    /// Applies an operation to two numbers of one width; the result is reduced to that width.
    pub(super) fn zip(
        &self,
        rhs: &Self,
        small: impl FnOnce(u64, u64) -> u64,
        big: impl FnOnce(&BigUint, &BigUint) -> BigUint,
    ) -> Self {
        match (&self.0, &rhs.0) {
            (Repr::Small { width, value: a }, Repr::Small { width: other, value: b }) if width == other => {
                Self::small(*width, small(*a, *b))
            }
            (Repr::Big { width, value: a }, Repr::Big { width: other, value: b }) if width == other => {
                Self::big(*width, big(a, b))
            }
            _ => panic!("operands have {} and {} bits", self.width(), rhs.width()),
        }
    }
}

/// Changing the width.
impl ApInt {
    /// The low `width` bits, or the number extended with zeros.
    pub fn zext_or_trunc(&self, width: u32) -> Self {
        match &self.0 {
            Repr::Small { value, .. } => Self::from_u64(width, *value),
            Repr::Big { value, .. } if width > 64 => Self::big(width, (**value).clone()),
            Repr::Big { value, .. } => Self::small(width, value.iter_u64_digits().next().unwrap_or(0)),
        }
    }

    /// The low `width` bits, or the number extended with copies of its top bit.
    pub fn sext_or_trunc(&self, width: u32) -> Self {
        if width <= self.width() || !self.is_negative() {
            return self.zext_or_trunc(width);
        }
        if width <= 64 {
            let extension = mask(width) ^ mask(self.width());
            return Self::small(width, self.to_u64().unwrap_or(0) | extension);
        }
        let extension = big_mask(width) ^ big_mask(self.width());
        Self::big(width, self.to_biguint() | extension)
    }
}

/// Comparisons and choices between two numbers of one width.
impl ApInt {
    /// Order of the unsigned values.
    ///
    /// # Panics
    /// When the widths differ.
    pub fn ucmp(&self, rhs: &Self) -> Ordering {
        match (&self.0, &rhs.0) {
            (Repr::Small { width, value: a }, Repr::Small { width: other, value: b }) if width == other => a.cmp(b),
            (Repr::Big { width, value: a }, Repr::Big { width: other, value: b }) if width == other => a.cmp(b),
            _ => panic!("operands have {} and {} bits", self.width(), rhs.width()),
        }
    }

    /// Order of the signed values.
    pub fn scmp(&self, rhs: &Self) -> Ordering {
        // A set top bit makes a number smaller; below it both orders agree.
        rhs.is_negative().cmp(&self.is_negative()).then_with(|| self.ucmp(rhs))
    }

    /// Whether the signed value is less than that of `rhs`.
    pub fn slt(&self, rhs: &Self) -> bool {
        self.scmp(rhs).is_lt()
    }

    /// Signed less than or equal.
    pub fn sle(&self, rhs: &Self) -> bool {
        self.scmp(rhs).is_le()
    }

    /// Whether the signed value is greater than that of `rhs`.
    pub fn sgt(&self, rhs: &Self) -> bool {
        self.scmp(rhs).is_gt()
    }

    /// Signed greater than or equal.
    pub fn sge(&self, rhs: &Self) -> bool {
        self.scmp(rhs).is_ge()
    }

    /// Whether the unsigned value is less than that of `rhs`.
    pub fn ult(&self, rhs: &Self) -> bool {
        self.ucmp(rhs).is_lt()
    }

    /// Unsigned less than or equal.
    pub fn ule(&self, rhs: &Self) -> bool {
        self.ucmp(rhs).is_le()
    }

    /// Whether the unsigned value is greater than that of `rhs`.
    pub fn ugt(&self, rhs: &Self) -> bool {
        self.ucmp(rhs).is_gt()
    }

    /// Unsigned greater than or equal.
    pub fn uge(&self, rhs: &Self) -> bool {
        self.ucmp(rhs).is_ge()
    }

    /// The smaller signed value.
    pub fn smin(&self, rhs: &Self) -> Self {
        if self.sle(rhs) { self.clone() } else { rhs.clone() }
    }

    /// The greater signed value.
    pub fn smax(&self, rhs: &Self) -> Self {
        if self.sge(rhs) { self.clone() } else { rhs.clone() }
    }

    /// The smaller unsigned value.
    pub fn umin(&self, rhs: &Self) -> Self {
        if self.ule(rhs) { self.clone() } else { rhs.clone() }
    }

    /// The greater unsigned value.
    pub fn umax(&self, rhs: &Self) -> Self {
        if self.uge(rhs) { self.clone() } else { rhs.clone() }
    }
}
