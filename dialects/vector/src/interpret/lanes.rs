//! Moving elements within and between vectors.

use dl_ir::interfaces::index_list::mixed;
use dl_ir::interp::{Array, Elementwise, Flow, Machine, Odometer, Outcome, Shape, Step, Value};
use dl_ir::number::float;
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};
use smallvec::smallvec;

use crate::{
    BroadcastOp, DeinterleaveOp, ExtractOp, ExtractStridedSliceOp, FMAOp, FromElementsOp, InsertOp,
    InsertStridedSliceOp, InterleaveOp, ShapeCastOp, ShuffleOp, StepOp, ToElementsOp, TransposeOp,
};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<BroadcastOp<'_>>().interpret(broadcast);
    b.on::<ExtractOp<'_>>().interpret(extract);
    b.on::<InsertOp<'_>>().interpret(insert);
    b.on::<ExtractStridedSliceOp<'_>>().interpret(extract_strided_slice);
    b.on::<InsertStridedSliceOp<'_>>().interpret(insert_strided_slice);
    b.on::<ShapeCastOp<'_>>().interpret(shape_cast);
    b.on::<TransposeOp<'_>>().interpret(transpose);
    b.on::<ShuffleOp<'_>>().interpret(shuffle);
    b.on::<InterleaveOp<'_>>().interpret(interleave);
    b.on::<DeinterleaveOp<'_>>().interpret(deinterleave);
    b.on::<FromElementsOp<'_>>().interpret(from_elements);
    b.on::<ToElementsOp<'_>>().interpret(to_elements);
    b.on::<StepOp<'_>>().interpret(step_op);
    b.on::<FMAOp<'_>>().interpret(Elementwise(|step, v| {
        let ((kind, x), (_, y), (_, z)) = (step.float(&v[0])?, step.float(&v[1])?, step.float(&v[2])?);
        Ok(Value::Float(kind, float::fma(kind, x, y, z)))
    }));
}

/// The shape of the result, a vector.
pub(super) fn result_shape(step: Step<'_, '_>) -> Result<Shape, Diagnostic> {
    let shape = step.vector_shape(step.op.result(0).ty());
    shape.ok_or_else(|| step.op.error("has no vector as result"))
}

/// An array of this shape, each element from its index.
pub(super) fn filled_by(
    step: Step<'_, '_>,
    shape: &[i64],
    mut element: impl FnMut(&[i64]) -> Result<Value, Diagnostic>,
) -> Result<Array, Diagnostic> {
    let mut array = step.defined(Array::filled(shape, &Value::Poison))?;
    let mut indices = Odometer::new(shape);
    for slot in array.elements_mut() {
        let Some(index) = indices.next() else { break };
        *slot = element(index)?;
    }
    Ok(array)
}

pub(super) fn ints(step: Step<'_, '_>, name: &str) -> Shape {
    let attr = step.op.attr(name);
    match attr.filter(|attr| attr.is_array()) {
        Some(list) => list.elements().filter_map(AttrRef::as_int).collect(),
        None => attr.into_iter().flat_map(AttrRef::dense_ints).collect(),
    }
}

/// Along new dimensions in front, and along those of size 1.
fn broadcast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (shape, source) = (result_shape(step)?, step.one(0)?);
    let Some(array) = source.as_array() else {
        return step.defined(Array::filled(&shape, source)).map(Flow::from);
    };
    let skipped = shape.len() - array.shape().len();
    let result = filled_by(step, &shape, |index| {
        let stretched = index[skipped..].iter().zip(array.shape());
        let from: Shape = stretched.map(|(&at, &extent)| if extent == 1 { 0 } else { at }).collect();
        step.defined(array.get(&from)).cloned()
    });
    result.map(Flow::from)
}

/// Where the operation points to; its dynamic positions are operand definition `group`.
fn position(step: Step<'_, '_>, group: usize) -> Result<Shape, Diagnostic> {
    step.mixed(&mixed(&ints(step, "static_position"), step.op.operand_group(group)), group)
}

/// Where the part at `position` begins and ends among the elements; a position outside of the vector makes poison.
fn part(array: &Array, position: &[i64]) -> Option<(std::ops::Range<usize>, Shape)> {
    let (head, tail) = array.shape().split_at(position.len());
    if !position.iter().zip(head).all(|(&at, &extent)| (0..extent).contains(&at)) {
        return None;
    }
    let size: i64 = tail.iter().product();
    let start = position.iter().zip(head).fold(0, |start, (&at, &extent)| start * extent + at) * size;
    Some((start as usize..(start + size) as usize, tail.into()))
}

