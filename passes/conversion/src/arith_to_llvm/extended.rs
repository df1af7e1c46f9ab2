//! Sums and products with all their bits. Vectors of several dimensions are not taken apart here, as upstream has it.

use dl_arith::{AddUIExtendedOp, MulSIExtendedOp, MulUIExtendedOp};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId};
use dl_llvm::types::{array_parts, struct_type};
use dl_llvm::{ConstantOp, LShrOp, MulOp, SExtOp, TruncOp, UAddWithOverflowOp, ZExtOp};

use crate::llvm_build::LlvmBuild;
use dl_arith::Build;

/// `arith.addui_extended`: the intrinsic gives sum and carry in a struct.
pub(super) struct AddUi;

impl ConversionPattern for AddUi {
    const NAME: &'static str = "arith-addui-extended-to-llvm";
    const ROOT: Option<&'static str> = Some(AddUIExtendedOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let view = rw.op(op);
        let (sum, carry, loc) = (view.result(0).ty().id(), view.result(1).ty().id(), view.loc());
        let (sum, carry) = (rw.convert_type(sum)?, rw.convert_type(carry)?);
        if array_parts(rw.cx().ty(sum)).is_some() {
            return Err(NoMatch("a vector of several dimensions"));
        }
        let (lhs, rhs) = (operands.one(0), operands.one(1));
        let mut b = Build::new(rw, loc);
        let both = struct_type(b.cx(), &[sum, carry]);
        let both = b.value::<UAddWithOverflowOp<'_>>(&[lhs, rhs], both);
        let (sum, carry) = (b.extract(both, &[0]), b.extract(both, &[1]));
        rw.replace(op, &[sum, carry]);
        Ok(())
    }
}

/// `arith.mulsi_extended`: a product of twice the width, cut into halves.
pub(super) struct MulSi;

impl ConversionPattern for MulSi {
    const NAME: &'static str = "arith-mulsi-extended-to-llvm";
    const ROOT: Option<&'static str> = Some(MulSIExtendedOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        wide_product::<SExtOp<'_>>(op, operands, rw)
    }
}

/// `arith.mului_extended`: the same, unsigned.
pub(super) struct MulUi;

impl ConversionPattern for MulUi {
    const NAME: &'static str = "arith-mului-extended-to-llvm";
    const ROOT: Option<&'static str> = Some(MulUIExtendedOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        wide_product::<ZExtOp<'_>>(op, operands, rw)
    }
}

fn wide_product<E: OpDefinition>(op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
    let (loc, cx) = (rw.op(op).loc(), rw.cx());
    let ty = rw.convert_type(rw.op(op).result(0).ty().id())?;
    let view = cx.ty(ty);
    if array_parts(view).is_some() {
        return Err(NoMatch("a vector of several dimensions"));
    }
    let bits = view.element_or_self().int_width().ok_or(NoMatch("not integers"))?;
    let wide_element = cx.int_type(bits * 2);
    let wide = view.with_element(wide_element);
    let amount = cx.int_attr(wide_element, i64::from(bits));
    let amount = if view.is_vector() { cx.splat_attr(wide, amount) } else { Some(amount) };
    let amount = amount.ok_or(NoMatch("a vector of unknown length"))?;
    let (lhs, rhs) = (operands.one(0), operands.one(1));

    let mut b = Build::new(rw, loc);
    let (lhs, rhs) = (b.value::<E>(&[lhs], wide), b.value::<E>(&[rhs], wide));
    let product = b.value::<MulOp<'_>>(&[lhs, rhs], wide);
    let low = b.value::<TruncOp<'_>>(&[product], ty);
    let amount = b.value_with::<ConstantOp<'_>>(&[], wide, &[("value", amount)]);
    let shifted = b.value::<LShrOp<'_>>(&[product, amount], wide);
    let high = b.value::<TruncOp<'_>>(&[shifted], ty);
    rw.replace(op, &[low, high]);
    Ok(())
}
