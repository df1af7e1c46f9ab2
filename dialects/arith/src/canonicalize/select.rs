//! Selection.

use dl_ir::rewrite::{Patterns, Rewrite};
use dl_ir::{Attr, Context, OpDefinition, OpId, OpView, Rewriter, ValueRef};

use super::{OTHER_OPERANDS, complement_of, int_constant, replace, value_before};
use crate::build::constant;
use crate::constants::{is_int_one, is_int_zero};
use crate::{ExtUIOp, SelectOp, XOrIOp};

/// The constants that both choices are.
fn constant_choices(view: SelectOp<'_>) -> Option<(Attr, Attr)> {
    Some((int_constant(view.true_value())?, int_constant(view.false_value())?))
}

/// Whether the choices are constants with these properties.
fn choose(cx: &Context, choices: Option<(Attr, Attr)>, of: [fn(&Context, Attr) -> bool; 2]) -> bool {
    choices.is_some_and(|(yes, no)| of[0](cx, yes) && of[1](cx, no))
}

/// `c ? false : true = not c`
fn to_not(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = SelectOp::wrap(rw.op(op));
    let boolean = view.result().ty().is_signless_integer_of(1);
    if !boolean || !choose(cx, constant_choices(view), [is_int_zero, is_int_one]) {
        return Err(OTHER_OPERANDS);
    }
    let (condition, loc) = (view.condition().id(), view.op().loc());
    rw.set_insertion_before(op);
    let ones = constant(rw, cx.bool_attr(true), loc);
    replace::<XOrIOp<'_>>(rw, op, &[condition, ones]);
    Ok(())
}

/// `c ? 1 : 0 = extui(c)` and `c ? 0 : 1 = extui(not c)`, for results wider than the condition and of its shape.
fn to_extension(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = SelectOp::wrap(rw.op(op));
    let (condition, result) = (view.condition(), view.result().ty());
    let wider = result.element_or_self().int_width().is_some_and(|w| w > 1);
    let shaped = result.with_element(cx.i1_type()) == condition.ty().id();
    let choices = constant_choices(view);
    let straight = choose(cx, choices, [is_int_one, is_int_zero]);
    if !wider || !shaped || !(straight || choose(cx, choices, [is_int_zero, is_int_one])) {
        return Err(OTHER_OPERANDS);
    }
    let (mut condition, ty, loc) = (condition.id(), condition.ty().id(), view.op().loc());
    if !straight {
        let ones = cx.one_attr(ty).ok_or(OTHER_OPERANDS)?;
        rw.set_insertion_before(op);
        let ones = constant(rw, ones, loc);
        condition = value_before::<XOrIOp<'_>>(rw, op, &[condition, ones], ty);
    }
    replace::<ExtUIOp<'_>>(rw, op, &[condition]);
    Ok(())
}

/// `not c ? a : b = c ? b : a`
fn of_not(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = SelectOp::wrap(rw.op(op));
    let condition = complement_of(view.condition()).ok_or(OTHER_OPERANDS)?.id();
    let (yes, no) = (view.true_value().id(), view.false_value().id());
    rw.set_operand(op, 0, condition);
    rw.set_operand(op, 1, no);
    rw.set_operand(op, 2, yes);
    Ok(())
}

/// `c ? (c ? a : b) : d = c ? a : d`, and the mirror image.
fn same_condition(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = SelectOp::wrap(rw.op(op));
    let inner = |value: ValueRef<'_>, choice: usize| {
        let select = value.def::<SelectOp<'_>>().filter(|s| s.condition() == view.condition())?;
        Some(select.op().operand(choice).id())
    };
    let (index, value) = match (inner(view.true_value(), 1), inner(view.false_value(), 2)) {
        (Some(a), _) => (1, a),
        (None, Some(c)) => (2, c),
        (None, None) => return Err(OTHER_OPERANDS),
    };
    rw.set_operand(op, index, value);
    Ok(())
}

pub(crate) fn select(patterns: &mut Patterns) {
    let root = SelectOp::NAME;
    patterns
        .add_local_fn("arith-select-same-condition", root, same_condition)
        .add_local_fn("arith-select-of-not", root, of_not)
        .add_local_fn("arith-select-to-not", root, to_not)
        .add_local_fn("arith-select-to-extui", root, to_extension);
}
