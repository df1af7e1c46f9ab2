//! Conditions that the definitions name.

use dl_ir::OpRef;

/// Whether operand and result that are tensors have the same extents, dynamic ones included.
pub(crate) fn tensor_shapes_match(op: OpRef<'_>) -> bool {
    let (operand, result) = (op.operand(0).ty(), op.result(0).ty());
    match (operand.is_tensor(), result.is_tensor()) {
        (false, false) => true,
        (true, true) => operand.shape() == result.shape(),
        // A tensor without extents is like what has none.
        (true, false) => operand.shape().is_some_and(<[i64]>::is_empty),
        (false, true) => result.shape().is_some_and(<[i64]>::is_empty),
    }
}

/// Whether the condition is one `i1`, or has the shape of the result.
pub(crate) fn condition_is_scalar_or_has_shape_of_result(op: OpRef<'_>) -> bool {
    let (condition, result) = (op.operand(0).ty(), op.result(0).ty());
    condition.is_signless_integer_of(1) || condition.shape() == result.shape()
}
