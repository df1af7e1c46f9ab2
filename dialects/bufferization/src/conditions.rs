//! Conditions that the definitions refer to.

use dl_ir::OpRef;

/// The operand and the result, one a tensor and one a memref, have one shape and one element type.
pub(crate) fn tensor_and_buffer_match(op: OpRef<'_>) -> bool {
    let (Some(from), Some(to)) = (op.operands().get(0), op.results().get(0)) else { return false };
    let (from, to) = (from.ty(), to.ty());
    from.shape() == to.shape() && from.element_type() == to.element_type()
}
