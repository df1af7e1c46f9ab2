//! Folds: a buffer of a tensor of a buffer, and the other way round.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, OpRef};

use crate::{ToBufferOp, ToTensorOp};

/// The tensor whose buffer has just been taken: nothing can have written to it in between.
pub(crate) fn to_tensor(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let to_buffer = ToTensorOp(op).buffer().def::<ToBufferOp<'_>>()?;
    let adjacent = to_buffer.0.next() == Some(op) && to_buffer.tensor().ty() == op.result(0).ty();
    adjacent.then(|| to_buffer.tensor().id()).and_then(folded)
}

/// The buffer that the tensor was read from.
pub(crate) fn to_buffer(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let to_tensor = ToBufferOp(op).tensor().def::<ToTensorOp<'_>>()?;
    (to_tensor.buffer().ty() == op.result(0).ty()).then(|| to_tensor.buffer().id()).and_then(folded)
}
