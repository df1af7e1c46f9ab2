//! Canonicalization patterns.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite, create_or_fold};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter, ValueRef};

use crate::{AddOp, AndOp, CmpOp, IndexCmpPredicate, MaxSOp, MaxUOp, MinSOp, MinUOp, MulOp, OrOp, SubOp, XOrOp};

/// `(x ∘ c1) ∘ c2` becomes `x ∘ (c1 ∘ c2)`.
fn merge_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let (rhs, loc, name) = (view.operand(1), view.loc(), view.name_id());
    let inner = view.operand(0).defining_op().filter(|inner| inner.name_id() == name);
    let inner = inner.ok_or(NoMatch("the left operand is no operation of the same kind"))?;
    if rhs.constant().is_none() || inner.operand(1).constant().is_none() {
        return Err(NoMatch("the right operands are not constants"));
    }
    let (x, c1, c2, ty) = (inner.operand(0).id(), inner.operand(1).id(), rhs.id(), rhs.ty().id());
    rw.set_insertion_before(op);
    let merged = create_or_fold(rw, OpState::new(name, loc).operands([c2, c1]).results([ty]))[0];
    rw.replace_with(op, OpState::new(name, loc).operands([x, merged]).results([ty]));
    Ok(())
}

macro_rules! associative {
    ($($function:ident $op:ident)*) => {$(
        pub(crate) fn $function(patterns: &mut Patterns) {
            patterns.add_fn("index-merge-constants", Some($op::NAME), merge_constants);
        }
    )*};
}

associative! {
    add AddOp
    and AndOp
    maxs MaxSOp
    maxu MaxUOp
    mins MinSOp
    minu MinUOp
    mul MulOp
    or OrOp
    xor XOrOp
}

/// `a - b = 0` becomes `a = b`, and `0 = a - b` becomes `b = a`; the same with `≠`. An order says nothing, because differences wrap
/// around.
fn compare_difference(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cmp = CmpOp(rw.op(op));
    let predicate = cmp.pred();
    if !matches!(IndexCmpPredicate::from_attr(predicate), Some(IndexCmpPredicate::Eq | IndexCmpPredicate::Ne)) {
        return Err(NoMatch("the predicate is an order"));
    }
    let is_zero = |value: ValueRef<'_>| value.constant().and_then(|c| c.as_ap_int()).is_some_and(|c| c.is_zero());
    let operands = if is_zero(cmp.rhs()) {
        cmp.lhs().def::<SubOp<'_>>().map(|sub| [sub.lhs().id(), sub.rhs().id()])
    } else if is_zero(cmp.lhs()) {
        cmp.rhs().def::<SubOp<'_>>().map(|sub| [sub.rhs().id(), sub.lhs().id()])
    } else {
        return Err(NoMatch("no operand is zero"));
    };
    let operands = operands.ok_or(NoMatch("the other operand is no difference"))?;
    let (cx, loc, predicate) = (rw.cx(), cmp.0.loc(), predicate.id());
    let state = OpState::of::<CmpOp<'_>>(loc).operands(operands).attr(cx, "pred", predicate);
    rw.replace_with(op, state.results([cx.i1_type()]));
    Ok(())
}

pub(crate) fn cmp(patterns: &mut Patterns) {
    patterns.add_fn("index-compare-difference", Some(CmpOp::NAME), compare_difference);
}
