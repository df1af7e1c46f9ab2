//! Bitwise operations and shifts.

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::ApInt;
use dl_ir::{Attr, OpRef, ValueRef};

use super::{Consts, zero_of_result};
use crate::constants::is_all_ones;
use crate::{AndIOp, XOrIOp};

/// Whether `value` is the complement of `of`: `of ^ -1`.
fn is_complement(value: ValueRef<'_>, of: ValueRef<'_>) -> bool {
    value.def::<XOrIOp<'_>>().is_some_and(|xor| {
        let ones = xor.rhs().constant().is_some_and(|c| is_all_ones(value.cx(), c.id()));
        ones && xor.lhs() == of
    })
}

pub(crate) fn andi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    // x & 0 = 0
    if k.is_zero(1) {
        return folded(rhs.id());
    }
    // x & -1 = x
    if k.is_all_ones(1) {
        return folded(lhs.id());
    }
    // x & ~x = 0
    if (is_complement(rhs, lhs) || is_complement(lhs, rhs))
        && let Some(zero) = zero_of_result(op)
    {
        return folded(zero);
    }
    // (a & b) & b = a & b
    let has = |and: ValueRef<'_>, part: ValueRef<'_>| {
        and.def::<AndIOp<'_>>().is_some_and(|and| and.lhs() == part || and.rhs() == part)
    };
    if has(lhs, rhs) {
        return folded(lhs.id());
    }
    if has(rhs, lhs) {
        return folded(rhs.id());
    }
    k.ints(|a, b| Some(a.and(&b)))
}

pub(crate) fn ori(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    // x | 0 = x
    if k.is_zero(1) {
        return folded(lhs.id());
    }
    // x | -1 = -1
    if k.is_all_ones(1) {
        return folded(rhs.id());
    }
    // x | ~x = -1
    let complement = [(rhs, lhs), (lhs, rhs)].into_iter().find(|&(a, b)| is_complement(a, b));
    if let Some(ones) = complement.and_then(|(xor, _)| xor.def::<XOrIOp<'_>>()?.0.operand(1).constant()) {
        return folded(ones.id());
    }
    k.ints(|a, b| Some(a.or(&b)))
}

pub(crate) fn xori(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    // x ^ 0 = x
    if k.is_zero(1) {
        return folded(lhs.id());
    }
    // x ^ x = 0
    if lhs == rhs
        && let Some(zero) = zero_of_result(op)
    {
        return folded(zero);
    }
    // (x ^ a) ^ a = x, in any order of operands
    for (xor, other) in [(lhs, rhs), (rhs, lhs)] {
        let Some(xor) = xor.def::<XOrIOp<'_>>() else { continue };
        if xor.rhs() == other {
            return folded(xor.lhs().id());
        }
        if xor.lhs() == other {
            return folded(xor.rhs().id());
        }
    }
    k.ints(|a, b| Some(a.xor(&b)))
}

/// `x` shifted by 0 is `x`; constants where the amount is less than the width.
fn shift(op: OpRef<'_>, k: &[Option<Attr>], by: impl Fn(&ApInt, u64) -> Option<ApInt>) -> Option<Folded> {
    let k = Consts::new(op, k);
    if k.is_zero(1) {
        return folded(op.operand(0).id());
    }
    k.ints(|a, amount| by(&a, amount.to_u64()?))
}

pub(crate) fn shli(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    shift(op, k, ApInt::shl)
}

pub(crate) fn shrui(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    shift(op, k, ApInt::lshr)
}

pub(crate) fn shrsi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    shift(op, k, ApInt::ashr)
}
