//! Conditions that the definitions name.

use dl_ir::{OpRef, TypeRef};

/// Whether operand and result that are tensors have the same extents, dynamic ones included.
pub(crate) fn tensor_shapes_match(op: OpRef<'_>) -> bool {
    let extents = |ty: TypeRef<'_>| {
        if ty.is_tensor() { ty.shape().map(<[i64]>::to_vec) } else { Some(Vec::new()) }
    };
    extents(op.operand(0).ty()) == extents(op.result(0).ty())
}

/// Whether the condition is one `i1`, or has the shape of the result.
pub(crate) fn condition_is_scalar_or_has_shape_of_result(op: OpRef<'_>) -> bool {
    let (condition, result) = (op.operand(0).ty(), op.result(0).ty());
    condition.is_signless_integer_of(1) || condition.shape() == result.shape()
}
