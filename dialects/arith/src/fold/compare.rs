//! Comparison and selection.

use dl_ir::dialect::{Folded, folded};
use dl_ir::number::{ApInt, float};
use dl_ir::{Attr, OpRef};

use super::Consts;
use crate::constants::{is_int_one, is_int_zero, is_poison, map, uniform_int};
use crate::{CmpFPredicate, CmpIOp, CmpIPredicate, ExtSIOp, ExtUIOp};

/// `true` or `false` as a constant of the type of result 0.
fn bool_result(op: OpRef<'_>, value: bool) -> Option<Folded> {
    let (cx, ty) = (op.cx(), op.result(0).ty());
    let scalar = cx.bool_attr(value);
    if ty.is_shaped() { cx.splat_attr(ty.id(), scalar).and_then(folded) } else { folded(scalar) }
}

pub(crate) fn cmpi(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (k, lhs, rhs) = (Consts::new(op, k), op.operand(0), op.operand(1));
    let predicate = CmpIPredicate::from_attr(CmpIOp(op).predicate())?;
    // Equal operands compare as their predicate says.
    if lhs == rhs {
        return bool_result(op, predicate.holds_for_equal());
    }
    let is_i1 = |ty: dl_ir::TypeRef<'_>| ty.element_or_self().is_integer_of(1);
    if k.is_zero(1) && predicate == CmpIPredicate::Ne {
        // ext(x) != 0 is x, for booleans
        let ext = lhs.defining_op().filter(|d| d.is::<ExtSIOp<'_>>() || d.is::<ExtUIOp<'_>>());
        if let Some(ext) = ext.filter(|ext| is_i1(ext.operand(0).ty())) {
            return folded(ext.operand(0).id());
        }
        if is_i1(lhs.ty()) {
            return folded(lhs.id());
        }
    }
    // x == true is x
    if k.is_one(1) && predicate == CmpIPredicate::Eq && is_i1(lhs.ty()) {
        return folded(lhs.id());
    }
    k.ints(|a, b| Some(ApInt::from_bool(predicate.holds(&a, &b))))
}

pub(crate) fn cmpf(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, k) = (op.cx(), Consts::new(op, k));
    let predicate = CmpFPredicate::from_attr(crate::CmpFOp(op).predicate())?;
    let scalar = |index: usize| {
        let attr = cx.attr(k.get(index)?);
        if attr.is_float() { crate::constants::uniform_float(cx, attr.id()) } else { None }
    };
    let (lhs, rhs) = (scalar(0), scalar(1));
    // One NaN decides, whatever the other operand is.
    let nan = [lhs, rhs].into_iter().flatten().any(|(kind, bits)| float::is_nan(kind, bits));
    let order = if nan {
        None
    } else {
        let ((kind, a), (_, b)) = (lhs?, rhs?);
        float::compare(kind, a, b)
    };
    bool_result(op, predicate.holds(order))
}

pub(crate) fn select(op: OpRef<'_>, k: &[Option<Attr>]) -> Option<Folded> {
    let (cx, k) = (op.cx(), Consts::new(op, k));
    let (condition, yes, no) = (op.operand(0), op.operand(1), op.operand(2));
    if yes == no {
        return folded(yes.id());
    }
    if let Some(c) = k.get(0).and_then(|c| uniform_int(cx, c)) {
        return folded(if c.is_zero() { no.id() } else { yes.id() });
    }
    // A poisoned choice may be the other one.
    if k.get(1).is_some_and(|c| is_poison(cx, c)) {
        return folded(no.id());
    }
    if k.get(2).is_some_and(|c| is_poison(cx, c)) {
        return folded(yes.id());
    }
    // c ? true : false is c
    if op.result(0).ty().is_signless_integer_of(1)
        && k.get(1).is_some_and(|c| is_int_one(cx, c))
        && k.get(2).is_some_and(|c| is_int_zero(cx, c))
    {
        return folded(condition.id());
    }
    // (a == b) ? a : b is b; (a != b) ? a : b is a
    if let Some(cmp) = condition.def::<CmpIOp<'_>>() {
        let pair = (cmp.lhs(), cmp.rhs());
        if pair == (yes, no) || pair == (no, yes) {
            match CmpIPredicate::from_attr(cmp.predicate()) {
                Some(CmpIPredicate::Eq) => return folded(no.id()),
                Some(CmpIPredicate::Ne) => return folded(yes.id()),
                _ => {}
            }
        }
    }
    // Element by element, for constants throughout.
    if !condition.ty().is_shaped() {
        return None;
    }
    let operands = [k.get(0)?, k.get(1)?, k.get(2)?];
    map(cx, op.result(0).ty().id(), operands, |[c, yes, no]| Some(if c.int()?.is_zero() { no } else { yes }))
        .and_then(folded)
}
