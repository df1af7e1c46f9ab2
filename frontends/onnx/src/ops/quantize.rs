//! Quantization: numbers as small integers with a scale and a zero point.

use dl_ir::ValueId;

use super::convolution::convolve;
use super::matmul::product;
use super::{Operator, many, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("ConvInteger", 10, conv_integer),
    one("DequantizeLinear", 10, dequantize),
    many("DynamicQuantizeLinear", 11, dynamic_quantize),
    one("MatMulInteger", 10, matmul_integer),
    one("QLinearConv", 10, quantized_conv),
    one("QLinearMatMul", 10, quantized_matmul),
    one("QuantizeLinear", 10, quantize),
];

/// Scale or zero point for a tensor: one for all, one for each position along an axis, or one for each block of it.
fn parameter(b: &mut Builder<'_, '_>, node: &Node<'_>, tensor: &Tensor, input: &Tensor) -> Outcome<Tensor> {
    let one = tensor.rank() == 0 || tensor.static_dims().is_some_and(|dims| dims == [1]);
    if one {
        return b.reshape(tensor, &[]);
    }
    let axis = input.axis(node.int("axis", 1)?)?;
    let block = node.int("block_size", 0)?;
    if block > 0 && tensor.rank() == input.rank() {
        let repeated = repeat_blocks(b, tensor, axis, block)?;
        return b.part(&repeated, axis, dl_ir::interfaces::Index::Static(0), input.dims[axis]);
    }
    require!(tensor.rank() == 1, "expected one number a position, but got a tensor of rank {}", tensor.rank());
    let behind: Vec<usize> = (1..input.rank() - axis).collect();
    b.unsqueeze(tensor, &behind)
}

/// Whether every zero point is known to be zero.
fn is_zero(zero: &Tensor) -> bool {
    zero.known_ints().is_some_and(|known| known.iter().all(|&value| value == 0))
}

/// Each element `block` times along an axis.
fn repeat_blocks(b: &mut Builder<'_, '_>, tensor: &Tensor, axis: usize, block: i64) -> Outcome<Tensor> {
    let block = dl_ir::interfaces::Index::Static(block);
    let wide = b.unsqueeze(tensor, &[axis + 1])?;
    let mut dims = wide.dims.clone();
    dims[axis + 1] = block;
    let wide = b.broadcast(&wide, &dims)?;
    let mut merged = tensor.dims.clone();
    merged[axis] = b.index_mul(tensor.dims[axis], block)?;
    b.reshape(&wide, &merged)
}

/// A float as an integer of the type: rounded to even, zero point added, and clamped.
fn rounded(b: &mut Builder<'_, '_>, scaled: ValueId, zero: Option<ValueId>, from: Element, to: Element) -> ValueId {
    let mut value = b.same("math.roundeven", &[scaled]);
    if let Some(zero) = zero {
        let zero = b.convert(zero, to, from);
        value = b.add(value, zero);
    }
    let value = b.limit(value, from, to);
    b.convert(value, from, to)
}

fn quantize(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, scale) = (node.input(0)?, node.input(1)?);
    let zero = node.optional(2);
    let to = match (zero, node.element("output_dtype")?) {
        (Some(zero), _) => zero.element,
        (None, said) => said.unwrap_or(Element::U8),
    };
    require!(to.is_f8() || to.is_integer() && to.width() <= 16, "unsupported: quantization to {}", to.name());
    let e = input.element;
    require!(e.is_float() || e == Element::I32, "expected floats, but got {}", e.name());
    // Sixteen bits do not hold all that is between.
    let wide = if e == Element::F64 { e } else { Element::F32 };
    let mut inputs = vec![input.clone(), parameter(b, node, scale, input)?];
    // That of a float is zero by definition.
    if let Some(zero) = zero.filter(|zero| !to.is_f8() && !is_zero(zero)) {
        inputs.push(parameter(b, node, zero, input)?);
    }
    let of_scale = scale.element;
    let saturates = node.flag("saturate", true)?;
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    b.map_to(&input.dims.clone(), &inputs, to, |b, args| {
        let (x, scale) = (b.convert(args[0], e, wide), b.convert(args[1], of_scale, wide));
        let scaled = b.div(x, scale, wide);
        if !to.is_f8() {
            return Ok(rounded(b, scaled, args.get(2).copied(), wide, to));
        }
        let scaled = if saturates { b.limit(scaled, wide, to) } else { scaled };
        Ok(b.convert(scaled, wide, to))
    })
}

