//! Comparisons.

use dl_arith::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate};
use dl_ir::rewrite::conversion::{ConversionPattern, ConversionRewriter, Converted};
use dl_ir::rewrite::{NoMatch, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState};
use dl_llvm::{FCmpOp, FCmpPredicate, ICmpOp, ICmpPredicate};

use crate::one_to_one::{llvm_attrs, replace_elementwise};

/// `arith.cmpi` becomes `llvm.icmp`.
pub(super) struct CmpI;

impl ConversionPattern for CmpI {
    const NAME: &'static str = "arith-cmpi-to-llvm";
    const ROOT: Option<&'static str> = Some(CmpIOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let predicate = rw.op(op).attr("predicate").and_then(CmpIPredicate::from_attr);
        let predicate = icmp(predicate.ok_or(NoMatch("an unknown predicate"))?).value();
        replace_comparison::<ICmpOp<'_>>(op, operands, rw, predicate)
    }
}

/// `arith.cmpf` becomes `llvm.fcmp`.
pub(super) struct CmpF;

impl ConversionPattern for CmpF {
    const NAME: &'static str = "arith-cmpf-to-llvm";
    const ROOT: Option<&'static str> = Some(CmpFOp::NAME);

    fn rewrite(&self, op: OpId, operands: Converted<'_>, rw: &mut ConversionRewriter<'_>) -> Rewrite {
        let predicate = rw.op(op).attr("predicate").and_then(CmpFPredicate::from_attr);
        let predicate = fcmp(predicate.ok_or(NoMatch("an unknown predicate"))?).value();
        replace_comparison::<FCmpOp<'_>>(op, operands, rw, predicate)
    }
}

fn replace_comparison<T: OpDefinition>(
    op: OpId,
    operands: Converted<'_>,
    rw: &mut ConversionRewriter<'_>,
    predicate: u64,
) -> Rewrite {
    let attrs = llvm_attrs::<T>(rw.op(op));
    let cx = rw.cx();
    replace_elementwise(op, operands, rw, &|b, operands, ty| {
        let state = OpState::of::<T>(b.loc).operands(operands.iter().copied()).results([ty]);
        let state = state.attrs(attrs.iter().copied()).attr(cx, "predicate", cx.i64_attr(predicate as i64));
        b.create_value(state)
    })
}

fn icmp(predicate: CmpIPredicate) -> ICmpPredicate {
    use ICmpPredicate as To;
    match predicate {
        CmpIPredicate::Eq => To::Eq,
        CmpIPredicate::Ne => To::Ne,
        CmpIPredicate::Slt => To::Slt,
        CmpIPredicate::Sle => To::Sle,
        CmpIPredicate::Sgt => To::Sgt,
        CmpIPredicate::Sge => To::Sge,
        CmpIPredicate::Ult => To::Ult,
        CmpIPredicate::Ule => To::Ule,
        CmpIPredicate::Ugt => To::Ugt,
        CmpIPredicate::Uge => To::Uge,
    }
}

fn fcmp(predicate: CmpFPredicate) -> FCmpPredicate {
    use CmpFPredicate as From;
    use FCmpPredicate as To;
    match predicate {
        From::AlwaysFalse => To::False,
        From::Oeq => To::Oeq,
        From::Ogt => To::Ogt,
        From::Oge => To::Oge,
        From::Olt => To::Olt,
        From::Ole => To::Ole,
        From::One => To::One,
        From::Ord => To::Ord,
        From::Ueq => To::Ueq,
        From::Ugt => To::Ugt,
        From::Uge => To::Uge,
        From::Ult => To::Ult,
        From::Ule => To::Ule,
        From::Une => To::Une,
        From::Uno => To::Uno,
        From::AlwaysTrue => To::True,
    }
}
