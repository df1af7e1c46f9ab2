//! The combining functions that other dialects name by [`AtomicRMWKind`].

use dl_ir::interp::{Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{Diagnostic, FloatKind, TypeRef};

use crate::AtomicRMWKind;

/// `kind` of the old value and the new one. Poison if either is.
///
/// # Errors
/// That the values are of the wrong type.
pub fn combine(step: Step<'_, '_>, kind: AtomicRMWKind, old: &Value, new: &Value) -> Result<Value, Diagnostic> {
    use AtomicRMWKind as Kind;
    if old.is_poison() || new.is_poison() {
        return Ok(if kind == Kind::Assign { new.clone() } else { Value::Poison });
    }
    let ints = |f: fn(&ApInt, &ApInt) -> ApInt| Ok(Value::Int(f(step.int(old)?, step.int(new)?)));
    let floats = |f: fn(FloatKind, u128, u128) -> u128| {
        let ((kind, a), (_, b)) = (step.float(old)?, step.float(new)?);
        Ok(Value::Float(kind, f(kind, a, b)))
    };
    match kind {
        Kind::Assign => Ok(new.clone()),
        Kind::Addf => floats(float::add),
        Kind::Mulf => floats(float::mul),
        Kind::Maximumf => floats(float::maximum),
        Kind::Minimumf => floats(float::minimum),
        Kind::Maxnumf => floats(float::maxnum),
        Kind::Minnumf => floats(float::minnum),
        Kind::Addi => ints(ApInt::wrapping_add),
        Kind::Muli => ints(ApInt::wrapping_mul),
        Kind::Andi => ints(ApInt::and),
        Kind::Ori => ints(ApInt::or),
        Kind::Xori => ints(ApInt::xor),
        Kind::Maxs => ints(ApInt::smax),
        Kind::Maxu => ints(ApInt::umax),
        Kind::Mins => ints(ApInt::smin),
        Kind::Minu => ints(ApInt::umin),
    }
}

/// The value of type `ty` that `kind` combines with any other to that one. `None` where there is none.
pub fn identity(kind: AtomicRMWKind, ty: TypeRef<'_>) -> Option<Value> {
    use AtomicRMWKind as Kind;
    if let Some(format) = ty.float_kind() {
        let bits = match kind {
            Kind::Addf => float::neg(format, float::zero(format)),
            Kind::Mulf => float::one(format),
            Kind::Maximumf => float::infinity(format, true)?,
            Kind::Minimumf => float::infinity(format, false)?,
            Kind::Maxnumf | Kind::Minnumf => float::nan(format)?,
            _ => return None,
        };
        return Some(Value::Float(format, bits));
    }
    let width = ty.storage_bits()?;
    let value = match kind {
        Kind::Addi | Kind::Ori | Kind::Xori | Kind::Maxu => ApInt::zero(width),
        Kind::Muli => ApInt::one(width),
        Kind::Andi | Kind::Minu => ApInt::all_ones(width),
        Kind::Maxs => ApInt::min_signed(width),
        Kind::Mins => ApInt::max_signed(width),
        _ => return None,
    };
    Some(Value::Int(value))
}
