//! Intrinsic functions of integers.

use std::cmp::Ordering;

use dl_ir::interp::integer::total;
use dl_ir::interp::{Array, Flow, Interpret, Machine, Outcome, Step, Value, lift};
use dl_ir::number::ApInt;
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};

use crate::interpret::on;
use crate::{
    AbsOp, BitReverseOp, ByteSwapOp, CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp, FshlOp, FshrOp, SAddSatOp,
    SAddWithOverflowOp, SCmpOp, SMaxOp, SMinOp, SMulWithOverflowOp, SSHLSatOp, SSubSatOp, SSubWithOverflowOp,
    UAddSatOp, UAddWithOverflowOp, UCmpOp, UMaxOp, UMinOp, UMulWithOverflowOp, USHLSatOp, USubSatOp,
    USubWithOverflowOp,
};

type Overflowing = fn(&ApInt, &ApInt) -> (ApInt, bool);

pub(super) fn register(b: &mut DialectBuilder) {
    on::<SMaxOp<'_>>(b, |step, v| total(step, v, ApInt::smax));
    on::<SMinOp<'_>>(b, |step, v| total(step, v, ApInt::smin));
    on::<UMaxOp<'_>>(b, |step, v| total(step, v, ApInt::umax));
    on::<UMinOp<'_>>(b, |step, v| total(step, v, ApInt::umin));
    on::<AbsOp<'_>>(b, |step, v| {
        let a = step.int(&v[0])?;
        let broken = a.is_min_signed() && is_set(step, "is_int_min_poison");
        Ok(if broken { Value::Poison } else { Value::Int(a.abs()) })
    });
    on::<CountLeadingZerosOp<'_>>(b, |step, v| count_zeros(step, v, ApInt::leading_zeros));
    on::<CountTrailingZerosOp<'_>>(b, |step, v| count_zeros(step, v, ApInt::trailing_zeros));
    on::<CtPopOp<'_>>(b, |step, v| {
        let a = step.int(&v[0])?;
        Ok(Value::Int(ApInt::from_u64(a.width(), a.count_ones().into())))
    });
    on::<BitReverseOp<'_>>(b, |step, v| Ok(Value::Int(rearranged(step.int(&v[0])?, 1))));
    on::<ByteSwapOp<'_>>(b, |step, v| match step.int(&v[0])? {
        a if a.width() % 16 == 0 => Ok(Value::Int(rearranged(a, 8))),
        a => Err(step.unsupported(format_args!("an integer of {} bits has no pairs of bytes to swap", a.width()))),
    });
    on::<FshlOp<'_>>(b, |step, v| funnel(step, v, true));
    on::<FshrOp<'_>>(b, |step, v| funnel(step, v, false));
    on::<SCmpOp<'_>>(b, |step, v| compare(step, v, ApInt::scmp));
    on::<UCmpOp<'_>>(b, |step, v| compare(step, v, ApInt::ucmp));
    on::<SAddSatOp<'_>>(b, |step, v| saturating(step, v, ApInt::sadd_overflow, signed_end));
    on::<SSubSatOp<'_>>(b, |step, v| saturating(step, v, ApInt::ssub_overflow, signed_end));
    on::<UAddSatOp<'_>>(b, |step, v| saturating(step, v, ApInt::uadd_overflow, |a| ApInt::all_ones(a.width())));
    on::<USubSatOp<'_>>(b, |step, v| saturating(step, v, ApInt::usub_overflow, |a| ApInt::zero(a.width())));
    on::<SSHLSatOp<'_>>(b, |step, v| saturating_shift(step, v, ApInt::ashr, signed_end));
    on::<USHLSatOp<'_>>(b, |step, v| saturating_shift(step, v, ApInt::lshr, |a| ApInt::all_ones(a.width())));
    b.on::<SAddWithOverflowOp<'_>>().interpret(WithOverflow(ApInt::sadd_overflow));
    b.on::<SSubWithOverflowOp<'_>>().interpret(WithOverflow(ApInt::ssub_overflow));
    b.on::<SMulWithOverflowOp<'_>>().interpret(WithOverflow(ApInt::smul_overflow));
    b.on::<UAddWithOverflowOp<'_>>().interpret(WithOverflow(ApInt::uadd_overflow));
    b.on::<USubWithOverflowOp<'_>>().interpret(WithOverflow(ApInt::usub_overflow));
    b.on::<UMulWithOverflowOp<'_>>().interpret(WithOverflow(ApInt::umul_overflow));
}

