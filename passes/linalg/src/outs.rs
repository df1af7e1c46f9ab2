//! An init whose contents are not read needs no contents.

use dl_ir::interfaces::has_pure_tensor_semantics;
use dl_ir::rewrite::{NoMatch, Rewrite, create_or_fold};
use dl_ir::{DYNAMIC, Loc, OpId, OpState, Rewriter, ValueId};
use dl_linalg::LinalgOp;
use dl_tensor::EmptyOp;

/// An init that the body does not read becomes a `tensor.empty` of its extents: the operation no longer waits for it. Those with an encoding, which may say
/// how their elements are stored, are left.
pub(super) fn remove_outs_dependency(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let nest = LinalgOp::of(view).ok_or(NoMatch("no loop nest"))?;
    if !has_pure_tensor_semantics(view) {
        return Err(NoMatch("not on tensors"));
    }
    let inits = nest.inits();
    let unread = |&i: &usize| {
        let value = view.operand(i);
        let is_plain = value.ty().is_ranked_tensor() && value.ty().encoding().is_none();
        is_plain && !nest.reads_operand(i) && value.def::<EmptyOp<'_>>().is_none()
    };
    let found: Vec<usize> = (inits.start()..inits.start() + inits.len()).filter(unread).collect();
    let loc = view.loc();
    if found.is_empty() {
        return Err(NoMatch("every init is read or empty"));
    }
    for index in found {
        let value = rw.op(op).operand(index).id();
        rw.set_insertion_before(op);
        let sizes = dynamic_extents(rw, value, loc);
        let ty = rw.value_type(value);
        let (Some(shape), Some(element)) = (ty.shape(), ty.element_type()) else { continue };
        let state = OpState::of::<EmptyOp<'_>>(loc).operands(sizes).results([cx.tensor_type(shape, element.id())]);
        let empty = rw.create_value(state);
        rw.set_operand(op, index, empty);
    }
    Ok(())
}

/// The dynamic extents of a tensor as values at the insertion point.
fn dynamic_extents(rw: &mut Rewriter<'_>, value: ValueId, loc: Loc) -> Vec<ValueId> {
    let cx = rw.cx();
    let shape = rw.value_type(value).shape().unwrap_or_default();
    let dynamic = shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC);
    dynamic
        .map(|(i, _)| {
            let index = dl_arith::constant_index(rw, i as i64, loc);
            let dim = OpState::of::<dl_tensor::DimOp<'_>>(loc).operands([value, index]).results([cx.index_type()]);
            create_or_fold(rw, dim)[0]
        })
        .collect()
}
