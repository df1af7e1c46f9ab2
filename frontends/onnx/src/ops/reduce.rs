//! Reductions.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::{Operator, one};
use crate::builder::Builder;
use crate::element::Element;
use crate::fault::Outcome;
use crate::node::Node;
use crate::tensor::{Tensor, normalized};

pub(super) const OPERATORS: &[Operator] = &[
    one("ReduceL1", 1, |b, n| reduce(b, n, 18, Kind::L1)),
    one("ReduceL2", 1, |b, n| reduce(b, n, 18, Kind::L2)),
    one("ReduceLogSum", 1, |b, n| reduce(b, n, 18, Kind::LogSum)),
    one("ReduceLogSumExp", 1, |b, n| reduce(b, n, 18, Kind::LogSumExp)),
    one("ReduceMax", 1, |b, n| reduce(b, n, 18, Kind::Max)),
    one("ReduceMean", 1, |b, n| reduce(b, n, 18, Kind::Mean)),
    one("ReduceMin", 1, |b, n| reduce(b, n, 18, Kind::Min)),
    one("ReduceProd", 1, |b, n| reduce(b, n, 18, Kind::Product)),
    one("ReduceSum", 1, |b, n| reduce(b, n, 13, Kind::Sum)),
    one("ReduceSumSquare", 1, |b, n| reduce(b, n, 18, Kind::SumSquare)),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    L1,
    L2,
    LogSum,
    LogSumExp,
    Max,
    Mean,
    Min,
    Product,
    Sum,
    SumSquare,
}

fn reduce(b: &mut Builder<'_, '_>, node: &Node<'_>, axes_are_input_since: i64, kind: Kind) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let axes = node.axes(axes_are_input_since, 1)?.unwrap_or_default();
    let keep = node.flag("keepdims", true)?;
    if axes.is_empty() && node.flag("noop_with_empty_axes", false)? {
        let none = prepared(b, kind, input)?;
        return finish(b, kind, &none);
    }
    let axes = sorted_axes(&axes, input.rank())?;
    // A product of extents is an extent.
    if let (Kind::Product, Some(list), [0]) = (kind, super::arithmetic::list(input), &axes[..]) {
        let product = b.index_product(list)?;
        let scalar = Tensor::scalar(input.element, product);
        return if keep { b.reshape(&scalar, &[Index::Static(1)]) } else { Ok(scalar) };
    }
    let reduced = along(b, kind, input, &axes)?;
    if keep { b.unsqueeze(&reduced, &axes) } else { Ok(reduced) }
}

/// Axes from the front, sorted; all where none is given.
pub(super) fn sorted_axes(axes: &[i64], rank: usize) -> Outcome<Vec<usize>> {
    if axes.is_empty() {
        return Ok((0..rank).collect());
    }
    let mut axes = axes.iter().map(|&axis| normalized(axis, rank)).collect::<Outcome<Vec<usize>>>()?;
    axes.sort_unstable();
    axes.dedup();
    Ok(axes)
}

fn along(b: &mut Builder<'_, '_>, kind: Kind, input: &Tensor, axes: &[usize]) -> Outcome<Tensor> {
    let e = input.element;
    if kind == Kind::LogSumExp {
        return log_sum_exp(b, input, axes);
    }
    let input = &prepared(b, kind, input)?;
    let count = b.index_product(axes.iter().map(|&axis| input.dims[axis]))?;
    let reduced = match kind {
        Kind::Max => b.reduce(input, axes, e.lowest(), |b, x, y| b.max(x, y, e))?,
        Kind::Min if e == Element::Bool => b.reduce(input, axes, 1.0, |b, x, y| b.min(x, y, e))?,
        Kind::Min => b.reduce(input, axes, highest(e), |b, x, y| b.min(x, y, e))?,
        Kind::Product => b.reduce(input, axes, 1.0, |b, x, y| b.mul(x, y))?,
        _ => b.reduce(input, axes, 0.0, |b, x, y| b.add(x, y))?,
    };
    if kind == Kind::Mean {
        return mean(b, &reduced, count);
    }
    finish(b, kind, &reduced)
}

