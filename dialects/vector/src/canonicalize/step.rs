//! Comparisons of a vector that counts up with a constant.

use dl_ir::number::ApInt;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};

use dl_arith::{CmpIOp, CmpIPredicate};

use crate::StepOp;
use crate::types::extents;

/// Comparing the first and the last element without sign tells of all, where both agree; equality where the constant is none of them.
fn compared(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = rw.op(op);
    let side = (0..2).find(|&at| view.operand(at).def::<StepOp<'_>>().is_some()).ok_or(NoMatch("no step"))?;
    let predicate = view.attr("predicate").and_then(CmpIPredicate::from_attr).ok_or(NoMatch("no predicate"))?;
    let (step, other) = (view.operand(side).ty(), view.operand(1 - side));
    let constant = other.constant().and_then(|constant| dl_arith::constants::uniform_int(cx, constant.id()));
    let constant = constant.ok_or(NoMatch("not compared with one constant"))?;
    let last = extents(step).first().filter(|_| !step.is_scalable_vector()).and_then(|len| u64::try_from(len - 1).ok());
    let last = ApInt::from_u64(64, last.ok_or(NoMatch("the last element is not known"))?);
    let predicate = if side == 0 { predicate } else { predicate.swapped() };
    let result = match predicate {
        CmpIPredicate::Eq | CmpIPredicate::Ne if constant.ugt(&last) => predicate == CmpIPredicate::Ne,
        CmpIPredicate::Ult | CmpIPredicate::Ule | CmpIPredicate::Ugt | CmpIPredicate::Uge => {
            let first = predicate.holds(&ApInt::zero(64), &constant);
            if predicate.holds(&last, &constant) != first {
                return Err(NoMatch("some elements compare so, others not"));
            }
            first
        }
        _ => return Err(NoMatch("nothing is known for all elements")),
    };
    let splat = cx.splat_attr(view.result(0).ty().id(), cx.bool_attr(result)).ok_or(NoMatch("not a mask"))?;
    let state = dl_arith::constant_state(cx, splat, view.loc());
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn step(patterns: &mut Patterns) {
    patterns.add_local_fn("vector-step-compared", CmpIOp::NAME, compared);
}