fn dequantize(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, scale) = (node.input(0)?, node.input(1)?);
    let (from, to) = (input.element, scale.element);
    let mut inputs = vec![input.clone(), parameter(b, node, scale, input)?];
    if let Some(zero) = node.optional(2) {
        require!(zero.element == from, "expected a zero point of {}, but got {}", from.name(), zero.element.name());
        if !from.is_f8() && !is_zero(zero) {
            inputs.push(parameter(b, node, zero, input)?);
        }
    }
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    b.map_to(&input.dims.clone(), &inputs, to, |b, args| {
        if from.is_f8() {
            let value = b.convert(args[0], from, to);
            return Ok(b.mul(value, args[1]));
        }
        // The difference does not fit the small type.
        let mut value = b.convert(args[0], from, Element::I32);
        if let Some(&zero) = args.get(2) {
            let zero = b.convert(zero, from, Element::I32);
            value = b.sub(value, zero);
        }
        let value = b.convert(value, Element::I32, to);
        Ok(b.mul(value, args[1]))
    })
}

/// Scale and zero point from the range of the elements, zero included. Where all are zero, the standard divides by zero: the scale is 1.
fn dynamic_quantize(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let e = input.element;
    require!(e == Element::F32, "expected float, but got {}", e.name());
    let all: Vec<usize> = (0..input.rank()).collect();
    let low = b.reduce(input, &all, 0.0, |b, x, y| b.min(x, y, e))?;
    let high = b.reduce(input, &all, 0.0, |b, x, y| b.max(x, y, e))?;
    let scale = b.map(&[&low, &high], e, |b, args| {
        let [steps, zero, one] = [255.0, 0.0, 1.0].map(|value| b.number(e.ty(b.cx()), value));
        let span = b.sub(args[1], args[0]);
        let scale = b.div(span, steps, e);
        let is_zero = b.compare(Order::Equal, scale, zero, e);
        Ok(b.select(is_zero, one, scale))
    })?;
    let zero = b.map(&[&low, &scale], Element::U8, |b, args| {
        let negative = b.neg(args[0]);
        let scaled = b.div(negative, args[1], e);
        Ok(rounded(b, scaled, None, e, Element::U8))
    })?;
    let result = b.map(&[input, &scale, &zero], Element::U8, |b, args| {
        let scaled = b.div(args[0], args[1], e);
        Ok(rounded(b, scaled, Some(args[2]), e, Element::U8))
    })?;
    Ok(vec![result, scale, zero])
}

/// The integers with the zero point taken off, as `int32`.
fn centred(b: &mut Builder<'_, '_>, input: &Tensor, zero: Option<&Tensor>) -> Outcome<Tensor> {
    let from = input.element;
    if zero.is_none_or(is_zero) {
        return b.cast(input, Element::I32);
    }
    let inputs: Vec<&Tensor> = std::iter::once(input).chain(zero).collect();
    b.map_to(&input.dims.clone(), &inputs, Element::I32, |b, args| {
        let (value, zero) = (b.convert(args[0], from, Element::I32), b.convert(args[1], from, Element::I32));
        Ok(b.sub(value, zero))
    })
}

