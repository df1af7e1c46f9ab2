//! What the operations do when the interpreter runs them. A posit is held by the integer that encodes it.

use dl_ir::interp::{Elementwise, Step, Value};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder, OpView};

use crate::{AddOp, ConstantOp, DivOp, FromBitsOp, LessOp, MulOp, NegOp, SubOp, ToBitsOp, number, posit_bits};

pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<ConstantOp<'_>>().interpret(Elementwise(constant));
    b.on::<AddOp<'_>>().interpret(Elementwise(|step, values| binary(step, values, number::add)));
    b.on::<SubOp<'_>>().interpret(Elementwise(|step, values| binary(step, values, number::sub)));
    b.on::<MulOp<'_>>().interpret(Elementwise(|step, values| binary(step, values, number::mul)));
    b.on::<DivOp<'_>>().interpret(Elementwise(|step, values| binary(step, values, number::div)));
    b.on::<NegOp<'_>>().interpret(Elementwise(|step, values| step.int(&values[0]).map(|x| Value::Int(x.neg()))));
    b.on::<LessOp<'_>>()
        .interpret(Elementwise(|step, values| Ok(Value::bool(step.int(&values[0])?.slt(step.int(&values[1])?)))));
    b.on::<FromBitsOp<'_>>().interpret(Elementwise(|_, values| Ok(values[0].clone())));
    b.on::<ToBitsOp<'_>>().interpret(Elementwise(|_, values| Ok(values[0].clone())));
}

/// The number of bits of the result.
fn result_bits(step: Step<'_, '_>) -> Result<u32, Diagnostic> {
    posit_bits(step.op.result(0).ty()).ok_or_else(|| step.op.error("has no posit as a result"))
}

fn constant(step: Step<'_, '_>, _: &[Value]) -> Result<Value, Diagnostic> {
    let bits = result_bits(step)?;
    let value = ConstantOp::wrap(step.op).value().as_f64().ok_or_else(|| step.op.error("has no number"))?;
    Ok(Value::Int(ApInt::from_u64(bits, number::from_f64(value, bits))))
}

fn binary(step: Step<'_, '_>, values: &[Value], compute: fn(u64, u64, u32) -> u64) -> Result<Value, Diagnostic> {
    let bits = result_bits(step)?;
    let encoding = |value| Ok::<_, Diagnostic>(step.int(value)?.to_u64().unwrap_or_default());
    Ok(Value::Int(ApInt::from_u64(bits, compute(encoding(&values[0])?, encoding(&values[1])?, bits))))
}
