//! Bitwise operations and shifts.

use super::arith::{Overflow, signed_limit};
use super::{IntRange, of_corners};
use crate::number::ApInt;

/// Ones where numbers between the unsigned bounds can differ.
fn varying(range: &IntRange) -> ApInt {
    let width = range.width();
    let fixed = range.umin.xor(&range.umax).leading_zeros();
    ApInt::all_ones(width).lshr(fixed.into()).unwrap_or_else(|| ApInt::zero(width))
}

/// The unsigned bounds, with all bits that can differ clear in the lower one and set in the upper one.
fn widened(range: &IntRange) -> [ApInt; 2] {
    let varying = varying(range);
    [range.umin.and(&varying.not()), range.umax.or(&varying)]
}

fn of_widened(lhs: &IntRange, rhs: &IntRange, f: impl Fn(&ApInt, &ApInt) -> ApInt) -> IntRange {
    let (lhs, rhs) = (widened(lhs), widened(rhs));
    of_corners([&lhs[0], &lhs[1]], [&rhs[0], &rhs[1]], false, |a, b| Some(f(a, b)))
}

/// `lhs & rhs`.
pub fn and(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    of_widened(lhs, rhs, ApInt::and)
}

/// `lhs | rhs`.
pub fn or(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    of_widened(lhs, rhs, ApInt::or)
}

/// `lhs ^ rhs`.
pub fn xor(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    let varying = varying(lhs).or(&varying(rhs));
    let bits = lhs.umin.xor(&rhs.umin);
    IntRange::unsigned(bits.and(&varying.not()), bits.or(&varying))
}

/// The number of bits to shift by, where it is less than the width.
fn amount(value: &ApInt) -> Option<u64> {
    value.to_u64().filter(|&amount| amount < value.width().into())
}

/// `lhs << rhs`.
pub fn shl(lhs: &IntRange, rhs: &IntRange, undefined: Overflow) -> IntRange {
    let width = lhs.width();
    let by = [&rhs.umin, &rhs.umax];
    let u = of_corners([&lhs.umin, &lhs.umax], by, false, |value, by| {
        let fits = amount(by).filter(|&by| by <= value.leading_zeros().into());
        match fits {
            Some(by) => value.shl(by),
            None => undefined.unsigned.then(|| ApInt::all_ones(width)),
        }
    });
    let s = of_corners([&lhs.smin, &lhs.smax], by, true, |value, by| {
        let copies = if value.is_negative() { value.not().leading_zeros() } else { value.leading_zeros() };
        let fits = amount(by).filter(|&by| by < copies.into());
        match fits {
            Some(by) => value.shl(by),
            None => undefined.signed.then(|| signed_limit(width, value.is_negative())),
        }
    });
    u.intersection(&s)
}

/// `lhs >> rhs`, copies of the sign coming in.
pub fn shr_signed(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    of_corners([&lhs.smin, &lhs.smax], [&rhs.umin, &rhs.umax], true, |value, by| value.ashr(amount(by)?))
}

/// `lhs >> rhs`, zeros coming in.
pub fn shr_unsigned(lhs: &IntRange, rhs: &IntRange) -> IntRange {
    of_corners([&lhs.umin, &lhs.umax], [&rhs.umin, &rhs.umax], false, |value, by| value.lshr(amount(by)?))
}
