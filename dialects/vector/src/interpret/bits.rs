//! Vectors as rows of bits, and as parts of vectors whose length is known only when the program runs.

use dl_ir::interp::{Array, Cells, Flow, Machine, MemRef, Outcome, Shape, Step, Value, row_major};
use dl_ir::number::ApInt;
use dl_ir::{AttrRef, Diagnostic, DialectBuilder, TypeRef};

use super::lanes::result_shape;
use crate::{BitCastOp, ScalableExtractOp, ScalableInsertOp, TypeCastOp, VectorScaleOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<BitCastOp<'_>>().interpret(bitcast);
    b.on::<TypeCastOp<'_>>().interpret(type_cast);
    b.on::<VectorScaleOp<'_>>().interpret(vscale);
    b.on::<ScalableExtractOp<'_>>().interpret(scalable_extract);
    b.on::<ScalableInsertOp<'_>>().interpret(scalable_insert);
}

fn vscale<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Value::index(step.vscale).into())
}

fn bits_of(step: Step<'_, '_>, value: &Value) -> Result<Option<ApInt>, Diagnostic> {
    match value {
        Value::Poison => Ok(None),
        Value::Int(bits) => Ok(Some(bits.clone())),
        Value::Float(kind, bits) => Ok(Some(ApInt::from_u128(kind.width(), *bits))),
        _ => Err(step.unsupported(format_args!("the bits of {value}"))),
    }
}

fn value_of(bits: ApInt, ty: TypeRef<'_>) -> Value {
    match ty.float_kind() {
        Some(kind) => Value::Float(kind, bits.to_u128().unwrap_or_default()),
        None => Value::Int(bits),
    }
}

/// The bits of the last dimension as numbers of another width, the first ones the lowest. A number with a bit of poison is poison.
fn bitcast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, shape) = (step.array(step.one(0)?)?, result_shape(step)?);
    let element = |ty: TypeRef<'a>| (ty.element_or_self(), ty.element_or_self().storage_bits());
    let (from, to) = (element(step.op.operand(0).ty()), element(step.op.result(0).ty()));
    let (Some(old), Some(new)) = (from.1.filter(|&width| width > 0), to.1.filter(|&width| width > 0)) else {
        return Err(step.unsupported(format_args!("the bits of '{}'", from.0)));
    };
    let all = source.elements().iter().map(|value| bits_of(step, value)).collect::<Result<Vec<_>, _>>()?;
    let count = dl_ir::interp::num_elements(&shape);
    let count = step.defined(count)?;
    let mut elements = Vec::with_capacity(count);
    for at in 0..count as u64 {
        let start = at * u64::from(new);
        let (first, end) = (start / u64::from(old), (start + u64::from(new)).div_ceil(u64::from(old)));
        // Wide enough for all that the number overlaps with.
        let width = old.max(new) + old;
        let mut bits = Some(ApInt::zero(width));
        for (place, part) in (first..end).enumerate() {
            let part = all.get(part as usize).cloned().flatten();
            let moved = part.and_then(|part| part.zext_or_trunc(width).shl(place as u64 * u64::from(old)));
            bits = bits.zip(moved).map(|(bits, part)| bits.or(&part));
        }
        let number = bits.and_then(|bits| bits.lshr(start - first * u64::from(old)));
        elements.push(number.map_or(Value::Poison, |bits| value_of(bits.zext_or_trunc(new), to.0)));
    }
    Ok(Array::new(&shape, elements).into())
}

/// The same lanes as vectors of another shape.
fn type_cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.memref(step.one(0)?)?;
    let (from, to) = (step.op.operand(0).ty(), step.op.result(0).ty());
    let scalars = from.element_type().is_some_and(|element| !element.is_vector());
    let (offset, lanes) = match source.cells {
        Cells::Whole if scalars => (Some(source.offset), 1),
        Cells::Lanes { shift, count } => (source.offset.checked_mul(count).and_then(|at| at.checked_add(shift)), count),
        _ => return Err(step.unsupported(format_args!("'{from}' as '{to}'"))),
    };
    if !source.is_contiguous() {
        return Err(step.undefined("a memref with gaps between its elements as a vector"));
    }
    let vector = to.element_type().filter(|element| element.is_vector() && !element.is_scalable_vector());
    let (Some(extents), Some(shape)) = (vector.and_then(TypeRef::shape), to.shape()) else {
        return Err(step.unsupported(format_args!("'{from}' as '{to}'")));
    };
    let product = |first: i64, extents: &[i64]| extents.iter().try_fold(first, |all, &extent| all.checked_mul(extent));
    let (Some(count), Some(shift)) = (product(1, extents), offset) else {
        return Err(step.undefined("a vector of more elements than numbers of 64 bits count"));
    };
    if product(count, shape) != product(lanes, &source.shape) {
        return Err(step.undefined("a memref as vectors of more or fewer elements"));
    }
    let cells = Cells::Lanes { shift, count };
    let shape: Shape = shape.into();
    Ok(MemRef { buffer: source.buffer, offset: 0, strides: row_major(&shape), shape, cells }.into())
}

fn position(step: Step<'_, '_>, scaled: bool) -> usize {
    let position = step.op.attr("pos").and_then(AttrRef::as_int).unwrap_or(0);
    usize::try_from(if scaled { position.saturating_mul(step.vscale) } else { position }).unwrap_or(usize::MAX)
}

/// Positions count in units of the smaller vector's kind: those of a scalable part are scaled too.
fn scalable_extract<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, shape) = (step.array(step.one(0)?)?, result_shape(step)?);
    let start = position(step, step.op.result(0).ty().is_scalable_vector());
    let len = shape.first().map_or(0, |&len| len as usize);
    let part = source.elements().iter().skip(start).take(len).cloned().collect::<Vec<_>>();
    if part.len() < len {
        return Err(step.undefined(format_args!("{len} elements from {start} on of {}", source.elements().len())));
    }
    Ok(Array::new(&shape, part).into())
}

fn scalable_insert<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (part, dest) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let start = position(step, step.op.operand(0).ty().is_scalable_vector());
    let mut result = (**dest).clone();
    let end = start.saturating_add(part.elements().len());
    let Some(slots) = result.elements_mut().get_mut(start..end) else {
        return Err(step.undefined(format_args!("elements {start} to {end} of {}", dest.elements().len())));
    };
    slots.clone_from_slice(part.elements());
    Ok(Flow::from(result))
}
