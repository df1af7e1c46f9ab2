//! Comparisons, logic, and bits.

use dl_ir::ValueId;

use super::arithmetic::{one_element, unary};
use super::{Operator, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::literal::Literal;
use crate::node::Node;
use crate::tensor::Tensor;

pub(super) const OPERATORS: &[Operator] = &[
    one("And", 7, |b, n| logic(b, n, "arith.andi")),
    one("BitShift", 11, shift),
    one("BitwiseAnd", 18, |b, n| bits(b, n, "arith.andi")),
    one("BitwiseNot", 18, bitwise_not),
    one("BitwiseOr", 18, |b, n| bits(b, n, "arith.ori")),
    one("BitwiseXor", 18, |b, n| bits(b, n, "arith.xori")),
    one("Equal", 7, |b, n| compare(b, n, Order::Equal)),
    one("Greater", 7, |b, n| compare(b, n, Order::Greater)),
    one("GreaterOrEqual", 12, |b, n| compare(b, n, Order::GreaterOrEqual)),
    one("IsInf", 10, is_inf),
    one("IsNaN", 9, is_nan),
    one("Less", 7, |b, n| compare(b, n, Order::Less)),
    one("LessOrEqual", 12, |b, n| compare(b, n, Order::LessOrEqual)),
    one("Not", 1, |b, n| unary(b, n, |b, x, _| Ok(b.not(x)))),
    one("Or", 7, |b, n| logic(b, n, "arith.ori")),
    one("Xor", 7, |b, n| logic(b, n, "arith.xori")),
];

fn compare(b: &mut Builder<'_, '_>, node: &Node<'_>, order: Order) -> Outcome<Tensor> {
    let element = one_element(node)?;
    if let Some(known) = compare_known(node.input(0)?, node.input(1)?, order)? {
        return Ok(known);
    }
    b.map(&[node.input(0)?, node.input(1)?], Element::Bool, |b, args| Ok(b.compare(order, args[0], args[1], element)))
}

/// The comparison of two single integers that are known, as conditions of branches on shapes are.
fn compare_known(x: &Tensor, y: &Tensor, order: Order) -> Outcome<Option<Tensor>> {
    if !x.element.is_signed() {
        return Ok(None);
    }
    let (left, right) = (x.known_ints(), y.known_ints());
    let (Some([left]), Some([right])) = (left.as_deref(), right.as_deref()) else { return Ok(None) };
    let holds = match order {
        Order::Equal => left == right,
        Order::Less => left < right,
        Order::LessOrEqual => left <= right,
        Order::Greater => left > right,
        Order::GreaterOrEqual => left >= right,
    };
    let shape = vec![1; x.rank().max(y.rank())];
    Literal::of_ints(Element::Bool, &shape, &[i64::from(holds)]).map(|literal| Some(Tensor::literal(literal)))
}

fn logic(b: &mut Builder<'_, '_>, node: &Node<'_>, name: &'static str) -> Outcome<Tensor> {
    let element = one_element(node)?;
    require!(element == Element::Bool, "expected bool, but got {}", element.name());
    b.map(&[node.input(0)?, node.input(1)?], element, |b, args| Ok(b.same(name, args)))
}

fn bits(b: &mut Builder<'_, '_>, node: &Node<'_>, name: &'static str) -> Outcome<Tensor> {
    let element = one_element(node)?;
    require!(element.is_integer(), "expected integers, but got {}", element.name());
    b.map(&[node.input(0)?, node.input(1)?], element, |b, args| Ok(b.same(name, &args[..2])))
}

fn bitwise_not(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    unary(b, node, |b, x, element| {
        require!(element.is_integer(), "expected integers, but got {}", element.name());
        let ones = b.int(element.ty(b.cx()), -1);
        Ok(b.same("arith.xori", &[x, ones]))
    })
}

/// Bits shifted out by the width or more leave zero.
fn shift(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let element = one_element(node)?;
    let name = match node.text("direction", "")? {
        "LEFT" => "arith.shli",
        "RIGHT" => "arith.shrui",
        other => return Err(fault!("direction '{other}' is neither LEFT nor RIGHT")),
    };
    require!(element.is_integer() && !element.is_signed(), "expected unsigned integers, but got {}", element.name());
    b.map(&[node.input(0)?, node.input(1)?], element, |b, args| {
        let ty = element.ty(b.cx());
        let (width, zero) = (b.int(ty, i64::from(element.width())), b.int(ty, 0));
        let inside = b.compare(Order::Less, args[1], width, element);
        let by = b.select(inside, args[1], zero);
        let shifted = b.same(name, &[args[0], by]);
        Ok(b.select(inside, shifted, zero))
    })
}

fn of_floats(
    b: &mut Builder<'_, '_>,
    node: &Node<'_>,
    f: impl FnOnce(&mut Builder<'_, '_>, ValueId, Element) -> ValueId,
) -> Outcome<Tensor> {
    let input = node.input(0)?;
    let element = input.element;
    require!(element.is_float(), "expected floats, but got {}", element.name());
    b.map(&[input], Element::Bool, |b, args| Ok(f(b, args[0], element)))
}

fn is_nan(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    of_floats(b, node, |b, x, _| b.is_nan(x))
}

fn is_inf(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (negative, positive) = (node.flag("detect_negative", true)?, node.flag("detect_positive", true)?);
    of_floats(b, node, |b, x, element| {
        let ty = element.ty(b.cx());
        let mut found = b.int(b.cx().i1_type(), 0);
        for (wanted, value) in [(negative, f64::NEG_INFINITY), (positive, f64::INFINITY)] {
            if wanted {
                let infinity = b.number(ty, value);
                let equal = b.compare(Order::Equal, x, infinity, element);
                found = b.same("arith.ori", &[found, equal]);
            }
        }
        found
    })
}
