//! `convert-arith-to-llvm`: arithmetic. Rounded divisions are taken apart first.

mod casts;
mod compare;
mod extended;

use std::sync::Arc;

use dl_arith as arith;
use dl_ir::pass::PassInfo;
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionPatterns, ConversionRewriter, Converted, TypeConverter};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState};
use dl_llvm as llvm;

use super::dialect_to_llvm::{DialectToLlvm, LoweredDialect};
use super::one_to_one::{OneToOne, llvm_attrs};

/// The dialect `arith`.
#[derive(Clone, Default)]
pub struct Arith;

/// Lowers `arith` to `llvm`.
pub type ConvertArithToLlvm = DialectToLlvm<Arith>;

impl LoweredDialect for Arith {
    const INFO: PassInfo = PassInfo::new("convert-arith-to-llvm", "Convert Arith dialect to LLVM dialect")
        .title("ArithToLLVMConversionPass");

    fn populate(converter: &Arc<TypeConverter>, patterns: &mut ConversionPatterns) {
        macro_rules! one_to_one {
            ($($from:ident => $to:ident),* $(,)?) => {
                $(patterns.add(converter, OneToOne::<arith::$from<'static>, llvm::$to<'static>>::new());)*
            };
        }
        one_to_one! {
            AddFOp => FAddOp, SubFOp => FSubOp, MulFOp => FMulOp, DivFOp => FDivOp, RemFOp => FRemOp, NegFOp => FNegOp,
            MaximumFOp => MaximumOp, MinimumFOp => MinimumOp, MaxNumFOp => MaxNumOp, MinNumFOp => MinNumOp,
            AddIOp => AddOp, SubIOp => SubOp, MulIOp => MulOp,
            DivSIOp => SDivOp, DivUIOp => UDivOp, RemSIOp => SRemOp, RemUIOp => URemOp,
            MaxSIOp => SMaxOp, MaxUIOp => UMaxOp, MinSIOp => SMinOp, MinUIOp => UMinOp,
            AndIOp => AndOp, OrIOp => OrOp, XOrIOp => XOrOp, ShLIOp => ShlOp, ShRSIOp => AShrOp, ShRUIOp => LShrOp,
            ExtSIOp => SExtOp, ExtUIOp => ZExtOp, TruncIOp => TruncOp, ExtFOp => FPExtOp,
            SIToFPOp => SIToFPOp, UIToFPOp => UIToFPOp, FPToSIOp => FPToSIOp, FPToUIOp => FPToUIOp,
            SelectOp => SelectOp,
        }
        patterns
            .add(converter, Constant)
            .add(converter, casts::Bitcast)
            .add(converter, casts::TruncF)
            .add(converter, casts::IndexCast)
            .add(converter, casts::IndexCastUi)
            .add(converter, compare::CmpI)
            .add(converter, compare::CmpF)
            .add(converter, extended::AddUi)
            .add(converter, extended::MulSi)
            .add(converter, extended::MulUi)
            .add_rewrites(dl_passes_arith::rounded_divisions());
    }
}

/// `arith.constant` becomes `llvm.mlir.constant` of the same attribute.
struct Constant;

impl ConversionPattern for Constant {
    const NAME: &'static str = "arith-constant-to-llvm";
    const ROOT: Option<&'static str> = Some(arith::ConstantOp::NAME);

    fn rewrite(&self, op: OpId, _: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let (value, ty, loc) = (view.attr("value"), view.result(0).ty().id(), view.loc());
        let value = value.ok_or(NoMatch("a constant without value"))?.id();
        let attrs = llvm_attrs::<llvm::ConstantOp<'_>>(view);
        let ty = rw.convert_type(ty)?;
        let cx = rw.cx();
        let state = OpState::of::<llvm::ConstantOp<'_>>(loc).attrs(attrs).attr(cx, "value", value).results([ty]);
        rw.replace_with(op, state);
        Ok(())
    }
}
