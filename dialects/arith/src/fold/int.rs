//! Integer arithmetic.

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::ApInt;
use dl_ir::{Attr, OpRef, ValueRef};

use super::{Consts, zero_of_result};
use crate::constants::uniform_int;
use crate::flags::overflow;
use crate::{AddIOp, IntegerOverflowFlags, MulIOp, SubIOp};

pub(crate) fn addi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    // x + 0 = x
    if k.is_zero(1) {
        return folded(lhs.id());
    }
    // (a - b) + b = a
    if let Some(sub) = lhs.def::<SubIOp<'_>>().filter(|sub| sub.rhs() == rhs) {
        return folded(sub.lhs().id());
    }
    // b + (a - b) = a
    if let Some(sub) = rhs.def::<SubIOp<'_>>().filter(|sub| sub.rhs() == lhs) {
        return folded(sub.lhs().id());
    }
    k.ints(|a, b| Some(a.wrapping_add(&b)))
}

pub(crate) fn subi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    // x - x = 0
    if lhs == rhs
        && let Some(zero) = zero_of_result(op)
    {
        return folded(zero);
    }
    // x - 0 = x
    if k.is_zero(1) {
        return folded(lhs.id());
    }
    if let Some(add) = lhs.def::<AddIOp<'_>>() {
        // (a + b) - b = a
        if add.rhs() == rhs {
            return folded(add.lhs().id());
        }
        // (a + b) - a = b
        if add.lhs() == rhs {
            return folded(add.rhs().id());
        }
    }
    k.ints(|a, b| Some(a.wrapping_sub(&b)))
}

pub(crate) fn muli(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    // x * 0 = 0
    if k.is_zero(1) {
        return folded(rhs.id());
    }
    // x * 1 = x
    if k.is_one(1) {
        return folded(lhs.id());
    }
    k.ints(|a, b| Some(a.wrapping_mul(&b)))
}

/// `a` of `(a * b) / b`, where the product is known not to wrap in the sense of `flag`.
fn factor_of_product(op: OpRef<'_>, flag: IntegerOverflowFlags) -> Option<ValueRef<'_>> {
    let product = op.operand(0).def::<MulIOp<'_>>()?;
    let divisor = op.operand(1);
    let (lhs, rhs) = (product.0.operand(0), product.0.operand(1));
    if !overflow(product.0).contains(flag) {
        return None;
    }
    if rhs == divisor {
        Some(lhs)
    } else if lhs == divisor {
        Some(rhs)
    } else {
        None
    }
}

/// `x / 1 = x`, and the quotient of constants where there is one.
fn division(
    op: OpRef<'_>,
    k: &[Option<Attr>],
    wraps_not: Option<IntegerOverflowFlags>,
    divide: impl Fn(&ApInt, &ApInt) -> Option<ApInt>,
) -> Option<Folded> {
    let k = Consts::new(op, k);
    if k.is_one(1) {
        return folded(op.operand(0).id());
    }
    if let Some(factor) = wraps_not.and_then(|flag| factor_of_product(op, flag)) {
        return folded(factor.id());
    }
    k.ints(|a, b| divide(&a, &b))
}

pub(crate) fn divui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    division(op, k, Some(IntegerOverflowFlags::NUW), ApInt::udiv)
}

pub(crate) fn divsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    division(op, k, Some(IntegerOverflowFlags::NSW), ApInt::sdiv)
}

pub(crate) fn ceildivui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    division(op, k, None, ApInt::ceildiv_unsigned)
}

pub(crate) fn ceildivsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    division(op, k, None, ApInt::ceildiv_signed)
}

pub(crate) fn floordivsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    division(op, k, None, ApInt::floordiv_signed)
}

/// `x mod 1 = 0`, and the remainder of constants where there is one.
fn remainder(op: OpRef<'_>, k: &[Option<Attr>], divide: impl Fn(&ApInt, &ApInt) -> Option<ApInt>) -> Option<Folded> {
    let k = Consts::new(op, k);
    if k.is_one(1) {
        return zero_of_result(op).and_then(folded);
    }
    k.ints(|a, b| divide(&a, &b))
}

pub(crate) fn remui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    remainder(op, k, ApInt::urem)
}

pub(crate) fn remsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    remainder(op, k, ApInt::srem)
}

/// Minimum and maximum: `f(x, x) = x`; the operand that `absorbs` is the result, the `neutral` one is not.
fn extremum(
    op: OpRef<'_>,
    k: &[Option<Attr>],
    absorbs: fn(u32) -> ApInt,
    neutral: fn(u32) -> ApInt,
    choose: impl Fn(&ApInt, &ApInt) -> ApInt,
) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    if lhs == rhs {
        return folded(rhs.id());
    }
    if let Some(c) = k.get(1).and_then(|c| uniform_int(op.cx(), c)) {
        if c == absorbs(c.width()) {
            return folded(rhs.id());
        }
        if c == neutral(c.width()) {
            return folded(lhs.id());
        }
    }
    k.ints(|a, b| Some(choose(&a, &b)))
}

pub(crate) fn maxsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, ApInt::max_signed, ApInt::min_signed, ApInt::smax)
}

pub(crate) fn maxui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, ApInt::all_ones, ApInt::zero, ApInt::umax)
}

pub(crate) fn minsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, ApInt::min_signed, ApInt::max_signed, ApInt::smin)
}

pub(crate) fn minui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    extremum(op, k, ApInt::zero, ApInt::all_ones, ApInt::umin)
}
