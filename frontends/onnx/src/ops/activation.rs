//! Activation functions.

use dl_ir::ValueId;

use super::arithmetic::unary;
use super::{Operator, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("Celu", 12, celu),
    one("Clip", 6, clip),
    one("Elu", 6, elu),
    one("Gelu", 20, gelu),
    one("HardSigmoid", 6, hard_sigmoid),
    one("HardSwish", 14, hard_swish),
    one("LeakyRelu", 6, leaky_relu),
    one("Mish", 18, mish),
    one("PRelu", 7, prelu),
    one("Relu", 6, |b, n| unary(b, n, |b, x, e| Ok(relu(b, x, e)))),
    one("Selu", 6, selu),
    one("Shrink", 9, shrink),
    one("Sigmoid", 6, |b, n| unary(b, n, |b, x, e| Ok(sigmoid(b, x, e)))),
    one("Softplus", 1, |b, n| unary(b, n, |b, x, e| Ok(softplus(b, x, e)))),
    one("Softsign", 1, softsign),
    one("ThresholdedRelu", 1, thresholded_relu),
];

/// `max(x, 0)`.
pub(super) fn relu(b: &mut Builder<'_, '_>, x: ValueId, element: Element) -> ValueId {
    let zero = b.number(element.ty(b.cx()), 0.0);
    b.max(x, zero, element)
}

/// `1 / (1 + exp(-x))`.
pub(super) fn sigmoid(b: &mut Builder<'_, '_>, x: ValueId, element: Element) -> ValueId {
    let one = b.number(element.ty(b.cx()), 1.0);
    let negative = b.neg(x);
    let exp = b.same("math.exp", &[negative]);
    let sum = b.add(one, exp);
    b.div(one, sum, element)
}

/// `log(1 + exp(x))`, as `max(x, 0) + log1p(exp(-|x|))`, which does not overflow.
pub(super) fn softplus(b: &mut Builder<'_, '_>, x: ValueId, element: Element) -> ValueId {
    let positive = relu(b, x, element);
    let magnitude = b.same("math.absf", &[x]);
    let negative = b.neg(magnitude);
    let exp = b.same("math.exp", &[negative]);
    let rest = b.same("math.log1p", &[exp]);
    b.add(positive, rest)
}

/// `x` if it is positive, else what `of_negative` makes of it.
fn by_sign(
    b: &mut Builder<'_, '_>,
    x: ValueId,
    element: Element,
    of_negative: impl FnOnce(&mut Builder<'_, '_>, ValueId) -> ValueId,
) -> ValueId {
    let zero = b.number(element.ty(b.cx()), 0.0);
    let negative = b.compare(Order::Less, x, zero, element);
    let other = of_negative(b, x);
    b.select(negative, other, x)
}

/// `factor * (exp(x / scale) - 1)`.
fn scaled_expm1(b: &mut Builder<'_, '_>, x: ValueId, element: Element, factor: f64, scale: f64) -> ValueId {
    let ty = element.ty(b.cx());
    let scaled = if (scale - 1.0).abs() < f64::EPSILON {
        x
    } else {
        let scale = b.number(ty, scale);
        b.div(x, scale, element)
    };
    let rest = b.same("math.expm1", &[scaled]);
    let factor = b.number(ty, factor);
    b.mul(factor, rest)
}

fn elu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let alpha = node.float("alpha", 1.0)?;
    unary(b, node, |b, x, e| Ok(by_sign(b, x, e, |b, x| scaled_expm1(b, x, e, alpha, 1.0))))
}

fn celu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let alpha = node.float("alpha", 1.0)?;
    unary(b, node, |b, x, e| Ok(by_sign(b, x, e, |b, x| scaled_expm1(b, x, e, alpha, alpha))))
}

fn selu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let alpha = node.float("alpha", 1.673_263_192_176_818_8)?;
    let gamma = node.float("gamma", 1.050_701_022_148_132_3)?;
    unary(b, node, |b, x, e| {
        let factor = b.number(e.ty(b.cx()), gamma);
        let value = by_sign(b, x, e, |b, x| scaled_expm1(b, x, e, alpha, 1.0));
        Ok(b.mul(factor, value))
    })
}

fn leaky_relu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let alpha = node.float("alpha", 0.01)?;
    unary(b, node, |b, x, e| {
        let alpha = b.number(e.ty(b.cx()), alpha);
        Ok(by_sign(b, x, e, |b, x| b.mul(alpha, x)))
    })
}

fn prelu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (input, slope) = (node.input(0)?, node.input(1)?);
    let e = input.element;
    b.map(&[input, slope], e, |b, args| Ok(by_sign(b, args[0], e, |b, x| b.mul(args[1], x))))
}

fn thresholded_relu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let alpha = node.float("alpha", 1.0)?;
    unary(b, node, |b, x, e| {
        let (alpha, zero) = (b.number(e.ty(b.cx()), alpha), b.number(e.ty(b.cx()), 0.0));
        let above = b.compare(Order::Greater, x, alpha, e);
        Ok(b.select(above, x, zero))
    })
}

