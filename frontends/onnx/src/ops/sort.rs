//! Largest and smallest elements, and where they are.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_linalg::IteratorType;

use super::{Operator, many, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::Outcome;
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("ArgMax", 1, |b, n| arg(b, n, Order::Greater)),
    one("ArgMin", 1, |b, n| arg(b, n, Order::Less)),
    one("CumSum", 11, cumulative_sum),
    many("TopK", 1, top),
];

fn arg(b: &mut Builder<'_, '_>, node: &Node<'_>, order: Order) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axis = input.axis(node.int("axis", 0)?)?;
    let last = node.flag("select_last_index", false)?;
    let (_, places) = best_along(b, input, axis, order, last)?;
    if node.flag("keepdims", true)? { b.unsqueeze(&places, &[axis]) } else { Ok(places) }
}

/// The first element, or the last one, before which no other comes in this order, and its place. The dimension is gone.
fn best_along(
    b: &mut Builder<'_, '_>,
    input: &Tensor,
    axis: usize,
    order: Order,
    last: bool,
) -> Outcome<(Tensor, Tensor)> {
    let e = input.element;
    let affine = b.cx().affine();
    let rank = input.rank();
    let kept: Vec<usize> = (0..rank).filter(|&at| at != axis).collect();
    let dims: Indices = kept.iter().map(|&at| input.dims[at]).collect();
    // The first element is taken whatever it is: its place is 0, and none before it is.
    let start = b.part(input, axis, Index::Static(0), Index::Static(1))?;
    let start = b.squeeze(&start, &[axis])?;
    let (values, places) = (b.value(&start)?, b.filled(&dims, Element::I64, 0.0)?);
    let to = affine.intern_map(rank as u32, 0, kept.iter().map(|&at| affine.dim(at as u32)).collect::<Vec<_>>());
    let from = affine.identity_map(rank as u32);
    let mut iterators = vec![IteratorType::Parallel; rank];
    iterators[axis] = IteratorType::Reduction;
    let source = b.value(input)?;
    let order = match (order, last) {
        (Order::Greater, true) => Order::GreaterOrEqual,
        (Order::Less, true) => Order::LessOrEqual,
        _ => order,
    };
    let results = b.generic(&[(source, from)], &[(values, to), (places, to)], &iterators, |b, args| {
        let place = b.loop_index(axis);
        let place = b.op("arith.index_cast", &[place], Element::I64.ty(b.cx()));
        let better = b.compare(order, args[0], args[1], e);
        Ok(vec![b.select(better, args[0], args[1]), b.select(better, place, args[2])])
    })?;
    Ok((b.tensor(results[0], dims.iter().copied(), e), b.tensor(results[1], dims.iter().copied(), Element::I64)))
}

/// 1 for the first of the largest elements along the axis, 0 for the others.
pub(super) fn hardmax(b: &mut Builder<'_, '_>, input: &Tensor, axis: usize) -> Outcome<Tensor> {
    let e = input.element;
    let (_, places) = best_along(b, input, axis, Order::Greater, false)?;
    let places = b.unsqueeze(&places, &[axis])?;
    b.map_to(&input.dims.clone(), &[&places], e, |b, args| {
        let place = b.loop_index(axis);
        let place = b.op("arith.index_cast", &[place], Element::I64.ty(b.cx()));
        let hot = b.compare(Order::Equal, place, args[0], Element::I64);
        Ok(b.convert(hot, Element::Bool, e))
    })
}

/// Sums of the elements up to each.
fn cumulative_sum(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axis = node.known_ints(1, "axis")?.and_then(|axes| axes.first().copied()).ok_or("expected an axis")?;
    let axis = input.axis(axis)?;
    let (exclusive, backwards) = (node.flag("exclusive", false)?, node.flag("reverse", false)?);
    let e = input.element;
    let source = if backwards { super::layout::reverse(b, input, &[axis])? } else { input.clone() };
    let start = b.filled(&input.dims, e, 0.0)?;
    let mut one_step = input.dims.clone();
    one_step[axis] = Index::Static(1);
    let before = b.filled(&one_step, e, 0.0)?;
    let results = b.for_loop(Index::Static(0), input.dims[axis], &[start, before], |b, step, handed_on| {
        let sums = b.tensor(handed_on[0], input.dims.iter().copied(), e);
        let before = b.tensor(handed_on[1], one_step.iter().copied(), e);
        let own = b.part(&source, axis, Index::Value(step), Index::Static(1))?;
        let after = b.map(&[&before, &own], e, |b, args| Ok(b.add(args[0], args[1])))?;
        let mut offsets: Indices = one_step.iter().map(|_| Index::Static(0)).collect();
        offsets[axis] = Index::Value(step);
        let sums = b.insert(if exclusive { &before } else { &after }, &sums, &offsets, &one_step)?;
        Ok(vec![b.value(&sums)?, b.value(&after)?])
    })?;
    let sums = b.tensor(results[0], input.dims.iter().copied(), e);
    if backwards { super::layout::reverse(b, &sums, &[axis]) } else { Ok(sums) }
}

