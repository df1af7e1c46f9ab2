//! What the operations do when the interpreter runs them.

use dl_ir::interp::{Array, Elementwise, Flow, Machine, Outcome, Step, Value, leave};
use dl_ir::number::float;
use dl_ir::{Diagnostic, DialectBuilder, FloatKind, OpView};

use crate::{AddOp, CallOp, CastOp, ConstantOp, MatmulOp, MulOp, ReturnOp, TransposeOp};

pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AddOp<'_>>().interpret(Elementwise(|step, values| scalar(step, values, float::add)));
    b.on::<MulOp<'_>>().interpret(Elementwise(|step, values| scalar(step, values, float::mul)));
    b.on::<CallOp<'_>>().interpret(call);
    b.on::<CastOp<'_>>().interpret(cast);
    b.on::<ConstantOp<'_>>().interpret(constant);
    b.on::<MatmulOp<'_>>().interpret(matmul);
    b.on::<ReturnOp<'_>>().interpret(leave);
    b.on::<TransposeOp<'_>>().interpret(transpose);
}

fn scalar(
    step: Step<'_, '_>,
    values: &[Value],
    compute: fn(FloatKind, u128, u128) -> u128,
) -> Result<Value, Diagnostic> {
    let ((kind, x), (_, y)) = (step.float(&values[0])?, step.float(&values[1])?);
    Ok(Value::Float(kind, compute(kind, x, y)))
}

fn call<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    machine.call(step.op, CallOp::wrap(step.op).callee(), step.operands).map(Flow::Next)
}

/// A cast to a shape that the array does not have has no meaning.
fn cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let array = step.array(step.one(0)?)?;
    if let Some(expected) = step.op.result(0).ty().shape() {
        let fits = |(&expected, &extent): (&i64, &i64)| expected == dl_ir::DYNAMIC || expected == extent;
        if expected.len() != array.shape().len() || !expected.iter().zip(array.shape()).all(fits) {
            let (ty, got) = (step.op.result(0).ty(), array.shape());
            return Err(step.undefined(format_args!("cast of an array of shape {got:?} to '{ty}'")));
        }
    }
    Ok(Flow::from(step.one(0)?.clone()))
}

fn constant<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let value = machine.constant(ConstantOp::wrap(step.op).value());
    value.map(Flow::from).map_err(|why| step.fault(&why))
}

fn transpose<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let array = step.array(step.one(0)?)?;
    let shape: Vec<i64> = array.shape().iter().rev().copied().collect();
    let mut elements = Vec::with_capacity(array.elements().len());
    let mut indices = dl_ir::interp::Odometer::new(&shape);
    while let Some(index) = indices.next() {
        let index: Vec<i64> = index.iter().rev().copied().collect();
        elements.push(step.defined(array.get(&index))?.clone());
    }
    Ok(Flow::from(Value::from(Array::new(&shape, elements))))
}

fn matmul<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (x, y) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let (&[rows, inner], &[other, columns]) = (x.shape(), y.shape()) else {
        return Err(step.undefined("a product of arrays that are no matrices"));
    };
    if inner != other {
        return Err(step.undefined(format_args!("a product over {inner} columns and {other} rows")));
    }
    let mut elements = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let mut sum = Value::Float(FloatKind::F64, 0);
        for k in 0..inner {
            let factors = [step.defined(x.get(&[row, k]))?.clone(), step.defined(y.get(&[k, column]))?.clone()];
            if factors.iter().any(Value::is_poison) || sum.is_poison() {
                sum = Value::Poison;
                continue;
            }
            let product = scalar(step, &factors, float::mul)?;
            sum = scalar(step, &[sum, product], float::add)?;
        }
        elements.push(sum);
    }
    Ok(Flow::from(Value::from(Array::new(&[rows, columns], elements))))
}
