//! Extents of memrefs: of any, by `memref.dim`, and of what the operations here make of them.

use dl_ir::interfaces::index_list::{Indices, mixed};
use dl_ir::interfaces::{Index, ReifyRankedShapedType};
use dl_ir::rewrite::create_or_fold;
use dl_ir::{DYNAMIC, DialectBuilder, Loc, OpId, OpState, Rewriter, ValueId};

use crate::{AssumeAlignmentOp, DimOp, ExpandShapeOp};

/// Dimension `dim` of a ranked memref: a constant where its type knows, else made at the insertion point, or what that folds to.
///
/// # Panics
/// When the memref has no such dimension.
pub fn extent(rw: &mut Rewriter<'_>, memref: ValueId, dim: usize, loc: Loc) -> Index {
    match rw.value_type(memref).shape().map(|shape| shape[dim]) {
        Some(extent) if extent != DYNAMIC => Index::Static(extent),
        _ => {
            let index = dl_arith::constant_index(rw, dim as i64, loc);
            let ty = rw.cx().index_type();
            let state = OpState::of::<DimOp<'_>>(loc).operands([memref, index]).results([ty]);
            Index::Value(create_or_fold(rw, state)[0])
        }
    }
}

/// All extents of a ranked memref: see [`extent`]. None for one without a rank.
pub fn extents(rw: &mut Rewriter<'_>, memref: ValueId, loc: Loc) -> Indices {
    let rank = rw.value_type(memref).shape().map_or(0, <[i64]>::len);
    (0..rank).map(|dim| extent(rw, memref, dim, loc)).collect()
}

struct Expanded;

impl ReifyRankedShapedType for Expanded {
    fn reify_shapes(&self, rw: &mut Rewriter<'_>, op: OpId) -> Option<Vec<Indices>> {
        let view = ExpandShapeOp(rw.op(op));
        Some(vec![mixed(&view.static_output_shape().as_i64_array()?, view.output_shape())])
    }
}

/// As large as before.
struct Aligned;

impl ReifyRankedShapedType for Aligned {
    fn reify_dim(&self, rw: &mut Rewriter<'_>, op: OpId, _: usize, dim: usize) -> Option<Index> {
        let view = rw.op(op);
        let (memref, loc) = (view.operand(0), view.loc());
        if dim >= memref.ty().shape()?.len() {
            return None;
        }
        let memref = memref.id();
        Some(extent(rw, memref, dim, loc))
    }
}

pub(crate) fn register(b: &mut DialectBuilder) {
    b.on::<ExpandShapeOp<'_>>().interface::<dyn ReifyRankedShapedType>(Box::new(Expanded));
    b.on::<AssumeAlignmentOp<'_>>().interface::<dyn ReifyRankedShapedType>(Box::new(Aligned));
}
