//! Gathers: elements at places that tensors of indices name.

use dl_ir::ValueId;
use dl_ir::affine::AffineExpr;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_linalg::IteratorType;

use super::{Operator, one};
use crate::builder::Builder;
use crate::fault::{Outcome, require};
use crate::literal::Literal;
use crate::node::Node;
use crate::tensor::{Data, Tensor};

pub(super) const OPERATORS: &[Operator] = &[
    one("Gather", 1, gather),
    one("GatherElements", 11, gather_elements),
    one("GatherND", 11, gather_nd),
    one("Compress", 9, compress),
];

fn gather(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    let axis = data.axis(node.int("axis", 0)?)?;
    b.positions(indices, data.dims[axis])?;
    if let Some(folded) = pick(data, indices) {
        return Ok(folded);
    }
    // One place: a slice.
    if let (Some(&[at]), Index::Static(extent)) = (indices.known_ints().as_deref(), data.dims[axis]) {
        let at = if at < 0 { at + extent } else { at };
        let part = b.part(data, axis, Index::Static(at), Index::Static(1))?;
        let mut dims: Indices = data.dims[..axis].into();
        dims.extend(indices.dims.iter().copied());
        dims.extend(data.dims[axis + 1..].iter().copied());
        return b.reshape(&part, &dims);
    }
    take(b, data, indices, axis)
}

/// The elements of `data` at `indices`, which have been checked, along one dimension.
pub(super) fn take(b: &mut Builder<'_, '_>, data: &Tensor, indices: &Tensor, axis: usize) -> Outcome<Tensor> {
    let mut dims: Indices = data.dims[..axis].into();
    dims.extend(indices.dims.iter().copied());
    dims.extend(data.dims[axis + 1..].iter().copied());
    let (source, of_indices) = (b.value(data)?, b.value(indices)?);
    let affine = b.cx().affine();
    let rank = dims.len() as u32;
    let exprs: Vec<AffineExpr> = (axis..axis + indices.rank()).map(|at| affine.dim(at as u32)).collect();
    let map = affine.intern_map(rank, 0, exprs);
    let init = b.empty(&dims, data.element);
    let identity = affine.identity_map(rank);
    let iterators = vec![IteratorType::Parallel; dims.len()];
    let (element, extent, skipped) = (indices.element, data.dims[axis], indices.rank());
    let results = b.generic(&[(of_indices, map)], &[(init, identity)], &iterators, |b, args| {
        let at = b.position(args[0], element, extent);
        let mut places: Vec<ValueId> = (0..axis).map(|dim| b.loop_index(dim)).collect();
        places.push(at);
        places.extend((axis + skipped..rank as usize).map(|dim| b.loop_index(dim)));
        Ok(vec![b.extract(source, &places)])
    })?;
    Ok(b.tensor(results[0], dims, data.element))
}

/// Integers of a list that are known one by one.
fn pick(data: &Tensor, indices: &Tensor) -> Option<Tensor> {
    let list = super::arithmetic::list(data).filter(|_| data.rank() == 1)?;
    let at = |&at: &i64| list.get(if at < 0 { at + list.len() as i64 } else { at } as usize).copied();
    if !matches!(data.data, Data::Scalars(_) | Data::Literal(_)) || indices.rank() > 1 {
        return None;
    }
    let values = indices.known_ints()?.iter().map(at).collect::<Option<Vec<Index>>>()?;
    Some(if indices.rank() == 0 { Tensor::scalar(data.element, values[0]) } else { Tensor::list(data.element, values) })
}

fn gather_elements(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    require!(
        data.rank() == indices.rank(),
        "expected inputs of one rank, but got {} and {}",
        data.rank(),
        indices.rank()
    );
    let axis = data.axis(node.int("axis", 0)?)?;
    b.positions(indices, data.dims[axis])?;
    let source = b.value(data)?;
    let (rank, extent) = (data.rank(), data.dims[axis]);
    let indices_element = indices.element;
    b.map_to(&indices.dims.clone(), &[indices], data.element, |b, args| {
        let mut places: Vec<ValueId> = (0..rank).map(|dim| b.loop_index(dim)).collect();
        places[axis] = b.position(args[0], indices_element, extent);
        Ok(b.extract(source, &places))
    })
}

/// The last dimension of the indices is a position in the dimensions after the batch.
fn gather_nd(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (data, indices) = (node.input(0)?, node.input(1)?);
    let batch = usize::try_from(node.int("batch_dims", 0)?).map_err(|_| "a negative number of batch dimensions")?;
    let depth = indices.dims.last().and_then(|dim| dim.as_static());
    let depth = depth.ok_or("unsupported: positions of unknown length")? as usize;
    let outer = indices.rank() - 1;
    require!(
        batch <= outer && batch + depth <= data.rank(),
        "positions of {depth} for a tensor of rank {}",
        data.rank()
    );
    let mut dims: Indices = indices.dims[..outer].into();
    dims.extend(data.dims[batch + depth..].iter().copied());
    let mut parts = Vec::new();
    for at in 0..depth {
        let part = b.part(indices, outer, Index::Static(at as i64), Index::Static(1))?;
        let part = b.squeeze(&part, &[outer])?;
        b.positions(&part, data.dims[batch + at])?;
        // Behind the dimensions that are taken whole.
        let whole: Vec<usize> = (outer..dims.len()).collect();
        parts.push(b.unsqueeze(&part, &whole)?);
    }
    let source = b.value(data)?;
    let inputs: Vec<&Tensor> = parts.iter().collect();
    let indices_element = indices.element;
    b.map_to(&dims.clone(), &inputs, data.element, |b, args| {
        let mut places: Vec<ValueId> = (0..batch).map(|dim| b.loop_index(dim)).collect();
        for (at, &arg) in args.iter().enumerate() {
            places.push(b.position(arg, indices_element, data.dims[batch + at]));
        }
        places.extend((outer..dims.len()).map(|dim| b.loop_index(dim)));
        Ok(b.extract(source, &places))
    })
}

/// The slices at which a known condition holds.
fn compress(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let condition = node.known_ints(1, "condition")?.unwrap_or_default();
    let (input, axis) = if node.has("axis") {
        (input.clone(), input.axis(node.int("axis", 0)?)?)
    } else {
        let all = b.index_product(input.dims.iter().copied())?;
        (b.reshape(input, &[all])?, 0)
    };
    let chosen: Vec<i64> = (0..condition.len()).filter(|&at| condition[at] != 0).map(|at| at as i64).collect();
    let places = Literal::list(&chosen)?;
    let places = Tensor::literal(places);
    b.positions(&places, input.dims[axis])?;
    take(b, &input, &places, axis)
}
