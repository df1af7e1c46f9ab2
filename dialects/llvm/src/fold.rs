//! Constant folding.

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, OpRef, OpView};

use crate::{ExtractValueOp, GEPOp, InsertValueOp};

/// A constant is its value.
pub(crate) fn fold_constant(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.attr("value")?.id())
}

/// What was inserted at the same place is what is extracted; what was inserted elsewhere does not matter.
pub(crate) fn fold_extract_value(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    let position = ExtractValueOp::wrap(op).position().as_i64_array()?;
    let mut container = op.operand(0).def::<InsertValueOp<'_>>();
    while let Some(insert) = container {
        let inserted = insert.position().as_i64_array()?;
        if inserted == position {
            return folded(insert.value().id());
        }
        // One inside the other: the value is put together from both.
        if inserted.starts_with(&position) || position.starts_with(&inserted) {
            return None;
        }
        container = insert.container().def::<InsertValueOp<'_>>();
    }
    None
}

/// An address with the only index 0 is the base.
pub(crate) fn fold_gep(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    let view = GEPOp::wrap(op);
    let mut indices = view.raw_constant_indices().dense_ints();
    let only_zero = indices.next() == Some(0) && indices.next().is_none();
    (only_zero && view.base().ty() == view.res().ty()).then(|| folded(view.base().id())).flatten()
}

/// A cast to the same type does nothing.
pub(crate) fn fold_same_type_cast(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    if op.operand(0).ty() == op.result(0).ty() { folded(op.operand(0).id()) } else { None }
}
