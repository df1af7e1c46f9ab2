//! Affine maps of values.

use dl_ir::affine::AffineMap;
use dl_ir::interfaces::index_list::mixed;
use dl_ir::interp::{Flow, Machine, Outcome, Shape, Step, Value, Values};
use dl_ir::{AttrRef, Diagnostic};

/// The map in attribute `name`.
pub(super) fn map_attr(step: Step<'_, '_>, name: &str) -> Result<AffineMap, Diagnostic> {
    let map = step.op.attr(name).and_then(AttrRef::as_affine_map);
    map.ok_or_else(|| step.op.error(format_args!("has no map '{name}'")))
}

/// The results of `map` for these operands, dimensions first. Dividing by zero and overflow are undefined.
pub(super) fn eval(step: Step<'_, '_>, map: AffineMap, operands: &[Value]) -> Result<Vec<i64>, Diagnostic> {
    let affine = step.op.cx().affine();
    let (dims, inputs) = (affine.map(map).num_dims as usize, step.indices(operands)?);
    let (dims, symbols) = inputs.split_at(dims.min(inputs.len()));
    let results = affine.eval_map(map, dims, symbols);
    results.ok_or_else(|| step.undefined("an affine expression divides by zero or overflows 64 bits"))
}

fn results(step: Step<'_, '_>) -> Result<Vec<i64>, Diagnostic> {
    eval(step, map_attr(step, "map")?, step.operands)
}

fn chosen<'a>(step: Step<'a, '_>, result: Option<i64>) -> Outcome<'a> {
    result.map(|value| Value::index(value).into()).ok_or_else(|| step.op.error("has a map without results"))
}

pub(super) fn apply<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    chosen(step, results(step)?.first().copied())
}

pub(super) fn min<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    chosen(step, results(step)?.into_iter().min())
}

pub(super) fn max<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    chosen(step, results(step)?.into_iter().max())
}

/// The extents of the basis; its dynamic ones are operand definition 1.
fn basis(step: Step<'_, '_>) -> Result<Shape, Diagnostic> {
    let constants: Vec<i64> = step.op.attr("static_basis").into_iter().flat_map(AttrRef::dense_ints).collect();
    let basis = step.mixed(&mixed(&constants, step.op.operand_group(1)), 1)?;
    if let Some(extent) = basis.iter().find(|&&extent| extent <= 0) {
        return Err(step.undefined(format_args!("extent {extent} in a basis")));
    }
    Ok(basis)
}

/// Quotient and remainder by each extent from the last one on, rounded down. The first result takes what is left. Of as many extents as
/// results the first one promises how large the index is; all results are poison where it is not kept.
pub(super) fn delinearize<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (mut rest, basis) = (step.index(step.one(0)?)?, basis(step)?);
    let count = step.op.num_results();
    let mut values = Values::from_elem(Value::index(0), count);
    for at in (1..count).rev() {
        // Of as many extents as results the first one says how large the index may be.
        let extent = basis[at + basis.len() - count];
        values[at] = Value::index(rest.rem_euclid(extent));
        rest = rest.div_euclid(extent);
    }
    let promised = basis.first().filter(|_| basis.len() == count);
    if promised.is_some_and(|&extent| !(0..extent).contains(&rest)) {
        return Ok(Flow::Next(Values::from_elem(Value::Poison, count)));
    }
    if let Some(first) = values.first_mut() {
        *first = Value::index(rest);
    }
    Ok(Flow::Next(values))
}

/// The sum of the indices times the product of the extents after each. `disjoint` promises indices inside of the basis.
pub(super) fn linearize<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (index, basis) = (step.indices(step.group(0))?, basis(step)?);
    let outside = basis.len().min(index.len());
    let promised = step.op.attr("disjoint").is_some();
    let (mut sum, mut stride) = (0_i64, 1_i64);
    for (nth, &at) in index.iter().rev().enumerate() {
        let extent = if nth < outside { Some(basis[basis.len() - 1 - nth]) } else { None };
        if promised && (at < 0 || extent.is_some_and(|extent| at >= extent)) {
            return Ok(Value::Poison.into());
        }
        // Arithmetic on indices wraps around.
        sum = sum.wrapping_add(at.wrapping_mul(stride));
        stride = stride.wrapping_mul(extent.unwrap_or(1));
    }
    Ok(Value::index(sum).into())
}
