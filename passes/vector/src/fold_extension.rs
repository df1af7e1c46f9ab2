//! Extensions of both operands of a contraction become part of it: it multiplies narrow elements into a wide accumulator.

use dl_arith::{ExtFOp, ExtSIOp};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter, ValueId, ValueRef};
use dl_vector::ContractionOp;

/// Adds the patterns.
pub fn fold_extension(patterns: &mut Patterns) {
    let root = Some(ContractionOp::NAME);
    patterns.add_fn("vector-fold-extf-into-contract", root, fold::<ExtFOp<'_>>).add_fn(
        "vector-fold-extsi-into-contract",
        root,
        fold::<ExtSIOp<'_>>,
    );
}

fn fold<T: OpDefinition>(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = ContractionOp::wrap(rw.op(op));
    let narrow = |value: ValueRef<'_>| -> Option<ValueId> {
        value.defining_op().filter(|extension| extension.name() == T::NAME).map(|extension| extension.operand(0).id())
    };
    let (lhs, rhs) = narrow(view.lhs()).zip(narrow(view.rhs())).ok_or(NoMatch("the operands are not extended"))?;
    if rw.value_type(lhs).element_or_self() != rw.value_type(rhs).element_or_self() {
        return Err(NoMatch("from different types"));
    }
    rw.set_operand(op, 0, lhs);
    rw.set_operand(op, 1, rhs);
    Ok(())
}
