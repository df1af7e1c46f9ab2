//! `convert-vector-to-llvm`: vectors of several dimensions are taken apart; those of one dimension are LLVM's.
//!
//! First what the dialect can say more simply itself is rewritten so ([`dl_passes_vector::lowering`]), then what is left is converted.

mod access;
mod alignment;
mod broadcast;
mod elements;
mod indexed;
mod masked_reduce;
mod masks;
mod matrix;
mod options;
mod print;
mod reduce;
mod shuffle;
mod type_cast;

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Patterns;
use dl_ir::rewrite::conversion::{ConversionPatterns, TypeConverter};
use dl_ir::rewrite::greedy::{GreedyConfig, apply_patterns_greedily};
use dl_ir::{Context, Diagnostic, Loc};
use dl_passes_vector::lowering::{self, ContractLowering, TransposeLowering};
use dl_vector as vector;

use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};
use super::one_to_one::OneToOne;
pub use options::VectorToLlvmOptions;

/// Lowers `vector` to `llvm`.
#[derive(Clone, Default)]
pub struct ConvertVectorToLlvm {
    /// The options.
    pub options: VectorToLlvmOptions,
}

impl Pass for ConvertVectorToLlvm {
    const INFO: PassInfo =
        PassInfo::new("convert-vector-to-llvm", "Lower the operations from the vector dialect into the LLVM dialect")
            .title("ConvertVectorToLLVMPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn initialize(&mut self, _: &Context) -> PassResult {
        match self.options.missing_dialect() {
            Some(option) => {
                let why = format!("unsupported: {option} of convert-vector-to-llvm: the dialect is not known");
                Err(Diagnostic::error(Loc::UNKNOWN, why).into())
            }
            None => Ok(()),
        }
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let patterns = self.simplifications(cx.ctx).freeze();
        // What this leaves is no failure: the conversion takes it, or leaves it in turn.
        apply_patterns_greedily(cx.ctx, cx.ir, &patterns, &GreedyConfig::default());
        let converter = llvm_type_converter(LlvmOptions::default());
        let mut patterns = ConversionPatterns::new();
        let mut transfers = Patterns::new();
        lowering::transfers(None, &mut transfers);
        patterns.add_rewrites(transfers);
        populate(&converter, &mut patterns, &self.options);
        let mut target = llvm_target();
        target.legal_dialects(&["arith", "memref"]);
        cx.convert_partially(&target, &patterns.freeze())
    }
}

impl ConvertVectorToLlvm {
    /// What makes simpler operations of the dialect.
    fn simplifications(&self, cx: &Context) -> Patterns {
        let mut patterns = Patterns::new();
        let options = &self.options;
        lowering::canonicalizations(cx, &mut patterns);
        lowering::bitcast(&mut patterns);
        lowering::broadcast(&mut patterns);
        lowering::contract(options.vector_contract_lowering, &mut patterns);
        if options.vector_contract_lowering == ContractLowering::LlvmIntr {
            matrix::multiply(&mut patterns);
        }
        lowering::masks(&mut patterns);
        lowering::shape_cast(&mut patterns);
        lowering::interleave(&mut patterns);
        lowering::transpose(options.vector_transpose_lowering, &mut patterns);
        if options.vector_transpose_lowering == TransposeLowering::LlvmIntr {
            matrix::transpose(&mut patterns);
        }
        lowering::transfers(Some(1), &mut patterns);
        lowering::materialize_masks(options.force_32bit_vector_indices, &mut patterns);
        lowering::slices(&mut patterns);
        lowering::step(&mut patterns);
        lowering::fma(&mut patterns);
        lowering::gather(&mut patterns);
        lowering::from_elements(&mut patterns);
        lowering::to_elements(&mut patterns);
        patterns
    }
}

/// Adds the patterns of the conversion.
pub(crate) fn populate(
    converter: &Arc<TypeConverter>,
    patterns: &mut ConversionPatterns,
    options: &VectorToLlvmOptions,
) {
    let by_vector = options.use_vector_alignment;
    patterns
        .add(converter, reduce::Reduction { reassociate: options.reassociate_fp_reductions })
        .add(converter, masks::ScalableCreateMask { narrow: options.force_32bit_vector_indices })
        .add(converter, access::Load { by_vector })
        .add(converter, access::MaskedLoad { by_vector })
        .add(converter, access::Store { by_vector })
        .add(converter, access::MaskedStore { by_vector })
        .add(converter, indexed::Gather { by_vector })
        .add(converter, indexed::Scatter { by_vector })
        .add(converter, elements::BitCast)
        .add(converter, shuffle::Shuffle)
        .add(converter, elements::Extract)
        .add(converter, elements::Fma)
        .add(converter, elements::Insert)
        .add(converter, print::Print)
        .add(converter, type_cast::TypeCast)
        .add(converter, OneToOne::<vector::VectorScaleOp<'static>, dl_llvm::VscaleOp<'static>>::new())
        .add(converter, access::ExpandLoad)
        .add(converter, access::CompressStore)
        .add(converter, broadcast::OfScalar)
        .add(converter, elements::ScalableInsert)
        .add(converter, elements::ScalableExtract)
        .add(converter, masked_reduce::MaskedReduction)
        .add(converter, shuffle::Interleave)
        .add(converter, shuffle::Deinterleave)
        .add(converter, elements::FromElements)
        .add(converter, elements::ToElements)
        .add(converter, masks::ScalableStep);
}