fn extract<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (array, position) = (step.array(step.one(0)?)?, position(step, 1)?);
    let Some((range, shape)) = part(array, &position) else {
        return Ok(Value::poison(step.op.result(0).ty()).into());
    };
    if step.op.result(0).ty().is_vector() {
        return Ok(Array::new(&shape, array.elements()[range].to_vec()).into());
    }
    Ok(array.elements()[range.start].clone().into())
}

fn insert<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (value, array, position) = (step.one(0)?, step.array(step.one(1)?)?, position(step, 2)?);
    let Some((range, _)) = part(array, &position) else {
        return Ok(Value::poison(step.op.result(0).ty()).into());
    };
    let mut result = (**array).clone();
    let slots = &mut result.elements_mut()[range];
    match value {
        Value::Array(part) if part.elements().len() == slots.len() => slots.clone_from_slice(part.elements()),
        Value::Array(_) => return Err(step.unsupported("a part of another number of elements")),
        scalar => slots.fill(scalar.clone()),
    }
    Ok(result.into())
}

fn extract_strided_slice<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (array, shape) = (step.array(step.one(0)?)?, result_shape(step)?);
    let (offsets, strides) = (ints(step, "offsets"), ints(step, "strides"));
    let result = filled_by(step, &shape, |index| {
        let mut from = Shape::from(index);
        for ((at, &offset), &stride) in from.iter_mut().zip(&offsets).zip(&strides) {
            *at = *at * stride + offset;
        }
        step.defined(array.get(&from)).cloned()
    });
    result.map(Flow::from)
}

fn insert_strided_slice<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (value, dest) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let (offsets, strides) = (ints(step, "offsets"), ints(step, "strides"));
    let skipped = dest.shape().len() - value.shape().len();
    let mut result = (**dest).clone();
    let mut indices = Odometer::new(value.shape());
    for element in value.elements() {
        let Some(index) = indices.next() else { break };
        let mut to = offsets.clone();
        for ((at, &from), &stride) in to[skipped..].iter_mut().zip(index).zip(&strides) {
            *at += from * stride;
        }
        let position = step.defined(result.position(&to))?;
        result.elements_mut()[position] = element.clone();
    }
    Ok(result.into())
}

fn shape_cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (array, shape) = (step.array(step.one(0)?)?, result_shape(step)?);
    let cast = array.reshaped(&shape).ok_or_else(|| step.op.error("changes the number of elements"))?;
    Ok(cast.into())
}

/// Dimension `i` of the result is dimension `permutation[i]` of the source.
fn transpose<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (array, shape, order) = (step.array(step.one(0)?)?, result_shape(step)?, ints(step, "permutation"));
    let result = filled_by(step, &shape, |index| {
        let mut from = Shape::from_elem(0, index.len());
        for (&at, &dim) in index.iter().zip(&order) {
            from[dim as usize] = at;
        }
        step.defined(array.get(&from)).cloned()
    });
    result.map(Flow::from)
}

/// Rows of the first vector, then of the second, by number; -1 is poison.
fn shuffle<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (a, b, shape) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?, result_shape(step)?);
    let row: usize = shape.iter().skip(1).product::<i64>() as usize;
    let all: Vec<&Value> = a.elements().iter().chain(b.elements()).collect();
    let mut elements = Vec::new();
    for at in ints(step, "mask") {
        match usize::try_from(at) {
            Ok(at) => elements.extend(all.iter().skip(at * row).take(row).copied().cloned()),
            Err(_) => elements.extend(std::iter::repeat_n(Value::Poison, row)),
        }
    }
    Ok(Array::new(&shape, elements).into())
}

/// Elements of both in turn.
fn interleave<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (a, b, shape) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?, result_shape(step)?);
    let pairs = a.elements().iter().zip(b.elements());
    Ok(Array::new(&shape, pairs.flat_map(|(a, b)| [a.clone(), b.clone()]).collect()).into())
}

/// The elements at even places, and those at odd ones.
fn deinterleave<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (array, shape) = (step.array(step.one(0)?)?, result_shape(step)?);
    let half = |first: usize| {
        let elements = array.elements().iter().skip(first).step_by(2);
        Value::from(Array::new(&shape, elements.cloned().collect()))
    };
    Ok(Flow::Next(smallvec![half(0), half(1)]))
}

fn from_elements<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Array::new(&result_shape(step)?, step.operands.to_vec()).into())
}

fn to_elements<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Flow::Next(step.array(step.one(0)?)?.elements().into()))
}

/// 0, 1, 2, ...
fn step_op<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let shape = result_shape(step)?;
    filled_by(step, &shape, |index| Ok(Value::index(index[0]))).map(Flow::from)
}
