//! Moving elements: transposes, slices, padding, blocks.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use super::reduce::sorted_axes;
use super::{Operator, one};
use crate::builder::Builder;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("DepthToSpace", 1, depth_to_space),
    one("Pad", 2, pad),
    one("Slice", 1, slice),
    one("SpaceToDepth", 1, space_to_depth),
    one("Transpose", 1, transpose),
];

fn transpose(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let rank = input.rank();
    let permutation = match node.ints("perm")? {
        Some(permutation) => permutation.iter().map(|&at| input.axis(at)).collect::<Outcome<Vec<usize>>>()?,
        None => (0..rank).rev().collect(),
    };
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    require!(sorted.iter().copied().eq(0..rank), "{permutation:?} is no permutation of {rank} dimensions");
    b.transpose(input, &permutation)
}

/// `Slice`: attributes up to opset 9, then inputs. Positions are clamped to the dimension; steps may be negative.
fn slice(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let known = |list: &[i64]| list.iter().map(|&value| Index::Static(value)).collect::<Vec<_>>();
    let (starts, ends, axes, steps);
    if node.opset < 10 {
        starts = known(node.ints("starts")?.ok_or("'starts' is missing")?);
        ends = known(node.ints("ends")?.ok_or("'ends' is missing")?);
        axes = node.ints("axes")?.map(<[i64]>::to_vec);
        steps = None;
    } else {
        starts = b.scalars(node.input(1)?)?;
        ends = b.scalars(node.input(2)?)?;
        axes = node.known_ints(3, "axes")?;
        steps = node.known_ints(4, "steps")?;
    }
    let axes = axes.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = steps.unwrap_or_else(|| vec![1; axes.len()]);
    let lengths = [starts.len(), ends.len(), axes.len(), steps.len()];
    require!(lengths.iter().all(|&length| length == lengths[0]), "starts, ends, axes and steps differ in length");
    let mut offsets: Indices = input.dims.iter().map(|_| Index::Static(0)).collect();
    let (mut sizes, mut strides, mut reversed) = (input.dims.clone(), vec![1; input.rank()], Vec::new());
    for (((&start, &end), &axis), &step) in starts.iter().zip(&ends).zip(&axes).zip(&steps) {
        let axis = input.axis(axis)?;
        require!(step != 0, "a step of 0");
        let (offset, size) = bounds(b, input.dims[axis], start, end, step)?;
        (offsets[axis], sizes[axis], strides[axis]) = (offset, size, step.saturating_abs());
        if step < 0 {
            // The last one that is taken comes first.
            let span = b.index_sub(size, Index::Static(1))?;
            let span = b.index_mul(span, Index::Static(step.saturating_abs()))?;
            let first = b.index_sub(offset, span)?;
            offsets[axis] =
                if size == Index::Static(0) { Index::Static(0) } else { b.index_max(first, Index::Static(0))? };
            reversed.push(axis);
        }
        if size == Index::Static(0) {
            offsets[axis] = Index::Static(0);
        }
    }
    let part = b.slice(input, &offsets, &sizes, &strides)?;
    let reversed: Vec<usize> = reversed.into_iter().filter(|&axis| part.dims[axis] != Index::Static(1)).collect();
    if reversed.is_empty() { Ok(part) } else { reverse(b, &part, &reversed) }
}

/// Where a slice begins, and how many elements it has.
fn bounds(b: &mut Builder<'_, '_>, extent: Index, start: Index, end: Index, step: i64) -> Outcome<(Index, Index)> {
    let (low, high) =
        if step > 0 { (Index::Static(0), extent) } else { (Index::Static(-1), b.index_sub(extent, Index::Static(1))?) };
    let first_low = if step > 0 { low } else { Index::Static(0) };
    // No extent is smaller than 0, but the last position of nothing is.
    let clamp = |b: &mut Builder<'_, '_>, at: Index, low: Index| {
        if step > 0 && at == Index::Static(0) { Ok(at) } else { clamped(b, at, low, high) }
    };
    let start = position(b, start, extent)?;
    let start = clamp(b, start, first_low)?;
    let end = position(b, end, extent)?;
    let end = clamp(b, end, low)?;
    let span = if step > 0 { b.index_sub(end, start)? } else { b.index_sub(start, end)? };
    let magnitude = step.saturating_abs();
    let size = match span {
        Index::Static(span) => {
            Index::Static(span.max(0).div_euclid(magnitude) + i64::from(span.max(0) % magnitude != 0))
        }
        Index::Value(_) => {
            let span = b.index_max(span, Index::Static(0))?;
            let (span, magnitude) = (b.index(span), b.index(Index::Static(magnitude)));
            Index::Value(b.same("arith.ceildivsi", &[span, magnitude]))
        }
    };
    Ok((start, size))
}

