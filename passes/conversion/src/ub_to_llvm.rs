//! `convert-ub-to-llvm`: poison and unreachable code.

use std::sync::Arc;

use dl_ir::pass::PassInfo;
use dl_ir::rewrite::Rewrite;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::{OpDefinition, OpId, OpState};
use dl_ub::{PoisonOp, UnreachableOp};

use super::dialect_to_llvm::{DialectToLlvm, LoweredDialect};

/// The dialect `ub`.
#[derive(Clone, Default)]
pub struct Ub;

/// Lowers `ub` to `llvm`.
pub type ConvertUbToLlvm = DialectToLlvm<Ub>;

impl LoweredDialect for Ub {
    const INFO: PassInfo =
        PassInfo::new("convert-ub-to-llvm", "Convert UB dialect to LLVM dialect").title("UBToLLVMConversionPass");

    fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns) {
        patterns.add(converter, Poison).add(converter, Unreachable);
    }
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
