//! Arithmetic of integers with promises: where one is broken, the result is poison.

use super::elementwise::lift;
use super::machine::{Flow, Interpret, Machine, Outcome};
use super::step::Step;
use super::value::Value;
use crate::diagnostics::Diagnostic;
use crate::number::ApInt;
use crate::view::OpRef;

/// What an operation promises not to do: to wrap as signed numbers, as unsigned ones.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoWrap {
    /// `nsw`.
    pub signed: bool,
    /// `nuw`.
    pub unsigned: bool,
}

/// A wrapped result, and whether it has wrapped.
pub type Overflowing = fn(&ApInt, &ApInt) -> (ApInt, bool);

/// Two integers of one width, which not all operations see to.
fn pair<'v>(step: Step<'_, '_>, v: &'v [Value]) -> Result<(&'v ApInt, &'v ApInt), Diagnostic> {
    let (a, b) = (step.int(&v[0])?, step.int(&v[1])?);
    if a.width() == b.width() { Ok((a, b)) } else { Err(step.unsupported("integers of different widths")) }
}

/// A function that is defined everywhere.
///
/// # Errors
/// That an operand is no integer, or not as wide as the other.
pub fn total(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt, &ApInt) -> ApInt) -> Result<Value, Diagnostic> {
    let (a, b) = pair(step, v)?;
    Ok(Value::Int(f(a, b)))
}

/// The wrapped result, or poison where it is promised that it does not wrap. `signed` and `unsigned` are one function, with the overflow of either reading.
///
/// # Errors
/// That an operand is no integer, or not as wide as the other.
pub fn wrapping(
    step: Step<'_, '_>,
    v: &[Value],
    (signed, unsigned): (Overflowing, Overflowing),
    promised: NoWrap,
) -> Result<Value, Diagnostic> {
    let (a, b) = pair(step, v)?;
    let (result, wraps) = signed(a, b);
    let broken = promised.signed && wraps || promised.unsigned && unsigned(a, b).1;
    Ok(if broken { Value::Poison } else { Value::Int(result) })
}

/// Poison where the amount is not less than the width, or where bits are lost that it is promised are not.
///
/// # Errors
/// That an operand is no integer.
pub fn shift_left(step: Step<'_, '_>, v: &[Value], promised: NoWrap) -> Result<Value, Diagnostic> {
    let (a, amount) = (step.int(&v[0])?, step.int(&v[1])?.to_u64());
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, a.shl(amount)?))) else {
        return Ok(Value::Poison);
    };
    let lost = |back: fn(&ApInt, u64) -> Option<ApInt>| back(&result, amount).as_ref() != Some(a);
    let broken = promised.signed && lost(ApInt::ashr) || promised.unsigned && lost(ApInt::lshr);
    Ok(if broken { Value::Poison } else { Value::Int(result) })
}

/// Poison where the amount is not less than the width, or where a set bit is lost that `isExact` promises is not.
///
/// # Errors
/// That an operand is no integer.
pub fn shift_right(
    step: Step<'_, '_>,
    v: &[Value],
    shift: fn(&ApInt, u64) -> Option<ApInt>,
) -> Result<Value, Diagnostic> {
    let (a, amount) = (step.int(&v[0])?, step.int(&v[1])?.to_u64());
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, shift(a, amount)?))) else {
        return Ok(Value::Poison);
    };
    let broken = is_exact(step.op) && !a.is_zero() && u64::from(a.trailing_zeros()) < amount;
    Ok(if broken { Value::Poison } else { Value::Int(result) })
}

/// The meaning of a division: a quotient or remainder, `None` where there is none.
///
/// Dividing by poison is undefined at once: it may be zero. A quotient that `isExact` promises to leave nothing is poison if it leaves something.
#[derive(Clone, Copy)]
pub struct Division(pub fn(&ApInt, &ApInt) -> Option<ApInt>);

impl Interpret for Division {
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        lift(step, |v| self.scalar(step, v)).map(Flow::from)
    }
}

impl Division {
    fn scalar(self, step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
        let divisor = step.int(&v[1])?;
        if divisor.is_zero() {
            return Err(step.undefined("division by zero"));
        }
        if v[0].is_poison() {
            // Poison may be the one number that has no quotient.
            return Ok(Value::Poison);
        }
        let (dividend, divisor) = pair(step, v)?;
        let result = (self.0)(dividend, divisor).ok_or_else(|| step.undefined("overflow of a signed division"))?;
        let broken = is_exact(step.op) && &result.wrapping_mul(divisor) != dividend;
        Ok(if broken { Value::Poison } else { Value::Int(result) })
    }
}

fn is_exact(op: OpRef<'_>) -> bool {
    op.attr("isExact").is_some()
}
