//! Conditions that the definitions refer to.

use dl_ir::{OpRef, TypeRef};

use crate::types::is_quantized;

/// Input and result are both scalars, both tensors without a rank, or both tensors of one shape.
pub(crate) fn same_shape(op: OpRef<'_>) -> bool {
    let (input, result) = (op.operand(0).ty(), op.result(0).ty());
    let scalar = |ty: TypeRef<'_>| ty.is_signless_integer() || ty.is_float() || is_quantized(ty);
    scalar(input) && scalar(result)
        || input.is_unranked_tensor() && result.is_unranked_tensor()
        || input.is_ranked_tensor() && result.is_ranked_tensor() && input.shape() == result.shape()
}

/// One of input and result is quantized, the other an integer.
pub(crate) fn integer_and_quantized(op: OpRef<'_>) -> bool {
    let [input, result] = [op.operand(0), op.result(0)].map(|value| value.ty().element_or_self());
    is_quantized(input) && result.is_signless_integer() || input.is_signless_integer() && is_quantized(result)
}
