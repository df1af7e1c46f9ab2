//! Loops and conditions.

use dl_arith::AtomicRMWKind;
use dl_arith::interpret::{combine, identity};
use dl_ir::interp::{Flow, Machine, Odometer, Outcome, Shape, Step, Value, Values};
use dl_ir::{AttrRef, Diagnostic};

use super::maps::{eval, map_attr, undefined};

/// From the greatest lower bound to the least upper bound.
pub(super) fn for_<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let lower = eval(step, map_attr(step, "lowerBoundMap")?, step.group(0))?.into_iter().max();
    let upper = eval(step, map_attr(step, "upperBoundMap")?, step.group(1))?.into_iter().min();
    let by = step.op.attr("step").and_then(AttrRef::as_int).filter(|&by| by > 0);
    let (Some(lower), Some(upper), Some(by)) = (lower, upper, by) else {
        return Err(step.op.error("has no bounds, or no positive step"));
    };
    let mut carried: Values = step.group(2).into();
    let mut next = Some(lower);
    while let Some(at) = next.filter(|&at| at < upper) {
        let args: Values = std::iter::once(Value::index(at)).chain(carried).collect();
        carried = machine.run_region(step.op.region(0), &args)?;
        next = at.checked_add(by);
    }
    Ok(Flow::Next(carried))
}

pub(super) fn if_<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let set = step.op.attr("condition").and_then(AttrRef::as_integer_set);
    let set = set.ok_or_else(|| step.op.error("has no condition"))?;
    let (affine, inputs) = (step.op.cx().affine(), step.indices(step.operands)?);
    let (dims, symbols) = inputs.split_at((affine.set(set).num_dims as usize).min(inputs.len()));
    let Some(holds) = affine.set_contains(set, dims, symbols) else {
        return Err(undefined(step));
    };
    let region = usize::from(!holds);
    if region >= step.op.num_regions() {
        return Ok(Flow::none());
    }
    machine.run_region(step.op.region(region), &[]).map(Flow::Next)
}

/// The bound of each loop: what `choose` takes of the results of the map that belong to it.
fn bounds(
    step: Step<'_, '_>,
    [map, groups]: [&str; 2],
    operands: &[Value],
    choose: fn(&[i64]) -> Option<i64>,
) -> Result<Shape, Diagnostic> {
    let results = eval(step, map_attr(step, map)?, operands)?;
    let sizes = step.op.attr(groups).and_then(AttrRef::dense_values).into_iter().flatten().filter_map(AttrRef::as_int);
    let mut rest = results.as_slice();
    let mut bounds = Shape::new();
    for size in sizes {
        let (group, after) = rest.split_at((size.max(0) as usize).min(rest.len()));
        rest = after;
        bounds.push(choose(group).ok_or_else(|| step.op.error("has a loop without a bound"))?);
    }
    Ok(bounds)
}

/// The first loop counts slowest. What iterations yield is combined in that order.
pub(super) fn parallel<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let inputs = step.op.cx().affine().map(map_attr(step, "lowerBoundsMap")?).num_inputs() as usize;
    let (lower, upper) = step.operands.split_at(inputs.min(step.operands.len()));
    let lower = bounds(step, ["lowerBoundsMap", "lowerBoundsGroups"], lower, |all| all.iter().copied().max())?;
    let upper = bounds(step, ["upperBoundsMap", "upperBoundsGroups"], upper, |all| all.iter().copied().min())?;
    let by: Shape = step.op.attr("steps").into_iter().flat_map(AttrRef::elements).filter_map(AttrRef::as_int).collect();
    if by.len() != lower.len() || by.iter().any(|&by| by <= 0) {
        return Err(step.op.error("has a loop without a positive step"));
    }
    let kinds = step.op.attr("reductions").into_iter().flat_map(AttrRef::elements).filter_map(AtomicRMWKind::from_attr);
    let kinds: Vec<AtomicRMWKind> = kinds.collect();
    let counts = lower.iter().zip(&upper).zip(&by).map(|((&lower, &upper), &by)| {
        let distance = (i128::from(upper) - i128::from(lower)).max(0);
        (distance + i128::from(by) - 1) / i128::from(by)
    });
    let counts: Shape = counts.map(|count| i64::try_from(count).unwrap_or(i64::MAX)).collect();
    let mut reduced: Option<Values> = None;
    let mut points = Odometer::new(&counts);
    while let Some(point) = points.next() {
        let at = lower.iter().zip(&by).zip(point).map(|((&lower, &by), &n)| lower.wrapping_add(by.wrapping_mul(n)));
        let args: Values = at.map(Value::index).collect();
        let yielded = machine.run_region(step.op.region(0), &args)?;
        reduced = Some(match reduced {
            None => yielded,
            Some(sums) => {
                let each = sums.iter().zip(&yielded).zip(&kinds);
                each.map(|((old, new), &kind)| combine(step, kind, old, new)).collect::<Result<_, _>>()?
            }
        });
    }
    if let Some(reduced) = reduced {
        return Ok(Flow::Next(reduced));
    }
    let none = step.op.results().iter().zip(&kinds).map(|(result, &kind)| identity(kind, result.ty()));
    let none: Option<Values> = none.collect();
    none.map(Flow::Next).ok_or_else(|| step.unsupported("a reduction of nothing that has no neutral element"))
}
