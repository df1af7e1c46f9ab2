//! Conditions that the definitions refer to.

use dl_ir::{OpRef, OpView, TypeRef, ValueRef};

use crate::{VectorExtractOp, VectorInsertOp, VectorInterleave2Op};

/// What LLVM allows for a vector in `vector.insert` and `vector.extract`.
const MAX_VECTOR_BITS: u64 = 1 << 17;

/// No vector among operands and results takes more than 2^17 bits, scalable ones by their minimum.
pub(crate) fn vectors_are_small_enough(op: OpRef<'_>) -> bool {
    let bits = |ty: TypeRef<'_>| {
        let element = ty.element_type().and_then(TypeRef::int_or_float_width).unwrap_or(64);
        ty.num_elements().and_then(|n| n.checked_mul(u64::from(element)))
    };
    let values = op.operands().iter().chain(op.results().iter()).map(ValueRef::ty);
    values.filter(|ty| ty.is_vector()).all(|ty| bits(ty).is_some_and(|bits| bits <= MAX_VECTOR_BITS))
}

/// A scalable vector is only taken out of a scalable one.
pub(crate) fn extracts_no_scalable_from_fixed(op: OpRef<'_>) -> bool {
    let extract = VectorExtractOp::wrap(op);
    !extract.res().ty().is_scalable_vector() || extract.srcvec().ty().is_scalable_vector()
}

/// A scalable vector is only put into a scalable one.
pub(crate) fn inserts_no_scalable_into_fixed(op: OpRef<'_>) -> bool {
    let insert = VectorInsertOp::wrap(op);
    !insert.srcvec().ty().is_scalable_vector() || insert.dstvec().ty().is_scalable_vector()
}

/// The result of an interleave is its first operand with twice the elements.
pub(crate) fn result_has_twice_the_elements(op: OpRef<'_>) -> bool {
    let interleave = VectorInterleave2Op::wrap(op);
    let (one, result) = (interleave.vec1().ty(), interleave.res().ty());
    let doubled: Option<Vec<i64>> = one.shape().map(|shape| shape.iter().map(|n| n.saturating_mul(2)).collect());
    doubled.and_then(|shape| one.with_shape(&shape)) == Some(result.id())
}
