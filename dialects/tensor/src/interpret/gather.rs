//! Parts at places that a tensor lists.

use dl_ir::interp::{Array, Machine, Odometer, Outcome, Shape, Step, Value};
use dl_ir::{AttrRef, Diagnostic, DialectBuilder};

use super::shapes::conforms;
use crate::{GatherOp, ScatterOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<GatherOp<'_>>().interpret(gather);
    b.on::<ScatterOp<'_>>().interpret(scatter);
}

/// The places: the last dimension of the index tensor holds coordinates along the dimensions `dims`, the others number the places.
struct Places<'v> {
    dims: Vec<usize>,
    list: &'v Array,
}

impl<'v> Places<'v> {
    fn of(step: Step<'_, 'v>, list: &'v Value, name: &str) -> Result<Self, Diagnostic> {
        let dims = step.op.attr(name).into_iter().flat_map(AttrRef::dense_ints);
        Ok(Self { dims: dims.map(|dim| dim as usize).collect(), list: step.array(list)? })
    }

    /// The extents that number the places.
    fn batch(&self) -> &[i64] {
        self.list.shape().split_last().map_or(&[], |(_, batch)| batch)
    }

    /// The index into a tensor of `rank` dimensions of element `rest` of the part at place `place`. The part has extent 1 along the
    /// coordinates' dimensions, which `rest` has too when it is as long as the rank.
    fn index(&self, step: Step<'_, '_>, place: usize, rest: &[i64], rank: usize) -> Result<Shape, Diagnostic> {
        let start = place * self.dims.len();
        let coordinates = self.list.elements().get(start..start + self.dims.len());
        let coordinates = step.indices(coordinates.ok_or_else(|| step.undefined("there are too few coordinates"))?)?;
        let mut left = rest.iter().copied();
        let mut index = Shape::new();
        for dim in 0..rank {
            let at = self.dims.iter().position(|&listed| listed == dim);
            let own = if at.is_none() || rest.len() == rank { left.next().unwrap_or(0) } else { 0 };
            index.push(at.map_or(own, |at| coordinates[at]));
        }
        Ok(index)
    }
}

/// The shape of one part: the tensor's without the coordinates' dimensions, or with extent 1 there.
fn part_shape(shape: &[i64], dims: &[usize], rank_reduced: bool) -> Shape {
    let extent = |(dim, &extent): (usize, &i64)| match dims.contains(&dim) {
        true if rank_reduced => None,
        true => Some(1),
        false => Some(extent),
    };
    shape.iter().enumerate().filter_map(extent).collect()
}

fn gather<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let source = step.array(step.one(0)?)?;
    let places = Places::of(step, step.one(1)?, "gather_dims")?;
    let rank = source.shape().len();
    let result_rank = step.op.result(0).ty().rank().unwrap_or_default();
    let part = part_shape(source.shape(), &places.dims, result_rank < places.batch().len() + rank);
    let shape: Shape = places.batch().iter().chain(&part).copied().collect();
    conforms(step, &shape)?;
    let mut elements = Vec::new();
    for place in 0..step.defined(dl_ir::interp::num_elements(places.batch()))? {
        let mut rest = Odometer::new(&part);
        while let Some(rest) = rest.next() {
            let index = places.index(step, place, rest, rank)?;
            elements.push(step.defined(source.get(&index))?.clone());
        }
    }
    Ok(Array::new(&shape, elements).into())
}

/// Later places win over earlier ones, unless all are said to be different.
fn scatter<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let (source, dest) = (step.array(step.one(0)?)?, step.array(step.one(1)?)?);
    let places = Places::of(step, step.one(2)?, "scatter_dims")?;
    let rank = dest.shape().len();
    let part = part_shape(dest.shape(), &places.dims, source.shape().len() < places.batch().len() + rank);
    let expected: Shape = places.batch().iter().chain(&part).copied().collect();
    if *source.shape() != *expected {
        return Err(step.undefined(format_args!("parts of shape {expected:?} from {:?}", source.shape())));
    }
    let unique = step.op.attr("unique").is_some();
    let mut result = (**dest).clone();
    let mut written = vec![false; result.elements().len()];
    let mut elements = source.elements().iter();
    for place in 0..step.defined(dl_ir::interp::num_elements(places.batch()))? {
        let mut rest = Odometer::new(&part);
        while let Some(rest) = rest.next() {
            let Some(element) = elements.next() else { break };
            let index = places.index(step, place, rest, rank)?;
            let position = step.defined(result.position(&index))?;
            if unique && std::mem::replace(&mut written[position], true) {
                return Err(step.undefined(format_args!("two parts at index {index:?}")));
            }
            result.elements_mut()[position] = element.clone();
        }
    }
    Ok(result.into())
}