/// A position that may be counted from the end.
fn position(b: &mut Builder<'_, '_>, at: Index, extent: Index) -> Outcome<Index> {
    match at {
        Index::Static(at) if at >= 0 => Ok(Index::Static(at)),
        Index::Static(at) => match extent {
            Index::Static(extent) => Ok(Index::Static(at.saturating_add(extent))),
            // Far before the beginning.
            Index::Value(_) if at < -(1 << 40) => Ok(Index::Static(at)),
            Index::Value(_) => b.index_add(Index::Static(at), extent),
        },
        Index::Value(value) => {
            let zero = b.index(Index::Static(0));
            let negative = b.compare_ints("slt", value, zero);
            let extent = b.index(extent);
            let wrapped = b.add(value, extent);
            Ok(Index::Value(b.select(negative, wrapped, value)))
        }
    }
}

fn clamped(b: &mut Builder<'_, '_>, at: Index, low: Index, high: Index) -> Outcome<Index> {
    // Past any end.
    if matches!(at, Index::Static(at) if at >= 1 << 40) {
        return Ok(high);
    }
    let at = b.index_max(at, low)?;
    b.index_min(at, high)
}

/// The elements in the opposite order along these dimensions.
pub(super) fn reverse(b: &mut Builder<'_, '_>, input: &Tensor, axes: &[usize]) -> Outcome<Tensor> {
    let value = b.value(input)?;
    let dims = input.dims.clone();
    b.generate(&dims, input.element, |b, at| {
        let mut at = at.to_vec();
        for &axis in axes {
            let last = b.index_sub(dims[axis], Index::Static(1))?;
            let last = b.index(last);
            at[axis] = b.sub(last, at[axis]);
        }
        Ok(b.extract(value, &at))
    })
}

fn pad(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let mode = node.text("mode", "constant")?;
    let pads = if node.opset < 11 {
        let pads = node.ints("pads")?.ok_or("'pads' is missing")?;
        pads.iter().map(|&size| Index::Static(size)).collect()
    } else {
        b.scalars(node.input(1)?)?
    };
    let axes = match node.known_ints(3, "axes")? {
        Some(axes) => axes.iter().map(|&axis| input.axis(axis)).collect::<Outcome<Vec<usize>>>()?,
        None => (0..input.rank()).collect(),
    };
    require!(pads.len() == 2 * axes.len(), "expected {} pads, but got {}", 2 * axes.len(), pads.len());
    let none: Indices = input.dims.iter().map(|_| Index::Static(0)).collect();
    let (mut low, mut high) = (none.clone(), none);
    for (at, &axis) in axes.iter().enumerate() {
        (low[axis], high[axis]) = (pads[at], pads[at + axes.len()]);
    }
    let (input, low, high) = cropped(b, input, &low, &high)?;
    if mode != "constant" {
        return pad_from_inside(b, &input, &low, &high, mode);
    }
    let value = match node.optional(2) {
        Some(value) => {
            let value = b.reshape(value, &[])?;
            if let Some(literal) = value.known() {
                let attr = literal.first_attr(b.cx())?;
                b.constant(attr)
            } else {
                let value = b.value(&value)?;
                b.extract(value, &[])
            }
        }
        None => b.number(input.element.ty(b.cx()), node.float("value", 0.0)?),
    };
    b.pad(&input, &low, &high, value)
}

/// Negative padding takes elements away, and when there are none left, of the padding at the other end.
fn cropped(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    low: &[Index],
    high: &[Index],
) -> Outcome<(Tensor, Indices, Indices)> {
    let zero = Index::Static(0);
    let (mut offsets, mut sizes) = (vec![zero; input.rank()], input.dims.clone());
    let (mut new_low, mut new_high): (Indices, Indices) = (low.into(), high.into());
    for (at, &extent) in input.dims.iter().enumerate() {
        let (low, high) = (low[at], high[at]);
        if let (Index::Static(0..), Index::Static(0..)) = (low, high) {
            continue;
        }
        let sum = b.index_add(extent, low)?;
        let total = b.index_add(sum, high)?;
        b.at_most(zero, total, "padding takes away more than there is")?;
        let taken = b.index_sub(zero, low)?;
        offsets[at] = within(b, taken, extent)?;
        (new_low[at], new_high[at]) = (within(b, low, total)?, within(b, high, total)?);
        let rest = b.index_sub(total, new_low[at])?;
        sizes[at] = b.index_sub(rest, new_high[at])?;
    }
    let input = b.slice(input, &offsets, &sizes, &vec![1; input.rank()])?;
    Ok((input, new_low, new_high))
}

/// So many, or as many as there are; none for a negative number.
fn within(b: &mut Builder<'_, '_>, wanted: Index, all: Index) -> Outcome<Index> {
    if let Index::Static(..=0) = wanted {
        return Ok(Index::Static(0));
    }
    let wanted = b.index_max(wanted, Index::Static(0))?;
    b.index_min(wanted, all)
}

