//! Softmax and its relatives.

use dl_ir::ValueId;

use super::{Operator, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("Hardmax", 1, |b, n| along_axis(b, n, super::sort::hardmax)),
    one("LogSoftmax", 1, |b, n| along_axis(b, n, log_softmax)),
    one("Softmax", 1, |b, n| along_axis(b, n, softmax)),
];

/// Up to opset 12, the dimensions from the axis on are one; later, the axis is one dimension.
fn along_axis(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    f: fn(&mut Builder<'_, '_>, &Tensor, usize) -> Outcome<Tensor>,
) -> Outcome<Tensor> {
    let input = node.input(0)?;
    if node.opset >= 13 {
        let axis = input.axis(node.int("axis", -1)?)?;
        return f(b, input, axis);
    }
    let axis = input.axis(node.int("axis", 1)?)?;
    if axis + 1 == input.rank() {
        return f(b, input, axis);
    }
    let rows = b.index_product(input.dims[..axis].iter().copied())?;
    let columns = b.index_product(input.dims[axis..].iter().copied())?;
    let matrix = b.reshape(input, &[rows, columns])?;
    let result = f(b, &matrix, 1)?;
    b.reshape(&result, &input.dims)
}

/// The elements minus the largest one along the axis, and what `f` makes of them.
fn shifted(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    axis: usize,
    f: fn(&mut Builder<'_, '_>, ValueId) -> ValueId,
) -> Outcome<Tensor> {
    let e = input.element;
    require!(e.is_float(), "expected floats, but got {}", e.name());
    // NaN is passed over here, which takes one instruction instead of six: the sum of what comes of it is NaN anyway.
    let max = b.reduce(input, &[axis], f64::NEG_INFINITY, |b, x, largest| {
        let larger = b.compare(Order::Greater, x, largest, e);
        b.select(larger, x, largest)
    })?;
    let max = b.unsqueeze(&max, &[axis])?;
    b.map(&[input, &max], e, |b, args| {
        let difference = b.sub(args[0], args[1]);
        Ok(f(b, difference))
    })
}

fn sum(b: &mut Builder<'_, '_>, input: &Tensor, axis: usize) -> Outcome<Tensor> {
    let sum = b.reduce(input, &[axis], 0.0, |b, x, y| b.add(x, y))?;
    b.unsqueeze(&sum, &[axis])
}

/// `exp(x - max) / sum(exp(x - max))`.
pub(super) fn softmax(b: &mut Builder<'_, '_>, input: &Tensor, axis: usize) -> Outcome<Tensor> {
    let e: Element = input.element;
    let exp = shifted(b, input, axis, |b, x| b.same("math.exp", &[x]))?;
    let sum = sum(b, &exp, axis)?;
    b.map(&[&exp, &sum], e, |b, args| {
        if e.width() < 32 {
            return Ok(b.div(args[0], args[1], e));
        }
        // One division a row. The sum is at least 1 and its reciprocal a normal number: the result is off by one unit in the last place at most.
        let ty = b.type_of(args[1]);
        let one = b.number(ty, 1.0);
        let reciprocal = b.div(one, args[1], e);
        Ok(b.mul(args[0], reciprocal))
    })
}

/// `x - max - log(sum(exp(x - max)))`.
pub(super) fn log_softmax(b: &mut Builder<'_, '_>, input: &Tensor, axis: usize) -> Outcome<Tensor> {
    let e = input.element;
    let difference = shifted(b, input, axis, |_, x| x)?;
    let exp = b.map(&[&difference], e, |b, args| Ok(b.same("math.exp", args)))?;
    let sum = sum(b, &exp, axis)?;
    b.map(&[&difference, &sum], e, |b, args| {
        let log = b.same("math.log", &[args[1]]);
        Ok(b.sub(args[0], log))
    })
}
