//! Integers and comparisons.

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::ApInt;
use dl_ir::{Attr, OpRef, OpView, ValueRef};

use crate::{AllocaOp, ICmpOp, ICmpPredicate, ZeroOp, types};

/// The integer constant `k[at]`, as wide as the operand.
fn int<'a>(op: OpRef<'a>, k: &[Option<Attr>], at: usize) -> Option<&'a ApInt> {
    let value = op.cx().attr(k.get(at).copied().flatten()?).as_ap_int()?;
    (op.operand(at).ty().int_width() == Some(value.width())).then_some(value)
}

/// The constant `value` of the type of the result.
fn result(op: OpRef<'_>, value: ApInt) -> Option<Folded> {
    folded(op.cx().ap_int_attr(op.result(0).ty().id(), value))
}

/// Zeros in front.
pub(crate) fn fold_zext(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let width = op.result(0).ty().int_width()?;
    result(op, int(op, k, 0)?.zext_or_trunc(width))
}

/// A shift by fewer bits than there are.
pub(crate) fn fold_shl(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (a, by) = (int(op, k, 0)?, int(op, k, 1)?);
    let by = by.to_u64().filter(|&by| by < u64::from(a.width()))?;
    result(op, a.shl(by)?)
}

pub(crate) fn fold_or(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    result(op, int(op, k, 0)?.or(int(op, k, 1)?))
}

/// A value equals itself, and null is not the address of a variable in the default address space. In others null may be an address.
pub(crate) fn fold_icmp(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let view = ICmpOp::wrap(op);
    let equal = match ICmpPredicate::from_attr(view.predicate())? {
        ICmpPredicate::Eq => true,
        ICmpPredicate::Ne => false,
        _ => return None,
    };
    let (lhs, rhs) = (view.lhs(), view.rhs());
    let is_null = |value: ValueRef<'_>| value.def::<ZeroOp<'_>>().is_some();
    let is_variable = |value: ValueRef<'_>| value.def::<AllocaOp<'_>>().is_some();
    let truth = if lhs == rhs {
        equal
    } else if types::is_in_default_space(lhs.ty())
        && ((is_null(lhs) && is_variable(rhs)) || (is_variable(lhs) && is_null(rhs)))
    {
        !equal
    } else {
        return None;
    };
    let (cx, ty) = (op.cx(), view.res().ty());
    let truth = cx.bool_attr(truth);
    if ty.is_vector() { cx.splat_attr(ty.id(), truth).and_then(folded) } else { folded(truth) }
}
