//! Positions that are elements of tensors: what gathers and scatters have in common.

use dl_ir::ValueId;
use dl_ir::interfaces::Index;

use super::Builder;
use crate::element::Element;
use crate::fault::{Outcome, require};
use crate::tensor::Tensor;

impl Builder<'_, '_> {
    /// Positions in a dimension of this extent as they are given, negative ones counted from the end. Those outside are an error now where they are
    /// known, and end the program otherwise.
    ///
    /// # Errors
    /// A position that is known to be outside, or elements that are no integers.
    pub(crate) fn positions(&mut self, indices: &Tensor, extent: Index) -> Outcome<()> {
        require!(indices.element.is_integer(), "expected integers as indices, but got {}", indices.element.name());
        if let (Some(known), Index::Static(extent)) = (indices.known_ints(), extent) {
            for index in known {
                require!((-extent..extent).contains(&index), "index {index} is out of range for an extent of {extent}");
            }
            return Ok(());
        }
        let element = indices.element;
        let limit = self.index(extent);
        let all: Vec<usize> = (0..indices.rank()).collect();
        let inside = self.map(&[indices], Element::Bool, |b, args| {
            let index = b.cast_to_index(args[0], element);
            let zero = b.index(Index::Static(0));
            let least = b.sub(zero, limit);
            let (low, high) = (b.compare_ints("sge", index, least), b.compare_ints("slt", index, limit));
            Ok(b.same("arith.andi", &[low, high]))
        })?;
        let inside = self.reduce(&inside, &all, 1.0, |b, element, so_far| b.same("arith.andi", &[element, so_far]))?;
        let inside = self.value(&inside)?;
        let holds = self.op("tensor.extract", &[inside], self.cx().i1_type());
        self.assert(holds, "an index is out of range");
        Ok(())
    }

    /// An element of a tensor of positions as an index from the front, in the body of a loop nest. It has been checked.
    pub(crate) fn position(&mut self, value: ValueId, element: Element, extent: Index) -> ValueId {
        let index = self.cast_to_index(value, element);
        if !element.is_signed() {
            return index;
        }
        let (zero, extent) = (self.index(Index::Static(0)), self.index(extent));
        let negative = self.compare_ints("slt", index, zero);
        let wrapped = self.add(index, extent);
        self.select(negative, wrapped, index)
    }

    /// An element of a tensor of the program.
    pub(crate) fn extract(&mut self, tensor: ValueId, at: &[ValueId]) -> ValueId {
        let operands: Vec<ValueId> = std::iter::once(tensor).chain(at.iter().copied()).collect();
        let ty = self.rw.value_type(tensor).element_or_self().id();
        self.op("tensor.extract", &operands, ty)
    }

    /// The tensor with another element at this place.
    pub(crate) fn store(&mut self, value: ValueId, tensor: ValueId, at: &[ValueId]) -> ValueId {
        let operands: Vec<ValueId> = [value, tensor].into_iter().chain(at.iter().copied()).collect();
        let ty = self.type_of(tensor);
        self.op("tensor.insert", &operands, ty)
    }
}
