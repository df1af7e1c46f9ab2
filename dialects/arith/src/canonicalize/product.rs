//! Products.

use dl_ir::number::ApInt;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};

use super::{OTHER_OPERANDS, combined, int_constant, scalar_constant, value_before};
use crate::build::constant;
use crate::constants::is_int_one;
use crate::flags::overflow;
use crate::{CmpIOp, CmpIPredicate, ExtSIOp, MulIOp, MulSIExtendedOp, MulUIExtendedOp};

/// `(x * c0) * c1 = x * (c0 * c1)`. Overflow flags that both have stay where the product of the constants does not overflow.
fn combine_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let inner = view.operand(0).def::<MulIOp<'_>>().ok_or(OTHER_OPERANDS)?;
    let c1 = scalar_constant(view.operand(1)).ok_or(OTHER_OPERANDS)?;
    let c0 = scalar_constant(inner.rhs()).ok_or(OTHER_OPERANDS)?;
    let ty = view.result(0).ty().id();
    let operations = [ApInt::smul_overflow, ApInt::umul_overflow];
    let (product, harmless) = combined(cx, ty, [c0, c1], operations).ok_or(OTHER_OPERANDS)?;
    let flags = overflow(view).intersection(overflow(inner.0)).intersection(harmless).attr(cx);
    let (x, loc) = (inner.lhs().id(), view.loc());
    rw.set_insertion_before(op);
    let c = constant(rw, product, loc);
    let state = OpState::of::<MulIOp<'_>>(loc).operands([x, c]).attr(cx, "overflowFlags", flags).results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

/// A product whose high half is not used is a plain one.
fn high_unused(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    if view.result(1).has_uses() {
        return Err(NoMatch("the high half is used"));
    }
    let (operands, low) = (view.operands().ids(), view.result(0));
    let (low, ty) = (low.id(), low.ty().id());
    let plain = value_before::<MulIOp<'_>>(rw, op, &operands, ty);
    rw.replace_all_uses(low, plain);
    rw.erase(op);
    Ok(())
}

/// `x * 1` is `x`, and `x < 0` extended with its sign.
fn signed_times_one(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let one = int_constant(view.operand(1)).is_some_and(|c| is_int_one(cx, c));
    let ty = view.result(0).ty();
    // The one of a single bit is -1.
    if !one || ty.element_or_self().int_width().is_none_or(|width| width == 1) {
        return Err(OTHER_OPERANDS);
    }
    let zero = cx.zero_attr(ty.id()).ok_or(OTHER_OPERANDS)?;
    let (x, loc, ty, i1) = (view.operand(0).id(), view.loc(), ty.id(), ty.with_element(cx.i1_type()));
    rw.set_insertion_before(op);
    let zero = constant(rw, zero, loc);
    let predicate = CmpIPredicate::Slt.attr(cx);
    let negative = rw.create_value(
        OpState::of::<CmpIOp<'_>>(loc).operands([x, zero]).attr(cx, "predicate", predicate).results([i1]),
    );
    let high = rw.create_value(OpState::of::<ExtSIOp<'_>>(loc).operands([negative]).results([ty]));
    rw.replace(op, &[x, high]);
    Ok(())
}

pub(crate) fn muli(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-combine-factors", MulIOp::NAME, combine_constants);
}

pub(crate) fn mulsi_extended(patterns: &mut Patterns) {
    patterns.add_fn("arith-high-half-unused", Some(MulSIExtendedOp::NAME), high_unused).add_local_fn(
        "arith-signed-times-one",
        MulSIExtendedOp::NAME,
        signed_times_one,
    );
}

pub(crate) fn mului_extended(patterns: &mut Patterns) {
    patterns.add_fn("arith-high-half-unused", Some(MulUIExtendedOp::NAME), high_unused);
}
