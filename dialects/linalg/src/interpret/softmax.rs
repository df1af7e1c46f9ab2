//! The share of each element's exponential in the sum of those along a dimension.

use dl_ir::interp::{Array, Flow, Machine, Odometer, Outcome, Shape, Step, Value, read_element, write_element};
use dl_ir::number::float;
use dl_ir::{AttrRef, Diagnostic, FloatKind};

/// `exp(x - m) / sum(exp(x - m))` along the dimension, where `m` is the largest element, each step rounded to the format of the elements.
/// Of tensors the result is a new one; of memrefs the output is written.
pub(super) fn softmax<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Outcome<'a> {
    let dim = step.op.attr("dimension").and_then(AttrRef::as_int).and_then(|dim| usize::try_from(dim).ok());
    let input = elements(step, machine)?;
    let dim = dim.filter(|&dim| dim < input.shape().len()).ok_or_else(|| step.op.error("has no such dimension"))?;
    let ty = step.op.operand(0).ty().element_or_self();
    let kind = ty.float_kind().ok_or_else(|| step.unsupported(format_args!("elements of type '{ty}'")))?;
    let output = match step.one(1)? {
        Value::MemRef(output) => Shape::from(&output.shape[..]),
        output => Shape::from(step.array(output)?.shape()),
    };
    if output[..] != *input.shape() {
        return Err(step.undefined("the input and the output have different sizes"));
    }
    let mut result = input.clone();
    let mut rows = Shape::from(input.shape());
    rows[dim] = i64::from(rows[dim] > 0);
    let mut rows = Odometer::new(&rows);
    while let Some(row) = rows.next() {
        let mut places = Vec::new();
        for at in 0..input.shape()[dim] {
            let mut index = Shape::from(row);
            index[dim] = at;
            let place = input.position(&index);
            places.push(step.defined(place)?);
        }
        let values: Vec<&Value> = places.iter().map(|&place| &input.elements()[place]).collect();
        for (place, value) in places.iter().zip(shares(step, kind, &values)?) {
            result.elements_mut()[*place] = value;
        }
    }
    let Value::MemRef(output) = step.one(1)? else { return Ok(Flow::from(result)) };
    let mut indices = Odometer::new(result.shape());
    for element in result.elements() {
        let Some(index) = indices.next() else { break };
        write_element(step, machine, output, index, element.clone())?;
    }
    Ok(Flow::none())
}

fn elements<'a>(step: Step<'a, '_>, machine: &mut dyn Machine<'a>) -> Result<Array, Diagnostic> {
    let Value::MemRef(input) = step.one(0)? else { return step.array(step.one(0)?).map(|array| (**array).clone()) };
    let mut array = step.defined(Array::filled(&input.shape, &Value::Poison))?;
    let mut indices = Odometer::new(&input.shape);
    for slot in array.elements_mut() {
        let Some(index) = indices.next() else { break };
        *slot = read_element(step, machine, 0, index)?;
    }
    Ok(array)
}

/// Poison, if any of the values is.
fn shares(step: Step<'_, '_>, kind: FloatKind, values: &[&Value]) -> Result<Vec<Value>, Diagnostic> {
    if values.iter().any(|value| value.is_poison()) {
        return Ok(vec![Value::Poison; values.len()]);
    }
    let bits = values.iter().map(|value| step.float(value).map(|(_, bits)| bits)).collect::<Result<Vec<_>, _>>()?;
    let most = bits.iter().copied().reduce(|a, b| float::maxnum(kind, a, b)).unwrap_or(float::zero(kind));
    let exponential = |&bits: &u128| {
        let power = float::to_f64(kind, float::sub(kind, bits, most));
        float::from_f64(kind, libm::exp(power)).0
    };
    let powers: Vec<u128> = bits.iter().map(exponential).collect();
    let sum = powers.iter().fold(float::zero(kind), |sum, &power| float::add(kind, sum, power));
    Ok(powers.into_iter().map(|power| Value::Float(kind, float::div(kind, power, sum))).collect())
}
