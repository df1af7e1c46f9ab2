//! Operations under a mask.

use dl_ir::{OpRef, Type, ValueRef};

use super::Verified;
use crate::assembly::mask_type;
use crate::{MaskOp, MultiDimReductionOp, ReductionOp, TransferReadOp, TransferWriteOp, YieldOp};

/// One operation that can be masked, whose results are those of the mask, and a mask of the type that it wants.
pub(crate) fn mask(op: OpRef<'_>) -> Verified {
    let mask = MaskOp(op);
    let ops: Vec<OpRef<'_>> = mask.mask_region().ops().take(3).collect();
    if ops.len() > 2 {
        return Err(op.error("expects only one operation to mask"));
    }
    let Some(end) = ops.last().filter(|last| last.is::<YieldOp<'_>>()) else {
        return Err(op.error("expects a terminator within the mask region"));
    };
    if end.num_operands() != op.num_results() {
        return Err(op.error("expects number of results to match mask region yielded values"));
    }
    if mask.passthru().is_some() && op.num_results() == 0 {
        return Err(op.error("expects result when passthru argument is provided"));
    }
    let [inner, _] = ops[..] else { return Ok(()) };
    if !inner.names_interface("MaskableOpInterface") {
        return Err(op.error("expects a MaskableOpInterface within the mask region"));
    }
    if inner.num_results() != op.num_results() {
        return Err(op.error("expects number of results to match maskable operation number of results"));
    }
    if !inner.results().iter().eq(end.operands().iter()) {
        return Err(op.error(
            "expects all the results from the MaskableOpInterface to match all the values returned by the terminator",
        ));
    }
    if inner.results().types() != op.results().types() {
        return Err(op.error("expects result type to match maskable operation result type"));
    }
    if inner.results().iter().filter(|result| result.ty().is_vector()).count() > 1 {
        return Err(op.error("multiple vector results not supported"));
    }
    if let Some(expected) = expected_mask(inner).filter(|&expected| expected != mask.mask().ty().id()) {
        let expected = op.cx().ty(expected);
        return Err(op.error(format_args!("expects a '{expected}' mask for the maskable operation")));
    }
    match (mask.passthru(), inner.results().iter().next()) {
        (Some(passthru), Some(result)) if passthru.ty() != result.ty() => {
            Err(op.error("expects passthru type to match result type"))
        }
        _ => Ok(()),
    }
}

/// The type of a mask for `op`, where that follows from one of its vectors.
fn expected_mask(op: OpRef<'_>) -> Option<Type> {
    let cx = op.cx();
    let of_elements = |vector: ValueRef<'_>| Some(vector.ty().with_element(cx.i1_type()));
    if let Some(reduction) = op.cast::<ReductionOp<'_>>() {
        return of_elements(reduction.vector());
    }
    if let Some(reduction) = op.cast::<MultiDimReductionOp<'_>>() {
        return of_elements(reduction.source());
    }
    if let Some(read) = op.cast::<TransferReadOp<'_>>() {
        return mask_type(cx, read.vector().ty(), read.permutation_map().as_affine_map()?);
    }
    let write = op.cast::<TransferWriteOp<'_>>()?;
    mask_type(cx, write.value_to_store().ty(), write.permutation_map().as_affine_map()?)
}