/// Padding with elements of the tensor itself.
fn pad_from_inside(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    low: &[Index],
    high: &[Index],
    mode: &str,
) -> Outcome<Tensor> {
    require!(matches!(mode, "edge" | "reflect" | "wrap"), "mode '{mode}' is none that is known");
    let mut dims = Indices::new();
    for (at, &own) in input.dims.iter().enumerate() {
        let sum = b.index_add(own, low[at])?;
        let total = b.index_add(sum, high[at])?;
        if total != own && !matches!(own, Index::Static(1..)) {
            let needed = b.index_min(total, Index::Static(1))?;
            b.at_most(needed, own, "padding with elements of a tensor that has none")?;
        }
        dims.push(total);
    }
    let value = b.value(input)?;
    b.generate(&dims.clone(), input.element, |b, at| {
        let mut from = Vec::new();
        for (axis, &position) in at.iter().enumerate() {
            if low[axis] == Index::Static(0) && high[axis] == Index::Static(0) {
                from.push(position);
                continue;
            }
            let (before, extent, zero, one) =
                (b.index(low[axis]), b.index(input.dims[axis]), b.index(Index::Static(0)), b.index(Index::Static(1)));
            let moved = b.sub(position, before);
            let last = b.sub(extent, one);
            from.push(match mode {
                "edge" => {
                    let inside = b.same("arith.maxsi", &[moved, zero]);
                    b.same("arith.minsi", &[inside, last])
                }
                "wrap" => floor_remainder(b, moved, extent),
                _ => {
                    // A wave that goes there and back in twice the extent without its ends.
                    let period = b.add(last, last);
                    let period = b.same("arith.maxsi", &[period, one]);
                    let at = floor_remainder(b, moved, period);
                    let back = b.sub(period, at);
                    let back = b.same("arith.minsi", &[at, back]);
                    b.same("arith.minsi", &[back, last])
                }
            });
        }
        Ok(b.extract(value, &from))
    })
}

/// The remainder that has the sign of the divisor, which is positive.
fn floor_remainder(b: &mut Builder<'_, '_>, dividend: dl_ir::ValueId, divisor: dl_ir::ValueId) -> dl_ir::ValueId {
    let zero = b.index(Index::Static(0));
    let remainder = b.same("arith.remsi", &[dividend, divisor]);
    let negative = b.compare_ints("slt", remainder, zero);
    let wrapped = b.add(remainder, divisor);
    b.select(negative, wrapped, remainder)
}

/// Image, channels, rows and columns, and the size of a block.
fn image(node: &Node<'_>) -> Outcome<([Index; 4], i64)> {
    let input = node.input(0)?;
    let block = node.int("blocksize", 0)?;
    require!(block > 0, "a block of {block}");
    let dims: [Index; 4] =
        input.dims[..].try_into().map_err(|_| fault!("expected rank 4, but got {}", input.rank()))?;
    Ok((dims, block))
}

fn depth_to_space(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let ([images, channels, rows, columns], block) = image(node)?;
    let blocks = Index::Static(block);
    let area = b.index_mul(blocks, blocks)?;
    let kept = b.index_div(channels, area)?;
    let (split, permutation): ([Index; 6], [usize; 6]) = match node.text("mode", "DCR")? {
        "DCR" => ([images, blocks, blocks, kept, rows, columns], [0, 3, 4, 1, 5, 2]),
        "CRD" => ([images, kept, blocks, blocks, rows, columns], [0, 1, 4, 2, 5, 3]),
        other => return Err(fault!("mode '{other}' is neither DCR nor CRD")),
    };
    let input = b.reshape(node.input(0)?, &split)?;
    let moved = b.transpose(&input, &permutation)?;
    let (rows, columns) = (b.index_mul(rows, blocks)?, b.index_mul(columns, blocks)?);
    b.reshape(&moved, &[images, kept, rows, columns])
}

fn space_to_depth(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let ([images, channels, rows, columns], block) = image(node)?;
    let blocks = Index::Static(block);
    let (rows, columns) = (b.index_div(rows, blocks)?, b.index_div(columns, blocks)?);
    let input = b.reshape(node.input(0)?, &[images, channels, rows, blocks, columns, blocks])?;
    let moved = b.transpose(&input, &[0, 3, 5, 1, 2, 4])?;
    let area = b.index_mul(blocks, blocks)?;
    let channels = b.index_mul(channels, area)?;
    b.reshape(&moved, &[images, channels, rows, columns])
}

/// The axes of a list, sorted; used by operators that take them as an attribute.
pub(super) fn listed_axes(node: &Node<'_>, otherwise: &[i64], rank: usize) -> Outcome<Vec<usize>> {
    sorted_axes(node.ints("axes")?.unwrap_or(otherwise), rank)
}

/// The axes of a list in its order; all where there is none.
pub(super) fn listed_axes_in_order(node: &Node<'_>, input: &Tensor) -> Outcome<Vec<usize>> {
    match node.ints("axes")? {
        Some(axes) => axes.iter().map(|&axis| input.axis(axis)).collect(),
        None => Ok((0..input.rank()).collect()),
    }
}
