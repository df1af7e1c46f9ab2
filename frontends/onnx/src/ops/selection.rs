//! Operators whose results are as long as there are elements of a kind: places of nonzero elements, and boxes that are not suppressed.
//!
//! Their results are written one after the other into a list with room for the most there can be, of which the front is handed on.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::{Operator, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] =
    &[one("NonMaxSuppression", 10, non_max_suppression), one("NonZero", 9, non_zero)];

/// 1 where a condition holds, else 0.
fn one_if(b: &mut Builder<'_, '_>, condition: ValueId) -> ValueId {
    let (yes, no) = (b.index(Index::Static(1)), b.index(Index::Static(0)));
    b.select(condition, yes, no)
}

fn to_int64(b: &mut Builder<'_, '_>, index: ValueId) -> ValueId {
    b.op("arith.index_cast", &[index], Element::I64.ty(b.cx()))
}

/// The coordinates of elements that are not zero, in row-major order: one column each.
fn non_zero(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let total = b.index_product(input.dims.iter().copied())?;
    let flat = b.reshape(input, &[total])?;
    let (flat, element, dims) = (b.value(&flat)?, input.element, input.dims.clone());
    let rank = Index::Static(dims.len() as i64);
    let list = b.filled(&[rank, total], Element::I64, 0.0)?;
    let none = b.index(Index::Static(0));
    let found = b.for_loop(Index::Static(0), total, &[list, none], |b, at, state| {
        let (mut list, count) = (state[0], state[1]);
        let value = b.extract(flat, &[at]);
        // Written in any case: what is no result is overwritten by the next, or is behind the last.
        let mut rest = at;
        for (dim, &extent) in dims.iter().enumerate().rev() {
            let extent = b.index(extent);
            let coordinate = b.same("arith.remui", &[rest, extent]);
            rest = b.same("arith.divui", &[rest, extent]);
            let (row, coordinate) = (b.index(Index::Static(dim as i64)), to_int64(b, coordinate));
            list = b.store(coordinate, list, &[row, count]);
        }
        let counts = b.convert(value, element, Element::Bool);
        let more = one_if(b, counts);
        Ok(vec![list, b.add(count, more)])
    })?;
    let list = b.tensor(found[0], [rank, total], Element::I64);
    b.part(&list, 1, Index::Static(0), Index::Value(found[1]))
}

/// An optional input with one element, as a value of the program.
fn optional_scalar(b: &mut Builder<'_, '_>, node: &Node<'_>, at: usize) -> Outcome<Option<ValueId>> {
    let Some(tensor) = node.optional(at) else { return Ok(None) };
    let scalar = b.reshape(&tensor.clone(), &[])?;
    let value = b.value(&scalar)?;
    Ok(Some(b.extract(value, &[])))
}

/// The corners of a box: least and greatest coordinates of both dimensions.
fn corners(b: &mut Builder<'_, '_>, boxes: ValueId, at: [ValueId; 2], centred: bool) -> [ValueId; 4] {
    let e = Element::F32;
    let [p, q, r, s] = [0, 1, 2, 3].map(|number| {
        let number = b.index(Index::Static(number));
        b.extract(boxes, &[at[0], at[1], number])
    });
    if !centred {
        // Either diagonal may be given, in either direction.
        return [b.min(p, r, e), b.min(q, s, e), b.max(p, r, e), b.max(q, s, e)];
    }
    let half = b.number(e.ty(b.cx()), 0.5);
    let (width, height) = (b.mul(r, half), b.mul(s, half));
    [b.sub(p, width), b.sub(q, height), b.add(p, width), b.add(q, height)]
}

/// Whether intersection over union of two boxes is above the threshold. Boxes without area meet none.
fn overlap(b: &mut Builder<'_, '_>, one: [ValueId; 4], other: [ValueId; 4], threshold: ValueId) -> ValueId {
    let e = Element::F32;
    let zero = b.number(e.ty(b.cx()), 0.0);
    let side = |b: &mut Builder<'_, '_>, dim: usize| {
        let (low, high) = (b.max(one[dim], other[dim], e), b.min(one[dim + 2], other[dim + 2], e));
        let side = b.sub(high, low);
        b.max(side, zero, e)
    };
    let (width, height) = (side(b, 0), side(b, 1));
    let common = b.mul(width, height);
    let mut area = |of: [ValueId; 4]| {
        let (width, height) = (b.sub(of[2], of[0]), b.sub(of[3], of[1]));
        b.mul(width, height)
    };
    let (first, second) = (area(one), area(other));
    let both = b.add(first, second);
    let union = b.sub(both, common);
    let share = b.div(common, union, e);
    let above = b.compare(Order::Greater, share, threshold, e);
    let some = b.compare(Order::Greater, union, zero, e);
    b.same("arith.andi", &[above, some])
}

