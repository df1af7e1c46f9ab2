//! Integer arithmetic and comparison.

use dl_ir::interp::integer::{Division, NoWrap, shift_left, shift_right, total, wrapping};
use dl_ir::interp::{Step, Value};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder};

use super::on;
use super::pointer::Pointer;
use crate::{
    AShrOp, AddOp, AndOp, ICmpOp, ICmpPredicate, IntegerOverflowFlags, LShrOp, MulOp, OrOp, SDivOp, SRemOp, ShlOp,
    SubOp, UDivOp, URemOp, XOrOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    on::<AddOp<'_>>(b, |step, v| wrapping(step, v, (ApInt::sadd_overflow, ApInt::uadd_overflow), promised(step)));
    on::<SubOp<'_>>(b, |step, v| wrapping(step, v, (ApInt::ssub_overflow, ApInt::usub_overflow), promised(step)));
    on::<MulOp<'_>>(b, |step, v| wrapping(step, v, (ApInt::smul_overflow, ApInt::umul_overflow), promised(step)));
    on::<AndOp<'_>>(b, |step, v| total(step, v, ApInt::and));
    on::<XOrOp<'_>>(b, |step, v| total(step, v, ApInt::xor));
    on::<OrOp<'_>>(b, or);
    on::<ShlOp<'_>>(b, |step, v| shift_left(step, v, promised(step)));
    on::<LShrOp<'_>>(b, |step, v| shift_right(step, v, ApInt::lshr));
    on::<AShrOp<'_>>(b, |step, v| shift_right(step, v, ApInt::ashr));
    on::<ICmpOp<'_>>(b, icmp);
    b.on::<SDivOp<'_>>().interpret(Division(ApInt::sdiv));
    b.on::<UDivOp<'_>>().interpret(Division(ApInt::udiv));
    // Where there is no quotient, there is no remainder.
    b.on::<SRemOp<'_>>().interpret(Division(|a, b| a.sdiv(b).and_then(|_| a.srem(b))));
    b.on::<URemOp<'_>>().interpret(Division(ApInt::urem));
}

/// What the flags promise.
pub(super) fn promised(step: Step<'_, '_>) -> NoWrap {
    let flags = step.op.attr("overflowFlags").and_then(IntegerOverflowFlags::from_attr);
    let has = |flag| flags.is_some_and(|flags| flags.contains(flag));
    NoWrap { signed: has(IntegerOverflowFlags::NSW), unsigned: has(IntegerOverflowFlags::NUW) }
}

fn or(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (a, b) = (step.int(&v[0])?, step.int(&v[1])?);
    let broken = step.op.attr("isDisjoint").is_some() && !a.and(b).is_zero();
    Ok(if broken { Value::Poison } else { Value::Int(a.or(b)) })
}

fn icmp(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let predicate = step.op.attr("predicate").and_then(ICmpPredicate::from_attr);
    let predicate = predicate.ok_or_else(|| step.op.error("has no predicate"))?;
    if let (Some(a), Some(b)) = (Pointer::of(&v[0]), Pointer::of(&v[1])) {
        return match predicate {
            ICmpPredicate::Eq => Ok(Value::bool(a == b)),
            ICmpPredicate::Ne => Ok(Value::bool(a != b)),
            _ => Err(step.unsupported("the order of pointers")),
        };
    }
    let (a, b) = (step.int(&v[0])?, step.int(&v[1])?);
    Ok(Value::bool(match predicate {
        ICmpPredicate::Eq => a == b,
        ICmpPredicate::Ne => a != b,
        ICmpPredicate::Slt => a.slt(b),
        ICmpPredicate::Sle => a.sle(b),
        ICmpPredicate::Sgt => a.sgt(b),
        ICmpPredicate::Sge => a.sge(b),
        ICmpPredicate::Ult => a.ult(b),
        ICmpPredicate::Ule => a.ule(b),
        ICmpPredicate::Ugt => a.ugt(b),
        ICmpPredicate::Uge => a.uge(b),
    }))
}
