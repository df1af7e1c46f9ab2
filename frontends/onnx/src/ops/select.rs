//! Choosing between elements by a condition or by their place.

use dl_ir::interfaces::Index;

use super::{Operator, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[one("Trilu", 14, trilu), one("Where", 9, choose)];

fn choose(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (condition, yes, no) = (node.input(0)?, node.input(1)?, node.input(2)?);
    require!(condition.element == Element::Bool, "expected a condition of bool, but got {}", condition.element.name());
    require!(yes.element == no.element, "expected inputs of one element type");
    b.map(&[condition, yes, no], yes.element, |b, args| Ok(b.select(args[0], args[1], args[2])))
}

/// The part of matrices above or below a diagonal; zero elsewhere.
fn trilu(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let upper = node.flag("upper", true)?;
    let rank = input.rank();
    require!(rank >= 2, "expected matrices, but got a tensor of rank {rank}");
    let offset = match node.optional(1) {
        Some(offset) => *b.scalars(offset)?.first().ok_or("expected an offset")?,
        None => Index::Static(0),
    };
    let e = input.element;
    let offset = b.index(offset);
    b.map(&[input], e, |b, args| {
        let (row, column) = (b.loop_index(rank - 2), b.loop_index(rank - 1));
        let diagonal = b.add(row, offset);
        let kept = b.compare_ints(if upper { "sge" } else { "sle" }, column, diagonal);
        let zero = b.number(e.ty(b.cx()), 0.0);
        Ok(b.select(kept, args[0], zero))
    })
}