/// `max(0, min(1, alpha * x + beta))`.
fn hard_sigmoid_of(b: &mut Builder<'_, '_>, x: ValueId, e: Element, alpha: f64, beta: f64) -> ValueId {
    let ty = e.ty(b.cx());
    let [alpha, beta, zero, one] = [alpha, beta, 0.0, 1.0].map(|value| b.number(ty, value));
    let product = b.mul(alpha, x);
    let sum = b.add(product, beta);
    let low = b.max(sum, zero, e);
    b.min(low, one, e)
}

fn hard_sigmoid(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (alpha, beta) = (node.float("alpha", 0.2)?, node.float("beta", 0.5)?);
    unary(b, node, |b, x, e| Ok(hard_sigmoid_of(b, x, e, alpha, beta)))
}

fn hard_swish(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, e| {
        let gate = hard_sigmoid_of(b, x, e, 1.0 / 6.0, 0.5);
        Ok(b.mul(x, gate))
    })
}

fn mish(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, e| {
        let gate = softplus(b, x, e);
        let gate = b.same("math.tanh", &[gate]);
        Ok(b.mul(x, gate))
    })
}

fn softsign(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, e| {
        let one = b.number(e.ty(b.cx()), 1.0);
        let magnitude = b.same("math.absf", &[x]);
        let sum = b.add(one, magnitude);
        Ok(b.div(x, sum, e))
    })
}

fn shrink(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (bias, lambda) = (node.float("bias", 0.0)?, node.float("lambd", 0.5)?);
    unary(b, node, |b, x, e| {
        // In double precision: the elements may be integers, the limits are not.
        let wide = b.convert(x, e, Element::F64);
        let ty = Element::F64.ty(b.cx());
        let [bias, high, low, zero] = [bias, lambda, -lambda, 0.0].map(|value| b.number(ty, value));
        let (below, above) =
            (b.compare(Order::Less, wide, low, Element::F64), b.compare(Order::Greater, wide, high, Element::F64));
        let (up, down) = (b.add(wide, bias), b.sub(wide, bias));
        let inner = b.select(above, down, zero);
        let result = b.select(below, up, inner);
        Ok(b.convert(result, Element::F64, e))
    })
}

/// `x / 2 * (1 + erf(x / sqrt 2))`, or its approximation by `tanh`.
pub(super) fn gelu_of(b: &mut Builder<'_, '_>, x: ValueId, e: Element, approximate: bool) -> ValueId {
    let ty = e.ty(b.cx());
    let (half, one) = (b.number(ty, 0.5), b.number(ty, 1.0));
    let inner = if approximate {
        let (factor, cubic) = (b.number(ty, (2.0 / std::f64::consts::PI).sqrt()), b.number(ty, 0.044_715));
        let square = b.mul(x, x);
        let cube = b.mul(square, x);
        let term = b.mul(cubic, cube);
        let sum = b.add(x, term);
        let scaled = b.mul(factor, sum);
        b.same("math.tanh", &[scaled])
    } else {
        let root = b.number(ty, std::f64::consts::FRAC_1_SQRT_2);
        let scaled = b.mul(x, root);
        b.same("math.erf", &[scaled])
    };
    let sum = b.add(one, inner);
    let product = b.mul(x, sum);
    b.mul(half, product)
}

fn gelu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let approximate = match node.text("approximate", "none")? {
        "none" => false,
        "tanh" => true,
        other => return Err(fault!("approximation '{other}' is neither none nor tanh")),
    };
    unary(b, node, |b, x, e| Ok(gelu_of(b, x, e, approximate)))
}

/// `Clip`: limits are attributes up to opset 10, then inputs. The upper one wins.
fn clip(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let e = input.element;
    if node.opset < 11 {
        let (low, high) = (node.float("min", f64::NEG_INFINITY)?, node.float("max", f64::INFINITY)?);
        return unary(b, node, |b, x, _| {
            let mut value = x;
            if low > f64::NEG_INFINITY {
                let low = b.number(e.ty(b.cx()), low);
                value = b.max(value, low, e);
            }
            if high < f64::INFINITY {
                let high = b.number(e.ty(b.cx()), high);
                value = b.min(value, high, e);
            }
            Ok(value)
        });
    }
    let (low, high) = (node.optional(1), node.optional(2));
    let limits: Vec<&Tensor> = low.into_iter().chain(high).collect();
    require!(limits.iter().all(|limit| limit.rank() == 0), "expected limits of rank 0");
    let inputs: Vec<&Tensor> = std::iter::once(input).chain(limits).collect();
    b.map_to(&input.dims, &inputs, e, |b, args| {
        let mut rest = args[1..].iter();
        let mut value = args[0];
        if let (Some(_), Some(&limit)) = (low, low.and_then(|_| rest.next())) {
            value = b.max(value, limit, e);
        }
        if let (Some(_), Some(&limit)) = (high, high.and_then(|_| rest.next())) {
            value = b.min(value, limit, e);
        }
        Ok(value)
    })
}
