//! `vector.mask`.

use dl_ir::{OpRef, Trait, ValueRef};

use super::Verified;
use crate::YieldOp;

/// One operation that can be masked, or none, and its results are those of the whole.
pub(crate) fn mask(op: OpRef<'_>) -> Verified {
    let body = op.region(0).entry();
    let Some(last) = body.and_then(|body| body.last_op()).filter(|last| last.is::<YieldOp<'_>>()) else {
        return Err(op.error("expects a terminator within the mask region"));
    };
    let mut ops = body.into_iter().flat_map(|body| body.ops()).take_while(|each| *each != last);
    let (masked, more) = (ops.next(), ops.next());
    if more.is_some() {
        return Err(op.error("expects only one operation to mask"));
    }
    if last.num_operands() != op.num_results() {
        return Err(op.error("expects number of results to match mask region yielded values"));
    }
    let Some(masked) = masked else { return Ok(()) };
    if !is_maskable(masked) {
        return Err(op.error("expects a MaskableOpInterface within the mask region"));
    }
    if masked.num_results() != op.num_results() {
        return Err(op.error("expects number of results to match maskable operation number of results"));
    }
    if masked.results().ids() != last.operands().ids() {
        return Err(op.error("expects all the results from the MaskableOpInterface to be returned by the terminator"));
    }
    if masked.results().types() != op.results().types() {
        return Err(op.error("expects result type to match maskable operation result type"));
    }
    if masked.results().iter().map(ValueRef::ty).filter(|ty| ty.is_vector()).count() > 1 {
        return Err(op.error("multiple vector results not supported"));
    }
    Ok(())
}

/// Whether the definition names upstream's interface of such operations.
fn is_maskable(op: OpRef<'_>) -> bool {
    let named = |each: &Trait| matches!(each, Trait::Interface(name) if name == "MaskableOpInterface");
    op.def().is_some_and(|def| def.traits.iter().any(named))
}
