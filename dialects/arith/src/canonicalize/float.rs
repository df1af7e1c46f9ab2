//! Floating-point arithmetic.

use dl_ir::rewrite::{Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};

use super::{OTHER_OPERANDS, operand_of};
use crate::{DivFOp, MulFOp, NegFOp};

/// `(-a) op (-b) = a op b` for products and quotients.
fn both_negated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let a = operand_of::<NegFOp<'_>>(view.operand(0)).ok_or(OTHER_OPERANDS)?.id();
    let b = operand_of::<NegFOp<'_>>(view.operand(1)).ok_or(OTHER_OPERANDS)?.id();
    rw.set_operand(op, 0, a);
    rw.set_operand(op, 1, b);
    Ok(())
}

pub(crate) fn mulf(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-mulf-of-negf", MulFOp::NAME, both_negated);
}

pub(crate) fn divf(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-divf-of-negf", DivFOp::NAME, both_negated);
}
