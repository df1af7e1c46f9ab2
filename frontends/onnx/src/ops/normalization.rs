//! Normalizations.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use super::reduce::mean_along;
use super::{Operator, many, one};
use crate::builder::{Builder, Order, Window};
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    many("BatchNormalization", 7, batch),
    one("GroupNormalization", 18, group),
    one("InstanceNormalization", 6, instance),
    many("LayerNormalization", 17, layer),
    one("LpNormalization", 1, lp),
    one("LRN", 1, local_response),
    one("MeanVarianceNormalization", 9, mean_variance),
];

/// Mean and variance along axes, which stay with extent 1.
pub(super) fn moments(b: &mut Builder<'_, '_>, input: &Tensor, axes: &[usize]) -> Outcome<(Tensor, Tensor)> {
    let e = input.element;
    let mean = mean_along(b, input, axes)?;
    let squares = b.map(&[input, &mean], e, |b, args| {
        let difference = b.sub(args[0], args[1]);
        Ok(b.mul(difference, difference))
    })?;
    let variance = mean_along(b, &squares, axes)?;
    Ok((mean, variance))
}

/// `1 / sqrt(x + epsilon)`.
fn inverse_deviation(b: &mut Builder<'_, '_>, variance: ValueId, e: Element, epsilon: f64) -> ValueId {
    let ty = e.ty(b.cx());
    let (epsilon, one) = (b.number(ty, epsilon), b.number(ty, 1.0));
    let sum = b.add(variance, epsilon);
    let root = b.same("math.sqrt", &[sum]);
    b.div(one, root, e)
}

/// `(x - mean) / sqrt(variance + epsilon) * scale + bias`, all broadcast to the input.
pub(super) fn normalized(
    b: &mut Builder<'_, '_>,
    [input, mean, variance]: [&Tensor; 3],
    affine: (Option<&Tensor>, Option<&Tensor>),
    epsilon: f64,
) -> Outcome<Tensor> {
    let e = input.element;
    let mut inputs = vec![input, mean, variance];
    inputs.extend(affine.0);
    inputs.extend(affine.1);
    b.map_to(&input.dims.clone(), &inputs, e, |b, args| {
        let factor = inverse_deviation(b, args[2], e, epsilon);
        let difference = b.sub(args[0], args[1]);
        let mut value = b.mul(difference, factor);
        let mut rest = args[3..].iter();
        if let (Some(_), Some(&scale)) = (affine.0, affine.0.and_then(|_| rest.next())) {
            value = b.mul(value, scale);
        }
        if let (Some(_), Some(&bias)) = (affine.1, affine.1.and_then(|_| rest.next())) {
            value = b.add(value, bias);
        }
        Ok(value)
    })
}

/// One number a channel, for a tensor of this rank whose dimension 1 has the channels.
fn of_channels(b: &mut Builder<'_, '_>, tensor: &Tensor, rank: usize, e: Element) -> Outcome<Tensor> {
    require!(tensor.rank() == 1, "expected one number a channel, but got a tensor of rank {}", tensor.rank());
    require!(rank >= 2, "expected rank 2 or more, but got {rank}");
    let tensor = b.cast(tensor, e)?;
    let spatial: Vec<usize> = (1..rank - 1).collect();
    b.unsqueeze(&tensor, &spatial)
}

