//! Fast-math and overflow flags of operations.

use dl_ir::OpRef;

use crate::{FastMathFlags, IntegerOverflowFlags};

/// The fast-math flags of `op`; none where it has no such attribute.
pub fn fastmath(op: OpRef<'_>) -> FastMathFlags {
    op.attr("fastmath").and_then(FastMathFlags::from_attr).unwrap_or_default()
}

/// The overflow flags of `op`; none where it has no such attribute.
pub fn overflow(op: OpRef<'_>) -> IntegerOverflowFlags {
    op.attr("overflowFlags").and_then(IntegerOverflowFlags::from_attr).unwrap_or_default()
}
