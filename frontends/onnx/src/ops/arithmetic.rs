//! Arithmetic on elements: sums, products, powers, roots, trigonometry.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::{Operator, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::node::Node;
use crate::tensor::{Data, Tensor};

pub(super) const OPERATORS: &[Operator] = &[
    one("Abs", 6, abs),
    one("Acos", 7, |b, n| math(b, n, "math.acos")),
    one("Acosh", 9, |b, n| math(b, n, "math.acosh")),
    one("Add", 7, |b, n| binary(b, n, |b, x, y| b.index_add(x, y), |b, x, y, _| b.add(x, y))),
    one("Asin", 7, |b, n| math(b, n, "math.asin")),
    one("Asinh", 9, |b, n| math(b, n, "math.asinh")),
    one("Atan", 7, |b, n| math(b, n, "math.atan")),
    one("Atanh", 9, |b, n| math(b, n, "math.atanh")),
    one("Ceil", 6, |b, n| math(b, n, "math.ceil")),
    one("Cos", 7, |b, n| math(b, n, "math.cos")),
    one("Cosh", 9, |b, n| math(b, n, "math.cosh")),
    one("Div", 7, |b, n| binary(b, n, |b, x, y| b.index_div(x, y), |b, x, y, e| b.div(x, y, e))),
    one("Erf", 9, |b, n| math(b, n, "math.erf")),
    one("Exp", 6, |b, n| math(b, n, "math.exp")),
    one("Floor", 6, |b, n| math(b, n, "math.floor")),
    one("Log", 6, |b, n| math(b, n, "math.log")),
    one("Max", 6, |b, n| variadic(b, n, |b, x, y, e| b.max(x, y, e))),
    one("Mean", 6, mean),
    one("Min", 6, |b, n| variadic(b, n, |b, x, y, e| b.min(x, y, e))),
    one("Mod", 10, modulo),
    one("Mul", 7, |b, n| binary(b, n, |b, x, y| b.index_mul(x, y), |b, x, y, _| b.mul(x, y))),
    one("Neg", 6, negate),
    one("Pow", 7, pow),
    one("Reciprocal", 6, reciprocal),
    one("Round", 11, |b, n| math(b, n, "math.roundeven")),
    one("Sign", 9, sign),
    one("Sin", 7, |b, n| math(b, n, "math.sin")),
    one("Sinh", 9, |b, n| math(b, n, "math.sinh")),
    one("Sqrt", 6, |b, n| math(b, n, "math.sqrt")),
    one("Sub", 7, |b, n| binary(b, n, |b, x, y| b.index_sub(x, y), |b, x, y, _| b.sub(x, y))),
    one("Sum", 6, |b, n| variadic(b, n, |b, x, y, _| b.add(x, y))),
    one("Tan", 7, |b, n| math(b, n, "math.tan")),
    one("Tanh", 6, |b, n| math(b, n, "math.tanh")),
];

/// Applies `f` to each element of the first input.
pub(super) fn unary(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    f: impl FnOnce(&mut Builder<'_, '_>, ValueId, Element) -> Outcome<ValueId>,
) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let element = input.element;
    b.map(&[input], element, |b, args| f(b, args[0], element))
}

/// An operation of the `math` dialect on floats.
fn math(b: &mut Builder<'_, '_>, node: &Node<'_>, name: &'static str) -> Outcome<Tensor> {
    let element = node.input(0)?.element;
    require!(element.is_float(), "expected floats, but got {}", element.name());
    unary(b, node, |b, x, _| Ok(b.same(name, &[x])))
}

/// That the first two inputs have one element type, which is the answer.
pub(super) fn one_element(node: &Node<'_>) -> Outcome<Element> {
    let (left, right) = (node.input(0)?.element, node.input(1)?.element);
    require!(left == right, "expected inputs of one element type, but got {} and {}", left.name(), right.name());
    Ok(left)
}

fn binary(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    of_indices: fn(&mut Builder<'_, '_>, Index, Index) -> Outcome<Index>,
    of_elements: fn(&mut Builder<'_, '_>, ValueId, ValueId, Element) -> ValueId,
) -> Outcome<Tensor> {
    let element = one_element(node)?;
    let (x, y) = (node.input(0)?, node.input(1)?);
    if let Some(folded) = map_lists(b, x, y, of_indices)? {
        return Ok(folded);
    }
    b.map(&[x, y], element, |b, args| Ok(of_elements(b, args[0], args[1], element)))
}

/// Applies `f` to lists of integers that are known one by one, as extents are.
fn map_lists(
    b: &mut Builder<'_, '_>,
    x: &Tensor,
    y: &Tensor,
    f: fn(&mut Builder<'_, '_>, Index, Index) -> Outcome<Index>,
) -> Outcome<Option<Tensor>> {
    let (Some(left), Some(right)) = (list(x), list(y)) else { return Ok(None) };
    let length = match (left.len(), right.len()) {
        (n, 1) | (1, n) => n,
        (n, m) if n == m => n,
        _ => return Ok(None),
    };
    let mut values = Vec::with_capacity(length);
    for at in 0..length {
        values.push(f(b, left[at % left.len()], right[at % right.len()])?);
    }
    let rank = x.rank().max(y.rank());
    Ok(Some(if rank == 0 { Tensor::scalar(x.element, values[0]) } else { Tensor::list(x.element, values) }))
}

