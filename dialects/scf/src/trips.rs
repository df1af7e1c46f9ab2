//! How often loops run.

use dl_ir::ValueRef;

use crate::ForOp;

/// The number that defines `value`, if it is a constant.
pub(crate) fn constant(value: ValueRef<'_>) -> Option<i64> {
    value.constant()?.as_int()
}

/// How often a loop from `lower` to `upper` runs; `None` where that is not known. The step is positive; a loop with a step of zero is undefined
/// and taken not to run.
pub(crate) fn trip_count(lower: Option<i64>, upper: Option<i64>, step: Option<i64>, unsigned: bool) -> Option<u64> {
    if step == Some(0) {
        return Some(0);
    }
    let (lower, upper) = (lower?, upper?);
    if unsigned {
        let distance = (upper as u64).saturating_sub(lower as u64);
        return if distance == 0 {
            Some(0)
        } else {
            Some(distance.div_ceil(u64::try_from(step?).ok().filter(|&s| s > 0)?))
        };
    }
    if upper <= lower {
        return Some(0);
    }
    let step = u64::try_from(step?).ok().filter(|&s| s > 0)?;
    Some(upper.abs_diff(lower).div_ceil(step))
}

/// The number `c` of `upper = lower + c`, where the sum is known not to wrap in the order of the loop.
fn distance(lower: ValueRef<'_>, upper: ValueRef<'_>, unsigned: bool) -> Option<i64> {
    if lower == upper {
        return Some(0);
    }
    let sum = upper.defining_op().filter(|op| op.name() == "arith.addi")?;
    let flag = if unsigned { dl_arith::IntegerOverflowFlags::NUW } else { dl_arith::IntegerOverflowFlags::NSW };
    if !dl_arith::flags::overflow(sum).contains(flag) {
        return None;
    }
    let (a, b) = (sum.operand(0), sum.operand(1));
    if a == lower {
        constant(b)
    } else if b == lower {
        constant(a)
    } else {
        None
    }
}

/// How often an `scf.for` runs; `None` where that is not known. One whose step is known not to be positive is undefined, and taken never
/// to run, as upstream has it.
pub(crate) fn for_trip_count(op: ForOp<'_>) -> Option<u64> {
    let (lower, upper, step) = (op.lower_bound(), op.upper_bound(), constant(op.step()));
    if step.is_some_and(|step| step <= 0) {
        return Some(0);
    }
    let unsigned = op.unsigned_cmp().is_some();
    trip_count(constant(lower), constant(upper), step, unsigned)
        .or_else(|| trip_count(Some(0), distance(lower, upper, unsigned), step, unsigned))
}
