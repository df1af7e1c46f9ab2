//! Functions of integers.

use dl_ir::interp::{Elementwise, Step, Value};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder};

use crate::fold::power;
use crate::{AbsIOp, CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp, IPowIOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<AbsIOp<'_>>().interpret(Elementwise(|step, v| Ok(Value::Int(step.int(&v[0])?.abs()))));
    b.on::<CountLeadingZerosOp<'_>>().interpret(Elementwise(|step, v| count(step, v, ApInt::leading_zeros)));
    b.on::<CountTrailingZerosOp<'_>>().interpret(Elementwise(|step, v| count(step, v, ApInt::trailing_zeros)));
    b.on::<CtPopOp<'_>>().interpret(Elementwise(|step, v| count(step, v, ApInt::count_ones)));
    b.on::<IPowIOp<'_>>().interpret(Elementwise(ipowi));
}

fn count(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt) -> u32) -> Result<Value, Diagnostic> {
    let value = step.int(&v[0])?;
    Ok(Value::Int(ApInt::from_u64(value.width(), f(value).into())))
}

fn ipowi(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let power = power(step.int(&v[0])?, step.int(&v[1])?);
    power.map(Value::Int).ok_or_else(|| step.undefined("zero to a negative power"))
}
