//! The same elements in other shapes and types, and questions about shapes.

use std::sync::Arc;

use dl_ir::interfaces::index_list::mixed;
use dl_ir::interfaces::reassociation::groups;
use dl_ir::interp::{Array, Elementwise, Flow, Machine, Odometer, Outcome, Shape, Step, Value};
use dl_ir::{AttrRef, DYNAMIC, Diagnostic, DialectBuilder};

use crate::{BitcastOp, CastOp, CollapseShapeOp, ConcatOp, DimOp, ExpandShapeOp, RankOp, ReshapeOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<CastOp<'_>>().interpret(cast);
    b.on::<BitcastOp<'_>>().interpret(Elementwise(bitcast));
    b.on::<DimOp<'_>>().interpret(dim);
    b.on::<RankOp<'_>>().interpret(rank);
    b.on::<ReshapeOp<'_>>().interpret(reshape);
    b.on::<CollapseShapeOp<'_>>().interpret(collapse_shape);
    b.on::<ExpandShapeOp<'_>>().interpret(expand_shape);
    b.on::<ConcatOp<'_>>().interpret(concat);
}

/// That a value of this shape may be the result.
pub(super) fn conforms(step: Step<'_, '_>, shape: &[i64]) -> Result<(), Diagnostic> {
    let ty = step.op.result(0).ty();
    let agrees = |known: &[i64]| {
        known.len() == shape.len() && known.iter().zip(shape).all(|(&known, &found)| known == DYNAMIC || known == found)
    };
    if ty.shape().is_none_or(agrees) {
        return Ok(());
    }
    Err(step.undefined(format_args!("a tensor of shape {shape:?} as '{ty}'")))
}

/// To a type that says more or less of the shape.
fn cast<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let array = step.array(step.one(0)?)?;
    conforms(step, array.shape())?;
    Ok(Value::Array(Arc::clone(array)).into())
}

fn bitcast(step: Step<'_, '_>, v: &[Value]) -> Result<Value, Diagnostic> {
    let ty = step.op.result(0).ty().element_or_self();
    let mut bytes = Vec::new();
    let result = v[0].write_bytes(&mut bytes).and_then(|()| Value::of_bytes(ty, &bytes));
    result.ok_or_else(|| step.unsupported(format_args!("a bitcast to '{ty}'")))
}

fn dim<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (array, dim) = (step.array(step.one(0)?)?, step.index(step.one(1)?)?);
    match usize::try_from(dim).ok().and_then(|dim| array.shape().get(dim)) {
        Some(&extent) => Ok(Value::index(extent).into()),
        None => Err(step.undefined(format_args!("dimension {dim} of a tensor of rank {}", array.shape().len()))),
    }
}

fn rank<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    Ok(Value::index(step.array(step.one(0)?)?.shape().len() as i64).into())
}

/// `array` in another shape of as many elements.
fn reshaped<'a>(step: Step<'a, '_>, array: &Array, shape: &[i64]) -> Outcome<'a> {
    conforms(step, shape)?;
    match array.reshaped(shape) {
        Some(array) => Ok(array.into()),
        None => Err(step.undefined(format_args!("a tensor of shape {:?} as {shape:?}", array.shape()))),
    }
}

fn reshape<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, list) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    reshaped(step, source, &step.indices(list.elements())?)
}

/// The groups of dimensions of a tensor that turns out to have `rank` of them.
fn reassociation(step: Step<'_, '_>, rank: usize) -> Result<Vec<Vec<usize>>, Diagnostic> {
    let groups = step.op.attr("reassociation").map(groups).ok_or_else(|| step.op.error("has no reassociation"))?;
    // No groups are for tensors of one element, of any rank.
    let dims = groups.iter().map(Vec::len).sum::<usize>();
    if dims != rank && !groups.is_empty() {
        return Err(step.undefined(format_args!("{rank} dimensions where {dims} are reassociated")));
    }
    Ok(groups)
}

fn collapse_shape<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.array(step.one(0)?)?;
    let product = |group: &Vec<usize>| group.iter().map(|&dim| source.shape()[dim]).product();
    let shape: Shape = reassociation(step, source.shape().len())?.iter().map(product).collect();
    reshaped(step, source, &shape)
}

fn expand_shape<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.array(step.one(0)?)?;
    let extents: Vec<i64> = step.op.attr("static_output_shape").into_iter().flat_map(AttrRef::dense_ints).collect();
    let shape = step.mixed(&mixed(&extents, step.op.operand_group(1)), 1)?;
    let groups = reassociation(step, shape.len())?;
    if groups.len() > source.shape().len() {
        return Err(step.undefined(format_args!("a tensor of rank {} is expanded", source.shape().len())));
    }
    for (dim, group) in groups.iter().enumerate() {
        let extents: Vec<i64> = group.iter().map(|&at| shape[at]).collect();
        if extents.iter().try_fold(1_i64, |product, &extent| product.checked_mul(extent)) != Some(source.shape()[dim]) {
            return Err(step.undefined(format_args!("dimension {dim} of size {} as {extents:?}", source.shape()[dim])));
        }
    }
    reshaped(step, source, &shape)
}

/// One after the other along a dimension; the other extents are equal.
fn concat<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let dim = step.op.attr("dim").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
    let dim = dim.ok_or_else(|| step.op.error("has no dimension"))?;
    let inputs = step.operands.iter().map(|input| step.array(input)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = inputs.first() else { return Err(step.op.error("has no operands")) };
    let mut shape = Shape::from(first.shape());
    shape[dim] = inputs.iter().map(|input| input.shape()[dim]).sum();
    for input in &inputs {
        let equal = (0..shape.len()).all(|at| at == dim || input.shape()[at] == shape[at]);
        if !equal {
            return Err(step.undefined(format_args!(
                "shapes {:?} and {:?} side by side",
                first.shape(),
                input.shape()
            )));
        }
    }
    conforms(step, &shape)?;
    let mut result = step.defined(Array::filled(&shape, &Value::Poison))?;
    let mut start = 0;
    for input in inputs {
        let (mut indices, mut elements) = (Odometer::new(input.shape()), input.elements().iter());
        while let (Some(index), Some(element)) = (indices.next(), elements.next()) {
            let mut index = Shape::from(index);
            index[dim] += start;
            let position = step.defined(result.position(&index))?;
            result.elements_mut()[position] = element.clone();
        }
        start += input.shape()[dim];
    }
    Ok(Flow::from(result))
}
