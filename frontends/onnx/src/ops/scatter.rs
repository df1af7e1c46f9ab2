//! Scatters: elements written to places that tensors of indices name.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::{Operator, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("ReverseSequence", 10, reverse_sequence),
    one("Scatter", 9, scatter_elements),
    one("ScatterElements", 11, scatter_elements),
    one("ScatterND", 11, scatter_nd),
];

/// What becomes of an element that is written to.
#[derive(Clone, Copy)]
enum Combine {
    Replace,
    Add,
    Multiply,
    Larger,
    Smaller,
}

impl Combine {
    fn of(node: &Node<'_>) -> Outcome<Self> {
        Ok(match node.text("reduction", "none")? {
            "none" => Self::Replace,
            "add" => Self::Add,
            "mul" => Self::Multiply,
            "max" => Self::Larger,
            "min" => Self::Smaller,
            other => return Err(fault!("attribute 'reduction' is '{other}'")),
        })
    }

    /// The tensor with `update` written to a place.
    fn write(self, b: &mut Builder<'_, '_>, tensor: ValueId, update: ValueId, at: &[ValueId], e: Element) -> ValueId {
        let value = if let Self::Replace = self {
            update
        } else {
            let old = b.extract(tensor, at);
            match self {
                Self::Add => b.add(old, update),
                Self::Multiply => b.mul(old, update),
                Self::Larger => b.max(old, update, e),
                _ => b.min(old, update, e),
            }
        };
        b.store(value, tensor, at)
    }
}

/// Makes the inside of a nest: gets the indices and the tensor so far, answers the next one.
type Body<'b> = dyn FnMut(&mut Builder<'_, '_>, &[ValueId], ValueId) -> Outcome<ValueId> + 'b;

/// A loop for each of `dims`, around `body`, which gets all indices and the tensor so far and answers the next one.
fn nest(
    b: &mut Builder<'_, '_>,
    dims: &[Index],
    tensor: ValueId,
    indices: &mut Vec<ValueId>,
    body: &mut Body<'_>,
) -> Outcome<ValueId> {
    let Some((&first, rest)) = dims.split_first() else { return body(b, indices, tensor) };
    let results = b.for_loop(Index::Static(0), first, &[tensor], |b, at, state| {
        indices.push(at);
        let next = nest(b, rest, state[0], indices, body);
        indices.pop();
        Ok(vec![next?])
    })?;
    Ok(results[0])
}

fn scatter_elements(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (data, indices, updates) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let combine = Combine::of(node)?;
    let axis = data.axis(node.int("axis", 0)?)?;
    require!(
        indices.rank() == data.rank() && updates.rank() == data.rank(),
        "expected inputs of one rank, but got {}, {} and {}",
        data.rank(),
        indices.rank(),
        updates.rank()
    );
    require!(updates.element == data.element, "expected updates of {}", data.element.name());
    b.positions(indices, data.dims[axis])?;
    for (&own, &other) in indices.dims.iter().zip(&updates.dims) {
        b.same_extent(own, other, "updates")?;
    }
    let (e, of_indices, extent) = (data.element, indices.element, data.dims[axis]);
    let (start, places, source) = (b.value(data)?, b.value(indices)?, b.value(updates)?);
    let result = nest(b, &indices.dims, start, &mut Vec::new(), &mut |b, at, tensor| {
        let place = b.extract(places, at);
        let update = b.extract(source, at);
        let mut to = at.to_vec();
        to[axis] = b.position(place, of_indices, extent);
        Ok(combine.write(b, tensor, update, &to, e))
    })?;
    Ok(b.tensor(result, data.dims.iter().copied(), e))
}

/// The last dimension of the indices is a position in the first dimensions of the data.
fn scatter_nd(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (data, indices, updates) = (node.input(0)?, node.input(1)?, node.input(2)?);
    let combine = Combine::of(node)?;
    require!(updates.element == data.element, "expected updates of {}", data.element.name());
    let depth =
        indices.dims.last().and_then(|dim| dim.as_static()).ok_or("unsupported: positions of unknown length")?;
    let depth = usize::try_from(depth).map_err(|_| "a negative extent")?;
    let outer = indices.rank() - 1;
    require!(depth <= data.rank(), "positions of {depth} for a tensor of rank {}", data.rank());
    require!(updates.rank() == outer + data.rank() - depth, "updates of rank {}", updates.rank());
    for at in 0..depth {
        let part = b.part(indices, outer, Index::Static(at as i64), Index::Static(1))?;
        b.positions(&part, data.dims[at])?;
    }
    let (e, of_indices) = (data.element, indices.element);
    let (start, places, source) = (b.value(data)?, b.value(indices)?, b.value(updates)?);
    let result = nest(b, &updates.dims, start, &mut Vec::new(), &mut |b, at, tensor| {
        let mut to = Vec::new();
        for position in 0..depth {
            let mut from = at[..outer].to_vec();
            from.push(b.index(Index::Static(position as i64)));
            let place = b.extract(places, &from);
            to.push(b.position(place, of_indices, data.dims[position]));
        }
        to.extend_from_slice(&at[outer..]);
        let update = b.extract(source, at);
        Ok(combine.write(b, tensor, update, &to, e))
    })?;
    Ok(b.tensor(result, data.dims.iter().copied(), e))
}

/// The first elements of each sequence in the opposite order, as many as its length says.
fn reverse_sequence(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, lengths) = (node.input(0)?, node.input(1)?);
    let (batch, time) = (input.axis(node.int("batch_axis", 1)?)?, input.axis(node.int("time_axis", 0)?)?);
    require!(batch != time, "one axis for both batch and time");
    let of_lengths = lengths.element;
    let (source, lengths) = (b.value(input)?, b.value(lengths)?);
    b.generate(&input.dims, input.element, |b, at| {
        let length = b.extract(lengths, &[at[batch]]);
        let length = b.cast_to_index(length, of_lengths);
        let one = b.index(Index::Static(1));
        let inside = b.compare_ints("slt", at[time], length);
        let last = b.sub(length, one);
        let mirrored = b.sub(last, at[time]);
        let mut from = at.to_vec();
        from[time] = b.select(inside, mirrored, at[time]);
        Ok(b.extract(source, &from))
    })
}
