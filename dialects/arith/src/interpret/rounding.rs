//! Rounding of floats in all modes, from the one that all arithmetic is in: to nearest, ties to even.

use std::cmp::Ordering;

use dl_ir::FloatKind;
use dl_ir::number::float;

use crate::RoundingMode;

/// The number of format `kind` that `mode` makes of `bits`, a number of the format `from`. What is beyond the largest number of a format
/// without infinity is NaN, and that number itself where there is no NaN; a mode that rounds toward zero never leaves the numbers.
pub fn convert(from: FloatKind, bits: u128, kind: FloatKind, mode: RoundingMode) -> u128 {
    let near = float::convert(from, bits, kind).0;
    if float::is_nan(from, bits) {
        return near;
    }
    // In the widest format all magnitudes are exact, and so are differences of such as are next to each other.
    let wide = FloatKind::F128;
    let magnitude = |kind, bits| match float::infinity(wide, false) {
        Some(infinity) if float::is_nan(kind, bits) => infinity,
        _ => float::abs(wide, float::convert(kind, bits, wide).0),
    };
    let (exact, nearest) = (magnitude(from, bits), magnitude(kind, near));
    let size = float::compare(wide, nearest, exact).unwrap_or(Ordering::Equal);
    round(kind, near, float::is_negative(from, bits), size, mode, |other| {
        let (below, above) = (float::sub(wide, exact, nearest), float::sub(wide, magnitude(kind, other), exact));
        float::compare(wide, below, above) == Some(Ordering::Equal)
    })
}

/// The number of format `kind` that `mode` makes of an exact number. Of all numbers of the format `near` is the nearest, the even one of two;
/// `size` is how its magnitude compares to that of the exact number, which is `negative` or not. `is_tie` says whether a number of larger
/// magnitude is as near.
pub fn round(
    kind: FloatKind,
    near: u128,
    negative: bool,
    size: Ordering,
    mode: RoundingMode,
    is_tie: impl Fn(u128) -> bool,
) -> u128 {
    let outward = match size {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => return near,
    };
    let takes_other = match mode {
        RoundingMode::ToNearestEven => false,
        RoundingMode::ToNearestAway => outward,
        RoundingMode::TowardZero => !outward,
        RoundingMode::Upward => outward != negative,
        RoundingMode::Downward => outward == negative,
    };
    if !takes_other {
        return near;
    }
    let other = neighbour(kind, near, outward, negative);
    if mode == RoundingMode::ToNearestAway && !is_tie(other) { near } else { other }
}

/// The number of larger or smaller magnitude next to `near`.
fn neighbour(kind: FloatKind, near: u128, outward: bool, negative: bool) -> u128 {
    let (magnitude, largest) = (float::abs(kind, near), float::largest(kind, false));
    let magnitude = match outward {
        true if magnitude == largest => float::infinity(kind, false).or(float::nan(kind)).unwrap_or(largest),
        true => stepped(kind, magnitude, |code| code + 1),
        false if !float::is_finite(kind, near) => largest,
        // The smallest number of a format without zero has none.
        false => stepped(kind, magnitude, |code| code.saturating_sub(1)),
    };
    if negative { float::neg(kind, magnitude) } else { magnitude }
}

/// The bits of `f80` after the one that other formats imply.
const FRACTION: u128 = (1 << 63) - 1;

/// Encodings of positive numbers are in the order of the numbers, but for the bit of `f80` that other formats imply.
fn stepped(kind: FloatKind, magnitude: u128, step: fn(u128) -> u128) -> u128 {
    if kind != FloatKind::F80 {
        return step(magnitude);
    }
    let code = step(magnitude >> 64 << 63 | magnitude & FRACTION);
    let exponent = code >> 63;
    exponent << 64 | u128::from(exponent != 0) << 63 | code & FRACTION
}
