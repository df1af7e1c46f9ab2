//! Operators of `com.microsoft` that optimizers put in place of several standard ones.

use super::activation::{gelu_of, sigmoid};
use super::matmul::product;
use super::normalization::layer_of;
use super::reduce::mean_along;
use super::{Operator, Rule};
use crate::builder::Builder;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

const DOMAIN: &str = "com.microsoft";

pub(super) const OPERATORS: &[Operator] = &[
    of(DOMAIN, "BiasGelu", Rule::One(|b, n| gelu(b, n, false))),
    of(DOMAIN, "FastGelu", Rule::One(|b, n| gelu(b, n, true))),
    of(DOMAIN, "FusedMatMul", Rule::One(fused_matmul)),
    of(DOMAIN, "Gelu", Rule::One(|b, n| gelu(b, n, false))),
    of(DOMAIN, "QuickGelu", Rule::One(quick_gelu)),
    of(DOMAIN, "SkipLayerNormalization", Rule::Many(skip_layer)),
    of(DOMAIN, "SkipSimplifiedLayerNormalization", Rule::Many(skip_simplified_layer)),
    // These two are written without a domain.
    of("", "SimplifiedLayerNormalization", Rule::One(simplified_layer)),
    of(DOMAIN, "SimplifiedLayerNormalization", Rule::One(simplified_layer)),
];

const fn of(domain: &'static str, name: &'static str, rule: Rule) -> Operator {
    Operator { domain, name, opsets: std::ops::RangeInclusive::new(1, crate::model::MAX_OPSET), rule }
}

/// Of the input, with a bias if there is one.
fn gelu(b: &mut Builder<'_, '_>, node: &Node<'_>, approximate: bool) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let e = input.element;
    let inputs: Vec<&Tensor> = std::iter::once(input).chain(node.optional(1)).collect();
    b.map(&inputs, e, |b, args| {
        let x = args.get(1).map_or(args[0], |&bias| b.add(args[0], bias));
        Ok(gelu_of(b, x, e, approximate))
    })
}

/// `x * sigmoid(alpha * x)`.
fn quick_gelu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let (e, alpha) = (input.element, node.float("alpha", 1.702)?);
    b.map(&[input], e, |b, args| {
        let alpha = b.number(e.ty(b.cx()), alpha);
        let scaled = b.mul(alpha, args[0]);
        let gate = sigmoid(b, scaled, e);
        Ok(b.mul(args[0], gate))
    })
}

/// A scaled product of matrices that may be transposed.
fn fused_matmul(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let alpha = node.float("alpha", 1.0)?;
    require!(!node.flag("transBatchA", false)? && !node.flag("transBatchB", false)?, "unsupported: transposed batches");
    let mut operands = Vec::new();
    for (at, name) in [(0, "transA"), (1, "transB")] {
        let input = node.input(at)?;
        let rank = input.rank();
        operands.push(if node.flag(name, false)? && rank >= 2 {
            let mut permutation: Vec<usize> = (0..rank).collect();
            permutation.swap(rank - 2, rank - 1);
            b.transpose(input, &permutation)?
        } else {
            input.clone()
        });
    }
    let e = operands[0].element;
    require!(operands[1].element == e, "expected inputs of one element type");
    let result = product(b, &operands[0], &operands[1], e)?;
    if (alpha - 1.0).abs() < f64::EPSILON {
        return Ok(result);
    }
    b.map(&[&result], e, |b, args| {
        let alpha = b.number(e.ty(b.cx()), alpha);
        Ok(b.mul(args[0], alpha))
    })
}

/// The sum of the first two inputs, and of a bias if there is one.
fn skipped(b: &mut Builder<'_, '_>, node: &Node<'_>, bias: usize) -> Outcome<Tensor> {
    let (input, skip) = (node.input(0)?, node.input(1)?);
    let e = input.element;
    let inputs: Vec<&Tensor> = [input, skip].into_iter().chain(node.optional(bias)).collect();
    b.map(&inputs, e, |b, args| Ok(args[1..].iter().fold(args[0], |sum, &next| b.add(sum, next))))
}

fn skip_layer(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let sum = skipped(b, node, 4)?;
    let axis = sum.axis(-1)?;
    let affine = (node.optional(2), node.optional(3));
    let mut outputs = layer_of(b, &sum, affine, axis, node.float("epsilon", 1e-12)?)?;
    outputs.push(sum);
    Ok(outputs)
}

fn skip_simplified_layer(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let sum = skipped(b, node, 3)?;
    let axis = sum.axis(-1)?;
    let result = root_mean_square(b, &sum, node.input(2)?, axis, node.float("epsilon", 1e-12)?)?;
    // Mean and inverse deviation are not asked for in models that are only run.
    require!(!node.has_output(1) && !node.has_output(2), "unsupported: outputs for training");
    Ok(vec![result.clone(), result.clone(), result, sum])
}

fn simplified_layer(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axis = input.axis(node.int("axis", -1)?)?;
    root_mean_square(b, input, node.input(1)?, axis, node.float("epsilon", 1e-5)?)
}

/// `x / sqrt(mean(x²) + epsilon) * scale` along the dimensions from `axis` on.
fn root_mean_square(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    scale: &Tensor,
    axis: usize,
    epsilon: f64,
) -> Outcome<Tensor> {
    let e = input.element;
    let axes: Vec<usize> = (axis..input.rank()).collect();
    let squares = b.map(&[input], e, |b, args| Ok(b.mul(args[0], args[0])))?;
    let mean = mean_along(b, &squares, &axes)?;
    b.map_to(&input.dims.clone(), &[input, &mean, scale], e, |b, args| {
        let epsilon = b.number(e.ty(b.cx()), epsilon);
        let sum = b.add(args[1], epsilon);
        let root = b.same("math.sqrt", &[sum]);
        let quotient = b.div(args[0], root, e);
        Ok(b.mul(quotient, args[2]))
    })
}
