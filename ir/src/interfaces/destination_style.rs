//! Operations that write their results into operands.

use crate::diagnostics::Diagnostic;
use crate::view::{OpRef, Operands};

/// An operation in destination-passing style: the operands that it writes, its *inits*, follow one another; each one that is a
/// tensor is tied to a result, in order, of the same type. Results that are no tensors may follow.
pub trait DestinationStyle: Send + Sync {
    /// The operands that are written.
    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a>;
}

/// An operation in destination-passing style that puts elements elsewhere, so that extents of its inits and of its other operands are not
/// those of each other: a more precise type of one is not enough for it to stay valid. A marker.
pub trait Relayout: Send + Sync {}

/// The inits are the operands of the operand definition of this number.
pub struct InitsAt(pub usize);

impl DestinationStyle for InitsAt {
    fn inits<'a>(&self, op: OpRef<'a>) -> Operands<'a> {
        op.operand_group(self.0)
    }
}

/// The inits of `op`; none where it is not in destination-passing style.
pub fn inits(op: OpRef<'_>) -> Option<Operands<'_>> {
    op.interface::<dyn DestinationStyle>().map(|style| style.inits(op))
}

/// Whether `op` is in destination-passing style and reads and writes no buffer.
pub fn has_pure_tensor_semantics(op: OpRef<'_>) -> bool {
    op.interface::<dyn DestinationStyle>().is_some() && op.operands().iter().all(|v| !v.ty().is_memref())
}

/// Whether `op` is in destination-passing style and reads and writes no tensor.
pub fn has_pure_buffer_semantics(op: OpRef<'_>) -> bool {
    op.interface::<dyn DestinationStyle>().is_some() && op.operands().iter().all(|v| !v.ty().is_tensor())
}

/// Number of the operand that result `index` is tied to.
pub fn tied_operand(op: OpRef<'_>, index: usize) -> Option<usize> {
    let inits = inits(op)?;
    let mut tensors = inits.iter().enumerate().filter(|(_, v)| v.ty().is_tensor());
    tensors.nth(index).map(|(i, _)| inits.start() + i)
}

/// Number of the result that operand `index` is tied to.
pub fn tied_result(op: OpRef<'_>, index: usize) -> Option<usize> {
    let inits = inits(op)?;
    let at = index.checked_sub(inits.start()).filter(|&at| at < inits.len())?;
    if !inits.get(at)?.ty().is_tensor() {
        return None;
    }
    Some(inits.iter().take(at).filter(|v| v.ty().is_tensor()).count())
}

/// Checks that each init that is a tensor has a result of its type, and that no other result is a tensor.
///
/// # Errors
/// The number of results where it is another, or the first whose type differs.
pub fn verify_destination_style(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(inits) = inits(op) else { return Ok(()) };
    let tensors = || inits.iter().enumerate().filter(|(_, v)| v.ty().is_tensor());
    let results = || op.results().iter().filter(|result| result.ty().is_tensor());
    if tensors().count() != results().count() {
        return Err(op.error(format_args!(
            "expected the number of tensor results ({}) to be equal to the number of output tensors ({})",
            results().count(),
            tensors().count()
        )));
    }
    for (i, init) in inits.iter().enumerate() {
        if !init.ty().is_ranked_tensor() && !init.ty().is_ranked_memref() {
            return Err(op.error(format_args!(
                "expected that operand #{} is a ranked tensor or a ranked memref",
                inits.start() + i
            )));
        }
    }
    for ((i, init), result) in tensors().zip(results()) {
        if init.ty() != result.ty() {
            return Err(op.error(format_args!(
                "expected type of operand #{} ('{}') to match type of corresponding result ('{}')",
                inits.start() + i,
                init.ty(),
                result.ty()
            )));
        }
    }
    Ok(())
}
