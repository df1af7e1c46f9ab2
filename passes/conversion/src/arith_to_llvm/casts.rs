//! Casts whose counterpart depends on widths or rounding.

use dl_arith::{BitcastOp, IndexCastOp, IndexCastUIOp, RoundingMode, TruncFOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, TypeRef};
use dl_llvm::types::array_parts;
use dl_llvm::{ConstrainedFPTruncIntrOp, FPExceptionBehavior, FPTruncOp, SExtOp, TruncOp, ZExtOp};

use crate::one_to_one::{llvm_attrs, replace_elementwise};

/// `arith.truncf` becomes `llvm.fptrunc`; with a rounding mode, the constrained intrinsic.
pub(super) struct TruncF;

impl ConversionPattern for TruncF {
    const NAME: &'static str = "arith-truncf-to-llvm";
    const ROOT: Option<&'static str> = Some(TruncFOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let cx = rw.cx();
        let mode = match rw.op(op).attr("roundingmode") {
            None => None,
            Some(attr) => Some(RoundingMode::from_attr(attr).ok_or(NoMatch("an unknown rounding mode"))?),
        };
        let attrs = llvm_attrs::<FPTruncOp<'_>>(rw.op(op));
        replace_elementwise(op, operands, rw, &|b, operands, ty| {
            let state = match mode {
                None => OpState::of::<FPTruncOp<'_>>(b.loc),
                Some(mode) => OpState::of::<ConstrainedFPTruncIntrOp<'_>>(b.loc)
                    .attr(cx, "roundingmode", cx.i64_attr(llvm_mode(mode).value() as i64))
                    .attr(cx, "fpExceptionBehavior", cx.i64_attr(FPExceptionBehavior::Ignore.value() as i64)),
            };
            let state = state.attrs(attrs.iter().copied()).operands(operands.iter().copied()).results([ty]);
            b.create_value(state)
        })
    }
}

fn llvm_mode(mode: RoundingMode) -> dl_llvm::RoundingMode {
    use dl_llvm::RoundingMode as To;
    match mode {
        RoundingMode::ToNearestEven => To::NearestTiesToEven,
        RoundingMode::Downward => To::TowardNegative,
        RoundingMode::Upward => To::TowardPositive,
        RoundingMode::TowardZero => To::TowardZero,
        RoundingMode::ToNearestAway => To::NearestTiesToAway,
    }
}

/// `arith.bitcast` becomes `llvm.bitcast`, or nothing where the types are the same in LLVM.
pub(super) struct Bitcast;

impl ConversionPattern for Bitcast {
    const NAME: &'static str = "arith-bitcast-to-llvm";
    const ROOT: Option<&'static str> = Some(BitcastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let value = operands.one(0);
        let to = rw.convert_type(rw.op(op).result(0).ty().id())?;
        if rw.ir().value_type(value) == to {
            rw.replace(op, &[value]);
            return Ok(());
        }
        let attrs = llvm_attrs::<dl_llvm::BitcastOp<'_>>(rw.op(op));
        replace_elementwise(op, operands, rw, &|b, operands, ty| {
            let state = OpState::of::<dl_llvm::BitcastOp<'_>>(b.loc).operands(operands.iter().copied()).results([ty]);
            b.create_value(state.attrs(attrs.iter().copied()))
        })
    }
}

/// `arith.index_cast` cuts or extends by the sign, or does nothing.
pub(super) struct IndexCast;

impl ConversionPattern for IndexCast {
    const NAME: &'static str = "arith-index-cast-to-llvm";
    const ROOT: Option<&'static str> = Some(IndexCastOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        resize::<SExtOp<'_>>(op, operands, rw)
    }
}

/// `arith.index_castui` cuts or extends with zeros, or does nothing.
pub(super) struct IndexCastUi;

impl ConversionPattern for IndexCastUi {
    const NAME: &'static str = "arith-index-castui-to-llvm";
    const ROOT: Option<&'static str> = Some(IndexCastUIOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        resize::<ZExtOp<'_>>(op, operands, rw)
    }
}

/// Bits of an integer, or of the integers in a vector or nested arrays.
fn bits(mut ty: TypeRef<'_>) -> Result<u32, NoMatch> {
    while let Some((element, _)) = array_parts(ty) {
        ty = ty.cx().ty(element);
    }
    ty.element_or_self().int_width().ok_or(NoMatch("not integers"))
}

fn resize<E: OpDefinition>(op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
    let (value, cx) = (operands.one(0), rw.cx());
    let to = rw.convert_type(rw.op(op).result(0).ty().id())?;
    let (from_bits, to_bits) = (bits(rw.value_type(value))?, bits(cx.ty(to))?);
    if from_bits == to_bits {
        rw.replace(op, &[value]);
        return Ok(());
    }
    let attrs = if to_bits < from_bits { llvm_attrs::<TruncOp<'_>>(rw.op(op)) } else { llvm_attrs::<E>(rw.op(op)) };
    replace_elementwise(op, operands, rw, &|b, operands, ty| {
        let state = if to_bits < from_bits { OpState::of::<TruncOp<'_>>(b.loc) } else { OpState::of::<E>(b.loc) };
        b.create_value(state.attrs(attrs.iter().copied()).operands(operands.iter().copied()).results([ty]))
    })
}
