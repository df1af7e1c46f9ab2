//! Integer arithmetic and comparison.

use dl_ir::interp::{Flow, Interpret, Machine, Outcome, Step, Value, lift};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition};

use super::on;
use super::pointer::Pointer;
use crate::{
    AShrOp, AddOp, AndOp, ICmpOp, ICmpPredicate, IntegerOverflowFlags, LShrOp, MulOp, OrOp, SDivOp, SRemOp, ShlOp,
    SubOp, UDivOp, URemOp, XOrOp,
};

type Overflowing = fn(&ApInt, &ApInt) -> (ApInt, bool);

pub(super) fn register(b: &mut DialectBuilder) {
    on::<AddOp<'_>>(b, |step, v| wrapping(step, v, ApInt::sadd_overflow, ApInt::uadd_overflow));
    on::<SubOp<'_>>(b, |step, v| wrapping(step, v, ApInt::ssub_overflow, ApInt::usub_overflow));
    on::<MulOp<'_>>(b, |step, v| wrapping(step, v, ApInt::smul_overflow, ApInt::umul_overflow));
    on::<AndOp<'_>>(b, |step, v| total(step, v, ApInt::and));
    on::<XOrOp<'_>>(b, |step, v| total(step, v, ApInt::xor));
    on::<OrOp<'_>>(b, or);
    on::<ShlOp<'_>>(b, shl);
    on::<LShrOp<'_>>(b, |step, v| shift_right(step, v, ApInt::lshr));
    on::<AShrOp<'_>>(b, |step, v| shift_right(step, v, ApInt::ashr));
    on::<ICmpOp<'_>>(b, icmp);
    division::<SDivOp<'_>>(b, ApInt::sdiv);
    division::<UDivOp<'_>>(b, ApInt::udiv);
    // Where there is no quotient, there is no remainder.
    division::<SRemOp<'_>>(b, |a, b| a.sdiv(b).and_then(|_| a.srem(b)));
    division::<URemOp<'_>>(b, ApInt::urem);
}

pub(super) fn total(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt, &ApInt) -> ApInt) -> Result<Value, Diagnostic> {
    Ok(Value::Int(f(step.int(&v[0])?, step.int(&v[1])?)))
}

/// The flags that promise that nothing overflows.
pub(super) fn flags(step: Step<'_, '_>) -> IntegerOverflowFlags {
    step.op.attr("overflowFlags").and_then(IntegerOverflowFlags::from_attr).unwrap_or(IntegerOverflowFlags::NONE)
}

/// Poison where a promise that nothing overflows is broken.
fn wrapping(step: Step<'_, '_>, v: &[Value], signed: Overflowing, unsigned: Overflowing) -> Result<Value, Diagnostic> {
    let (a, b, flags) = (step.int(&v[0])?, step.int(&v[1])?, flags(step));
    let ((result, signed), (_, unsigned)) = (signed(a, b), unsigned(a, b));
    let broken =
        flags.contains(IntegerOverflowFlags::NSW) && signed || flags.contains(IntegerOverflowFlags::NUW) && unsigned;
    Ok(if broken { Value::Poison } else { Value::Int(result) })
}

fn or(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (a, b) = (step.int(&v[0])?, step.int(&v[1])?);
    let broken = step.op.attr("isDisjoint").is_some() && !a.and(b).is_zero();
    Ok(if broken { Value::Poison } else { Value::Int(a.or(b)) })
}

fn shl(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (a, amount, flags) = (step.int(&v[0])?, step.int(&v[1])?.to_u64(), flags(step));
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, a.shl(amount)?))) else {
        return Ok(Value::Poison);
    };
    let lost = |back: fn(&ApInt, u64) -> Option<ApInt>| back(&result, amount).as_ref() != Some(a);
    let broken = flags.contains(IntegerOverflowFlags::NSW) && lost(ApInt::ashr)
        || flags.contains(IntegerOverflowFlags::NUW) && lost(ApInt::lshr);
    Ok(if broken { Value::Poison } else { Value::Int(result) })
}

fn is_exact(step: Step<'_, '_>) -> bool {
    step.op.attr("isExact").is_some()
}

fn shift_right(step: Step<'_, '_>, v: &[Value], shift: fn(&ApInt, u64) -> Option<ApInt>) -> Result<Value, Diagnostic> {
    let (a, amount) = (step.int(&v[0])?, step.int(&v[1])?.to_u64());
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, shift(a, amount)?))) else {
        return Ok(Value::Poison);
    };
    let broken = is_exact(step) && !a.is_zero() && u64::from(a.trailing_zeros()) < amount;
    Ok(if broken { Value::Poison } else { Value::Int(result) })
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

/// A quotient or remainder; `None` where there is none.
#[derive(Clone, Copy)]
struct Division(fn(&ApInt, &ApInt) -> Option<ApInt>);

fn division<T: OpDefinition>(b: &mut DialectBuilder, f: fn(&ApInt, &ApInt) -> Option<ApInt>) {
    b.on::<T>().interpret(Division(f));
}

impl Interpret for Division {
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        lift(step, |v| self.scalar(step, v)).map(Flow::from)
    }
}

impl Division {
    /// Dividing by poison is undefined at once: it may be zero.
    fn scalar(self, step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
        let divisor = step.int(&v[1])?;
        if divisor.is_zero() {
            return Err(step.undefined("division by zero"));
        }
        if v[0].is_poison() {
            // Poison may be the one number that has no quotient.
            return Ok(Value::Poison);
        }
        let dividend = step.int(&v[0])?;
        let result = (self.0)(dividend, divisor).ok_or_else(|| step.undefined("overflow of a signed division"))?;
        let broken = is_exact(step) && &result.wrapping_mul(divisor) != dividend;
        Ok(if broken { Value::Poison } else { Value::Int(result) })
    }
}
