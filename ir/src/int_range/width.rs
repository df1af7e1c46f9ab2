//! More or fewer bits, and indices, whose width is that of the machine.

use super::{INDEX_WIDTH, IntRange};
use crate::number::ApInt;

/// The fewest bits that an index has.
const INDEX_MIN_WIDTH: u32 = 32;

/// Zeros come in.
pub fn extend_unsigned(range: &IntRange, width: u32) -> IntRange {
    IntRange::unsigned(range.umin.zext_or_trunc(width), range.umax.zext_or_trunc(width))
}

/// Copies of the sign come in.
pub fn extend_signed(range: &IntRange, width: u32) -> IntRange {
    IntRange::signed(range.smin.sext_or_trunc(width), range.smax.sext_or_trunc(width))
}

/// The low `width` bits. Ranges that have several multiples of two to that power lose their bounds.
pub fn truncate(range: &IntRange, width: u32) -> IntRange {
    let high = |value: &ApInt| value.lshr(width.into());
    let (umin, umax) = if high(&range.umin) == high(&range.umax) {
        (range.umin.zext_or_trunc(width), range.umax.zext_or_trunc(width))
    } else {
        (ApInt::zero(width), ApInt::all_ones(width))
    };
    let sign = |value: &ApInt| value.ashr(width.saturating_sub(1).into()).unwrap_or_else(|| value.clone());
    let (low, up) = (sign(&range.smin), sign(&range.smax));
    let keeps_order = low == up || (low.is_all_ones() && (up.is_all_ones() || up.is_zero()));
    let (smin, smax) = if keeps_order {
        (range.smin.sext_or_trunc(width), range.smax.sext_or_trunc(width))
    } else {
        (ApInt::min_signed(width), ApInt::max_signed(width))
    };
    IntRange { umin, umax, smin, smax }
}

/// Extended or truncated.
pub fn with_width(range: &IntRange, width: u32, is_signed: bool) -> IntRange {
    match range.width().cmp(&width) {
        std::cmp::Ordering::Less if is_signed => extend_signed(range, width),
        std::cmp::Ordering::Less => extend_unsigned(range, width),
        std::cmp::Ordering::Equal => range.clone(),
        std::cmp::Ordering::Greater => truncate(range, width),
    }
}

/// Each reading extended as its own.
fn extend(range: &IntRange, width: u32) -> IntRange {
    IntRange {
        umin: range.umin.zext_or_trunc(width),
        umax: range.umax.zext_or_trunc(width),
        smin: range.smin.sext_or_trunc(width),
        smax: range.smax.sext_or_trunc(width),
    }
}

/// Which readings of an index an operation depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Both, or neither.
    Both,
    /// The signed one.
    Signed,
    /// The unsigned one.
    Unsigned,
}

/// What `infer` makes of indices where they have 64 bits and where they have 32.
pub fn of_index(operands: &[IntRange], reading: Reading, infer: impl Fn(&[IntRange]) -> IntRange) -> IntRange {
    let wide = infer(operands);
    let narrow: Vec<IntRange> = operands.iter().map(|range| truncate(range, INDEX_MIN_WIDTH)).collect();
    let narrow = infer(&narrow);
    let truncated = truncate(&wide, INDEX_MIN_WIDTH);
    let signed = narrow.smin == truncated.smin && narrow.smax == truncated.smax;
    let unsigned = narrow.umin == truncated.umin && narrow.umax == truncated.umax;
    let is_same = match reading {
        Reading::Both => signed && unsigned,
        Reading::Signed => signed,
        Reading::Unsigned => unsigned,
    };
    if is_same { wide } else { wide.union(&extend(&narrow, INDEX_WIDTH)) }
}

/// What a cast of `range` to an index gives, where it has 64 bits and where it has 32.
pub fn cast_to_index(range: &IntRange, is_signed: bool) -> IntRange {
    let narrow = with_width(range, INDEX_MIN_WIDTH, is_signed);
    with_width(range, INDEX_WIDTH, is_signed).union(&extend(&narrow, INDEX_WIDTH))
}

/// A range of indices as it is where an index has 32 bits.
pub fn narrow_index(range: &IntRange) -> IntRange {
    truncate(range, INDEX_MIN_WIDTH)
}
