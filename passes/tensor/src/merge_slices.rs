//! `tensor-merge-slices`: a slice of a slice is a slice, and what is inserted into a tensor that is inserted itself is inserted once.

use dl_affine::apply::folded_apply_of_symbols;
use dl_ir::interfaces::Index;
use dl_ir::interfaces::index_list::Indices;
use dl_ir::interfaces::offset_size_stride::Slice;
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::rewrite::greedy::GreedyConfig;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};
use dl_tensor::{ExtractSliceOp, InsertSliceOp, ParallelInsertSliceOp, extract_slice_state};

use crate::fold_subset::{dropped, insert_of_inserted};

/// Makes slices of slices one.
#[derive(Clone, Copy, Default)]
pub struct MergeSlices;

impl Pass for MergeSlices {
    const INFO: PassInfo =
        PassInfo::new("tensor-merge-slices", "Make slices of slices, and insertions into what is inserted, one");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut patterns = Patterns::new();
        add_patterns(&mut patterns);
        if !cx.rewrite_greedily(&patterns.freeze(), &GreedyConfig::default())?.changed {
            cx.preserve_all();
        }
        Ok(())
    }
}

/// Adds the patterns.
pub(crate) fn add_patterns(patterns: &mut Patterns) {
    patterns
        .add_fn("tensor-slice-of-slice", Some(ExtractSliceOp::NAME), slice_of_slice)
        .add_fn("tensor-insert-of-inserted", Some(InsertSliceOp::NAME), insert_of_inserted)
        .add_fn("tensor-insert-of-inserted", Some(ParallelInsertSliceOp::NAME), insert_of_inserted);
}

/// Element `i` of the outer slice is element `i * stride + offset` of the inner one.
fn slice_of_slice(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let affine = rw.cx().affine();
    let view = rw.op(op);
    let inner_op = view.operand(0).def::<ExtractSliceOp<'_>>().ok_or(NoMatch("not of a slice"))?;
    let (outer, inner) = Slice::of(view).zip(Slice::of(inner_op.0)).ok_or(NoMatch("no slices"))?;
    let dropped = dropped(&inner, inner_op.result().ty()).ok_or(NoMatch("no rank"))?;
    let (source, ty, loc) = (inner_op.source().id(), view.result(0).ty().id(), view.loc());
    rw.set_insertion_before(op);
    let mut merged = Slice { offsets: Indices::new(), sizes: Indices::new(), strides: Indices::new() };
    let product = affine.mul(affine.dim(0), affine.dim(1));
    let position = affine.add(product, affine.dim(2));
    let mut kept = 0;
    for (dim, &dropped) in dropped.iter().enumerate() {
        if dropped {
            merged.offsets.push(inner.offsets[dim]);
            merged.sizes.push(Index::Static(1));
            merged.strides.push(Index::Static(1));
            continue;
        }
        let (offset, stride) = (inner.offsets[dim], inner.strides[dim]);
        let at = folded_apply_of_symbols(rw, op, position, &[outer.offsets[kept], stride, offset], loc);
        let step = folded_apply_of_symbols(rw, op, product, &[outer.strides[kept], stride], loc);
        let (at, step) = at.zip(step).ok_or(NoMatch("an offset overflows"))?;
        merged.offsets.push(at);
        merged.sizes.push(outer.sizes[kept]);
        merged.strides.push(step);
        kept += 1;
    }
    let state = extract_slice_state(rw, source, &merged, ty, loc);
    rw.replace_with(op, state);
    Ok(())
}
