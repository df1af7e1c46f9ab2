//! Integer arithmetic.

use dl_ir::interp::{Flow, Interpret, Machine, Outcome, Step, Value, lift};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition};

use super::elementwise;
use crate::flags::overflow;
use crate::{
    AddIOp, AndIOp, CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, IntegerOverflowFlags, MaxSIOp, MaxUIOp,
    MinSIOp, MinUIOp, MulIOp, OrIOp, RemSIOp, RemUIOp, ShLIOp, ShRSIOp, ShRUIOp, SubIOp, XOrIOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    elementwise::<AddIOp<'_>>(b, |step, v| wrapping(step, v, ApInt::sadd_overflow, ApInt::uadd_overflow));
    elementwise::<SubIOp<'_>>(b, |step, v| wrapping(step, v, ApInt::ssub_overflow, ApInt::usub_overflow));
    elementwise::<MulIOp<'_>>(b, |step, v| wrapping(step, v, ApInt::smul_overflow, ApInt::umul_overflow));
    elementwise::<AndIOp<'_>>(b, |step, v| total(step, v, ApInt::and));
    elementwise::<OrIOp<'_>>(b, |step, v| total(step, v, ApInt::or));
    elementwise::<XOrIOp<'_>>(b, |step, v| total(step, v, ApInt::xor));
    elementwise::<MaxSIOp<'_>>(b, |step, v| total(step, v, ApInt::smax));
    elementwise::<MaxUIOp<'_>>(b, |step, v| total(step, v, ApInt::umax));
    elementwise::<MinSIOp<'_>>(b, |step, v| total(step, v, ApInt::smin));
    elementwise::<MinUIOp<'_>>(b, |step, v| total(step, v, ApInt::umin));
    elementwise::<ShLIOp<'_>>(b, shift_left);
    elementwise::<ShRUIOp<'_>>(b, |step, v| shift_right(step, v, ApInt::lshr));
    elementwise::<ShRSIOp<'_>>(b, |step, v| shift_right(step, v, ApInt::ashr));
    division::<DivUIOp<'_>>(b, ApInt::udiv);
    division::<DivSIOp<'_>>(b, ApInt::sdiv);
    division::<CeilDivUIOp<'_>>(b, ApInt::ceildiv_unsigned);
    division::<CeilDivSIOp<'_>>(b, ApInt::ceildiv_signed);
    division::<FloorDivSIOp<'_>>(b, ApInt::floordiv_signed);
    division::<RemUIOp<'_>>(b, ApInt::urem);
    division::<RemSIOp<'_>>(b, |a, b| a.sdiv(b).and_then(|_| a.srem(b)));
}

/// A function that is defined everywhere.
fn total(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt, &ApInt) -> ApInt) -> Result<Value, Diagnostic> {
    Ok(Value::Int(f(step.int(&v[0])?, step.int(&v[1])?)))
}

type Overflowing = fn(&ApInt, &ApInt) -> (ApInt, bool);

/// The wrapped result, or poison where a flag promises that it does not wrap.
fn wrapping(step: Step<'_, '_>, v: &[Value], signed: Overflowing, unsigned: Overflowing) -> Result<Value, Diagnostic> {
    let (a, b, flags) = (step.int(&v[0])?, step.int(&v[1])?, overflow(step.op));
    let (result, wraps_signed) = signed(a, b);
    let poisoned = flags.contains(IntegerOverflowFlags::NSW) && wraps_signed
        || flags.contains(IntegerOverflowFlags::NUW) && unsigned(a, b).1;
    Ok(if poisoned { Value::Poison } else { Value::Int(result) })
}

/// Poison where the amount is not less than the width, or where bits are lost that a flag promises are not.
fn shift_left(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let (a, flags) = (step.int(&v[0])?, overflow(step.op));
    let amount = step.int(&v[1])?.to_u64();
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, a.shl(amount)?))) else {
        return Ok(Value::Poison);
    };
    let lost = |back: fn(&ApInt, u64) -> Option<ApInt>| back(&result, amount).as_ref() != Some(a);
    let poisoned = flags.contains(IntegerOverflowFlags::NSW) && lost(ApInt::ashr)
        || flags.contains(IntegerOverflowFlags::NUW) && lost(ApInt::lshr);
    Ok(if poisoned { Value::Poison } else { Value::Int(result) })
}

/// Poison where the amount is not less than the width, or where a set bit is lost that `exact` promises is not.
fn shift_right(step: Step<'_, '_>, v: &[Value], shift: fn(&ApInt, u64) -> Option<ApInt>) -> Result<Value, Diagnostic> {
    let a = step.int(&v[0])?;
    let amount = step.int(&v[1])?.to_u64();
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, shift(a, amount)?))) else {
        return Ok(Value::Poison);
    };
    let inexact = is_exact(step) && u64::from(a.trailing_zeros()) < amount && !a.is_zero();
    Ok(if inexact { Value::Poison } else { Value::Int(result) })
}

fn is_exact(step: Step<'_, '_>) -> bool {
    step.op.attr("isExact").is_some()
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
    /// Dividing by poison is undefined at once: it may be zero. A quotient that `exact` promises has no remainder is poison if it has one.
    fn scalar(self, step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
        let divisor = step.int(&v[1])?;
        if divisor.is_zero() {
            return Err(step.undefined("division by zero"));
        }
        if v[0].is_poison() {
            return Ok(Value::Poison);
        }
        let dividend = step.int(&v[0])?;
        let Some(result) = (self.0)(dividend, divisor) else {
            return Err(step.undefined("overflow of a signed division"));
        };
        let inexact = is_exact(step) && &result.wrapping_mul(divisor) != dividend;
        Ok(if inexact { Value::Poison } else { Value::Int(result) })
    }
}
