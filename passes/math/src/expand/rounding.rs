//! Roundings, and the number of leading zeros: exact.

use dl_arith::{CmpFPredicate, CmpIPredicate};
use dl_ir::ValueId;
use dl_ir::rewrite::NoMatch;

use super::emit::Emit;

type Value = Result<ValueId, NoMatch>;

/// The next whole number that is not less: that towards zero, or one more.
pub(super) fn ceil(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let (x, format) = (x[0], e.format()?);
    let (one, zero) = (e.float(1.0), e.float(0.0));
    let truncated = e.truncate(x);
    let is_less = e.compare(CmpFPredicate::Ogt, x, truncated);
    let more = e.select(is_less, one, zero);
    let rounded = e.add(truncated, more);
    // 0 has lost its sign.
    let rounded = e.copy_sign(rounded, x);
    let is_whole = e.is_whole(x, format);
    Ok(e.select(is_whole, x, rounded))
}

/// The nearest whole number, of two the one away from zero. What is cut off is exact, so that halves are seen.
pub(super) fn round(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let (x, format) = (x[0], e.format()?);
    let (half, one) = (e.float(0.5), e.float(1.0));
    let truncated = e.truncate(x);
    let away = away_from_zero(e, truncated, one);
    let distance = distance(e, x, truncated);
    let is_far = e.compare(CmpFPredicate::Oge, distance, half);
    let rounded = e.select(is_far, away, truncated);
    let is_whole = e.is_whole(x, format);
    Ok(e.select(is_whole, x, rounded))
}

/// The nearest whole number, of two the even one.
pub(super) fn round_even(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let (x, format) = (x[0], e.format()?);
    let (half, one) = (e.float(0.5), e.float(1.0));
    let truncated = e.truncate(x);
    let away = away_from_zero(e, truncated, one);
    let distance = distance(e, x, truncated);
    let is_far = e.compare(CmpFPredicate::Ogt, distance, half);
    let is_half = e.compare(CmpFPredicate::Oeq, distance, half);
    // An even number is twice a whole one.
    let part = e.mul(truncated, half);
    let whole = e.truncate(part);
    let is_odd = e.compare(CmpFPredicate::One, part, whole);
    let to_even = e.select(is_odd, away, truncated);
    let rounded = e.select(is_half, to_even, truncated);
    let rounded = e.select(is_far, away, rounded);
    let is_whole = e.is_whole(x, format);
    Ok(e.select(is_whole, x, rounded))
}

fn away_from_zero(e: &mut Emit<'_, '_>, truncated: ValueId, one: ValueId) -> ValueId {
    let step = e.copy_sign(one, truncated);
    e.add(truncated, step)
}

fn distance(e: &mut Emit<'_, '_>, x: ValueId, truncated: ValueId) -> ValueId {
    let difference = e.sub(x, truncated);
    e.abs(difference)
}

/// How often `x` can be shifted left until its first bit is set: by halves of its width, quarters, and so on.
pub(super) fn leading_zeros(e: &mut Emit<'_, '_>, x: &[ValueId]) -> Value {
    let ty = e.ty;
    let width = e.element_width().filter(|&width| width <= 64).ok_or(NoMatch("integers of another width"))?;
    let zero = e.int(0, ty);
    let (mut value, mut count) = (x[0], zero);
    for step in (0..6).rev().map(|power| 1 << power).filter(|&step| step < width) {
        let most = e.int(((1_u64 << (width - step)) - 1).cast_signed(), ty);
        let is_free = e.compare_ints(CmpIPredicate::Ule, value, most);
        let by = e.int(i64::from(step), ty);
        let (more, shifted) = (e.add_ints(count, by), e.shift_left(value, by));
        value = e.select(is_free, shifted, value);
        count = e.select(is_free, more, count);
    }
    let all = e.int(i64::from(width), ty);
    let is_zero = e.compare_ints(CmpIPredicate::Eq, x[0], zero);
    Ok(e.select(is_zero, all, count))
}
