//! Sums and differences.

use dl_ir::number::ApInt;
use dl_ir::rewrite::{Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, ValueId, ValueRef};

use super::{OTHER_OPERANDS, combined, int_constant, replace, scalar_constant};
use crate::build::constant;
use crate::constants::is_all_ones;
use crate::flags::overflow;
use crate::{AddIOp, AddUIExtendedOp, IntegerOverflowFlags, MulIOp, SubIOp};

/// `x + c`, `x - c` or `c - x`.
struct Linear<'a> {
    x: ValueRef<'a>,
    constant: Attr,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plus,
    Minus,
    MinusFrom,
}

fn linear(op: OpRef<'_>) -> Option<Linear<'_>> {
    let sub = op.is::<SubIOp<'_>>();
    if !sub && !op.is::<AddIOp<'_>>() {
        return None;
    }
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    if let Some(constant) = scalar_constant(rhs) {
        return Some(Linear { x: lhs, constant, form: if sub { Form::Minus } else { Form::Plus } });
    }
    let constant = scalar_constant(lhs).filter(|_| sub)?;
    Some(Linear { x: rhs, constant, form: Form::MinusFrom })
}

/// A sum or difference with a constant, of a sum or difference with a constant, is one sum or difference. Overflow flags that both
/// have stay where the constants do not overflow in their sense: otherwise the new operation may, where the old ones did not.
fn combine_constants(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    use Form::{Minus, MinusFrom, Plus};
    let cx = rw.cx();
    let view = rw.op(op);
    let outer = linear(view).ok_or(OTHER_OPERANDS)?;
    let inner_op = outer.x.defining_op().ok_or(OTHER_OPERANDS)?;
    let inner = linear(inner_op).ok_or(OTHER_OPERANDS)?;
    let ty = view.result(0).ty().id();
    let (c0, c1) = (inner.constant, outer.constant);
    let sum = |a, b| combined(cx, ty, [a, b], [ApInt::sadd_overflow, ApInt::uadd_overflow]);
    let difference = |a, b| combined(cx, ty, [a, b], [ApInt::ssub_overflow, ApInt::usub_overflow]);
    let (constant_value, form) = match (outer.form, inner.form) {
        (Plus, Plus) => (sum(c0, c1), Plus),
        (Plus, Minus) => (difference(c1, c0), Plus),
        (Plus, MinusFrom) => (sum(c0, c1), MinusFrom),
        (Minus, Plus) => (difference(c0, c1), Plus),
        (Minus, Minus) => (sum(c0, c1), Minus),
        (Minus, MinusFrom) => (difference(c0, c1), MinusFrom),
        (MinusFrom, Plus) => (difference(c1, c0), MinusFrom),
        (MinusFrom, Minus) => (sum(c0, c1), MinusFrom),
        (MinusFrom, MinusFrom) => (difference(c1, c0), Plus),
    };
    let (constant_value, mut harmless) = constant_value.ok_or(OTHER_OPERANDS)?;
    // In these forms, constants that wrap as unsigned numbers make the old operations wrap for every `x`.
    let wrapped_before = [(Plus, Plus), (Minus, Minus), (Minus, MinusFrom), (MinusFrom, Plus)];
    if wrapped_before.contains(&(outer.form, inner.form)) {
        harmless = harmless.union(IntegerOverflowFlags::NUW);
    }
    let flags = overflow(view).intersection(overflow(inner_op)).intersection(harmless);
    let (x, loc) = (inner.x.id(), view.loc());
    let flags = flags.attr(cx);
    rw.set_insertion_before(op);
    let c = constant(rw, constant_value, loc);
    let (name, operands): (_, [ValueId; 2]) = match form {
        Plus => (AddIOp::NAME, [x, c]),
        Minus => (SubIOp::NAME, [x, c]),
        MinusFrom => (SubIOp::NAME, [c, x]),
    };
    rw.replace_with(op, OpState::named(name, loc).operands(operands).attr(cx, "overflowFlags", flags).results([ty]));
    Ok(())
}

/// `x + y * -1 = x - y`, in both orders.
fn add_of_negated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let negated = |value: ValueRef<'_>| {
        let product = value.def::<MulIOp<'_>>()?;
        let by = int_constant(product.op().operand(1))?;
        is_all_ones(value.cx(), by).then(|| product.op().operand(0).id())
    };
    let (lhs, rhs) = (view.operand(0), view.operand(1));
    let operands = match (negated(rhs), negated(lhs)) {
        (Some(y), _) => [lhs.id(), y],
        (None, Some(y)) => [rhs.id(), y],
        (None, None) => return Err(OTHER_OPERANDS),
    };
    replace::<SubIOp<'_>>(rw, op, &operands);
    Ok(())
}

/// `(a - b) - a = 0 - b`. Without overflow the first difference is exact, so that flags that both have stay.
fn sub_of_sub(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).def::<SubIOp<'_>>().ok_or(OTHER_OPERANDS)?;
    if inner.lhs() != view.operand(1) {
        return Err(OTHER_OPERANDS);
    }
    let zero = rw.cx().zero_attr(view.result(0).ty().id()).ok_or(OTHER_OPERANDS)?;
    let flags = overflow(view).intersection(overflow(inner.0));
    let (cx, b, loc, ty) = (rw.cx(), inner.rhs().id(), view.loc(), view.result(0).ty().id());
    rw.set_insertion_before(op);
    let zero = constant(rw, zero, loc);
    let state = OpState::of::<SubIOp<'_>>(loc).operands([zero, b]).attr(cx, "overflowFlags", flags.attr(cx));
    rw.replace_with(op, state.results([ty]));
    Ok(())
}

/// A sum whose carry is not used is a plain one.
fn carry_unused(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = AddUIExtendedOp::wrap(rw.op(op));
    if view.overflow().has_uses() {
        return Err(dl_ir::rewrite::NoMatch("the carry is used"));
    }
    let (lhs, rhs, ty, loc) = (view.lhs().id(), view.rhs().id(), view.sum().ty().id(), view.op().loc());
    let sum = view.sum().id();
    rw.set_insertion_before(op);
    let plain = rw.create_value(OpState::of::<AddIOp<'_>>(loc).operands([lhs, rhs]).results([ty]));
    rw.replace_all_uses(sum, plain);
    rw.erase(op);
    Ok(())
}

pub(crate) fn addi(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-combine-constants", AddIOp::NAME, combine_constants).add_local_fn(
        "arith-add-of-negated",
        AddIOp::NAME,
        add_of_negated,
    );
}

pub(crate) fn addui_extended(patterns: &mut Patterns) {
    patterns.add_fn("arith-carry-unused", Some(AddUIExtendedOp::NAME), carry_unused);
}

pub(crate) fn subi(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-combine-constants", SubIOp::NAME, combine_constants).add_local_fn(
        "arith-sub-of-sub",
        SubIOp::NAME,
        sub_of_sub,
    );
}
