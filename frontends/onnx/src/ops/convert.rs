//! Conversions of elements, and operators that hand their input on.

use super::{Operator, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::Outcome;
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("Cast", 6, |b, n| {
        let to = n.element("to")?.ok_or("attribute 'to' is missing")?;
        cast(b, n, to)
    }),
    one("CastLike", 15, |b, n| cast(b, n, n.input(1)?.element)),
    one("Identity", 1, |_, n| n.input(0).cloned()),
];

/// What a float of 8 bits cannot hold becomes the nearest that it can, unless told otherwise: infinity too, as in ONNX's reference and runtime,
/// whose specification has NaN for the two formats `fnuz`. So do floats that 4 bits cannot hold, of which it says nothing.
fn cast(b: &mut Builder<'_, '_>, node: &Node<'_>, to: Element) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let is_beyond_4_bits = input.element.is_float() && to != to.stored();
    if input.element != to && (is_beyond_4_bits || to.is_f8() && node.flag("saturate", true)?) {
        return b.cast_saturating(input, to);
    }
    b.cast(input, to)
}