fn batch(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let (e, rank) = (input.element, input.rank());
    let epsilon = node.float("epsilon", 1e-5)?;
    let mut given = Vec::new();
    for at in 1..5 {
        given.push(of_channels(b, node.input(at)?, rank, e)?);
    }
    let [scale, bias, mean, variance] = [&given[0], &given[1], &given[2], &given[3]];
    if !node.flag("training_mode", false)? {
        return Ok(vec![normalized(b, [input, mean, variance], (Some(scale), Some(bias)), epsilon)?]);
    }
    let momentum = node.float("momentum", 0.9)?;
    let axes: Vec<usize> = (0..rank).filter(|&at| at != 1).collect();
    let (own_mean, own_variance) = moments(b, input, &axes)?;
    let mut outputs = vec![normalized(b, [input, &own_mean, &own_variance], (Some(scale), Some(bias)), epsilon)?];
    for (at, own) in [(3, own_mean), (4, own_variance)] {
        let running = node.input(at)?;
        let of_type = running.element;
        let own = b.squeeze(&own, &axes)?;
        let own = b.cast(&own, of_type)?;
        outputs.push(b.map(&[running, &own], of_type, |b, args| {
            let ty = of_type.ty(b.cx());
            let (kept, new) = (b.number(ty, momentum), b.number(ty, 1.0 - momentum));
            let (old, fresh) = (b.mul(args[0], kept), b.mul(args[1], new));
            Ok(b.add(old, fresh))
        })?);
    }
    Ok(outputs)
}

fn instance(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let (e, rank) = (input.element, input.rank());
    let axes: Vec<usize> = (2..rank).collect();
    let scale = of_channels(b, node.input(1)?, rank, e)?;
    let bias = of_channels(b, node.input(2)?, rank, e)?;
    let (mean, variance) = moments(b, input, &axes)?;
    normalized(b, [input, &mean, &variance], (Some(&scale), Some(&bias)), node.float("epsilon", 1e-5)?)
}

/// Groups of channels are normalized together. Scale and bias are of groups up to opset 20, then of channels.
fn group(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let (e, rank) = (input.element, input.rank());
    let groups = node.int("num_groups", 0)?;
    require!(groups > 0, "{groups} groups");
    require!(rank >= 2, "expected rank 2 or more, but got {rank}");
    let per_group = b.index_div(input.dims[1], Index::Static(groups))?;
    let mut split: Indices = [input.dims[0], Index::Static(groups), per_group].into_iter().collect();
    split.extend(input.dims[2..].iter().copied());
    let grouped = b.reshape(input, &split)?;
    let axes: Vec<usize> = (2..=rank).collect();
    let (mean, variance) = moments(b, &grouped, &axes)?;
    let epsilon = node.float("epsilon", 1e-5)?;
    let (scale, bias) = (b.cast(node.input(1)?, e)?, b.cast(node.input(2)?, e)?);
    if node.opset < 21 {
        let spatial: Vec<usize> = (1..rank).collect();
        let (scale, bias) = (b.unsqueeze(&scale, &spatial)?, b.unsqueeze(&bias, &spatial)?);
        let result = normalized(b, [&grouped, &mean, &variance], (Some(&scale), Some(&bias)), epsilon)?;
        return b.reshape(&result, &input.dims);
    }
    let result = normalized(b, [&grouped, &mean, &variance], (None, None), epsilon)?;
    let result = b.reshape(&result, &input.dims)?;
    let (scale, bias) = (of_channels(b, &scale, rank, e)?, of_channels(b, &bias, rank, e)?);
    b.map_to(&input.dims.clone(), &[&result, &scale, &bias], e, |b, args| {
        let product = b.mul(args[0], args[1]);
        Ok(b.add(product, args[2]))
    })
}

fn layer(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let axis = input.axis(node.int("axis", -1)?)?;
    let epsilon = node.float("epsilon", 1e-5)?;
    layer_of(b, input, (node.optional(1), node.optional(2)), axis, epsilon)
}

/// The normalized tensor, means, and inverse deviations.
pub(super) fn layer_of(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    affine: (Option<&Tensor>, Option<&Tensor>),
    axis: usize,
    epsilon: f64,
) -> Outcome<Vec<Tensor>> {
    let e = input.element;
    // Numbers of 16 bits are too short for sums.
    if matches!(e, Element::F16 | Element::BF16) {
        let wide = b.cast(input, Element::F32)?;
        let mut of_wide = Vec::new();
        for tensor in [affine.0, affine.1] {
            of_wide.push(tensor.map(|tensor| b.cast(tensor, Element::F32)).transpose()?);
        }
        let mut outputs = layer_of(b, &wide, (of_wide[0].as_ref(), of_wide[1].as_ref()), axis, epsilon)?;
        outputs[0] = b.cast(&outputs[0], e)?;
        return Ok(outputs);
    }
    let axes: Vec<usize> = (axis..input.rank()).collect();
    let (mean, variance) = moments(b, input, &axes)?;
    let result = normalized(b, [input, &mean, &variance], affine, epsilon)?;
    let deviation = b.map(&[&variance], e, |b, args| Ok(inverse_deviation(b, args[0], e, epsilon)))?;
    Ok(vec![result, mean, deviation])
}

