//! Folds: what an operation equals when operands are constant or related.
//!
//! Equations are written above the line that applies them. Integers fold as scalars only, as upstream folds them.

mod aggregate;
mod integer;

pub(crate) use aggregate::{Extracted, extract, fold_extract_value};
pub(crate) use integer::{fold_icmp, fold_or, fold_shl, fold_zext};

use dl_ir::dialect::{Folded, folded};
use dl_ir::{Attr, OpRef, OpView};

use crate::{GEPOp, ShuffleVectorOp};

/// A constant is its value.
pub(crate) fn fold_constant(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.attr("value")?.id())
}

/// Zero of an integer type is that integer, any other zero is `#llvm.zero`.
pub(crate) fn fold_zero(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    let (cx, ty) = (op.cx(), op.result(0).ty());
    folded(if ty.is_signless_integer() { cx.int_attr(ty.id(), 0) } else { cx.dialect_attr("llvm.zero", &[]) })
}

pub(crate) fn fold_undef(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.cx().dialect_attr("llvm.undef", &[]))
}

pub(crate) fn fold_poison(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.cx().dialect_attr("llvm.poison", &[]))
}

/// An address is the symbol of what has it.
pub(crate) fn fold_address_of(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.attr("global_name")?.id())
}

pub(crate) fn fold_block_address(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.attr("block_addr")?.id())
}

pub(crate) fn fold_local_equivalent(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    folded(op.cx().dialect_attr("llvm.dso_local_equivalent", &[op.attr("function_name")?.id()]))
}

/// An address with the only index 0 is the base.
pub(crate) fn fold_gep(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<Folded> {
    let view = GEPOp::wrap(op);
    let mut indices = view.raw_constant_indices().dense_ints();
    let is_zero = |index: i64| {
        let dynamic = || op.cx().attr(operands.get(1).copied().flatten()?).as_int();
        if index == i64::from(crate::GEP_DYNAMIC_INDEX) { dynamic() == Some(0) } else { index == 0 }
    };
    let only_zero = indices.next().is_some_and(is_zero) && indices.next().is_none();
    (only_zero && view.base().ty() == view.res().ty()).then(|| folded(view.base().id())).flatten()
}

/// A cast to the same type does nothing; a cast back is what was cast first.
pub(crate) fn fold_cast(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    let (operand, result) = (op.operand(0), op.result(0).ty());
    if operand.ty() == result {
        return folded(operand.id());
    }
    let source = operand.defining_op().filter(|inner| inner.name_id() == op.name_id())?.operand(0);
    if source.ty() == result { folded(source.id()) } else { None }
}

/// The only element of a vector of one element is that vector.
pub(crate) fn fold_shuffle(op: OpRef<'_>, _operands: &[Option<Attr>]) -> Option<Folded> {
    let view = ShuffleVectorOp::wrap(op);
    let ty = view.v1().ty();
    let one = ty == view.res().ty() && ty.num_elements() == Some(1) && !ty.is_scalable_vector();
    if one && view.mask().dense_ints().eq([0]) { folded(view.v1().id()) } else { None }
}
