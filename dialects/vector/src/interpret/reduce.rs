//! Combining elements: reductions, in order from the first element on.

use dl_arith::AtomicRMWKind;
use dl_arith::interpret::{combine, identity, promised};
use dl_ir::affine::AffineMap;
use dl_ir::interp::{Array, Flow, Machine, Odometer, Outcome, Shape, Step, Value};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};
use smallvec::smallvec;

use super::lanes::{filled_by, ints, result_shape};
use super::mask::{is_on, maskable};
use crate::{CombiningKind, ContractionOp, MultiDimReductionOp, OuterProductOp, ReductionOp, ScanOp};

pub(super) fn register(b: &mut DialectBuilder) {
    maskable::<ReductionOp<'_>>(b, reduction);
    maskable::<MultiDimReductionOp<'_>>(b, multi_reduction);
    maskable::<ContractionOp<'_>>(b, contract);
    maskable::<OuterProductOp<'_>>(b, outer_product);
    b.on::<ScanOp<'_>>().interpret(scan);
}

/// The combining function of the same name; signless integers are told apart by theirs.
fn function(kind: CombiningKind, is_float: bool) -> AtomicRMWKind {
    match kind {
        CombiningKind::Add if is_float => AtomicRMWKind::Addf,
        CombiningKind::Add => AtomicRMWKind::Addi,
        CombiningKind::Mul if is_float => AtomicRMWKind::Mulf,
        CombiningKind::Mul => AtomicRMWKind::Muli,
        CombiningKind::Minui => AtomicRMWKind::Minu,
        CombiningKind::Minsi => AtomicRMWKind::Mins,
        CombiningKind::Minnumf => AtomicRMWKind::Minnumf,
        CombiningKind::Maxui => AtomicRMWKind::Maxu,
        CombiningKind::Maxsi => AtomicRMWKind::Maxs,
        CombiningKind::Maxnumf => AtomicRMWKind::Maxnumf,
        CombiningKind::And => AtomicRMWKind::Andi,
        CombiningKind::Or => AtomicRMWKind::Ori,
        CombiningKind::Xor => AtomicRMWKind::Xori,
        CombiningKind::Maximumf => AtomicRMWKind::Maximumf,
        CombiningKind::Minimumf => AtomicRMWKind::Minimumf,
    }
}

/// How the operation combines elements of its result.
fn kind(step: Step<'_, '_>) -> Result<AtomicRMWKind, Diagnostic> {
    let kind = step.op.attr_or_default("kind").and_then(CombiningKind::from_attr);
    let kind = kind.ok_or_else(|| step.op.error("has no kind"))?;
    Ok(function(kind, step.op.result(0).ty().element_or_self().is_float()))
}

/// The accumulator, where there is one, comes first. Of nothing it is what changes nothing.
fn reduction<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>, mask: Option<&Value>) -> Outcome<'a> {
    let kind = kind(step)?;
    let (source, mut on) = (step.array(step.one(0)?)?, Vec::new());
    let mut lanes = Odometer::new(source.shape());
    for element in source.elements() {
        let Some(lane) = lanes.next() else { break };
        if is_on(step, mask, lane)? {
            on.push(element);
        }
    }
    let mut elements = step.group(1).iter().chain(on);
    let nothing = || identity(kind, step.op.result(0).ty()).ok_or_else(|| step.unsupported("a reduction of nothing"));
    let first = elements.next().cloned().map_or_else(nothing, Ok)?;
    let reduced = elements.try_fold(first, |sum, element| {
        let result = combine(step, kind, &sum, element)?;
        // Flags promise the same of each step.
        Ok(match result {
            Value::Float(kind, bits) => promised(step, &[sum, element.clone()], kind, bits),
            other => other,
        })
    });
    Ok(reduced?.into())
}

/// A vector, or one element as a vector without dimensions.
fn as_array(value: &Value) -> Array {
    match value {
        Value::Array(array) => (**array).clone(),
        scalar => Array::new(&[], vec![scalar.clone()]),
    }
}

/// The result of that type: a vector without dimensions where the operation has a scalar.
fn result<'a>(step: Step<'a, '_>, array: Array) -> Outcome<'a> {
    if step.op.result(0).ty().is_vector() {
        return Ok(array.into());
    }
    array.elements().first().cloned().map(Into::into).ok_or_else(|| step.op.error("has no result"))
}

/// Along some dimensions, into the accumulator. Along none it combines both, element by element.
fn multi_reduction<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>, mask: Option<&Value>) -> Outcome<'a> {
    let (source, kind, dims) = (step.array(step.one(0)?)?, kind(step)?, ints(step, "reduction_dims"));
    let mut sums = as_array(step.one(1)?);
    let mut indices = Odometer::new(source.shape());
    for element in source.elements() {
        let Some(index) = indices.next() else { break };
        if !is_on(step, mask, index)? {
            continue;
        }
        let kept = index.iter().enumerate().filter(|(dim, _)| !dims.contains(&(*dim as i64)));
        let kept: Shape = kept.map(|(_, &at)| at).collect();
        let position = step.defined(sums.position(&kept))?;
        let sum = combine(step, kind, &sums.elements()[position], element)?;
        sums.elements_mut()[position] = sum;
    }
    result(step, sums)
}

