//! Regular parts of tensors.

use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::interp::{Array, Machine, Odometer, Outcome, Shape, Step, Value, check_slice};
use dl_ir::{Diagnostic, DialectBuilder, OpRef};

use super::shapes::conforms;
use crate::{ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp, dropped_dims};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<ExtractSliceOp<'_>>().interpret(extract_slice);
    b.on::<InsertSliceOp<'_>>().interpret(insert_slice);
    b.on::<ParallelInsertSliceOp<'_>>().interpret(insert_slice);
}

/// The slice of a tensor, as numbers.
struct Part {
    offsets: Shape,
    sizes: Shape,
    strides: Shape,
}

impl Part {
    /// The slice that the operation names, whose offsets are operand definition `first`, in a tensor of this shape.
    fn of(step: Step<'_, '_>, first: usize, shape: &[i64]) -> Result<Self, Diagnostic> {
        let slice = Slice::of(step.op).ok_or_else(|| step.op.error("is no slice"))?;
        let list = |list: &Indices, at| step.mixed(list, first + at);
        let part = Self {
            offsets: list(&slice.offsets, 0)?,
            sizes: list(&slice.sizes, 1)?,
            strides: list(&slice.strides, 2)?,
        };
        for (dim, &extent) in shape.iter().enumerate() {
            step.defined(check_slice(dim, extent, part.offsets[dim], part.sizes[dim], part.strides[dim]))?;
        }
        Ok(part)
    }

    /// Where element `index` of the slice is in the tensor.
    fn index(&self, index: &[i64]) -> Shape {
        let parts = index.iter().zip(&self.offsets).zip(&self.strides);
        parts.map(|((&at, &offset), &stride)| offset + at * stride).collect()
    }

    /// The sizes without those dimensions, all of size 1, that the type of the smaller tensor leaves out.
    fn reduced(&self, op: OpRef<'_>, smaller: Option<&[i64]>) -> Shape {
        let slice = Slice::of(op);
        let declared: Option<Vec<i64>> = slice.map(|slice| slice.sizes.iter().map(|size| size.extent()).collect());
        let dropped = declared.zip(smaller).and_then(|(declared, smaller)| dropped_dims(&declared, smaller));
        let dropped = dropped.unwrap_or_default();
        let kept = self.sizes.iter().enumerate().filter(|(dim, _)| !dropped.get(*dim).copied().unwrap_or(false));
        kept.map(|(_, &size)| size).collect()
    }
}

fn extract_slice<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.array(step.one(0)?)?;
    let part = Part::of(step, 1, source.shape())?;
    let shape = part.reduced(step.op, step.op.result(0).ty().shape());
    conforms(step, &shape)?;
    let mut result = step.defined(Array::filled(&shape, &Value::Poison))?;
    let mut indices = Odometer::new(&part.sizes);
    for element in result.elements_mut() {
        let Some(index) = indices.next() else { break };
        *element = step.defined(source.get(&part.index(index)))?.clone();
    }
    Ok(result.into())
}

/// The destination with the slice replaced. `parallel_insert_slice` has this outcome as well: the loop around it takes it.
fn insert_slice<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, dest) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let part = Part::of(step, 2, dest.shape())?;
    let expected = part.reduced(step.op, step.op.operand(0).ty().shape());
    if *source.shape() != *expected {
        return Err(step.undefined(format_args!("a slice of shape {expected:?} from {:?}", source.shape())));
    }
    let mut result = (**dest).clone();
    let mut indices = Odometer::new(&part.sizes);
    for element in source.elements() {
        let Some(index) = indices.next() else { break };
        let position = step.defined(result.position(&part.index(index)))?;
        result.elements_mut()[position] = element.clone();
    }
    Ok(result.into())
}