/// For each image and class, boxes from the highest score on, without those that overlap one before: rows of image, class and box.
fn non_max_suppression(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (boxes, scores) = (node.input(0)?, node.input(1)?);
    require!(boxes.rank() == 3 && scores.rank() == 3, "expected boxes and scores of rank 3");
    require!(boxes.element == Element::F32 && scores.element == Element::F32, "expected boxes and scores of float");
    let centred = match node.int("center_point_box", 0)? {
        0 => false,
        1 => true,
        other => return Err(format!("attribute 'center_point_box' is {other}").into()),
    };
    let four = b.same_extent(boxes.dims[2], Index::Static(4), "numbers of a box")?;
    require!(four == Index::Static(4), "unsupported: boxes of a length that is known only when running");
    let images = b.same_extent(boxes.dims[0], scores.dims[0], "images")?;
    let candidates = b.same_extent(boxes.dims[1], scores.dims[2], "boxes")?;
    let classes = scores.dims[1];
    let most = match node.optional(2) {
        Some(most) => b.scalars(&most.clone())?.first().copied().ok_or("expected a number of boxes")?,
        None => Index::Static(0),
    };
    let most = b.index_min(most, candidates)?;
    let most = b.index_max(most, Index::Static(0))?;
    let e = Element::F32;
    let threshold = match optional_scalar(b, node, 3)? {
        Some(threshold) => threshold,
        None => b.number(e.ty(b.cx()), 0.0),
    };
    let least = optional_scalar(b, node, 4)?;
    let (boxes, scores) = (b.value(boxes)?, b.value(scores)?);

    let capacity = b.index_product([images, classes, most])?;
    // One more row, for what is written when no box is left.
    let capacity = b.index_add(capacity, Index::Static(1))?;
    let (three, none) = (Index::Static(3), b.index(Index::Static(0)));
    let list = b.filled(&[capacity, three], Element::I64, 0.0)?;
    let zero = Index::Static(0);
    let found = b.for_loop(zero, images, &[list, none], |b, image, state| {
        b.for_loop(zero, classes, state, |b, class, state| {
            // Which boxes are left.
            let left = b.empty(&[candidates], Element::Bool);
            let left = b.for_loop(zero, candidates, &[left], |b, at, left| {
                let score = b.extract(scores, &[image, class, at]);
                let good = match least {
                    Some(least) => b.compare(Order::Greater, score, least, e),
                    None => b.int(b.cx().i1_type(), 1),
                };
                Ok(vec![b.store(good, left[0], &[at])])
            })?;
            let state = [state[0], state[1], left[0]];
            let state = b.for_loop(zero, most, &state, |b, _, state| {
                let (list, count, left) = (state[0], state[1], state[2]);
                let lowest = b.number(e.ty(b.cx()), f64::NEG_INFINITY);
                let (first, no) = (b.index(zero), b.int(b.cx().i1_type(), 0));
                let best = b.for_loop(zero, candidates, &[lowest, first, no], |b, at, best| {
                    let (score, is_left) = (b.extract(scores, &[image, class, at]), b.extract(left, &[at]));
                    let above = b.compare(Order::Greater, score, best[0], e);
                    let is_first = b.not(best[2]);
                    let better = b.same("arith.ori", &[above, is_first]);
                    let better = b.same("arith.andi", &[better, is_left]);
                    let any = b.same("arith.ori", &[best[2], is_left]);
                    Ok(vec![b.select(better, score, best[0]), b.select(better, at, best[1]), any])
                })?;
                let (best, any) = (best[1], best[2]);
                let mut next = list;
                for (column, index) in [image, class, best].into_iter().enumerate() {
                    let (column, index) = (b.index(Index::Static(column as i64)), to_int64(b, index));
                    next = b.store(index, next, &[count, column]);
                }
                let more = one_if(b, any);
                let count = b.add(count, more);
                let chosen = corners(b, boxes, [image, best], centred);
                let left = b.for_loop(zero, candidates, &[left], |b, at, left| {
                    let other = corners(b, boxes, [image, at], centred);
                    let overlaps = overlap(b, chosen, other, threshold);
                    let itself = b.compare_ints("eq", at, best);
                    let gone = b.same("arith.ori", &[overlaps, itself]);
                    let gone = b.same("arith.andi", &[gone, any]);
                    let stays = b.not(gone);
                    let is_left = b.extract(left[0], &[at]);
                    let is_left = b.same("arith.andi", &[is_left, stays]);
                    Ok(vec![b.store(is_left, left[0], &[at])])
                })?;
                Ok(vec![next, count, left[0]])
            })?;
            Ok(vec![state[0], state[1]])
        })
    })?;
    let list = b.tensor(found[0], [capacity, three], Element::I64);
    b.part(&list, 0, zero, Index::Value(found[1]))
}
