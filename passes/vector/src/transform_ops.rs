//! What operations of schedules do that are about vectors: `transform.apply_patterns.vector`.

use dl_ir::dialect::Extension;
use dl_ir::rewrite::Patterns;
use dl_ir::{AttrRef, DialectBuilder, OpDefinition, OpRef};
use dl_passes_schedules::PatternSource;
use dl_transform as t;

use crate::lowering::{self, ContractLowering, TransposeLowering};
use crate::multi_reduction::{MultiReductionLowering, multi_reduction};
use crate::{fold_extension, lower_mask, reduction_to_contract, sink_ops};

/// Attaches which patterns each operation stands for.
pub(crate) struct TransformOps;

impl Extension for TransformOps {
    fn attach(&self, b: &mut DialectBuilder) {
        on::<t::ApplyLowerBitCastPatternsOp<'_>>(b, |_, set| lowering::bitcast(set));
        on::<t::ApplyLowerBroadcastPatternsOp<'_>>(b, |_, set| lowering::broadcast(set));
        on::<t::ApplyLowerContractionPatternsOp<'_>>(b, |op, set| lowering::contractions(contract_lowering(op), set));
        on::<t::ApplyLowerCreateMaskPatternsOp<'_>>(b, |_, set| lowering::masks(set));
        on::<t::ApplyLowerGatherPatternsOp<'_>>(b, |_, set| lowering::gather(set));
        on::<t::ApplyLowerInterleavePatternsOp<'_>>(b, |_, set| lowering::interleave(set));
        on::<t::ApplyLowerMaskedTransfersPatternsOp<'_>>(b, |_, set| lower_mask::masked_transfers(set));
        on::<t::ApplyLowerMasksPatternsOp<'_>>(b, |_, set| lowering::masks(set));
        on::<t::ApplyLowerMultiReductionPatternsOp<'_>>(b, |op, set| multi_reduction(reduction_lowering(op), set));
        on::<t::ApplyLowerOuterProductPatternsOp<'_>>(b, |_, set| lowering::outer_products(set));
        on::<t::ApplyLowerScanPatternsOp<'_>>(b, |_, set| lowering::scan(set));
        on::<t::ApplyLowerShapeCastPatternsOp<'_>>(b, |_, set| lowering::shape_cast(set));
        on::<t::ApplyLowerTransferPatternsOp<'_>>(b, |op, set| {
            let rank = op.attr_or_default("max_transfer_rank").and_then(AttrRef::as_int);
            lowering::transfers(rank.and_then(|rank| usize::try_from(rank).ok()), set);
        });
        on::<t::ApplyLowerTransposePatternsOp<'_>>(b, |op, set| lowering::transpose(transpose_lowering(op), set));
        on::<t::ApplyMaterializeMasksPatternsOp<'_>>(b, |_, set| lowering::materialize_masks(false, set));
        on::<t::ApplyFoldArithExtensionPatternsOp<'_>>(b, |_, set| fold_extension(set));
        on::<t::ApplyVectorReductionToContractPatternsOp<'_>>(b, |_, set| reduction_to_contract(set));
        on::<t::ApplySinkVectorPatternsOp<'_>>(b, |_, set| sink_ops(set));
        on::<t::ApplyTransferPermutationPatternsOp<'_>>(b, |_, set| lowering::transfer_maps(set));
        on::<t::ApplyUnrollFromElementsPatternsOp<'_>>(b, |_, set| lowering::from_elements(set));
        on::<t::ApplyUnrollToElementsPatternsOp<'_>>(b, |_, set| lowering::to_elements(set));
    }
}

fn on<T: OpDefinition>(builder: &mut DialectBuilder, add: fn(OpRef<'_>, &mut Patterns)) {
    builder.on::<T>().interface::<dyn PatternSource>(Box::new(add));
}

fn strategy(op: OpRef<'_>) -> Option<AttrRef<'_>> {
    op.attr_or_default("lowering_strategy")
}

fn contract_lowering(op: OpRef<'_>) -> ContractLowering {
    match strategy(op).and_then(t::VectorContractLowering::from_attr) {
        Some(t::VectorContractLowering::Dot) => ContractLowering::Dot,
        Some(t::VectorContractLowering::LLVMIntr) => ContractLowering::LlvmIntr,
        Some(t::VectorContractLowering::ParallelArith) => ContractLowering::ParallelArith,
        Some(t::VectorContractLowering::OuterProduct) | None => ContractLowering::OuterProduct,
    }
}

fn reduction_lowering(op: OpRef<'_>) -> MultiReductionLowering {
    match strategy(op).and_then(t::VectorMultiReductionLowering::from_attr) {
        Some(t::VectorMultiReductionLowering::InnerReduction) => MultiReductionLowering::InnerReduction,
        Some(t::VectorMultiReductionLowering::InnerParallel) | None => MultiReductionLowering::InnerParallel,
    }
}

fn transpose_lowering(op: OpRef<'_>) -> TransposeLowering {
    match strategy(op).and_then(t::VectorTransposeLowering::from_attr) {
        Some(t::VectorTransposeLowering::LLVMIntr) => TransposeLowering::LlvmIntr,
        Some(t::VectorTransposeLowering::Shuffle1D) => TransposeLowering::Shuffle1D,
        Some(t::VectorTransposeLowering::Shuffle16x16) => TransposeLowering::Shuffle16x16,
        Some(t::VectorTransposeLowering::EltWise) | None => TransposeLowering::EltWise,
    }
}
