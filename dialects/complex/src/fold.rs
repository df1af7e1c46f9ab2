//! Folds: what an operation equals when operands are constant or related.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, Context, OpRef};

use crate::{AddOp, BitcastOp, CreateOp, ExpOp, ImOp, LogOp, ReOp, SubOp};

/// Part 0 (real) or 1 (imaginary) of a constant.
fn part(cx: &Context, constant: Option<Attr>, index: usize) -> Option<Attr> {
    let parts = cx.attr(constant?).elements();
    if parts.len() == 2 { parts.map(|part| part.id()).nth(index) } else { None }
}

/// Whether the right operand is the number `re + 0i`.
fn right_is(op: OpRef<'_>, k: &[Option<Attr>], re: f64) -> bool {
    let right = k.get(1).copied().flatten();
    let is =
        |index: usize, value: f64| part(op.cx(), right, index).and_then(|p| op.cx().attr(p).as_f64()) == Some(value);
    is(0, re) && is(1, 0.0)
}

/// `(a - b) + b = a` and `a + 0 = a`
pub(crate) fn add(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(inner) = op.operand(0).def::<SubOp<'_>>().filter(|inner| inner.rhs() == op.operand(1)) {
        return folded(inner.lhs().id());
    }
    if right_is(op, k, 0.0) { folded(op.operand(0).id()) } else { None }
}

/// `(a + b) - b = a` and `a - 0 = a`
pub(crate) fn sub(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(inner) = op.operand(0).def::<AddOp<'_>>().filter(|inner| inner.rhs() == op.operand(1)) {
        return folded(inner.lhs().id());
    }
    if right_is(op, k, 0.0) { folded(op.operand(0).id()) } else { None }
}

/// `a * 1 = a` and `a / 1 = a`
pub(crate) fn times_one(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if right_is(op, k, 1.0) { folded(op.operand(0).id()) } else { None }
}

/// `f(f(a)) = a`
pub(crate) fn involution(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let inner = op.operand(0).defining_op().filter(|inner| inner.name_id() == op.name_id())?;
    folded(inner.operand(0).id())
}

/// `exp(log(a)) = a`
pub(crate) fn exp(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    folded(op.operand(0).def::<LogOp<'_>>()?.complex().id())
}

/// `log(exp(a)) = a`
pub(crate) fn log(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    folded(op.operand(0).def::<ExpOp<'_>>()?.complex().id())
}

/// `create(re(a), im(a)) = a`
pub(crate) fn create(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let re = op.operand(0).def::<ReOp<'_>>()?.complex();
    let im = op.operand(1).def::<ImOp<'_>>()?.complex();
    if re == im { folded(re.id()) } else { None }
}

/// `re(create(a, b)) = a`, and the real part of a constant.
pub(crate) fn re(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(create) = op.operand(0).def::<CreateOp<'_>>() {
        return folded(create.real().id());
    }
    folded(part(op.cx(), k.first().copied().flatten(), 0)?)
}

/// `im(create(a, b)) = b`, and the imaginary part of a constant.
pub(crate) fn im(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    if let Some(create) = op.operand(0).def::<CreateOp<'_>>() {
        return folded(create.imaginary().id());
    }
    folded(part(op.cx(), k.first().copied().flatten(), 1)?)
}

/// A cast to the same type is its operand; a cast back is what was cast first.
pub(crate) fn bitcast(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let result = op.result(0).ty();
    if op.operand(0).ty() == result {
        return folded(op.operand(0).id());
    }
    let source = op.operand(0).def::<BitcastOp<'_>>()?.operand();
    if source.ty() == result { folded(source.id()) } else { None }
}
