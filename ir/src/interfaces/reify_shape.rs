//! Extents of results, told by those of operands.

use super::index_list::{Index, Indices};
use crate::entity::{OpId, ValueId};
use crate::rewriter::Rewriter;

/// An operation that can say how large its results are without being run: from its operands, by operations that the methods make
/// at the insertion point, which must be somewhere between the operation, or just before it, and the end of what its operands dominate.
///
/// Extents that a result's type knows are [`Index::Static`]. The others are values, but where only computing them shows that they are
/// constant.
pub trait ReifyRankedShapedType: Send + Sync {
    /// One list of extents for each result. `None` where there is no telling.
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let _ = (rw, op);
        None
    }

    /// The extent of dimension `dim` of result `result`; may make what the other dimensions take as well.
    fn reify_dim(&self, rw: &mut Rewriter<'_>, op: OpId, result: usize, dim: usize) -> Option<Index> {
        self.reify_shapes(rw, op)?.get(result)?.get(dim).copied()
    }
}

/// The extents of all results of `op`: see [`ReifyRankedShapedType::reify_shapes`]. `None` also where it does not say.
pub fn reify_shapes(rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
    let info = rw.cx().op_info(rw.op(op).name_id());
    info.interface::<dyn ReifyRankedShapedType>()?.reify_shapes(rw, op)
}

/// The extent of dimension `dim` of `value`, where that is a result of an operation that says it.
pub fn reify_dim(rw: &mut Rewriter<'_>, value: ValueId, dim: usize) -> Option<Index> {
    let view = rw.value(value);
    let (op, result) = (view.defining_op()?.id(), view.index());
    let info = rw.cx().op_info(rw.op(op).name_id());
    info.interface::<dyn ReifyRankedShapedType>()?.reify_dim(rw, op, result, dim)
}
