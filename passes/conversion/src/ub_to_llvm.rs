//! `convert-ub-to-llvm`: poison and unreachable code.

use std::sync::Arc;

use dl_ir::pass::{Pass, PassCx, PassInfo, PassOptions, PassResult};
use dl_ir::rewrite::Rewrite;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::{OpDefinition, OpId, OpState};
use dl_ub::{PoisonOp, UnreachableOp};

use super::llvm_types::{LlvmOptions, llvm_target, llvm_type_converter};

dl_ir::pass_options! {
    /// Options of [`ConvertUbToLlvm`].
    pub struct UbToLlvmOptions {
        /// Bitwidth of the index type, 0 to use size of machine word
        index_bitwidth "index-bitwidth": u32 = 0,
    }
}

/// Lowers `ub` to `llvm`.
#[derive(Clone, Default)]
pub struct ConvertUbToLlvm {
    /// The options.
    pub options: UbToLlvmOptions,
}

impl Pass for ConvertUbToLlvm {
    const INFO: PassInfo =
        PassInfo::new("convert-ub-to-llvm", "Convert UB dialect to LLVM dialect").title("UBToLLVMConversionPass");

    fn options(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.options)
    }

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let converter = llvm_type_converter(LlvmOptions::with_index_bits(self.options.index_bitwidth));
        let mut patterns = ConversionPatterns::new();
        populate(&converter, &mut patterns);
        cx.convert_partially(&llvm_target(), &patterns.freeze())
    }
}

/// Adds the patterns.
pub(crate) fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns) {
    patterns.add(converter, Poison).add(converter, Unreachable);
}

/// `ub.poison` becomes `llvm.mlir.poison`.
struct Poison;

impl ConversionPattern for Poison {
    const NAME: &'static str = "ub-poison-to-llvm";
    const ROOT: Option<&'static str> = Some(PoisonOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let ty = rw.convert_type(rw.op(op).result(0).ty().id())?;
        let state = OpState::of::<dl_llvm::PoisonOp<'_>>(rw.op(op).loc()).results([ty]);
        rw.replace_with(op, state);
        Ok(())
    }
}

/// `ub.unreachable` becomes `llvm.unreachable`.
struct Unreachable;

impl ConversionPattern for Unreachable {
    const NAME: &'static str = "ub-unreachable-to-llvm";
    const ROOT: Option<&'static str> = Some(UnreachableOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let state = OpState::of::<dl_llvm::UnreachableOp<'_>>(rw.op(op).loc());
        rw.replace_with(op, state);
        Ok(())
    }
}
