//! Operations with two results: sum and carry, low and high half of a product.

use dl_ir::dialect::{Folded, FoldedValue};
use dl_ir::number::ApInt;
use dl_ir::{Attr, OpRef};
use smallvec::smallvec;

use super::Consts;
use crate::constants::map_ints;

pub(crate) fn addui_extended(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, k) = (op.cx(), Consts::new(op, k));
    let (sum, overflow) = (op.result(0).ty().id(), op.result(1).ty().id());
    // x + 0 = x without carry
    if k.is_zero(1) {
        return Some(smallvec![op.operand(0).id().into(), cx.zero_attr(overflow)?.into()]);
    }
    let operands = [k.get(0)?, k.get(1)?];
    let low = map_ints(cx, sum, operands, |a, b| Some(a.wrapping_add(&b)))?;
    let carry = map_ints(cx, overflow, operands, |a, b| Some(ApInt::from_bool(a.uadd_overflow(&b).1)))?;
    Some(smallvec![low.into(), carry.into()])
}

pub(crate) fn mulsi_extended(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let k = Consts::new(op, k);
    product(op, k, ApInt::sext_or_trunc)
}

pub(crate) fn mului_extended(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let k = Consts::new(op, k);
    // x * 1 = x
    if k.is_one(1) {
        let zero = op.cx().zero_attr(op.result(0).ty().id())?;
        return Some(smallvec![op.operand(0).id().into(), zero.into()]);
    }
    product(op, k, ApInt::zext_or_trunc)
}

/// Both halves of the product of operands that `extend` brings to twice their width.
fn product(op: OpRef<'_>, k: Consts<'_>, extend: impl Fn(&ApInt, u32) -> ApInt) -> Option<Folded> {
    let (cx, ty) = (op.cx(), op.result(0).ty().id());
    // x * 0 = 0
    if k.is_zero(1) {
        let zero = FoldedValue::Constant(cx.zero_attr(ty)?);
        return Some(smallvec![zero, zero]);
    }
    let operands = [k.get(0)?, k.get(1)?];
    let low = map_ints(cx, ty, operands, |a, b| Some(a.wrapping_mul(&b)))?;
    let high = map_ints(cx, ty, operands, |a, b| {
        let width = a.width();
        let wide = extend(&a, 2 * width).wrapping_mul(&extend(&b, 2 * width));
        Some(wide.lshr(width.into())?.zext_or_trunc(width))
    })?;
    Some(smallvec![low.into(), high.into()])
}
