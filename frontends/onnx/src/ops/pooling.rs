//! Pooling.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_linalg::build::window_attr;

use super::{Operator, many, one};
use crate::builder::{Builder, Order, Window};
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::literal::Literal;
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("AveragePool", 1, average),
    one("GlobalAveragePool", 1, global_average),
    one("GlobalLpPool", 2, global_lp),
    one("GlobalMaxPool", 1, global_max),
    one("LpPool", 2, lp),
    many("MaxPool", 1, max),
];

/// The window of a node, and the result's extents.
fn window(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<(Window, Indices)> {
    let input = node.input(0)?;
    let kernel = node.ints("kernel_shape")?.ok_or("attribute 'kernel_shape' is missing")?;
    let mut window = Window::of(node, input, kernel)?;
    if node.flag("ceil_mode", false)? {
        window.round_up(input)?;
    }
    let mut dims: Indices = input.dims[..2].into();
    dims.extend(window.steps(b, input)?);
    Ok((window, dims))
}

/// The named operation of this kind for images of so many dimensions, if there is one.
fn named(
    b: &mut Builder<'_, '_>,
    kind: [&'static str; 2],
    padded: &Tensor,
    window: &Window,
    init: ValueId,
) -> Outcome<Option<ValueId>> {
    let Some(&name) = kind.get(window.len() - 1) else { return Ok(None) };
    if !padded.element.is_float() {
        return Ok(None);
    }
    let sizes: Vec<Index> = window.kernel.iter().map(|&size| Index::Static(size)).collect();
    let inputs = [b.value(padded)?, b.empty(&sizes, padded.element)];
    let attr = |b: &Builder<'_, '_>, sizes: &[i64]| window_attr(b.cx(), sizes).ok_or("a list of sizes");
    let attrs = [("strides", attr(b, &window.strides)?), ("dilations", attr(b, &window.dilations)?)];
    b.named(name, &inputs, init, &attrs).map(Some)
}

fn max(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Vec<Tensor>> {
    let input = node.input(0)?;
    let e = input.element;
    let (window, dims) = window(b, node)?;
    let padded = b.pad_for(input, &window, e.lowest())?;
    let init = b.filled(&dims, e, e.lowest())?;
    if node.has_output(1) {
        return max_with_places(b, node, input, &padded, &window, &dims);
    }
    let value = match named(b, ["linalg.pooling_ncw_max", "linalg.pooling_nchw_max"], &padded, &window, init)? {
        Some(value) => value,
        None => b.slide(&padded, &window, &[init], |b, args| Ok(vec![b.max(args[1], args[0], e)]))?[0],
    };
    Ok(vec![b.tensor(value, dims, e)])
}

/// The largest elements, and where in the input each is: its number among all elements.
fn max_with_places(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    input: &Tensor,
    padded: &Tensor,
    window: &Window,
    dims: &Indices,
) -> Outcome<Vec<Tensor>> {
    let e = input.element;
    let column_major = node.flag("storage_order", false)?;
    let count = window.len();
    let init = b.filled(dims, e, e.lowest())?;
    let places = b.filled(dims, Element::I64, -1.0)?;
    let extents: Vec<Index> = input.dims.to_vec();
    let results = b.slide(padded, window, &[init, places], |b, args| {
        let (element, best, place) = (args[0], args[1], args[2]);
        let mut number = {
            let (image, channel, channels) = (b.loop_index(0), b.loop_index(1), b.index(extents[1]));
            let before = b.mul(image, channels);
            b.add(before, channel)
        };
        let mut spatial: Vec<usize> = (0..count).collect();
        for &at in &spatial {
            let extent = b.index(extents[at + 2]);
            number = b.mul(number, extent);
        }
        if column_major {
            spatial.reverse();
        }
        let mut inside = b.index(Index::Static(0));
        for at in spatial {
            let [extent, stride, dilation, low] = [
                extents[at + 2],
                Index::Static(window.strides[at]),
                Index::Static(window.dilations[at]),
                Index::Static(window.low[at]),
            ]
            .map(|index| b.index(index));
            let (step, offset) = (b.loop_index(2 + at), b.loop_index(2 + count + at));
            let (step, offset) = (b.mul(step, stride), b.mul(offset, dilation));
            let position = b.add(step, offset);
            let position = b.sub(position, low);
            inside = b.mul(inside, extent);
            inside = b.add(inside, position);
        }
        let number = b.add(number, inside);
        let number = b.op("arith.index_cast", &[number], Element::I64.ty(b.cx()));
        let larger = b.compare(Order::Greater, element, best, e);
        Ok(vec![b.select(larger, element, best), b.select(larger, number, place)])
    })?;
    Ok(vec![b.tensor(results[0], dims.iter().copied(), e), b.tensor(results[1], dims.iter().copied(), Element::I64)])
}

/// Sums of the elements of windows.
fn sums(b: &mut Builder<'_, '_>, input: &Tensor, window: &Window, dims: &Indices) -> Outcome<Tensor> {
    let e = input.element;
    let padded = b.pad_for(input, window, 0.0)?;
    let init = b.filled(dims, e, 0.0)?;
    let value = match named(b, ["linalg.pooling_ncw_sum", "linalg.pooling_nchw_sum"], &padded, window, init)? {
        Some(value) => value,
        None => b.slide(&padded, window, &[init], |b, args| Ok(vec![b.add(args[1], args[0])]))?[0],
    };
    Ok(b.tensor(value, dims.iter().copied(), e))
}

fn average(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let e = input.element;
    require!(e.is_float(), "expected floats, but got {}", e.name());
    let said = Window::of(node, input, node.ints("kernel_shape")?.ok_or("attribute 'kernel_shape' is missing")?)?;
    let (window, dims) = window(b, node)?;
    let sums = sums(b, input, &window, &dims)?;
    let include = node.flag("count_include_pad", false)?;
    let counts = counts(b, input, &said, &window, include)?;
    b.map_to(&dims, &[&sums, &counts], e, |b, args| Ok(b.div(args[0], args[1], e)))
}

/// How many elements of each window count: those inside, and those of the padding that the node asks for if it says so.
fn counts(b: &mut Builder<'_, '_>, input: &Tensor, said: &Window, window: &Window, include: bool) -> Outcome<Tensor> {
    let e = input.element;
    let spatial = input.dims[2..].iter().map(|dim| dim.as_static()).collect::<Option<Vec<i64>>>();
    let Some(spatial) = spatial else {
        if include || said.low.iter().chain(&said.high).all(|&size| size == 0) {
            let all: i64 = window.kernel.iter().product();
            return Literal::of_floats(e, &[], &[all as f64]).map(Tensor::literal);
        }
        // Sums of ones.
        let mut dims: Indices = [Index::Static(1), Index::Static(1)].into_iter().collect();
        dims.extend(input.dims[2..].iter().copied());
        let ones = b.filled(&dims, e, 1.0)?;
        let ones = b.tensor(ones, dims.iter().copied(), e);
        let mut steps: Indices = dims[..2].into();
        steps.extend(window.steps(b, &ones)?);
        return self::sums(b, &ones, window, &steps);
    };
    let (mut shape, mut values) = (Vec::new(), vec![1.0]);
    for (at, &extent) in spatial.iter().enumerate() {
        let (first, end) = if include { (-said.low[at], extent + said.high[at]) } else { (0, extent) };
        let steps = (extent + window.low[at] + window.high[at] - window.span(at)) / window.strides[at] + 1;
        let counted = |step: i64| {
            let start = step * window.strides[at] - window.low[at];
            let inside = |k: &i64| (first..end).contains(&(start + k * window.dilations[at]));
            (0..window.kernel[at]).filter(inside).count() as f64
        };
        require!(steps < 1 << 20 && window.kernel[at] < 1 << 16, "a window of {} in {steps} steps", window.kernel[at]);
        let along: Vec<f64> = (0..steps).map(counted).collect();
        values = values.iter().flat_map(|&before| along.iter().map(move |&count| before * count)).collect();
        require!(values.len() < 1 << 24, "unsupported: averages over as many windows");
        shape.push(steps);
    }
    let uniform = values.iter().all(|&value| value.to_bits() == values[0].to_bits());
    let literal = match (uniform, values.first()) {
        (true, Some(&value)) => Literal::of_floats(e, &[], &[value])?,
        _ => Literal::of_floats(e, &shape, &values)?,
    };
    Ok(Tensor::literal(literal))
}

fn lp(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let (window, dims) = window(b, node)?;
    let order = node.int("p", 2)? as f64;
    let powers = powers(b, input, order)?;
    let sums = sums(b, &powers, &window, &dims)?;
    roots(b, &sums, order)
}

fn powers(b: &mut Builder<'_, '_>, input: &Tensor, order: f64) -> Outcome<Tensor> {
    let e = input.element;
    require!(e.is_float() && order > 0.0, "expected floats and a positive order");
    b.map(&[input], e, |b, args| {
        let magnitude = b.same("math.absf", &[args[0]]);
        let order = b.number(e.ty(b.cx()), order);
        Ok(b.same("math.powf", &[magnitude, order]))
    })
}

fn roots(b: &mut Builder<'_, '_>, input: &Tensor, order: f64) -> Outcome<Tensor> {
    let e = input.element;
    b.map(&[input], e, |b, args| {
        let order = b.number(e.ty(b.cx()), 1.0 / order);
        Ok(b.same("math.powf", &[args[0], order]))
    })
}

/// The dimensions behind images and channels.
fn spatial(input: &Tensor) -> Outcome<Vec<usize>> {
    require!(input.rank() > 2, "expected images, but got a tensor of rank {}", input.rank());
    Ok((2..input.rank()).collect())
}

fn global_average(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    super::reduce::mean_along(b, input, &spatial(input)?)
}

fn global_max(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let (e, axes) = (input.element, spatial(input)?);
    let reduced = b.reduce(input, &axes, e.lowest(), |b, x, y| b.max(x, y, e))?;
    b.unsqueeze(&reduced, &axes)
}

fn global_lp(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let (axes, order) = (spatial(input)?, node.int("p", 2)? as f64);
    let powers = powers(b, input, order)?;
    let sums = b.reduce(&powers, &axes, 0.0, |b, x, y| b.add(x, y))?;
    let sums = b.unsqueeze(&sums, &axes)?;
    roots(b, &sums, order)
}
