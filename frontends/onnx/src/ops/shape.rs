//! Shapes: asking for them, and changing them without touching elements.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use super::reduce::sorted_axes;
use super::{Operator, many, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::{Data, Tensor, normalized};

pub(super) const OPERATORS: &[Operator] = &[
    one("Concat", 4, concat),
    one("Expand", 8, expand),
    one("Flatten", 1, flatten),
    one("Reshape", 5, reshape),
    one("Shape", 1, shape),
    one("Size", 1, size),
    many("Split", 2, split),
    one("Squeeze", 1, squeeze),
    one("Tile", 6, tile),
    one("Unsqueeze", 1, unsqueeze),
];

fn shape(_: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let rank = input.rank() as i64;
    // Positions past either end are the end.
    let clamp = |at: i64| (if at < 0 { at.saturating_add(rank) } else { at }).clamp(0, rank) as usize;
    let (start, end) = (clamp(node.int("start", 0)?), clamp(node.int("end", rank)?));
    let part = input.dims.get(start..end.max(start)).unwrap_or_default();
    Ok(Tensor::list(Element::I64, part.to_vec()))
}

fn size(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let product = b.index_product(node.input(0)?.dims.iter().copied())?;
    Ok(Tensor::scalar(Element::I64, product))
}

/// 0 copies an extent, unless `allowzero` says that it is meant; -1 is what the others leave.
fn reshape(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let wanted = b.scalars(node.input(1)?)?;
    let zero_is_meant = node.flag("allowzero", false)?;
    if matches!(node.input(1)?.data, Data::Value(_)) {
        let dims = resolved(b, input, &wanted, zero_is_meant)?;
        check_count(b, input, &dims)?;
        return b.reshape(input, &dims);
    }
    let (mut dims, mut open) = (Indices::new(), None);
    for (at, &dim) in wanted.iter().enumerate() {
        dims.push(match dim {
            Index::Static(0) if !zero_is_meant => {
                let copied = input.dims.get(at).copied();
                copied.ok_or_else(|| fault!("extent {at} is to be copied, but the input has rank {}", input.rank()))?
            }
            Index::Static(-1) => {
                require!(open.is_none(), "two extents of -1");
                open = Some(at);
                Index::Static(1)
            }
            Index::Static(extent) if extent < 0 => return Err(fault!("negative extent {extent}")),
            other => other,
        });
    }
    let Some(open) = open else {
        let all_known = dims.iter().all(|dim| dim.as_static().is_some());
        if !all_known && input.rank() > 0 {
            check_count(b, input, &dims)?;
        }
        return b.reshape(input, &dims);
    };
    dims[open] = rest(b, &input.dims, &dims)?;
    b.reshape(input, &dims)
}

/// The extents that a list which is known only when running asks for.
fn resolved(b: &mut Builder<'_, '_>, input: &Tensor, wanted: &[Index], zero_is_meant: bool) -> Outcome<Indices> {
    let [zero, one, minus] = [0, 1, -1].map(|value| b.index(Index::Static(value)));
    let (mut others, mut dims) = (one, Vec::new());
    for (at, &dim) in wanted.iter().enumerate() {
        let mut dim = b.index(dim);
        if let (false, Some(&own)) = (zero_is_meant, input.dims.get(at)) {
            let (copied, own) = (b.compare_ints("eq", dim, zero), b.index(own));
            dim = b.select(copied, own, dim);
        }
        let open = b.compare_ints("eq", dim, minus);
        let factor = b.select(open, one, dim);
        others = b.mul(others, factor);
        dims.push((open, dim));
    }
    let total = b.index_product(input.dims.iter().copied())?;
    let divisor = b.same("arith.maxsi", &[others, one]);
    let rest = b.index_div(total, Index::Value(divisor))?;
    let rest = b.index(rest);
    Ok(dims.into_iter().map(|(open, dim)| Index::Value(b.select(open, rest, dim))).collect())
}

/// What an extent must be so that there are as many elements as those of `from`, the others being `to`.
fn rest(b: &mut Builder<'_, '_>, from: &[Index], to: &[Index]) -> Outcome<Index> {
    // Extents that both have are left out.
    let mut left: Vec<Index> = to.to_vec();
    let mut dividend = Vec::new();
    for &factor in from {
        match left.iter().position(|&other| other == factor) {
            Some(at) if factor != Index::Static(0) => {
                left.swap_remove(at);
            }
            _ => dividend.push(factor),
        }
    }
    let (total, others) = (b.index_product(dividend)?, b.index_product(left)?);
    match (total, others) {
        (Index::Static(total), Index::Static(0)) => {
            require!(total == 0, "no extent fits beside one of 0");
            Ok(Index::Static(0))
        }
        (Index::Static(total), Index::Static(others)) => {
            require!(total % others == 0, "{total} elements cannot be divided by {others}");
            Ok(Index::Static(total / others))
        }
        (total, Index::Static(1)) => Ok(total),
        _ => {
            let (dividend, divisor) = (b.index(total), b.index(others));
            let zero = b.index(Index::Static(0));
            let remainder = b.same("arith.remsi", &[dividend, divisor]);
            let fits = b.compare_ints("eq", remainder, zero);
            b.assert(fits, "reshape: the number of elements differs");
            b.index_div(total, others)
        }
    }
}

fn check_count(b: &mut Builder<'_, '_>, input: &Tensor, dims: &[Index]) -> Outcome<()> {
    let (from, to) = (b.index_product(input.dims.iter().copied())?, b.index_product(dims.iter().copied())?);
    b.same_extent(from, to, "reshape: number of elements")?;
    Ok(())
}

fn flatten(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axis = node.int("axis", 1)?;
    let axis = if axis == input.rank() as i64 { input.rank() } else { input.axis(axis)? };
    let rows = b.index_product(input.dims[..axis].iter().copied())?;
    let columns = b.index_product(input.dims[axis..].iter().copied())?;
    b.reshape(input, &[rows, columns])
}

fn squeeze(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axes = match node.axes(13, 1)? {
        Some(axes) if !axes.is_empty() => sorted_axes(&axes, input.rank())?,
        _ => (0..input.rank()).filter(|&at| input.dims[at] == Index::Static(1)).collect(),
    };
    b.squeeze(input, &axes)
}

fn unsqueeze(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axes = node.axes(13, 1)?.ok_or("'axes' is missing")?;
    let rank = input.rank() + axes.len();
    let mut places = axes.iter().map(|&axis| normalized(axis, rank)).collect::<Outcome<Vec<usize>>>()?;
    places.sort_unstable();
    places.dedup();
    require!(places.len() == axes.len(), "the same axis twice");
    b.unsqueeze(input, &places)
}

fn expand(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let wanted = b.scalars(node.input(1)?)?;
    for dim in &wanted {
        require!(dim.as_static().is_none_or(|extent| extent >= 0), "negative extent {}", dim.extent());
    }
    let dims = b.broadcast_dims(&[&wanted, &input.dims]);
    for (&wanted, &dim) in wanted.iter().rev().zip(dims.iter().rev()) {
        b.broadcast_extent(wanted, dim)?;
    }
    b.broadcast(input, &dims)
}

fn tile(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let repeats = b.scalars(node.input(1)?)?;
    require!(repeats.len() == input.rank(), "expected {} repeats, but got {}", input.rank(), repeats.len());
    // Each dimension behind a new one, along which it is repeated; then both are one.
    let (mut split, mut wide, mut dims) = (Indices::new(), Indices::new(), Indices::new());
    for (&dim, &repeat) in input.dims.iter().zip(&repeats) {
        require!(repeat.as_static().is_none_or(|repeat| repeat >= 0), "negative repeat {}", repeat.extent());
        if repeat == Index::Static(1) {
            split.push(dim);
            wide.push(dim);
        } else {
            split.extend([Index::Static(1), dim]);
            wide.extend([repeat, dim]);
        }
        dims.push(b.index_mul(dim, repeat)?);
    }
    let input = b.reshape(input, &split)?;
    let repeated = b.broadcast(&input, &wide)?;
    b.reshape(&repeated, &dims)
}

fn concat(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let inputs = node.all()?;
    let axis = inputs[0].axis(node.int("axis", 1)?)?;
    b.concat(&inputs, axis)
}

fn split(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let axis = input.axis(node.int("axis", 0)?)?;
    let extent = input.dims[axis];
    let sizes = match (node.ints("split")?, node.optional(1)) {
        (Some(sizes), _) => sizes.iter().map(|&size| Index::Static(size)).collect(),
        (None, Some(sizes)) => b.scalars(sizes)?,
        (None, None) => {
            let parts = node.int("num_outputs", node.num_outputs() as i64)?;
            require!(parts > 0, "expected one output at least");
            require!(parts as usize >= node.num_outputs(), "more outputs than parts");
            equal_parts(b, extent, parts)?
        }
    };
    let mut start = Index::Static(0);
    let mut parts = Vec::with_capacity(sizes.len());
    for size in sizes {
        parts.push(b.part(input, axis, start, size)?);
        start = b.index_add(start, size)?;
    }
    b.same_extent(start, extent, "split")?;
    Ok(parts)
}

/// Equal parts, but for the last one, which may be smaller.
fn equal_parts(b: &mut Builder<'_, '_>, extent: Index, parts: i64) -> Outcome<Vec<Index>> {
    if let Index::Static(extent) = extent {
        let size = extent.div_euclid(parts) + i64::from(extent % parts != 0);
        let rest = |part: i64| (extent - size * part).clamp(0, size);
        return Ok((0..parts).map(|part| Index::Static(rest(part))).collect());
    }
    let (value, count) = (b.index(extent), b.index(Index::Static(parts)));
    let size = Index::Value(b.same("arith.ceildivsi", &[value, count]));
    let mut sizes = vec![size; parts as usize - 1];
    let before = b.index_mul(size, Index::Static(parts - 1))?;
    sizes.push(b.index_sub(extent, before)?);
    Ok(sizes)
}
