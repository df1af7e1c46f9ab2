//! Conversions between element types.

use dl_ir::ValueId;

use super::Builder;
use super::scalars::Order;
use crate::element::Element;
use crate::fault::Outcome;
use crate::literal::Literal;
use crate::tensor::{Data, Tensor};

/// Constants of no more elements than this are converted while importing.
const MAX_FOLDED: usize = 4096;

impl Builder<'_, '_> {
    /// One number as another type: floats are truncated towards zero to integers, and rounded to floats; what is not zero is true.
    pub(crate) fn convert(&mut self, value: ValueId, from: Element, to: Element) -> ValueId {
        let cx = self.cx();
        let (source, target) = (from.ty(cx), to.ty(cx));
        if from == to {
            return value;
        }
        if from != from.stored() {
            return self.convert(value, from.stored(), to);
        }
        if to != to.stored() {
            let stored = self.convert(value, from, to.stored());
            return self.wrap(stored, to);
        }
        if from.is_f8() && !to.is_float() || to.is_f8() && !from.is_float() {
            let wide = self.convert(value, from, Element::F32);
            return self.convert(wide, Element::F32, to);
        }
        if to == Element::Bool {
            let zero = self.number(source, 0.0);
            return if from.is_float() {
                let equal = self.compare(Order::Equal, value, zero, from);
                self.not(equal)
            } else {
                self.compare_ints("ne", value, zero)
            };
        }
        let name = match (from.is_float(), to.is_float()) {
            (true, true) if from.width() > to.width() => "arith.truncf",
            (true, true) if from.width() < to.width() => "arith.extf",
            (true, true) => {
                // Between two formats of one size there is no way but through a wider one.
                let wide = self.op("arith.extf", &[value], cx.f32_type());
                return self.op("arith.truncf", &[wide], target);
            }
            // By way of 64 bits, so that what does not fit wraps as ONNX's reference does it.
            (true, false) if to.width() < 32 => {
                let wide = self.op("arith.fptosi", &[value], cx.i32_type());
                return self.op("arith.trunci", &[wide], target);
            }
            (true, false) if to.is_signed() => "arith.fptosi",
            (true, false) => "arith.fptoui",
            (false, true) if from.is_signed() => "arith.sitofp",
            (false, true) => "arith.uitofp",
            (false, false) if source == target => return value,
            (false, false) if from.width() > to.width() => "arith.trunci",
            (false, false) if from.is_signed() => "arith.extsi",
            (false, false) => "arith.extui",
        };
        self.op(name, &[value], target)
    }

    /// What 4 bits hold of a byte, extended to one as type `to`.
    fn wrap(&mut self, byte: ValueId, to: Element) -> ValueId {
        let ty = self.type_of(byte);
        if !to.is_signed() {
            let mask = self.int(ty, 15);
            return self.same("arith.andi", &[byte, mask]);
        }
        let by = self.int(ty, 4);
        let high = self.same("arith.shli", &[byte, by]);
        self.same("arith.shrsi", &[high, by])
    }

    /// A float within the finite range of a type, or NaN.
    pub(crate) fn limit(&mut self, value: ValueId, element: Element, to: Element) -> ValueId {
        let (ty, (low, high)) = (self.type_of(value), to.range());
        let (low, high) = (self.number(ty, low), self.number(ty, high));
        let value = self.max(value, low, element);
        self.min(value, high, element)
    }

    /// Every element as another type, that which is beyond its finite range at the end of it.
    ///
    /// # Errors
    /// Never for tensors that are sound.
    pub(crate) fn cast_saturating(&mut self, input: &Tensor, to: Element) -> Outcome<Tensor> {
        let from = input.element;
        let wide = if from.is_float() && !from.is_f8() { from } else { Element::F32 };
        let input = self.cast(input, wide)?;
        self.map(&[&input], to, |b, args| {
            let limited = b.limit(args[0], wide, to);
            Ok(b.convert(limited, wide, to))
        })
    }

    /// Every element as another type.
    ///
    /// # Errors
    /// Never for tensors that are sound.
    pub(crate) fn cast(&mut self, input: &Tensor, to: Element) -> Outcome<Tensor> {
        let from = input.element;
        if from == to {
            return Ok(input.clone());
        }
        match &input.data {
            Data::Scalars(_) if matches!(to, Element::I64 | Element::I32) => {
                return Ok(Tensor { element: to, ..input.clone() });
            }
            Data::Literal(literal) if literal.len() <= MAX_FOLDED => {
                let folded = if from.is_float() {
                    // An element that no integer of the type is near to is left to the program.
                    let floats = literal.floats();
                    let limit = 2_f64.powi(to.width() as i32 - 1);
                    let fits = to.is_float() || to == Element::Bool || floats.iter().all(|value| value.abs() < limit);
                    fits.then(|| match to {
                        Element::Bool => {
                            let bits: Vec<i64> = floats.iter().map(|&value| i64::from(value != 0.0)).collect();
                            Literal::of_ints(to, &literal.shape, &bits)
                        }
                        _ => Literal::of_floats(to, &literal.shape, &floats),
                    })
                } else if to.is_float() {
                    Some(Literal::of_floats(to, &literal.shape, &literal.floats()))
                } else {
                    Some(Literal::of_ints(to, &literal.shape, &literal.ints()))
                };
                if let Some(folded) = folded {
                    return Ok(Tensor::literal(folded?));
                }
            }
            _ => {}
        }
        if from.ty(self.cx()) == to.ty(self.cx()) && to == to.stored() {
            return Ok(Tensor { element: to, ..input.clone() });
        }
        self.map(&[input], to, |b, args| Ok(b.convert(args[0], from, to)))
    }
}
