//! Extents of tensors that are allocated or put somewhere.

use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::{Index, ReifyRankedShapedType};
use dl_ir::{DYNAMIC, DialectBuilder, OpId, Rewriter};

use crate::{AllocTensorOp, MaterializeInDestinationOp};

/// The sizes that it was given, or else those of the tensor that it copies.
struct Allocated;

impl ReifyRankedShapedType for Allocated {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = AllocTensorOp(rw.op(op));
        let shape = view.result().ty().shape()?;
        let Some(copy) = view.copy() else { return Some(vec![mixed(shape, view.dynamic_sizes())]) };
        let (shape, copy, loc) = (shape.to_vec(), copy.id(), view.0.loc());
        let extent = |(dim, extent)| {
            if extent == DYNAMIC { dl_tensor::extent(rw, copy, dim, loc) } else { Index::Static(extent) }
        };
        Some(vec![shape.into_iter().enumerate().map(extent).collect()])
    }
}

/// The result is as large as the destination.
struct Materialized;

impl ReifyRankedShapedType for Materialized {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = MaterializeInDestinationOp(rw.op(op));
        if view.0.num_results() == 0 {
            return Some(Vec::new());
        }
        let (dest, loc) = (view.dest().id(), view.0.loc());
        Some(vec![dl_tensor::extents(rw, dest, loc)])
    }
}

pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<AllocTensorOp<'_>>().interface::<dyn ReifyRankedShapedType>(Box::new(Allocated));
    b.on::<MaterializeInDestinationOp<'_>>().interface::<dyn ReifyRankedShapedType>(Box::new(Materialized));
}
