//! Operations with two results: sum and carry, low and high half of a product.

use dl_ir::interp::{Flow, Machine, Outcome, Step, Value, lift};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder};
use smallvec::smallvec;

use crate::{AddUIExtendedOp, MulSIExtendedOp, MulUIExtendedOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<AddUIExtendedOp<'_>>().interpret(addui_extended);
    b.on::<MulSIExtendedOp<'_>>().interpret(mulsi_extended);
    b.on::<MulUIExtendedOp<'_>>().interpret(mului_extended);
}

fn binary(step: Step<'_, '_>, f: impl Fn(&ApInt, &ApInt) -> ApInt) -> Result<Value, Diagnostic> {
    lift(step, |v| {
        if v.iter().any(Value::is_poison) {
            return Ok(Value::Poison);
        }
        Ok(Value::Int(f(step.int(&v[0])?, step.int(&v[1])?)))
    })
}

fn addui_extended<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let sum = binary(step, ApInt::wrapping_add)?;
    let carry = binary(step, |a, b| ApInt::from_bool(a.uadd_overflow(b).1))?;
    Ok(Flow::Next(smallvec![sum, carry]))
}

/// Both halves of the product of operands that `extend` brings to twice their width.
fn product<'a>(step: Step<'a, '_>, extend: fn(&ApInt, u32) -> ApInt) -> Outcome<'a> {
    let low = binary(step, ApInt::wrapping_mul)?;
    let high = binary(step, |a, b| {
        let width = a.width();
        let wide = extend(a, 2 * width).wrapping_mul(&extend(b, 2 * width));
        wide.lshr(width.into()).unwrap_or(wide).zext_or_trunc(width)
    })?;
    Ok(Flow::Next(smallvec![low, high]))
}

fn mulsi_extended<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    product(step, ApInt::sext_or_trunc)
}

fn mului_extended<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    product(step, ApInt::zext_or_trunc)
}
