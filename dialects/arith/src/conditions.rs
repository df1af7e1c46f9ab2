//! Conditions that the definitions refer to.

use dl_ir::{OpRef, OpView, TypeRef};

use crate::SelectOp;

/// The first operand and the result are tensors of one shape, or neither is a tensor.
pub(crate) fn tensor_shapes_match(op: OpRef<'_>) -> bool {
    fn shape(ty: TypeRef<'_>) -> &[i64] {
        if ty.is_tensor() { ty.shape().unwrap_or_default() } else { &[] }
    }
    let (Some(input), Some(output)) = (op.operands().get(0), op.results().get(0)) else {
        return false;
    };
    shape(input.ty()) == shape(output.ty())
}

/// The condition of a `select` is an `i1`, or shaped like the result.
pub(crate) fn condition_is_scalar_or_has_shape_of_result(op: OpRef<'_>) -> bool {
    let select = SelectOp::wrap(op);
    let (condition, result) = (select.condition().ty(), select.result().ty());
    condition.is_signless_integer_of(1)
        || condition.is_shaped() && condition.shape() == result.shape()
}