fn is_set(step: Step<'_, '_>, name: &str) -> bool {
    step.op.attr(name).and_then(AttrRef::as_bool).unwrap_or(false)
}

fn count_zeros(step: Step<'_, '_>, v: &[Value], count: fn(&ApInt) -> u32) -> Result<Value, Diagnostic> {
    let a = step.int(&v[0])?;
    let broken = a.is_zero() && is_set(step, "is_zero_poison");
    Ok(if broken { Value::Poison } else { Value::Int(ApInt::from_u64(a.width(), count(a).into())) })
}

/// Pieces of `size` bits in the opposite order.
fn rearranged(a: &ApInt, size: u32) -> ApInt {
    let width = a.width();
    let mut result = ApInt::zero(width);
    for at in (0..width).filter(|&at| a.bit(at)) {
        let (piece, within) = (at / size, at % size);
        let to = width - (piece + 1) * size + within;
        if let Some(bit) = ApInt::one(width).shl(to.into()) {
            result = result.or(&bit);
        }
    }
    result
}

/// The high half of the shifted pair, or the low one. Amounts count modulo the width.
fn funnel(step: Step<'_, '_>, v: &[Value], left: bool) -> Result<Value, Diagnostic> {
    let (high, low, amount) = (step.int(&v[0])?, step.int(&v[1])?, step.int(&v[2])?);
    let width = high.width();
    let amount = amount.urem(&ApInt::from_u64(width, width.into())).and_then(|amount| amount.to_u64()).unwrap_or(0);
    let wide = high.zext_or_trunc(2 * width).shl(width.into()).unwrap_or(ApInt::zero(2 * width));
    let wide = wide.or(&low.zext_or_trunc(2 * width));
    let shifted = if left { wide.shl(amount).and_then(|wide| wide.lshr(width.into())) } else { wide.lshr(amount) };
    Ok(shifted.map_or(Value::Poison, |shifted| Value::Int(shifted.zext_or_trunc(width))))
}

/// -1, 0 or 1.
fn compare(step: Step<'_, '_>, v: &[Value], order: fn(&ApInt, &ApInt) -> Ordering) -> Result<Value, Diagnostic> {
    let width = step.op.result(0).ty().element_or_self().int_width();
    let width = width.ok_or_else(|| step.op.error("has no integer as result"))?;
    Ok(Value::Int(ApInt::from_i64(width, order(step.int(&v[0])?, step.int(&v[1])?) as i64)))
}

/// The signed number furthest from zero on the side of `a`.
fn signed_end(a: &ApInt) -> ApInt {
    if a.is_negative() { ApInt::min_signed(a.width()) } else { ApInt::max_signed(a.width()) }
}

fn saturating(step: Step<'_, '_>, v: &[Value], f: Overflowing, end: fn(&ApInt) -> ApInt) -> Result<Value, Diagnostic> {
    let (a, b) = (step.int(&v[0])?, step.int(&v[1])?);
    let (result, overflows) = f(a, b);
    Ok(Value::Int(if overflows { end(a) } else { result }))
}

fn saturating_shift(
    step: Step<'_, '_>,
    v: &[Value],
    back: fn(&ApInt, u64) -> Option<ApInt>,
    end: fn(&ApInt) -> ApInt,
) -> Result<Value, Diagnostic> {
    let (a, amount) = (step.int(&v[0])?, step.int(&v[1])?.to_u64());
    let Some((amount, result)) = amount.and_then(|amount| Some((amount, a.shl(amount)?))) else {
        return Ok(Value::Poison);
    };
    let kept = back(&result, amount).as_ref() == Some(a);
    Ok(Value::Int(if kept { result } else { end(a) }))
}

/// A struct of the result and whether it overflows, or of both for each lane.
struct WithOverflow(Overflowing);

impl Interpret for WithOverflow {
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        with_overflow(step, self.0)
    }
}

fn with_overflow<'a>(step: Step<'a, '_>, f: Overflowing) -> Outcome<'a> {
    let part = |choose: fn((ApInt, bool)) -> Value| -> Result<Value, Diagnostic> {
        lift(step, |v| {
            if v.iter().any(Value::is_poison) {
                return Ok(Value::Poison);
            }
            Ok(choose(f(step.int(&v[0])?, step.int(&v[1])?)))
        })
    };
    let parts = vec![part(|(result, _)| Value::Int(result))?, part(|(_, overflows)| Value::bool(overflows))?];
    Ok(Flow::from(Array::new(&[2], parts)))
}