/// The `k` largest or smallest elements along an axis, in order; of equal ones, those that come first.
fn top(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let e = input.element;
    let count = if node.opset < 10 { Index::Static(node.int("k", 0)?) } else { b.scalars(node.input(1)?)?[0] };
    let axis = input.axis(node.int("axis", -1)?)?;
    let order = if node.flag("largest", true)? { Order::Greater } else { Order::Less };
    b.at_most(Index::Static(0), count, "a negative number of elements")?;
    b.at_most(count, input.dims[axis], "the first of more elements than there are")?;
    // Rows to sort are the last dimension.
    let rank = input.rank();
    let mut permutation: Vec<usize> = (0..rank).filter(|&at| at != axis).collect();
    permutation.push(axis);
    let moved = b.transpose(input, &permutation)?;
    let rows = b.index_product(moved.dims[..rank - 1].iter().copied())?;
    let extent = moved.dims[rank - 1];
    let matrix = b.reshape(&moved, &[rows, extent])?;
    let (values, places) = sorted(b, &matrix, rows, extent, count, order)?;
    let mut dims: Indices = moved.dims.clone();
    dims[rank - 1] = count;
    let mut back = vec![0; rank];
    for (at, &from) in permutation.iter().enumerate() {
        back[from] = at;
    }
    let mut outputs = Vec::new();
    for (tensor, element) in [(values, e), (places, Element::I64)] {
        let tensor = b.tensor(tensor, [rows, count], element);
        let tensor = b.reshape(&tensor, &dims)?;
        outputs.push(b.transpose(&tensor, &back)?);
    }
    Ok(outputs)
}

/// Whether one comes before another. NaN is larger than all numbers.
fn comes_before(b: &mut Builder<'_, '_>, order: Order, x: ValueId, y: ValueId, e: Element) -> ValueId {
    if !e.is_float() {
        return b.compare(order, x, y, e);
    }
    let (opposite, larger) = match order {
        Order::Greater => (Order::LessOrEqual, y),
        _ => (Order::GreaterOrEqual, x),
    };
    let (numbers, nan) = (b.compare(opposite, x, y, e), b.is_nan(larger));
    let not = b.same("arith.ori", &[numbers, nan]);
    b.not(not)
}

/// Insertion into a sorted list of `count` elements, row by row: O(extent · count) a row.
fn sorted(
    b: &mut Builder<'_, '_>,
    matrix: &Tensor,
    rows: Index,
    extent: Index,
    count: Index,
    order: Order,
) -> Outcome<(ValueId, ValueId)> {
    let e = matrix.element;
    let source = b.value(matrix)?;
    let (values, places) = (b.empty(&[rows, count], e), b.empty(&[rows, count], Element::I64));
    let wide = Element::I64.ty(b.cx());
    let results = b.for_loop(Index::Static(0), rows, &[values, places], |b, row, lists| {
        b.for_loop(Index::Static(0), extent, lists, |b, column, lists| {
            let element = b.extract(source, &[row, column]);
            let place = b.op("arith.index_cast", &[column], wide);
            // The lists hold as many elements as have been seen, `count` at most. The new one goes through them from the front: where it comes
            // before what is there, the two change places.
            let limit = b.index(count);
            let held = b.same("arith.minsi", &[column, limit]);
            let moved = b.for_loop(
                Index::Static(0),
                Index::Value(held),
                &[lists[0], lists[1], element, place],
                |b, at, state| {
                    let (old, old_place) = (b.extract(state[0], &[row, at]), b.extract(state[1], &[row, at]));
                    // One that has lost its place to the new one comes before all that follow.
                    let better = comes_before(b, order, state[2], old, e);
                    let displaced = b.compare_ints("ne", state[3], place);
                    let swap = b.same("arith.ori", &[better, displaced]);
                    let (kept, kept_place) = (b.select(swap, state[2], old), b.select(swap, state[3], old_place));
                    let (next, next_place) = (b.select(swap, old, state[2]), b.select(swap, old_place, state[3]));
                    let values = b.store(kept, state[0], &[row, at]);
                    let places = b.store(kept_place, state[1], &[row, at]);
                    Ok(vec![values, places, next, next_place])
                },
            )?;
            // While the lists grow, what is left in hand goes to their end.
            let grows = b.compare_ints("slt", column, limit);
            let types = |b: &mut Builder<'_, '_>, yes: &[ValueId], _: &[ValueId]| {
                yes.iter().map(|&value| b.type_of(value)).collect()
            };
            b.if_else(
                grows,
                types,
                |b| Ok(vec![b.store(moved[2], moved[0], &[row, column]), b.store(moved[3], moved[1], &[row, column])]),
                |_| Ok(vec![moved[0], moved[1]]),
            )
        })
    })?;
    Ok((results[0], results[1]))
}
