//! Tensors out of nothing: constants, ranges, patterns.

use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;

use super::{Operator, one};
use crate::builder::{Builder, Order};
use crate::element::Element;
use crate::fault::{Outcome, fault, require};
use crate::literal::Literal;
use crate::node::Node;
use crate::tensor::{Data, Tensor};

pub(super) const OPERATORS: &[Operator] = &[
    one("Constant", 1, constant),
    one("ConstantOfShape", 9, constant_of_shape),
    one("EyeLike", 9, eye_like),
    one("OneHot", 9, one_hot),
    one("Range", 11, range),
];

fn constant(_: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    if let Some(value) = node.tensor("value")? {
        return Ok(Tensor::literal(value));
    }
    let literal = if node.has("value_int") {
        Literal::of_ints(Element::I64, &[], &[node.int("value_int", 0)?])
    } else if node.has("value_float") {
        Literal::of_floats(Element::F32, &[], &[node.float("value_float", 0.0)?])
    } else if let Some(values) = node.ints("value_ints")? {
        Literal::of_ints(Element::I64, &[values.len() as i64], values)
    } else if let Some(values) = node.floats("value_floats")? {
        Literal::of_floats(Element::F32, &[values.len() as i64], &values)
    } else {
        Err(fault!("unsupported: a constant that is no tensor of numbers"))
    };
    literal.map(Tensor::literal)
}

fn constant_of_shape(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let dims = b.scalars(node.input(0)?)?;
    let value = match node.tensor("value")? {
        Some(value) => value,
        None => Literal::of_floats(Element::F32, &[], &[0.0])?,
    };
    for dim in &dims {
        require!(dim.as_static().is_none_or(|extent| extent >= 0), "negative extent {}", dim.extent());
    }
    // Lists of integers are often shapes.
    if let (&[Index::Static(length)], true) = (&dims[..], value.element == Element::I64)
        && length <= 64
    {
        let value = value.ints().first().copied().ok_or("expected one element")?;
        return Ok(Tensor::list(Element::I64, vec![Index::Static(value); length as usize]));
    }
    let scalar = value.first_attr(b.cx())?;
    let scalar = b.constant(scalar);
    let filled = b.fill(&dims, value.element, scalar)?;
    Ok(b.tensor(filled, dims, value.element))
}

fn eye_like(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let input = node.input(0)?;
    require!(input.rank() == 2, "expected rank 2, but got {}", input.rank());
    let element = node.element("dtype")?.unwrap_or(input.element);
    let offset = node.int("k", 0)?;
    b.generate(&input.dims, element, |b, at| {
        let offset = b.index(Index::Static(offset));
        let diagonal = b.add(at[0], offset);
        let on = b.compare_ints("eq", at[1], diagonal);
        Ok(b.convert(on, Element::Bool, element))
    })
}