/// Zero points of the rows of the left operand, which stand before its last dimension.
fn of_rows(b: &mut Builder<'_, '_>, zero: Option<&Tensor>) -> Outcome<Option<Tensor>> {
    let Some(zero) = zero else { return Ok(None) };
    if zero.rank() != 1 {
        return Ok(Some(zero.clone()));
    }
    b.unsqueeze(zero, &[1]).map(Some)
}

fn integer_product(b: &mut Builder<'_, '_>, [x, y]: [&Tensor; 2], zeros: [Option<&Tensor>; 2]) -> Outcome<Tensor> {
    let zero = of_rows(b, zeros[0])?;
    let (x, y) = (centred(b, x, zero.as_ref())?, centred(b, y, zeros[1])?);
    product(b, &x, &y, Element::I32)
}

fn matmul_integer(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    integer_product(b, [node.input(0)?, node.input(1)?], [node.optional(2), node.optional(3)])
}

fn quantized_matmul(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let sums = integer_product(b, [node.input(0)?, node.input(3)?], [Some(node.input(2)?), Some(node.input(5)?)])?;
    let scales = [node.input(1)?, node.input(4)?, node.input(6)?];
    let left = of_rows(b, Some(scales[0]))?.ok_or("expected a scale")?;
    requantized(b, &sums, [&left, scales[1], scales[2]], node.input(7)?)
}

/// `sums * x * w / y` as integers with this zero point.
fn requantized(b: &mut Builder<'_, '_>, sums: &Tensor, scales: [&Tensor; 3], zero: &Tensor) -> Outcome<Tensor> {
    let to = zero.element;
    let of_scales = scales.map(|scale| scale.element);
    let [x, w, y] = scales;
    let wide = Element::F32;
    b.map_to(&sums.dims.clone(), &[sums, x, w, y, zero], to, |b, args| {
        let value = b.convert(args[0], Element::I32, wide);
        let scale = |b: &mut Builder<'_, '_>, at: usize| b.convert(args[at + 1], of_scales[at], wide);
        let (x, w, y) = (scale(b, 0), scale(b, 1), scale(b, 2));
        let factor = b.mul(x, w);
        let factor = b.div(factor, y, wide);
        let scaled = b.mul(value, factor);
        Ok(rounded(b, scaled, Some(args[4]), wide, to))
    })
}

fn conv_integer(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let filter = node.input(1)?;
    let zero = of_features(b, node.optional(3), filter.rank())?;
    let (x, w) = (centred(b, node.input(0)?, node.optional(2))?, centred(b, filter, zero.as_ref())?);
    convolve(b, node, &x, &w)
}

/// Numbers of features, the first dimension of a filter.
fn of_features(b: &mut Builder<'_, '_>, tensor: Option<&Tensor>, rank: usize) -> Outcome<Option<Tensor>> {
    let Some(tensor) = tensor else { return Ok(None) };
    if tensor.rank() == 0 {
        return Ok(Some(tensor.clone()));
    }
    let behind: Vec<usize> = (1..rank).collect();
    b.unsqueeze(tensor, &behind).map(Some)
}

fn quantized_conv(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, filter) = (node.input(0)?, node.input(3)?);
    let rank = filter.rank();
    let zero = of_features(b, Some(node.input(5)?), rank)?;
    let (x, w) = (centred(b, input, Some(node.input(2)?))?, centred(b, filter, zero.as_ref())?);
    let mut sums = convolve(b, node, &x, &w)?;
    if let Some(bias) = node.optional(8) {
        let bias = of_features(b, Some(bias), rank - 1)?.ok_or("expected a bias")?;
        sums = b.map_to(&sums.dims.clone(), &[&sums, &bias], Element::I32, |b, args| Ok(b.add(args[0], args[1])))?;
    }
    let of_filter = of_features(b, Some(node.input(4)?), rank - 1)?.ok_or("expected a scale")?;
    requantized(b, &sums, [node.input(1)?, &of_filter, node.input(6)?], node.input(7)?)
}
