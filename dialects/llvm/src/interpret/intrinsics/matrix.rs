//! Matrices in vectors: column after column.

use dl_ir::interp::{Machine, Outcome, Step, Value};
use dl_ir::number::{ApInt, float};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, TypeRef};

use super::mask::{lane_count, vector};
use crate::interpret::aggregates::lane_at;
use crate::{MatrixMultiplyOp, MatrixTransposeOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<MatrixMultiplyOp<'_>>().interpret(multiply);
    b.on::<MatrixTransposeOp<'_>>().interpret(transpose);
}

/// The extents of a matrix that is a vector of type `ty`, rows first, from the attributes of these names.
///
/// # Errors
/// That the vector has not as many lanes, or none.
pub(super) fn extents(step: Step<'_, '_>, ty: TypeRef<'_>, names: [&str; 2]) -> Result<[usize; 2], Diagnostic> {
    let extent = |name| step.op.attr(name).and_then(AttrRef::as_ap_int).and_then(ApInt::to_u64);
    let [rows, columns] = names.map(extent).map(|extent| usize::try_from(extent.unwrap_or_default()).unwrap_or(0));
    let lanes = lane_count(step, ty)?;
    if lanes == 0 || rows.checked_mul(columns) != Some(lanes) {
        return Err(step.op.error(format_args!("has a matrix of {rows}x{columns} in a vector of {lanes} lanes")));
    }
    Ok([rows, columns])
}

/// Products are added from the first on, each of them and each sum rounded.
fn multiply<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (op, a, b) = (step.op, step.one(0)?, step.one(1)?);
    let [rows, depth] = extents(step, op.operand(0).ty(), ["lhs_rows", "lhs_columns"])?;
    let [_, columns] = extents(step, op.operand(1).ty(), ["lhs_columns", "rhs_columns"])?;
    extents(step, op.result(0).ty(), ["lhs_rows", "rhs_columns"])?;
    let element = |at: usize| {
        let (row, column) = (at % rows, at / rows);
        let term = |k| multiplied(step, &lane_at(a, row + k * rows), &lane_at(b, k + column * depth));
        (1..depth).try_fold(term(0)?, |sum, k| added(step, &sum, &term(k)?))
    };
    let product = (0..rows * columns).map(element).collect::<Result<Vec<_>, Diagnostic>>()?;
    Ok(vector(product).into())
}

fn multiplied(step: Step<'_, '_>, a: &Value, b: &Value) -> Result<Value, Diagnostic> {
    arithmetic(step, a, b, ApInt::wrapping_mul, float::mul)
}

fn added(step: Step<'_, '_>, a: &Value, b: &Value) -> Result<Value, Diagnostic> {
    arithmetic(step, a, b, ApInt::wrapping_add, float::add)
}

fn arithmetic(
    step: Step<'_, '_>,
    a: &Value,
    b: &Value,
    ints: fn(&ApInt, &ApInt) -> ApInt,
    floats: fn(dl_ir::FloatKind, u128, u128) -> u128,
) -> Result<Value, Diagnostic> {
    match (a, b) {
        (Value::Poison, _) | (_, Value::Poison) => Ok(Value::Poison),
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(ints(a, b))),
        _ => {
            let ((kind, a), (_, b)) = (step.float(a)?, step.float(b)?);
            Ok(Value::Float(kind, floats(kind, a, b)))
        }
    }
}

fn transpose<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let matrix = step.one(0)?;
    let [rows, columns] = extents(step, step.op.operand(0).ty(), ["rows", "columns"])?;
    let element = |at: usize| lane_at(matrix, at / columns + at % columns * rows);
    Ok(vector((0..rows * columns).map(element).collect()).into())
}
