//! What the operations mean when run. An index has 64 bits.

use dl_ir::interp::{Elementwise, Flow, Interpret, Machine, Outcome, Step, Value};
use dl_ir::number::ApInt;
use dl_ir::{Diagnostic, DialectBuilder, OpDefinition};

use crate::fold::holds;
use crate::{
    AddOp, AndOp, BoolConstantOp, CastSOp, CastUOp, CeilDivSOp, CeilDivUOp, CmpOp, ConstantOp, DivSOp, DivUOp,
    FloorDivSOp, IndexCmpPredicate, MaxSOp, MaxUOp, MinSOp, MinUOp, MulOp, OrOp, RemSOp, RemUOp, ShlOp, ShrSOp, ShrUOp,
    SizeOfOp, SubOp, XOrOp,
};

/// Bits of an index.
const WIDTH: u32 = 64;

/// Attaches the meaning of every operation.
pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<ConstantOp<'_>>().interpret(constant);
    b.on::<BoolConstantOp<'_>>().interpret(constant);
    b.on::<SizeOfOp<'_>>().interpret(Elementwise(|_, _| Ok(Value::index(WIDTH.into()))));
    b.on::<AddOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::wrapping_add)));
    b.on::<SubOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::wrapping_sub)));
    b.on::<MulOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::wrapping_mul)));
    b.on::<AndOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::and)));
    b.on::<OrOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::or)));
    b.on::<XOrOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::xor)));
    b.on::<MaxSOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::smax)));
    b.on::<MaxUOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::umax)));
    b.on::<MinSOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::smin)));
    b.on::<MinUOp<'_>>().interpret(Elementwise(|step, v| total(step, v, ApInt::umin)));
    b.on::<ShlOp<'_>>().interpret(Elementwise(|step, v| shift(step, v, ApInt::shl)));
    b.on::<ShrSOp<'_>>().interpret(Elementwise(|step, v| shift(step, v, ApInt::ashr)));
    b.on::<ShrUOp<'_>>().interpret(Elementwise(|step, v| shift(step, v, ApInt::lshr)));
    b.on::<CastSOp<'_>>().interpret(Elementwise(|step, v| cast(step, v, ApInt::sext_or_trunc)));
    b.on::<CastUOp<'_>>().interpret(Elementwise(|step, v| cast(step, v, ApInt::zext_or_trunc)));
    b.on::<CmpOp<'_>>().interpret(Elementwise(cmp));
    division::<DivSOp<'_>>(b, ApInt::sdiv);
    division::<DivUOp<'_>>(b, ApInt::udiv);
    division::<CeilDivSOp<'_>>(b, ApInt::ceildiv_signed);
    division::<CeilDivUOp<'_>>(b, ApInt::ceildiv_unsigned);
    division::<FloorDivSOp<'_>>(b, ApInt::floordiv_signed);
    division::<RemSOp<'_>>(b, |a, b| a.sdiv(b).and_then(|_| a.srem(b)));
    division::<RemUOp<'_>>(b, ApInt::urem);
}

fn constant<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let Some(value) = step.op.attr("value") else { return Err(step.op.error("has no value")) };
    let value = machine.constant(value);
    step.defined(value).map(Flow::from)
}

fn total(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt, &ApInt) -> ApInt) -> Result<Value, Diagnostic> {
    Ok(Value::Int(f(step.int(&v[0])?, step.int(&v[1])?)))
}

/// Poison where the amount is not less than the width.
fn shift(step: Step<'_, '_>, v: &[Value], f: fn(&ApInt, u64) -> Option<ApInt>) -> Result<Value, Diagnostic> {
    let (a, amount) = (step.int(&v[0])?, step.int(&v[1])?);
    Ok(amount.to_u64().and_then(|amount| f(a, amount)).map_or(Value::Poison, Value::Int))
}

fn cast(step: Step<'_, '_>, v: &[Value], resize: fn(&ApInt, u32) -> ApInt) -> Result<Value, Diagnostic> {
    let width = step.op.result(0).ty().int_width().unwrap_or(WIDTH);
    Ok(Value::Int(resize(step.int(&v[0])?, width)))
}

fn cmp(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let predicate = step.op.attr("pred").and_then(IndexCmpPredicate::from_attr);
    let predicate = predicate.ok_or_else(|| step.op.error("has no predicate"))?;
    Ok(Value::bool(holds(predicate, step.int(&v[0])?, step.int(&v[1])?)))
}

/// A quotient or remainder; `None` where there is none.
struct Division(fn(&ApInt, &ApInt) -> Option<ApInt>);

fn division<T: OpDefinition>(b: &mut DialectBuilder, f: fn(&ApInt, &ApInt) -> Option<ApInt>) {
    b.on::<T>().interpret(Division(f));
}

impl Interpret for Division {
    /// Dividing by poison is undefined at once: it may be zero.
    fn interpret<'a>(&self, step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
        let (dividend, divisor) = (step.one(0)?, step.int(step.one(1)?)?);
        if divisor.is_zero() {
            return Err(step.undefined("division by zero"));
        }
        if dividend.is_poison() {
            return Ok(Value::Poison.into());
        }
        match (self.0)(step.int(dividend)?, divisor) {
            Some(result) => Ok(Value::Int(result).into()),
            None => Err(step.undefined("overflow of a signed division")),
        }
    }
}
