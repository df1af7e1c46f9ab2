//! Transfers: vectors of any shape from and to tensors and memrefs, with masks and padding.

use dl_ir::affine::AffineMap;
use dl_ir::interp::{Flow, Machine, Odometer, Outcome, Shape, Step, Value, read_element, write_element};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};

use super::lanes::{filled_by, result_shape};
use super::mask::maskable;
use super::memory::is_set;
use crate::{TransferReadOp, TransferWriteOp};

pub(super) fn register(b: &mut DialectBuilder) {
    maskable::<TransferReadOp<'_>>(b, read);
    maskable::<TransferWriteOp<'_>>(b, write);
}

/// How the lanes of a vector lie in the base.
struct Transfer<'v> {
    start: Shape,
    extents: Shape,
    /// For each dimension of the vector the dimension of the base that it runs over; `None` for a broadcast one.
    dims: Vec<Option<usize>>,
    in_bounds: Vec<bool>,
    mask: Option<&'v Value>,
}

impl<'v> Transfer<'v> {
    fn of(step: Step<'_, '_>, base: &Value, start: &[Value], mask: Option<&'v Value>) -> Result<Self, Diagnostic> {
        let map = step.op.attr("permutation_map").and_then(AttrRef::as_affine_map);
        let map: AffineMap = map.ok_or_else(|| step.op.error("has no permutation map"))?;
        let affine = step.op.cx().affine();
        let dim = |&result| affine.dim_position(result).map(|dim| dim as usize);
        let extents = match base {
            Value::MemRef(memref) => memref.shape.clone(),
            tensor => step.array(tensor)?.shape().into(),
        };
        if step.op.operands().iter().any(|value| value.ty().is_shaped() && value.ty().element_or_self().is_vector()) {
            return Err(step.unsupported("transfers from and to elements that are vectors"));
        }
        Ok(Self {
            start: step.indices(start)?,
            extents,
            dims: affine.map(map).results.iter().map(dim).collect(),
            in_bounds: step
                .op
                .attr("in_bounds")
                .into_iter()
                .flat_map(AttrRef::elements)
                .filter_map(AttrRef::as_bool)
                .collect(),
            mask,
        })
    }

    /// The index of the base for a lane; `None` for one that is turned off or past the end. A dimension that is said to be in bounds
    /// and is not, is undefined.
    fn place(&self, step: Step<'_, '_>, lane: &[i64]) -> Result<Option<Shape>, Diagnostic> {
        if let Some(mask) = self.mask {
            // The mask has the dimensions of the base that the vector runs over, in their order.
            let mut used: Vec<(usize, i64)> =
                self.dims.iter().zip(lane).filter_map(|(&dim, &at)| Some((dim?, at))).collect();
            used.sort_unstable();
            let of_mask: Shape = used.iter().map(|&(_, at)| at).collect();
            if !is_set(step, mask, &of_mask)? {
                return Ok(None);
            }
        }
        let mut index = self.start.clone();
        for (&dim, &at) in self.dims.iter().zip(lane) {
            if let Some(dim) = dim {
                index[dim] = index[dim].saturating_add(at);
            }
        }
        let outside = |dim: usize| !(0..self.extents[dim]).contains(&index[dim]);
        for (dim, &promised) in self.dims.iter().zip(&self.in_bounds) {
            if let Some(dim) = dim.filter(|&dim| outside(dim)) {
                if promised {
                    let (at, extent) = (index[dim], self.extents[dim]);
                    return Err(step
                        .undefined(format_args!("index {at} is out of bounds for dimension {dim} of size {extent}")));
                }
                return Ok(None);
            }
        }
        Ok(Some(index))
    }
}

/// Lanes that a mask turns off, and those past the end, have the padding.
fn read<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, mask: Option<&Value>) -> Outcome<'a> {
    let (base, padding) = (step.one(0)?, step.one(2)?);
    let transfer = Transfer::of(step, base, step.group(1), step.group(3).first().or(mask))?;
    let shape = result_shape(step)?;
    let result = filled_by(step, &shape, |lane| match (transfer.place(step, lane)?, base) {
        (None, _) => Ok(padding.clone()),
        (Some(index), Value::Array(tensor)) => step.defined(tensor.get(&index)).cloned(),
        (Some(index), _) => read_element(step, machine, 0, &index),
    });
    result.map(Flow::from)
}

/// A tensor is not written to: the result is the new one.
fn write<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>, mask: Option<&Value>) -> Outcome<'a> {
    let (value, base) = (step.array(step.one(0)?)?, step.one(1)?);
    let transfer = Transfer::of(step, base, step.group(2), step.group(3).first().or(mask))?;
    let mut result = base.as_array().map(|tensor| (**tensor).clone());
    let mut lanes = Odometer::new(value.shape());
    for element in value.elements() {
        let Some(lane) = lanes.next() else { break };
        let Some(index) = transfer.place(step, lane)? else { continue };
        match &mut result {
            Some(tensor) => {
                let position = step.defined(tensor.position(&index))?;
                tensor.elements_mut()[position] = element.clone();
            }
            None => write_element(step, machine, step.memref(base)?, &index, element.clone())?,
        }
    }
    Ok(result.map_or_else(Flow::none, Flow::from))
}