/// The largest number of a type that is exact as `f64` and wraps to the type's greatest value.
fn highest(e: Element) -> f64 {
    match e {
        _ if e.is_float() => f64::INFINITY,
        Element::I64 => i64::MAX as f64,
        _ if e.is_signed() => 2_f64.powi(e.width() as i32 - 1) - 1.0,
        // All bits, as a signed number.
        Element::U64 => -1.0,
        _ => 2_f64.powi(e.width() as i32) - 1.0,
    }
}

/// What the elements are before they are combined.
fn prepared(b: &mut Builder<'_, '_>, kind: Kind, input: &Tensor) -> Outcome<Tensor> {
    let e = input.element;
    let f: fn(&mut Builder<'_, '_>, ValueId, Element) -> ValueId = match kind {
        Kind::L1 => |b, x, e| match e {
            _ if e.is_float() => b.same("math.absf", &[x]),
            _ => b.same("math.absi", &[x]),
        },
        Kind::L2 | Kind::SumSquare => |b, x, _| b.mul(x, x),
        Kind::LogSumExp => |b, x, _| b.same("math.exp", &[x]),
        _ => return Ok(input.clone()),
    };
    b.map(&[input], e, |b, args| Ok(f(b, args[0], e)))
}

/// What the combined elements become.
fn finish(b: &mut Builder<'_, '_>, kind: Kind, input: &Tensor) -> Outcome<Tensor> {
    let e = input.element;
    let name = match kind {
        Kind::L2 => "math.sqrt",
        Kind::LogSum | Kind::LogSumExp => "math.log",
        _ => return Ok(input.clone()),
    };
    b.map(&[input], e, |b, args| {
        // Of integers, in double precision.
        let wide = if e.is_float() { e } else { Element::F64 };
        let x = b.convert(args[0], e, wide);
        let y = b.same(name, &[x]);
        Ok(b.convert(y, wide, e))
    })
}

/// Sums over a count.
pub(super) fn mean(b: &mut Builder<'_, '_>, sums: &Tensor, count: Index) -> Outcome<Tensor> {
    let e = sums.element;
    b.map(&[sums], e, |b, args| {
        let count = match count {
            Index::Static(count) => b.number(e.ty(b.cx()), count as f64),
            Index::Value(count) => {
                let count = b.op("arith.index_cast", &[count], Element::I64.ty(b.cx()));
                b.convert(count, Element::I64, e)
            }
        };
        Ok(b.div(args[0], count, e))
    })
}

/// `max + log(sum(exp(x - max)))`, which does not overflow.
fn log_sum_exp(b: &mut Builder<'_, '_>, input: &Tensor, axes: &[usize]) -> Outcome<Tensor> {
    let e = input.element;
    if !e.is_float() {
        let wide = b.cast(input, Element::F64)?;
        let result = log_sum_exp(b, &wide, axes)?;
        return b.cast(&result, e);
    }
    let max = b.reduce(input, axes, f64::NEG_INFINITY, |b, x, y| b.max(x, y, e))?;
    // Nothing, or infinities alone, are not subtracted.
    let max = b.map(&[&max], e, |b, args| {
        let (zero, infinity) = (b.number(e.ty(b.cx()), 0.0), b.number(e.ty(b.cx()), f64::INFINITY));
        let magnitude = b.same("math.absf", &[args[0]]);
        let infinite = b.compare(crate::builder::Order::Equal, magnitude, infinity, e);
        Ok(b.select(infinite, zero, args[0]))
    })?;
    let wide = b.unsqueeze(&max, axes)?;
    let shifted = b.map(&[input, &wide], e, |b, args| {
        let difference = b.sub(args[0], args[1]);
        Ok(b.same("math.exp", &[difference]))
    })?;
    let sum = b.reduce(&shifted, axes, 0.0, |b, x, y| b.add(x, y))?;
    b.map(&[&sum, &max], e, |b, args| {
        let log = b.same("math.log", &[args[0]]);
        Ok(b.add(log, args[1]))
    })
}

/// The mean along axes, which stay with extent 1.
pub(super) fn mean_along(b: &mut Builder<'_, '_>, input: &Tensor, axes: &[usize]) -> Outcome<Tensor> {
    let reduced = along(b, Kind::Mean, input, axes)?;
    b.unsqueeze(&reduced, axes)
}
