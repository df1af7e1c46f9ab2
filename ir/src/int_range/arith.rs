//! Sums, products, quotients, remainders, minima and maxima.

use super::{IntRange, of_corners};
use crate::number::ApInt;

/// What is undefined when a result does not fit. Results that are not defined may be left out of ranges.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Overflow {
    /// Read signed: `nsw`.
    pub signed: bool,
    /// Read unsigned: `nuw`.
    pub unsigned: bool,
}

/// `value`, or `limit` where it does not fit and that is not defined anyhow.
fn fitting((value, overflows): (ApInt, bool), is_undefined: bool, limit: impl FnOnce() -> ApInt) -> Option<ApInt> {
    match (overflows, is_undefined) {
        (false, _) => Some(value),
        (true, true) => Some(limit()),
        (true, false) => None,
    }
}

/// The end of the numbers of this width that is closest to what is too large or too small.
pub(super) fn signed_limit(width: u32, is_below: bool) -> ApInt {
    if is_below { ApInt::min_signed(width) } else { ApInt::max_signed(width) }
}

fn of_ends(min: Option<ApInt>, max: Option<ApInt>, width: u32, is_signed: bool) -> IntRange {
    match (min, max) {
        (Some(min), Some(max)) => IntRange::of(min, max, is_signed),
        _ => IntRange::all(width),
    }
}

/// `lhs + rhs`.
pub fn add(lhs: &IntRange, rhs: &IntRange, undefined: Overflow) -> IntRange {
    let width = lhs.width();
    let unsigned = |a: &ApInt, b: &ApInt| fitting(a.uadd_overflow(b), undefined.unsigned, || ApInt::all_ones(width));
    let signed =
        |a: &ApInt, b: &ApInt| fitting(a.sadd_overflow(b), undefined.signed, || signed_limit(width, a.is_negative()));
    let u = of_ends(unsigned(&lhs.umin, &rhs.umin), unsigned(&lhs.umax, &rhs.umax), width, false);
    let s = of_ends(signed(&lhs.smin, &rhs.smin), signed(&lhs.smax, &rhs.smax), width, true);
    u.intersection(&s)
}

/// `lhs - rhs`.
pub fn sub(lhs: &IntRange, rhs: &IntRange, undefined: Overflow) -> IntRange {
    let width = lhs.width();
    let unsigned = |a: &ApInt, b: &ApInt| fitting(a.usub_overflow(b), undefined.unsigned, || ApInt::zero(width));
    let signed =
        |a: &ApInt, b: &ApInt| fitting(a.ssub_overflow(b), undefined.signed, || signed_limit(width, a.is_negative()));
    let u = of_ends(unsigned(&lhs.umin, &rhs.umax), unsigned(&lhs.umax, &rhs.umin), width, false);
    let s = of_ends(signed(&lhs.smin, &rhs.smax), signed(&lhs.smax, &rhs.smin), width, true);
    u.intersection(&s)
}

/// `lhs * rhs`.
pub fn mul(lhs: &IntRange, rhs: &IntRange, undefined: Overflow) -> IntRange {
    let width = lhs.width();
    let u = of_corners([&lhs.umin, &lhs.umax], [&rhs.umin, &rhs.umax], false, |a, b| {
        fitting(a.umul_overflow(b), undefined.unsigned, || ApInt::all_ones(width))
    });
    let s = of_corners([&lhs.smin, &lhs.smax], [&rhs.smin, &rhs.smax], true, |a, b| {
        fitting(a.smul_overflow(b), undefined.signed, || signed_limit(width, a.is_negative() != b.is_negative()))
    });
    u.intersection(&s)
}

fn unsigned_quotient(lhs: &IntRange, rhs: &IntRange, divide: impl Fn(&ApInt, &ApInt) -> Option<ApInt>) -> IntRange {
    if !rhs.umin.is_zero() {
        return of_corners([&lhs.umin, &lhs.umax], [&rhs.umin, &rhs.umax], false, divide);
    }
    // Division by zero is undefined, and no other quotient is larger than the dividend.
    let reaches = lhs.umin.uge(&rhs.umax);
    let min = lhs.umin.udiv(&rhs.umax).filter(|_| reaches).unwrap_or_else(|| ApInt::zero(lhs.width()));
    IntRange::unsigned(min, lhs.umax.clone())
}

