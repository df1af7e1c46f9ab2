//! Ranges of integers: what is known of a value that is one, and what operations make of it.
//!
//! A range bounds the unsigned reading of a number and the signed one, each by itself: `[-1, 1]` is nearly everything when read
//! unsigned. All functions are exact or too wide, never too narrow, for operands that make the operation defined.

mod arith;
mod bits;
mod compare;
mod width;

#[cfg(test)]
mod tests;

use crate::number::ApInt;
use crate::types::TypeRef;

pub use arith::{Overflow, add, ceildiv_signed, ceildiv_unsigned, div_signed, div_unsigned, floordiv_signed, mul, sub};
pub use arith::{max_signed, max_unsigned, min_signed, min_unsigned, rem_signed, rem_unsigned};
pub use bits::{and, or, shl, shr_signed, shr_unsigned, xor};
pub use compare::{Relation, holds};
pub use width::{Reading, cast_to_index, extend_signed, extend_unsigned, narrow_index, of_index, truncate, with_width};

/// The bits that an index has in ranges.
pub const INDEX_WIDTH: u32 = 64;

/// Bounds of an integer, all included. The four have one width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntRange {
    umin: ApInt,
    umax: ApInt,
    smin: ApInt,
    smax: ApInt,
}

impl IntRange {
    /// With these bounds, which the caller vouches for.
    ///
    /// # Panics
    /// When the widths differ.
    pub fn new(umin: ApInt, umax: ApInt, smin: ApInt, smax: ApInt) -> Self {
        let width = umin.width();
        assert!([&umax, &smin, &smax].iter().all(|bound| bound.width() == width), "bounds of one width");
        Self { umin, umax, smin, smax }
    }

    /// One number.
    pub fn constant(value: ApInt) -> Self {
        Self { umin: value.clone(), umax: value.clone(), smin: value.clone(), smax: value }
    }

    /// All numbers of `width` bits.
    pub fn all(width: u32) -> Self {
        Self {
            umin: ApInt::zero(width),
            umax: ApInt::all_ones(width),
            smin: ApInt::min_signed(width),
            smax: ApInt::max_signed(width),
        }
    }

    /// From `min` to `max`, read unsigned. What that says of the signed reading follows.
    pub fn unsigned(umin: ApInt, umax: ApInt) -> Self {
        let width = umin.width();
        let (smin, smax) = if umin.is_negative() == umax.is_negative() {
            (umin.smin(&umax), umin.smax(&umax))
        } else {
            (ApInt::min_signed(width), ApInt::max_signed(width))
        };
        Self { umin, umax, smin, smax }
    }

    /// From `min` to `max`, read signed. What that says of the unsigned reading follows.
    pub fn signed(smin: ApInt, smax: ApInt) -> Self {
        let width = smin.width();
        let (umin, umax) = if smin.is_negative() == smax.is_negative() {
            (smin.umin(&smax), smin.umax(&smax))
        } else {
            (ApInt::zero(width), ApInt::all_ones(width))
        };
        Self { umin, umax, smin, smax }
    }

    /// The bits that a number of type `ty` has, or one element of it; `None` for what is no integer.
    pub fn width_of(ty: TypeRef<'_>) -> Option<u32> {
        let element = ty.element_or_self();
        if element.is_index() { Some(INDEX_WIDTH) } else { element.int_width() }
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.umin.width()
    }

    /// The smallest, read unsigned.
    pub fn umin(&self) -> &ApInt {
        &self.umin
    }

    /// The largest, read unsigned.
    pub fn umax(&self) -> &ApInt {
        &self.umax
    }

    /// The smallest, read signed.
    pub fn smin(&self) -> &ApInt {
        &self.smin
    }

    /// The largest, read signed.
    pub fn smax(&self) -> &ApInt {
        &self.smax
    }

    /// The only number in the range.
    pub fn single(&self) -> Option<&ApInt> {
        if self.umin == self.umax {
            Some(&self.umin)
        } else if self.smin == self.smax {
            Some(&self.smin)
        } else {
            None
        }
    }

    /// The smallest range with all of both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            umin: self.umin.umin(&other.umin),
            umax: self.umax.umax(&other.umax),
            smin: self.smin.smin(&other.smin),
            smax: self.smax.smax(&other.smax),
        }
    }

    /// What is in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self {
            umin: self.umin.umax(&other.umin),
            umax: self.umax.umin(&other.umax),
            smin: self.smin.smax(&other.smin),
            smax: self.smax.smin(&other.smax),
        }
    }

    fn of(min: ApInt, max: ApInt, is_signed: bool) -> Self {
        if is_signed { Self::signed(min, max) } else { Self::unsigned(min, max) }
    }

    /// Whether `value` is in the range.
    pub fn contains(&self, value: &ApInt) -> bool {
        self.umin.ule(value) && value.ule(&self.umax) && self.smin.sle(value) && value.sle(&self.smax)
    }
}

/// The smallest range with what `f` makes of the ends of two ranges; everything where it gives none for some of them. Right where `f` is
/// monotonic in each operand.
fn of_corners(
    lhs: [&ApInt; 2],
    rhs: [&ApInt; 2],
    is_signed: bool,
    f: impl Fn(&ApInt, &ApInt) -> Option<ApInt>,
) -> IntRange {
    let mut bounds: Option<(ApInt, ApInt)> = None;
    for a in lhs {
        for b in rhs {
            let Some(value) = f(a, b) else { return IntRange::all(a.width()) };
            bounds = Some(match bounds {
                None => (value.clone(), value),
                Some((min, max)) if is_signed => (min.smin(&value), max.smax(&value)),
                Some((min, max)) => (min.umin(&value), max.umax(&value)),
            });
        }
    }
    let (min, max) = bounds.expect("two ends of each");
    IntRange::of(min, max, is_signed)
}
