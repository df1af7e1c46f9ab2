//! Affine maps of values.

use dl_ir::affine::{AffineExpr, AffineExprData, AffineMap, AffineOp};
use dl_ir::interp::{Flow, Machine, Outcome, Shape, Step, Value, Values};
use dl_ir::{AttrRef, DYNAMIC, Diagnostic};

/// The map in attribute `name`.
pub(super) fn map_attr(step: Step<'_, '_>, name: &str) -> Result<AffineMap, Diagnostic> {
    let map = step.op.attr(name).and_then(AttrRef::as_affine_map);
    map.ok_or_else(|| step.op.error(format_args!("has no map '{name}'")))
}

/// The results of `map` for these operands, dimensions first. Dividing by zero and overflow are undefined.
pub(super) fn eval(step: Step<'_, '_>, map: AffineMap, operands: &[Value]) -> Result<Vec<i64>, Diagnostic> {
    try_eval(step, map, operands)?.ok_or_else(|| undefined(step))
}

/// The same, `None` where they are not defined.
fn try_eval(step: Step<'_, '_>, map: AffineMap, operands: &[Value]) -> Result<Option<Vec<i64>>, Diagnostic> {
    let affine = step.op.cx().affine();
    let (dims, inputs) = (affine.map(map).num_dims as usize, step.indices(operands)?);
    let (dims, symbols) = inputs.split_at(dims.min(inputs.len()));
    Ok(affine.eval_map(map, dims, symbols))
}

/// What is said of an expression without a value.
pub(super) fn undefined(step: Step<'_, '_>) -> Diagnostic {
    step.undefined("an affine expression divides by zero or overflows 64 bits")
}

fn results(step: Step<'_, '_>) -> Result<Vec<i64>, Diagnostic> {
    eval(step, map_attr(step, "map")?, step.operands)
}

fn chosen<'a>(step: Step<'a, '_>, result: Option<i64>) -> Outcome<'a> {
    result.map(|value| Value::index(value).into()).ok_or_else(|| step.op.error("has a map without results"))
}

/// Poison where a sum or a product overflows, or of poison, as the arithmetic that it becomes: it may be computed where nobody uses it.
pub(super) fn apply<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (affine, map) = (step.op.cx().affine(), map_attr(step, "map")?);
    let divides = |part: &AffineExpr| {
        let AffineExprData::Binary { op, .. } = affine.expr(*part) else { return false };
        !matches!(op, AffineOp::Add | AffineOp::Mul)
    };
    let is_poison = step.operands.iter().any(Value::is_poison);
    let results = if is_poison { None } else { try_eval(step, map, step.operands)? };
    match results {
        Some(results) => chosen(step, results.first().copied()),
        None if affine.post_order(&affine.map(map).results).iter().any(divides) => Err(undefined(step)),
        None => Ok(Value::Poison.into()),
    }
}

pub(super) fn min<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    chosen(step, results(step)?.into_iter().min())
}

pub(super) fn max<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    chosen(step, results(step)?.into_iter().max())
}

/// The extents of the basis, the last `most` of them if there are more; its dynamic ones are operand definition 1.
fn basis(step: Step<'_, '_>, most: usize) -> Result<Shape, Diagnostic> {
    let constants: Vec<i64> = step.op.attr("static_basis").into_iter().flat_map(AttrRef::dense_ints).collect();
    let unused = constants.len().saturating_sub(most);
    let mut values = step.group(1).iter();
    let mut basis = Shape::new();
    for (at, &constant) in constants.iter().enumerate() {
        let value = if constant == DYNAMIC { values.next() } else { None };
        if at >= unused {
            basis.push(value.map_or(Ok(constant), |value| step.index(value))?);
        }
    }
    if let Some(extent) = basis.iter().find(|&&extent| extent <= 0) {
        return Err(step.undefined(format_args!("extent {extent} in a basis")));
    }
    Ok(basis)
}

/// Quotient and remainder by each extent from the last one on, rounded down. The first result takes what is left. Of as many extents as
/// results the first one promises how large the index is; all results are poison where it is not kept, where the product of the others overflows, and of poison.
pub(super) fn delinearize<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if step.one(0)?.is_poison() {
        return Ok(Flow::Next(Values::from_elem(Value::Poison, step.op.num_results())));
    }
    let (mut rest, basis) = (step.index(step.one(0)?)?, basis(step, usize::MAX)?);
    let count = step.op.num_results();
    let mut values = Values::from_elem(Value::index(0), count);
    for at in (1..count).rev() {
        // Of as many extents as results the first one says how large the index may be.
        let extent = basis[at + basis.len() - count];
        values[at] = Value::index(rest.rem_euclid(extent));
        rest = rest.div_euclid(extent);
    }
    let promised = basis.first().filter(|_| basis.len() == count);
    let mut inner = basis.iter().rev().take(count.saturating_sub(1));
    let divisor = inner.try_fold(1_i64, |product, &extent| product.checked_mul(extent));
    if divisor.is_none() || promised.is_some_and(|&extent| !(0..extent).contains(&rest)) {
        return Ok(Flow::Next(Values::from_elem(Value::Poison, count)));
    }
    if let Some(first) = values.first_mut() {
        *first = Value::index(rest);
    }
    Ok(Flow::Next(values))
}

/// The sum of the indices times the product of the extents after each. `disjoint` promises indices inside of the basis; otherwise the first of as many
/// extents as indices has no say. Overflow is poison, as is the sum of poison.
pub(super) fn linearize<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    if step.group(0).iter().any(Value::is_poison) {
        return Ok(Value::Poison.into());
    }
    let index = step.indices(step.group(0))?;
    let promised = step.op.attr("disjoint").is_some();
    let basis = basis(step, if promised { usize::MAX } else { index.len().saturating_sub(1) })?;
    let (mut sum, mut stride) = (0_i64, Some(1_i64));
    let mut extents = basis.iter().rev();
    for &at in index.iter().rev() {
        let extent = extents.next();
        if promised && (at < 0 || extent.is_some_and(|&extent| at >= extent)) {
            return Ok(Value::Poison.into());
        }
        let Some(next) = stride.and_then(|stride| sum.checked_add(at.checked_mul(stride)?)) else {
            return Ok(Value::Poison.into());
        };
        sum = next;
        stride = stride.and_then(|stride| stride.checked_mul(*extent.unwrap_or(&1)));
    }
    Ok(Value::index(sum).into())
}
