//! Why there is a copy: a remark for each, with notes at the operations involved.

use dl_bufferization::AllocTensorOp;
use dl_ir::{Diagnostic, OpId, OpRef, Rewriter, TypeRef, ValueId};

use super::analysis::{Analysis, Reason};
use super::operand::{Operand, Use};

/// Reports the copies that `op` needs: those among the operations from slot `first_new` on.
pub(super) fn inserted_copies(
    state: &Analysis<'_>,
    rw: &Rewriter<'_>,
    op: OpId,
    first_new: usize,
    remarks: &mut Vec<Diagnostic>,
) {
    let new = (first_new..rw.ir().num_op_slots()).map(OpId::from_index).filter(|&new| rw.ir().is_live(new));
    for copy in new.filter_map(|new| rw.op(new).cast::<AllocTensorOp<'_>>()) {
        let Some(source) = copy.copy() else { continue };
        let Some((user, index)) = copy.0.result(0).uses().next() else { continue };
        let operand =
            if user.id() == op { Some(Use { op, index }) } else { aliased_operand(state, rw.op(op), source.id()) };
        let size = size_text(source.ty());
        remarks.push(match operand.and_then(|operand| Some((operand, state.reason(operand)?))) {
            Some((operand, reason)) => explain(rw, operand, reason, &size),
            None if user.id() == op || operand.is_some() => {
                rw.op(op).remark(format_args!("copies {size}: there was no analysis"))
            }
            None => user
                .remark(format_args!("copies {size}, operand #{index}: it is in another buffer than the region got"))
                .note(rw.op(op).loc(), "handed on to this operation"),
        });
    }
}

/// The operand of `op` that is out of place and whose only alias is `value`, which is copied in its stead.
fn aliased_operand(state: &Analysis<'_>, op: OpRef<'_>, value: ValueId) -> Option<Use> {
    let result = op.results().iter().find(|result| result.id() == value)?;
    Operand::tensors(op)
        .find(|&operand| state.aliasing_values(operand).iter().any(|alias| alias.value == result.id()))
        .map(Operand::id)
}

fn explain(rw: &Rewriter<'_>, operand: Use, reason: Reason, size: &str) -> Diagnostic {
    let op = rw.op(operand.op);
    let copies = |why: &str| op.remark(format_args!("copies {size}, operand #{}: {why}", operand.index));
    match reason {
        Reason::ReadOnly(value) => {
            copies("its buffer must not be written").note(rw.value(value).loc(), "the buffer comes from here")
        }
        Reason::Conflict { read, write, definition } => {
            let what = if write == operand { "what it overwrites is read later" } else { "its buffer is overwritten" };
            copies(what)
                .note(rw.op(write.op).loc(), "written here")
                .note(rw.op(read.op).loc(), "read here")
                .note(rw.value(definition).loc(), "what is read is defined here")
        }
        Reason::Race { write, definition } => copies("several threads would write its buffer")
            .note(rw.op(write.op).loc(), "written here")
            .note(rw.value(definition).loc(), "the buffer comes from outside the parallel region"),
    }
}

/// A copy to another buffer because the one there is cannot be seen as one of type `to`.
pub(super) fn layout(rw: &Rewriter<'_>, buffer: ValueId, to: TypeRef<'_>) -> Diagnostic {
    let from = rw.value(buffer);
    let size = size_text(from.ty());
    let message = format!("copies {size}: a buffer of type {} cannot be used as one of type {to}", from.ty());
    Diagnostic::remark(from.loc(), message)
}

/// How much is copied, as far as that is known.
fn size_text(ty: TypeRef<'_>) -> String {
    let bits = ty.element_type().and_then(|element| element.int_or_float_width());
    let count = ty.shape().and_then(|shape| {
        shape.iter().try_fold(1_u64, |count, &extent| count.checked_mul(u64::try_from(extent).ok()?))
    });
    match bits.zip(count) {
        Some((bits, count)) => format!("{} bytes", u128::from(bits).div_ceil(8) * u128::from(count)),
        None => format!("{ty}"),
    }
}
