//! What operations of schedules do that are about tensors: `transform.apply_patterns.tensor`.

use dl_ir::dialect::Extension;
use dl_ir::interfaces::LoopLike;
use dl_ir::rewrite::Patterns;
use dl_ir::{DialectBuilder, OpDefinition, OpRef, ValueId};
use dl_passes_schedules::{
    Each, Entity, Failure, FindReplacement, Interpreter, PatternSource, PayloadOp, Transformation,
};
use dl_tensor as tensor;
use dl_transform as t;

use crate::hoist_subsets::hoist_subsets;
use crate::{decompose_concat, empty, fold_reshapes, fold_subset, merge_slices, resolve_dims};

/// Attaches what they do.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, b: &mut DialectBuilder) {
        on::<t::ApplyDecomposeTensorConcatPatternsOp<'_>>(b, |_, set| decompose_concat::add_patterns(set));
        on::<t::ApplyFoldTensorSubsetOpsPatternsOp<'_>>(b, |_, set| fold_subset::add_patterns(set));
        on::<t::ApplyFoldTensorSubsetOpsIntoVectorTransfersPatternsOp<'_>>(b, |_, set| {
            fold_subset::add_transfer_patterns(set);
        });
        on::<t::ApplyMergeConsecutiveInsertExtractSlicePatternsOp<'_>>(b, |_, set| merge_slices::add_patterns(set));
        on::<t::ApplyReassociativeReshapeFoldingPatternsOp<'_>>(b, |_, set| fold_reshapes::add_patterns(set));
        on::<t::ApplyResolveRankedShapedTypeResultDimsPatternsOp<'_>>(b, |_, set| {
            resolve_dims::add_resolve_dims_patterns(set);
        });
        on::<t::ApplyFoldTensorEmptyPatternsOp<'_>>(b, |_, set| empty::add_empty_patterns(set));
        b.on::<t::HoistLoopInvariantSubsetsOp<'_>>().interface::<dyn Transformation>(Each::reading(hoist));
        seen_through::<tensor::CollapseShapeOp<'_>>(b);
        seen_through::<tensor::ExpandShapeOp<'_>>(b);
        seen_through::<tensor::ExtractSliceOp<'_>>(b);
        seen_through::<tensor::InsertSliceOp<'_>>(b);
        seen_through::<tensor::ReshapeOp<'_>>(b);
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, add: fn(OpRef<'_>, &mut Patterns)) {
    builder.on::<T>().interface::<dyn PatternSource>(Box::new(add));
}

fn seen_through<T: OpDefinition>(builder: &mut DialectBuilder) {
    builder.on::<T>().interface::<dyn FindReplacement>(Box::new(Source));
}

/// `transform.loop.hoist_loop_invariant_subsets`.
fn hoist<'s>(op: OpRef<'s>, run: &mut Interpreter<'s, '_>, target: PayloadOp) -> Result<Vec<Entity>, Failure> {
    let view = run.op(target);
    if view.interface::<dyn LoopLike>().is_none() {
        let error = Failure::definite(op, "transform applied to the wrong op kind");
        return Err(error.note(view.loc(), "when applied to this op"));
    }
    run.rewrite(target.arena, |rw| hoist_subsets(rw, target.id));
    Ok(Vec::new())
}

/// What is sliced, inserted or reshaped.
struct Source;

impl FindReplacement for Source {
    fn next_operands(&self, op: OpRef<'_>) -> Vec<ValueId> {
        vec![op.operand(0).id()]
    }
}