fn mean_variance(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let e = input.element;
    let axes = super::layout::listed_axes(node, &[0, 2, 3], input.rank())?;
    let (mean, variance) = moments(b, input, &axes)?;
    b.map(&[input, &mean, &variance], e, |b, args| {
        let difference = b.sub(args[0], args[1]);
        let deviation = b.same("math.sqrt", &[args[2]]);
        let epsilon = b.number(e.ty(b.cx()), 1e-9);
        let deviation = b.add(deviation, epsilon);
        Ok(b.div(difference, deviation, e))
    })
}

fn lp(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let e = input.element;
    let axis = input.axis(node.int("axis", -1)?)?;
    let order = node.int("p", 2)?;
    require!(matches!(order, 1 | 2), "attribute 'p' is {order}");
    let powers =
        b.map(&[input], e, |b, args| Ok(if order == 1 { b.same("math.absf", args) } else { b.mul(args[0], args[0]) }))?;
    let sums = b.reduce(&powers, &[axis], 0.0, |b, x, y| b.add(x, y))?;
    let sums = b.unsqueeze(&sums, &[axis])?;
    b.map(&[input, &sums], e, |b, args| {
        let norm = if order == 1 { args[1] } else { b.same("math.sqrt", &args[1..]) };
        let (zero, quotient) = (b.number(e.ty(b.cx()), 0.0), b.div(args[0], norm, e));
        let is_zero = b.compare(Order::Equal, norm, zero, e);
        Ok(b.select(is_zero, zero, quotient))
    })
}

/// `x / (bias + alpha / size * sum of the squares of channels near by) ^ beta`.
fn local_response(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let e = input.element;
    let size = node.int("size", 0)?;
    require!((1..1 << 20).contains(&size), "attribute 'size' is {size}");
    require!(input.rank() >= 2, "expected rank 2 or more, but got {}", input.rank());
    let (alpha, beta, bias) = (node.float("alpha", 1e-4)?, node.float("beta", 0.75)?, node.float("bias", 1.0)?);
    let squares = b.map(&[input], e, |b, args| Ok(b.mul(args[0], args[0])))?;
    // Channels as the one spatial dimension of images with one channel.
    let rest = b.index_product(input.dims[2..].iter().copied())?;
    let squares = b.reshape(&squares, &[input.dims[0], input.dims[1], rest])?;
    let squares = b.transpose(&squares, &[0, 2, 1])?;
    let low = (size - 1) / 2;
    let window =
        Window { kernel: vec![size], strides: vec![1], dilations: vec![1], low: vec![low], high: vec![size - 1 - low] };
    let padded = b.pad_for(&squares, &window, 0.0)?;
    let init = b.filled(&squares.dims, e, 0.0)?;
    let sums = b.slide(&padded, &window, &[init], |b, args| Ok(vec![b.add(args[1], args[0])]))?;
    let sums = b.tensor(sums[0], squares.dims.iter().copied(), e);
    let sums = b.transpose(&sums, &[0, 2, 1])?;
    let sums = b.reshape(&sums, &input.dims)?;
    b.map(&[input, &sums], e, |b, args| {
        let ty = e.ty(b.cx());
        let [factor, beta, bias] = [alpha / size as f64, beta, bias].map(|value| b.number(ty, value));
        let scaled = b.mul(factor, args[1]);
        let sum = b.add(bias, scaled);
        let power = b.same("math.powf", &[sum, beta]);
        Ok(b.div(args[0], power, e))
    })
}