/// The integers of a short list that are known one by one.
pub(super) fn list(tensor: &Tensor) -> Option<Vec<Index>> {
    if tensor.rank() > 1 || !matches!(tensor.element, Element::I64 | Element::I32) {
        return None;
    }
    match &tensor.data {
        Data::Scalars(values) if !values.is_empty() => Some(values.clone()),
        Data::Literal(literal) if (1..=64).contains(&literal.len()) => {
            Some(literal.ints().into_iter().map(Index::Static).collect())
        }
        _ => None,
    }
}

/// What is computed of shapes stays known.
fn negate(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let zero = Tensor::scalar(input.element, Index::Static(0));
    if let Some(list) = map_lists(b, &zero, input, |b, x, y| b.index_sub(x, y))? {
        return Ok(list);
    }
    unary(b, node, |b, x, _| Ok(b.neg(x)))
}

fn variadic(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    combine: fn(&mut Builder<'_, '_>, ValueId, ValueId, Element) -> ValueId,
) -> Outcome<Tensor> {
    let inputs = node.all()?;
    let element = inputs[0].element;
    require!(inputs.iter().all(|input| input.element == element), "expected inputs of one element type");
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    b.map(&inputs, element, |b, args| {
        Ok(args[1..].iter().fold(args[0], |so_far, &next| combine(b, so_far, next, element)))
    })
}

fn mean(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let sum = variadic(b, node, |b, x, y, _| b.add(x, y))?;
    let (element, count) = (sum.element, node.inputs.len());
    b.map(&[&sum], element, |b, args| {
        let count = b.number(element.ty(b.cx()), count as f64);
        Ok(b.div(args[0], count, element))
    })
}

fn abs(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, element| {
        Ok(match element {
            _ if element.is_float() => b.same("math.absf", &[x]),
            _ if element.is_signed() => b.same("math.absi", &[x]),
            _ => x,
        })
    })
}

fn reciprocal(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, element| {
        let one = b.number(element.ty(b.cx()), 1.0);
        Ok(b.div(one, x, element))
    })
}

fn sign(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, element| {
        let ty = element.ty(b.cx());
        let (zero, one) = (b.number(ty, 0.0), b.number(ty, 1.0));
        let positive = b.compare(Order::Greater, x, zero, element);
        let otherwise = if element.is_float() || element.is_signed() {
            let minus = b.number(ty, -1.0);
            let negative = b.compare(Order::Less, x, zero, element);
            // Zero, and NaN, are their own sign.
            b.select(negative, minus, x)
        } else {
            zero
        };
        Ok(b.select(positive, one, otherwise))
    })
}

/// `Mod`: the remainder has the sign of the divisor, or with `fmod` that of the dividend.
fn modulo(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let element = one_element(node)?;
    let of_dividend = node.flag("fmod", false)?;
    require!(of_dividend || !element.is_float(), "floats need the attribute 'fmod'");
    b.map(&[node.input(0)?, node.input(1)?], element, |b, args| {
        let (x, y) = (args[0], args[1]);
        if element.is_float() {
            return Ok(b.same("arith.remf", &[x, y]));
        }
        if !element.is_signed() {
            return Ok(b.same("arith.remui", &[x, y]));
        }
        let remainder = b.same("arith.remsi", &[x, y]);
        if of_dividend {
            return Ok(remainder);
        }
        let zero = b.number(element.ty(b.cx()), 0.0);
        let mixed = b.same("arith.xori", &[remainder, y]);
        let differs = b.compare(Order::Less, mixed, zero, element);
        let is_zero = b.compare(Order::Equal, remainder, zero, element);
        let shifted = b.add(remainder, y);
        let wrapped = b.select(differs, shifted, remainder);
        Ok(b.select(is_zero, remainder, wrapped))
    })
}

/// `Pow`: the result has the type of the base.
fn pow(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (base, exponent) = (node.input(0)?, node.input(1)?);
    let (element, of_exponent) = (base.element, exponent.element);
    if let (true, Some(&[value])) = (element.is_float(), exponent.known_floats().as_deref())
        && base.rank() >= exponent.rank()
        && let Some(steps) = small_power(value)
    {
        return b.map(&[base], element, |b, args| {
            let x = args[0];
            Ok(match steps {
                SmallPower::Root => b.same("math.sqrt", &[x]),
                SmallPower::Times(count) => (1..count).fold(x, |product, _| b.mul(product, x)),
            })
        });
    }
    b.map(&[base, exponent], element, |b, args| {
        let (x, y) = (args[0], args[1]);
        if element.is_float() {
            let y = b.convert(y, of_exponent, element);
            return Ok(b.same("math.powf", &[x, y]));
        }
        let (wide_x, wide_y) = (b.convert(x, element, Element::F64), b.convert(y, of_exponent, Element::F64));
        let power = b.same("math.powf", &[wide_x, wide_y]);
        if !matches!(element, Element::I32 | Element::I64) {
            return Err(fault!("unsupported: powers of {}", element.name()));
        }
        Ok(b.convert(power, Element::F64, element))
    })
}

/// Powers that are cheaper in other ways.
#[derive(Clone, Copy)]
enum SmallPower {
    Root,
    Times(usize),
}

fn small_power(exponent: f64) -> Option<SmallPower> {
    match exponent {
        0.5 => Some(SmallPower::Root),
        1.0 => Some(SmallPower::Times(1)),
        2.0 => Some(SmallPower::Times(2)),
        3.0 => Some(SmallPower::Times(3)),
        _ => None,
    }
}
