//! Bitwise operations.

use dl_ir::rewrite::{Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};

use super::{OTHER_OPERANDS, is_all_ones, operand_of, value_before};
use crate::{AndIOp, CmpIOp, CmpIPredicate, ExtSIOp, ExtUIOp, OrIOp, XOrIOp};

macro_rules! narrow {
    ($name:ident, $Op:ident, $Ext:ident) => {
        /// `op(ext(a), ext(b)) = ext(op(a, b))` for operands of one type.
        fn $name(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
            let view = rw.op(op);
            let a = operand_of::<$Ext<'_>>(view.operand(0)).ok_or(OTHER_OPERANDS)?;
            let b = operand_of::<$Ext<'_>>(view.operand(1)).ok_or(OTHER_OPERANDS)?;
            if a.ty() != b.ty() {
                return Err(OTHER_OPERANDS);
            }
            let (a, b, ty) = (a.id(), b.id(), a.ty().id());
            let narrow = value_before::<$Op<'_>>(rw, op, &[a, b], ty);
            super::replace::<$Ext<'_>>(rw, op, &[narrow]);
            Ok(())
        }
    };
}

narrow!(and_of_extui, AndIOp, ExtUIOp);
narrow!(and_of_extsi, AndIOp, ExtSIOp);
narrow!(or_of_extui, OrIOp, ExtUIOp);
narrow!(or_of_extsi, OrIOp, ExtSIOp);
narrow!(xor_of_extui, XOrIOp, ExtUIOp);
narrow!(xor_of_extsi, XOrIOp, ExtSIOp);

/// `not (a < b) = a >= b`, for every predicate.
fn not_of_cmp(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let cmp = view.operand(0).def::<CmpIOp<'_>>().filter(|_| is_all_ones(view.operand(1))).ok_or(OTHER_OPERANDS)?;
    let predicate = CmpIPredicate::from_attr(cmp.predicate()).ok_or(OTHER_OPERANDS)?.inverted().attr(cx);
    let (lhs, rhs, loc) = (cmp.lhs().id(), cmp.rhs().id(), view.loc());
    let ty = view.result(0).ty().id();
    let state = OpState::of::<CmpIOp<'_>>(loc).operands([lhs, rhs]).attr(cx, "predicate", predicate).results([ty]);
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn andi(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-and-of-extui", AndIOp::NAME, and_of_extui).add_local_fn(
        "arith-and-of-extsi",
        AndIOp::NAME,
        and_of_extsi,
    );
}

pub(crate) fn ori(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-or-of-extui", OrIOp::NAME, or_of_extui).add_local_fn(
        "arith-or-of-extsi",
        OrIOp::NAME,
        or_of_extsi,
    );
}

pub(crate) fn xori(patterns: &mut Patterns) {
    patterns
        .add_local_fn("arith-not-of-cmp", XOrIOp::NAME, not_of_cmp)
        .add_local_fn("arith-xor-of-extui", XOrIOp::NAME, xor_of_extui)
        .add_local_fn("arith-xor-of-extsi", XOrIOp::NAME, xor_of_extsi);
}
