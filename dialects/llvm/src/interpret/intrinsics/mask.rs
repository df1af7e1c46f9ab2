//! Which lanes of vectors take part in an operation.

use dl_ir::interp::{Step, Value};
use dl_ir::{Diagnostic, TypeRef};

use crate::interpret::aggregates::lane_at;

/// A mask, and how many lanes it is for.
#[derive(Clone, Copy)]
pub(super) struct Mask<'v> {
    /// A vector of `i1`; `None` where all lanes take part.
    lanes: Option<&'v Value>,
    /// Lanes from this one on take no part.
    end: usize,
}

impl<'v> Mask<'v> {
    /// All lanes.
    pub(super) const ALL: Self = Self { lanes: None, end: usize::MAX };

    /// The lanes of a vector of `i1`.
    pub(super) fn of(lanes: &'v Value) -> Self {
        Self { lanes: Some(lanes), end: usize::MAX }
    }

    /// The operands of a vector-predicated operation that come before its last two, and the mask that those are: a vector of `i1`, and
    /// how many lanes count at all.
    ///
    /// # Errors
    /// That more lanes count than there are, or that their number is poison.
    pub(super) fn predicate(step: Step<'_, 'v>) -> Result<(&'v [Value], Self), Diagnostic> {
        let [operands @ .., lanes, end] = step.operands else { return Err(step.op.error("has no mask and length")) };
        let all = lane_count(step, step.op.operand(operands.len()).ty())?;
        Ok((operands, Self { lanes: Some(lanes), end: length(step, end, all)? }))
    }

    /// Whether lane `at` takes part; `None` where that is poison.
    pub(super) fn get(self, at: usize) -> Option<bool> {
        if at >= self.end {
            return Some(false);
        }
        match self.lanes {
            Some(lanes) => lane_at(lanes, at).as_int().map(|lane| !lane.is_zero()),
            None => Some(true),
        }
    }

    /// Whether lane `at` accesses memory.
    ///
    /// # Errors
    /// That this depends on poison.
    pub(super) fn accesses(self, step: Step<'_, '_>, at: usize) -> Result<bool, Diagnostic> {
        self.get(at).ok_or_else(|| step.undefined("poison decides whether memory is accessed"))
    }
}

/// An explicit vector length, at most `all`.
///
/// # Errors
/// That it is more, or poison.
pub(super) fn length(step: Step<'_, '_>, value: &Value, all: usize) -> Result<usize, Diagnostic> {
    let length = step.int(value)?;
    let known = length.to_u64().and_then(|length| usize::try_from(length).ok()).filter(|&length| length <= all);
    known.ok_or_else(|| step.undefined(format_args!("a length of {value} for vectors of {all} lanes")))
}

/// How many lanes a vector of type `ty` has.
///
/// # Errors
/// That `ty` is no vector, or one of too many lanes.
pub(super) fn lane_count(step: Step<'_, '_>, ty: TypeRef<'_>) -> Result<usize, Diagnostic> {
    let shape = step.vector_shape(ty).ok_or_else(|| step.op.error(format_args!("has '{ty}' where vectors are")))?;
    let count = dl_ir::interp::num_elements(&shape);
    step.defined(count)
}

/// The vector of these lanes.
pub(super) fn vector(lanes: Vec<Value>) -> Value {
    dl_ir::interp::Array::new(&[lanes.len() as i64], lanes).into()
}
