//! Conversions of elements, and operators that hand their input on.

use super::{Operator, many, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("Cast", 6, |b, n| {
        let to = n.element("to")?.ok_or("attribute 'to' is missing")?;
        b.cast(n.input(0)?, to)
    }),
    one("CastLike", 15, |b, n| b.cast(n.input(0)?, n.input(1)?.element)),
    many("Dropout", 7, dropout),
    one("Identity", 1, |_, n| n.input(0).cloned()),
];

/// `Dropout`: nothing is dropped when a model is used.
fn dropout(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    if node.optional(2).is_some() {
        let training = node.known_ints(2, "training_mode")?.unwrap_or_default();
        let ratio = node.known_floats(1, "ratio")?.unwrap_or_else(|| vec![0.5]);
        require!(training != [1] || ratio == [0.0], "unsupported: training");
    }
    if !node.has_output(1) {
        return Ok(vec![input.clone()]);
    }
    let mask = b.filled(&input.dims, Element::Bool, 1.0)?;
    let mask = b.tensor(mask, input.dims.iter().copied(), Element::Bool);
    Ok(vec![input.clone(), mask])
}
