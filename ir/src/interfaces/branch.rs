//! Operations that end a block by branching to others.

use smallvec::SmallVec;

use crate::attributes::Attr;
use crate::diagnostics::Diagnostic;
use crate::entity::{OpId, ValueId};
use crate::rewriter::Rewriter;
use crate::view::{OpRef, Operands};

/// A terminator that passes operands to the arguments of its successors.
pub trait BranchOp: Send + Sync {
    /// The operands passed to the arguments of successor `index`: one for each argument, in order.
    fn successor_operands<'a>(&self, op: OpRef<'a>, index: usize) -> Operands<'a>;

    /// The operands passed to each successor. To be overridden where one look-up takes time in proportion to the successors.
    fn all_successor_operands<'a>(&self, op: OpRef<'a>) -> SmallVec<[Operands<'a>; 2]> {
        (0..op.num_successors()).map(|index| self.successor_operands(op, index)).collect()
    }

    /// Makes `values` the operands passed to successor `index`.
    fn set_successor_operands(&self, rw: &mut Rewriter<'_>, op: OpId, index: usize, values: &[ValueId]);

    /// The successor that is taken when the operands have these constant values, if they decide it.
    fn taken_successor(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<usize> {
        let _ = (op, operands);
        None
    }
}

/// Checks that each successor of `op` is given operands of the number and types of its arguments.
///
/// # Errors
/// The first successor for which they are not.
pub fn verify_branch(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(branch) = op.interface::<dyn BranchOp>() else { return Ok(()) };
    for (i, (block, operands)) in op.successors().zip(branch.all_successor_operands(op)).enumerate() {
        if operands.len() != block.num_args() {
            return Err(Diagnostic::error(
                op.loc(),
                format!(
                    "branch has {} operands for successor #{i}, but target block has {}",
                    operands.len(),
                    block.num_args()
                ),
            ));
        }
        for (j, (operand, arg)) in operands.iter().zip(block.args()).enumerate() {
            if operand.ty() != arg.ty() {
                return Err(Diagnostic::error(
                    op.loc(),
                    format!("type mismatch for bb argument #{j} of successor #{i}"),
                ));
            }
        }
    }
    verify_weights(op)
}

/// Weights, where there are any, are one for each successor, and not all zero.
fn verify_weights(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(weights) = op.attr("branch_weights") else { return Ok(()) };
    let (count, successors) = (weights.dense_ints().count(), op.num_successors());
    if count == 0 {
        return Ok(());
    }
    if count != successors {
        let message =
            format!("expects number of branch weights to match number of successors: {count} vs {successors}");
        return Err(Diagnostic::error(op.loc(), message));
    }
    if weights.dense_ints().all(|weight| weight == 0) {
        return Err(Diagnostic::error(op.loc(), "branch weights cannot all be zero"));
    }
    Ok(())
}
