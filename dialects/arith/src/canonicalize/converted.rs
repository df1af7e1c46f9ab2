//! Floats that are integers converted.

use std::cmp::Ordering;

use dl_ir::number::{ApInt, float};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{FloatKind, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter};

use super::OTHER_OPERANDS;
use crate::build::constant;
use crate::constants::uniform_float;
use crate::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, SIToFPOp, UIToFPOp};

/// Whether `convert`, from integers read as signed or unsigned, is exact for all of them.
pub(super) fn is_exact_conversion(convert: OpRef<'_>, signed: bool) -> bool {
    let from = convert.operand(0).ty().element_or_self().int_width();
    let to = convert.result(0).ty().element_or_self().float_kind();
    from.zip(to).is_some_and(|(from, to)| {
        // The most negative number is a power of two. One format has no zero.
        let largest = if signed { ApInt::min_signed(from) } else { ApInt::all_ones(from) };
        from - u32::from(signed) <= float::precision(to)
            && float::is_zero(to, float::from_int(to, &ApInt::zero(from), signed))
            && float::to_int(to, float::from_int(to, &largest, signed), from, signed) == Some(largest)
    })
}

/// How the numbers of an integer type compare with a float.
enum Answer {
    Always(bool),
    As(CmpIPredicate, ApInt),
}

/// How integers of `width` bits compare with the number `bits`. None of the integers is rounded, and neither side is NaN.
fn compare(predicate: CmpFPredicate, (kind, bits): (FloatKind, u128), width: u32, signed: bool) -> Option<Answer> {
    let holds = |order: Ordering| predicate.holds(Some(order));
    let (below, equal, above) = (holds(Ordering::Less), holds(Ordering::Equal), holds(Ordering::Greater));
    if below == equal && equal == above {
        return Some(Answer::Always(equal));
    }
    let negative = float::is_negative(kind, bits) && !float::is_zero(kind, bits);
    let Some(bound) = float::to_int(kind, bits, width, signed).filter(|_| signed || !negative) else {
        // Beyond the range of the type.
        return Some(Answer::Always(if negative { above } else { below }));
    };
    let (lt, le, gt, ge) = if signed {
        (CmpIPredicate::Slt, CmpIPredicate::Sle, CmpIPredicate::Sgt, CmpIPredicate::Sge)
    } else {
        (CmpIPredicate::Ult, CmpIPredicate::Ule, CmpIPredicate::Ugt, CmpIPredicate::Uge)
    };
    let is_integer = float::compare(kind, float::from_int(kind, &bound, signed), bits)? == Ordering::Equal;
    // Between two integers none is equal, and `bound` is the one toward zero.
    let predicate = match (below, equal, above) {
        (true, false, true) if !is_integer => return Some(Answer::Always(true)),
        (false, true, false) if !is_integer => return Some(Answer::Always(false)),
        (true, false, true) => CmpIPredicate::Ne,
        (false, true, false) => CmpIPredicate::Eq,
        (true, ..) if !is_integer => {
            if negative {
                lt
            } else {
                le
            }
        }
        (false, ..) if !is_integer => {
            if negative {
                ge
            } else {
                gt
            }
        }
        (true, true, _) => le,
        (true, false, _) => lt,
        (false, true, _) => ge,
        (false, false, _) => gt,
    };
    Some(Answer::As(predicate, bound))
}

/// A comparison of an integer, converted exactly, with a constant is one of integers.
fn compare_converted(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = CmpFOp::wrap(rw.op(op));
    let convert = view.lhs().defining_op().ok_or(OTHER_OPERANDS)?;
    let signed = convert.is::<SIToFPOp<'_>>();
    if !signed && !convert.is::<UIToFPOp<'_>>() {
        return Err(OTHER_OPERANDS);
    }
    let bound = view.rhs().constant().and_then(|c| uniform_float(cx, c.id())).ok_or(OTHER_OPERANDS)?;
    if float::is_nan(bound.0, bound.1) || !is_exact_conversion(convert, signed) {
        return Err(NoMatch("the constant is not a number, or the conversion rounds"));
    }
    let predicate = CmpFPredicate::from_attr(view.predicate()).ok_or(OTHER_OPERANDS)?;
    let (x, result, loc) = (convert.operand(0), view.result().ty(), view.0.loc());
    let width = x.ty().element_or_self().int_width().ok_or(OTHER_OPERANDS)?;
    let answer = compare(predicate, bound, width, signed).ok_or(OTHER_OPERANDS)?;
    let of = |ty: dl_ir::TypeRef<'_>, number: dl_ir::Attr| {
        if ty.is_shaped() { cx.splat_attr(ty.id(), number) } else { Some(number) }
    };
    match answer {
        Answer::Always(truth) => {
            let truth = of(result, cx.bool_attr(truth)).ok_or(OTHER_OPERANDS)?;
            rw.set_insertion_before(op);
            let truth = constant(rw, truth, loc);
            rw.replace(op, &[truth]);
        }
        Answer::As(predicate, bound) => {
            let (element, x_ty, x, result) = (x.ty().element_or_self().id(), x.ty(), x.id(), result.id());
            let bound = of(x_ty, cx.ap_int_attr(element, bound)).ok_or(OTHER_OPERANDS)?;
            rw.set_insertion_before(op);
            let bound = constant(rw, bound, loc);
            let state = OpState::of::<CmpIOp<'_>>(loc).operands([x, bound]);
            rw.replace_with(op, state.attr(cx, "predicate", predicate.attr(cx)).results([result]));
        }
    }
    Ok(())
}

pub(crate) fn cmpf(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-cmpf-of-converted", CmpFOp::NAME, compare_converted);
}