/// The product of both elements at each point, into the accumulator. Each product is rounded by itself.
fn contract<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>, mask: Option<&Value>) -> Outcome<'a> {
    let element = |operand: usize| step.op.operand(operand).ty().element_or_self();
    if element(0) != element(2) || element(1) != element(2) {
        return Err(step.unsupported("contractions of different element types"));
    }
    let kind = kind(step)?;
    let times = if element(2).is_float() { AtomicRMWKind::Mulf } else { AtomicRMWKind::Muli };
    let affine = step.op.cx().affine();
    let maps = step.op.attr("indexing_maps").into_iter().flat_map(AttrRef::elements);
    let maps: Vec<AffineMap> = maps.filter_map(AttrRef::as_affine_map).collect();
    let [lhs_map, rhs_map, acc_map] = maps[..] else { return Err(step.op.error("has other maps than three")) };
    let (lhs, rhs, mut sums) = (as_array(step.one(0)?), as_array(step.one(1)?), as_array(step.one(2)?));
    let mut extents = Shape::from_elem(0, affine.map(lhs_map).num_dims as usize);
    for (array, map) in [(&lhs, lhs_map), (&rhs, rhs_map)] {
        for (&result, &extent) in affine.map(map).results.iter().zip(array.shape()) {
            if let Some(dim) = affine.dim_position(result) {
                extents[dim as usize] = extent;
            }
        }
    }
    let mut points = Odometer::new(&extents);
    while let Some(point) = points.next() {
        if !is_on(step, mask, point)? {
            continue;
        }
        let place = |map| affine.eval_map(map, point, &[]).ok_or_else(|| step.op.error("has a map of other inputs"));
        let (a, b) = (step.defined(lhs.get(&place(lhs_map)?))?, step.defined(rhs.get(&place(rhs_map)?))?);
        let product = combine(step, times, a, b)?;
        let position = step.defined(sums.position(&place(acc_map)?))?;
        let sum = combine(step, kind, &sums.elements()[position], &product)?;
        sums.elements_mut()[position] = sum;
    }
    result(step, sums)
}

/// Each element of the left vector times the right one, a vector or a number, into the accumulator where there is one. Where the mask is not
/// set, the accumulator stays.
fn outer_product<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>, mask: Option<&Value>) -> Outcome<'a> {
    let (kind, shape) = (kind(step)?, result_shape(step)?);
    let times =
        if step.op.result(0).ty().element_or_self().is_float() { AtomicRMWKind::Mulf } else { AtomicRMWKind::Muli };
    let (lhs, rhs, acc) = (step.array(step.one(0)?)?, step.one(1)?, step.group(2).first());
    let result = filled_by(step, &shape, |lane| {
        let old = acc.map(|acc| step.defined(step.array(acc)?.get(lane)).cloned()).transpose()?;
        if !is_on(step, mask, lane)? {
            return Ok(old.unwrap_or(Value::Poison));
        }
        let right = match rhs {
            Value::Array(rhs) => step.defined(rhs.get(&lane[1..]))?,
            number => number,
        };
        let product = combine(step, times, step.defined(lhs.get(&lane[..1]))?, right)?;
        old.map_or(Ok(product.clone()), |old| combine(step, kind, &old, &product))
    });
    result.map(Flow::from)
}

/// What is combined so far, at each place along a dimension. An exclusive scan begins with the initial value and leaves out the last
/// element; an inclusive one begins with the first element, as upstream lowers it.
fn scan<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (kind, source) = (kind(step)?, step.array(step.one(0)?)?);
    let dim = step.op.attr("reduction_dim").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
    let dim = dim.filter(|&dim| dim < source.shape().len()).ok_or_else(|| step.op.error("has no such dimension"))?;
    let inclusive = step.op.attr("inclusive").and_then(AttrRef::as_bool).unwrap_or(false);
    let mut sums = as_array(step.one(1)?);
    let mut scanned = (**source).clone();
    let mut indices = Odometer::new(source.shape());
    while let Some(index) = indices.next() {
        let mut rest = Shape::from(index);
        rest.remove(dim);
        let place = step.defined(sums.position(&rest))?;
        // The element that joins here: in an exclusive scan the one before.
        let from = if inclusive { Some(index[dim]) } else { index[dim].checked_sub(1).filter(|&at| at >= 0) };
        if let Some(at) = from {
            let mut from = Shape::from(index);
            from[dim] = at;
            let element = step.defined(source.get(&from))?;
            let first = inclusive && at == 0;
            let sum = if first { element.clone() } else { combine(step, kind, &sums.elements()[place], element)? };
            sums.elements_mut()[place] = sum;
        }
        let position = step.defined(scanned.position(index))?;
        scanned.elements_mut()[position] = sums.elements()[place].clone();
    }
    Ok(Flow::Next(smallvec![scanned.into(), sums.into()]))
}
