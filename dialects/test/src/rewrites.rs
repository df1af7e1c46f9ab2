//! Folds and patterns.

use dl_ir::dialect::{Folded, FoldedValue};
use dl_ir::rewrite::{Patterns, Rewrite};
use dl_ir::{Attr, OpDefinition, OpId, OpRef, OpState, Rewriter};

use crate::{DialectCanonicalizableOp, FoldToCallOp, OpWithRegionPatternOp};

/// Each result is an operand.
pub(crate) fn fold_to_operands(op: OpRef<'_>, _: &[Option<Attr>]) -> Option<Folded> {
    let operands = op.operands();
    (operands.len() == op.num_results()).then(|| operands.iter().map(|value| FoldedValue::Value(value.id())).collect())
}

fn become_42(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let (view, cx) = (rw.op(op), rw.cx());
    let (loc, value) = (view.loc(), cx.int_attr(view.result(0).ty().id(), 42));
    rw.set_insertion_before(op);
    let constant = dl_arith::constant(rw, value, loc);
    rw.replace(op, &[constant]);
    Ok(())
}

fn vanish(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    rw.erase(op);
    Ok(())
}

fn become_call(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let callee = view.attr("callee").map(|callee| callee.id());
    let state = OpState::named("func.call", view.loc()).maybe_attr(rw.cx(), "callee", callee);
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn becomes_call(patterns: &mut Patterns) {
    patterns.add_fn("test-fold-to-call", Some(FoldToCallOp::NAME), become_call);
}

pub(crate) fn canonicalizable(patterns: &mut Patterns) {
    patterns.add_fn("test-become-42", Some(DialectCanonicalizableOp::NAME), become_42);
}

pub(crate) fn with_region(patterns: &mut Patterns) {
    patterns.add_fn("TestRemoveOpWithInnerOps", Some(OpWithRegionPatternOp::NAME), vanish);
}
