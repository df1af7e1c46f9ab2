//! What bufferization asks of an operation.

use dl_ir::{Diagnostic, Loc, OpId, OpRef, Rewriter, Type, ValueId, ValueRef};

use super::analysis::Analysis;
use super::bufferizer::{Bufferizer, TypeQuery};
use super::operand::{AliasingOperands, AliasingValues, Operand};
use super::resolve;

/// An operation on tensors that knows how to work on buffers instead.
///
/// Attach an implementation to an operation name with [`OpBuilder::interface`](dl_ir::dialect::OpBuilder::interface). The
/// first group of methods feeds the analysis, which decides for each tensor operand whether its buffer is used in place or a
/// copy of it; [`bufferize`](Self::bufferize) is called afterwards and need not ask what was decided: where a copy is needed,
/// the operand is the result of a `bufferization.alloc_tensor` by then.
///
/// Operations without this interface are taken to read and write every operand and to alias everything.
pub trait Bufferizable: Send + Sync {
    /// Whether the buffer of the operand is read.
    fn reads(&self, operand: Operand<'_>, state: &Analysis<'_>) -> bool;

    /// Whether the buffer of the operand is written.
    fn writes(&self, operand: Operand<'_>, state: &Analysis<'_>) -> bool;

    /// The values that share the buffer of the operand when it is used in place.
    fn aliasing_values(&self, operand: Operand<'_>, state: &Analysis<'_>) -> AliasingValues;

    /// The operands whose buffer `value` (a result or region argument of the operation) may share. By default the converse of
    /// [`aliasing_values`](Self::aliasing_values).
    fn aliasing_operands(&self, value: ValueRef<'_>, state: &Analysis<'_>) -> AliasingOperands {
        state.operands_aliasing(value)
    }

    /// Whether making `result` writes memory: it is a definition of its contents. By default when it aliases nothing, when an
    /// operand that it aliases is written, or when something inside the operation's regions writes it. Operations with regions keep the default.
    fn result_writes(&self, result: ValueRef<'_>, state: &Analysis<'_>) -> bool {
        state.default_result_writes(result)
    }

    /// Whether `result` is a new allocation, though it may seem to alias an operand.
    fn allocates(&self, result: ValueRef<'_>) -> bool {
        let _ = result;
        false
    }

    /// Whether the operand cannot be copied: it must be used in place.
    fn must_be_in_place(&self, operand: Operand<'_>, state: &Analysis<'_>) -> bool {
        let _ = (operand, state);
        false
    }

    /// Whether the buffer of `value` may be written. By default for results, not for region arguments.
    fn is_writable(&self, value: ValueRef<'_>, state: &Analysis<'_>) -> bool {
        let _ = state;
        value.defining_op().is_some()
    }

    /// Whether the read and the write, one of which is an operand of this operation, cannot conflict.
    fn is_not_conflicting(&self, read: Operand<'_>, write: Operand<'_>, state: &Analysis<'_>) -> bool {
        let _ = (read, write, state);
        false
    }

    /// Whether these operands are accessed element by element at the same position: each position is read before it is
    /// written.
    fn is_elementwise(&self, op: OpRef<'_>, operands: [usize; 2]) -> bool {
        let _ = (op, operands);
        false
    }

    /// Whether region `index` may execute more than once each time the operation does.
    fn is_repetitive(&self, op: OpRef<'_>, index: usize) -> bool {
        let _ = (op, index);
        false
    }

    /// Whether several executions of region `index` may overlap in time.
    fn is_parallel(&self, op: OpRef<'_>, index: usize) -> bool {
        let _ = (op, index);
        false
    }

    /// Whether a region may have more than one block.
    fn supports_many_blocks(&self) -> bool {
        false
    }

    /// Whether there is anything to bufferize: by default when an operand, a result or a region argument is a tensor.
    fn has_tensors(&self, op: OpRef<'_>) -> bool {
        has_tensors(op)
    }

    /// Refuses what the analysis has decided, where the operation cannot be bufferized that way.
    fn verify_analysis(&self, op: OpRef<'_>, state: &Analysis<'_>) -> Result<(), Diagnostic> {
        let _ = (op, state);
        Ok(())
    }

    /// Puts copies where the analysis decided against using a buffer in place.
    fn resolve_conflicts(&self, op: OpId, rw: &mut Rewriter<'_>, state: &Analysis<'_>) -> Result<(), Diagnostic> {
        resolve::resolve_operands(op, rw, state)
    }

    /// The type of the buffer of `value`, a result or region argument of the operation. By default that of the operand it is
    /// equivalent to.
    fn buffer_type(&self, value: ValueRef<'_>, query: &mut TypeQuery<'_>) -> Result<Type, Diagnostic> {
        query.default_type(value)
    }

    /// Replaces the operation by one on buffers. The insertion point is before it.
    fn bufferize(&self, op: OpId, bufferizer: &mut Bufferizer<'_>) -> Result<(), Diagnostic>;
}

/// Whether an operand, a result or a region argument of `op` is a tensor.
pub(super) fn has_tensors(op: OpRef<'_>) -> bool {
    op.operands().iter().any(|v| v.ty().is_tensor())
        || op.results().iter().any(|v| v.ty().is_tensor())
        || op.regions().any(|r| r.blocks().any(|b| b.args().any(|a| a.ty().is_tensor())))
}

/// An operation that puts a tensor at a place in another one and takes what is around it from there.
pub trait SubsetInsertion: Send + Sync {
    /// The number of the operand that is put in.
    fn source(&self, op: OpRef<'_>) -> usize;

    /// The number of the operand that it is put into.
    fn dest(&self, op: OpRef<'_>) -> usize;

    /// Whether `candidate` is exactly the place that is written, as an extraction of it from an equivalent tensor is.
    fn is_equivalent_subset(
        &self,
        op: OpRef<'_>,
        candidate: ValueRef<'_>,
        equivalent: &dyn Fn(ValueRef<'_>, ValueRef<'_>) -> bool,
    ) -> bool;

    /// The values that [`extract`](Self::extract) uses.
    fn values_needed(&self, op: OpRef<'_>) -> Vec<ValueId>;

    /// Makes a tensor that is the place which is written, as it is before, at the insertion point; `None` where that cannot be done.
    fn extract(&self, op: OpId, rw: &mut Rewriter<'_>, loc: Loc) -> Option<ValueId>;
}