/// `lhs / rhs`, unsigned, rounded down.
pub fn div_unsigned(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    unsigned_quotient(lhs, rhs, ApInt::udiv)
}

/// `lhs / rhs`, unsigned, rounded up.
pub fn ceildiv_unsigned(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    unsigned_quotient(lhs, rhs, ApInt::ceildiv_unsigned)
}

fn signed_quotient(lhs: &IntRange, rhs: &IntRange, divide: impl Fn(&ApInt, &ApInt) -> Option<ApInt>) -> IntRange {
    let is_positive = !rhs.smin.is_negative() && !rhs.smin.is_zero();
    if is_positive || rhs.smax.is_negative() {
        return of_corners([&lhs.smin, &lhs.smax], [&rhs.smin, &rhs.smax], true, divide);
    }
    IntRange::all(lhs.width())
}

/// `lhs / rhs`, signed, rounded towards zero.
pub fn div_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    signed_quotient(lhs, rhs, ApInt::sdiv)
}

/// `lhs / rhs`, signed, rounded up.
pub fn ceildiv_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    signed_quotient(lhs, rhs, ApInt::ceildiv_signed)
}

/// `lhs / rhs`, signed, rounded down.
pub fn floordiv_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    signed_quotient(lhs, rhs, ApInt::floordiv_signed)
}

/// The remainder of [`div_unsigned`].
pub fn rem_unsigned(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    let width = lhs.width();
    let largest = rhs.umax.wrapping_sub(&ApInt::one(width)).umin(&lhs.umax);
    let all = || IntRange::unsigned(ApInt::zero(width), largest.clone());
    if rhs.umin != rhs.umax || lhs.umax.wrapping_sub(&lhs.umin).uge(&rhs.umax) {
        return all();
    }
    match (lhs.umin.urem(&rhs.umax), lhs.umax.urem(&rhs.umax)) {
        (Some(min), Some(max)) if min.ule(&max) => IntRange::unsigned(min, max),
        _ => all(),
    }
}

/// The remainder of [`div_signed`].
pub fn rem_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    let width = lhs.width();
    let (zero, one) = (ApInt::zero(width), ApInt::one(width));
    let is_positive = rhs.smin.sgt(&zero);
    if !is_positive && !rhs.smax.is_negative() {
        return IntRange::all(width);
    }
    let divisor = if is_positive { rhs.smax.clone() } else { rhs.smin.abs() };
    let largest = divisor.wrapping_sub(&one);
    let min = if lhs.smin.is_negative() { largest.neg() } else { zero.clone() };
    let max = if lhs.smax.sgt(&zero) { largest } else { zero };
    // Dividends that all lie between two multiples of one divisor have remainders that follow one another.
    if rhs.smin == rhs.smax && lhs.smax.wrapping_sub(&lhs.smin).ult(&divisor) {
        match (lhs.smin.srem(&divisor), lhs.smax.srem(&divisor)) {
            (Some(first), Some(last)) if first.sle(&last) => return IntRange::signed(first, last),
            _ => {}
        }
    }
    IntRange::signed(min, max)
}

/// The larger one, read signed.
pub fn max_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    IntRange::signed(lhs.smin.smax(&rhs.smin), lhs.smax.smax(&rhs.smax))
}

/// The larger one, read unsigned.
pub fn max_unsigned(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    IntRange::unsigned(lhs.umin.umax(&rhs.umin), lhs.umax.umax(&rhs.umax))
}

/// The smaller one, read signed.
pub fn min_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    IntRange::signed(lhs.smin.smin(&rhs.smin), lhs.smax.smin(&rhs.smax))
}

/// The smaller one, read unsigned.
pub fn min_unsigned(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    IntRange::unsigned(lhs.umin.umin(&rhs.umin), lhs.umax.umin(&rhs.umax))
}