fn range(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let [start, limit, delta] = [node.input(0)?, node.input(1)?, node.input(2)?];
    let element = start.element;
    require!(limit.element == element && delta.element == element, "expected inputs of one element type");
    for input in [start, limit, delta] {
        let is_scalar = input.rank() == 0 || input.static_dims().is_some_and(|dims| dims == [1]);
        require!(is_scalar, "expected scalars, but got a tensor of rank {}", input.rank());
    }
    let first = |tensor: &Tensor| tensor.known_floats().and_then(|values| values.first().copied());
    let length = match (first(start), first(limit), first(delta)) {
        (Some(start), Some(limit), Some(delta)) => {
            require!(delta != 0.0, "a step of 0");
            let length = ((limit - start) / delta).ceil().max(0.0);
            require!((0.0..2_f64.powi(40)).contains(&length), "a range of {length} elements");
            Index::Static(length as i64)
        }
        _ if !element.is_float() => {
            let [start, limit, delta] = [b.scalars(start)?[0], b.scalars(limit)?[0], b.scalars(delta)?[0]];
            let span = b.index_sub(limit, start)?;
            let (span, delta) = (b.index(span), b.index(delta));
            let zero = b.index(Index::Static(0));
            let valid = b.compare_ints("ne", delta, zero);
            b.assert(valid, "a range with a step of 0");
            let steps = b.same("arith.ceildivsi", &[span, delta]);
            Index::Value(b.same("arith.maxsi", &[steps, zero]))
        }
        _ => {
            let f64 = Element::F64;
            let mut values = Vec::new();
            for input in [start, limit, delta] {
                let value = b.value(input)?;
                let value = b.extract(value, &[]);
                values.push(b.convert(value, element, f64));
            }
            let span = b.sub(values[1], values[0]);
            let steps = b.div(span, values[2], f64);
            let steps = b.same("math.ceil", &[steps]);
            let zero = b.number(f64.ty(b.cx()), 0.0);
            let steps = b.max(steps, zero, f64);
            let count = b.convert(steps, f64, Element::I64);
            Index::Value(b.cast_to_index(count, Element::I64))
        }
    };
    if let (Index::Static(length @ 0..=64), Some(start), Some(delta), false) =
        (length, first(start), first(delta), element.is_float())
    {
        let values = (0..length).map(|at| Index::Static(start as i64 + at * delta as i64)).collect();
        return Ok(Tensor::list(element, values));
    }
    let (start, delta) = (b.reshape(start, &[])?, b.reshape(delta, &[])?);
    b.map_to(&[length], &[&start, &delta], element, |b, args| {
        let at = b.loop_index(0);
        let at = b.op("arith.index_cast", &[at], Element::I64.ty(b.cx()));
        let at = b.convert(at, Element::I64, element);
        let distance = b.mul(at, args[1]);
        Ok(b.add(args[0], distance))
    })
}

/// Indices outside are neither: all is off there.
fn one_hot(b: &mut Builder<'_, '_>, node: &Node<'_>) -> Outcome<Tensor> {
    let (indices, values) = (node.input(0)?, node.input(2)?);
    let depth = b_cast(b, node.input(1)?)?;
    let depth = b.scalars(&depth)?;
    let depth = *depth.first().ok_or("expected a depth")?;
    require!(depth.as_static().is_none_or(|depth| depth >= 0), "expected a depth that is not negative");
    require!(values.rank() == 1, "expected values of rank 1, but got {}", values.rank());
    let rank = indices.rank() + 1;
    let axis = crate::tensor::normalized(node.int("axis", -1)?, rank)?;
    let mut dims: Indices = indices.dims.clone();
    dims.insert(axis, depth);
    let expanded = b.unsqueeze(indices, &[axis])?;
    let (off, on) = (
        b.part(values, 0, Index::Static(0), Index::Static(1))?,
        b.part(values, 0, Index::Static(1), Index::Static(1))?,
    );
    let (off, on) = (b.reshape(&off, &[])?, b.reshape(&on, &[])?);
    let of_index = indices.element;
    b.map_to(&dims, &[&expanded, &off, &on], values.element, |b, args| {
        let at = b.loop_index(axis);
        let at = b.op("arith.index_cast", &[at], Element::I64.ty(b.cx()));
        let index = b.convert(args[0], of_index, Element::I64);
        let depth = b.index(depth);
        let depth = b.op("arith.index_cast", &[depth], Element::I64.ty(b.cx()));
        let zero = b.int(Element::I64.ty(b.cx()), 0);
        let negative = b.compare(Order::Less, index, zero, Element::I64);
        let wrapped = b.add(index, depth);
        let index = b.select(negative, wrapped, index);
        let hot = b.compare(Order::Equal, index, at, Element::I64);
        Ok(b.select(hot, args[2], args[1]))
    })
}

/// An integer tensor of one that may be of floats.
fn b_cast(b: &mut Builder<'_, '_>, tensor: &Tensor) -> Outcome<Tensor> {
    let cast = b.cast(tensor, Element::I64)?;
    if matches!(cast.data, Data::Value(_)) && cast.rank() == 1 {
        b.reshape(&cast, &[Index::Static(1)])
    } else {
        Ok(cast)
    }
}
