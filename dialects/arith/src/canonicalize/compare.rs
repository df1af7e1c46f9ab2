//! Comparisons.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpView, Rewriter};

use super::{OTHER_OPERANDS, operand_of};
use crate::{CmpIOp, CmpIPredicate, ExtSIOp, ExtUIOp};

/// A constant goes to the right: `c < x` is `x > c`.
pub(crate) fn constant_to_right(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let view = CmpIOp::wrap(rw.op(op));
    let (lhs, rhs) = (view.lhs(), view.rhs());
    if lhs.constant().is_none() || rhs.constant().is_some() {
        return Err(OTHER_OPERANDS);
    }
    let predicate = CmpIPredicate::from_attr(view.predicate()).ok_or(NoMatch("no predicate"))?;
    let (lhs, rhs) = (lhs.id(), rhs.id());
    rw.set_operand(op, 0, rhs);
    rw.set_operand(op, 1, lhs);
    rw.set_attr(op, cx.ident("predicate"), predicate.swapped().attr(cx));
    Ok(())
}

/// `ext(a) == ext(b)` is `a == b`, and so for inequality.
fn of_extended<'a, Ext: OpView<'a>>(view: CmpIOp<'a>) -> Option<[dl_ir::ValueId; 2]> {
    let predicate = CmpIPredicate::from_attr(view.predicate())?;
    let (a, b) = (operand_of::<Ext>(view.lhs())?, operand_of::<Ext>(view.rhs())?);
    let fits = matches!(predicate, CmpIPredicate::Eq | CmpIPredicate::Ne);
    (fits && a.ty() == b.ty()).then(|| [a.id(), b.id()])
}

fn of_extsi(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = CmpIOp::wrap(rw.op(op));
    let operands = of_extended::<ExtSIOp<'_>>(view).ok_or(OTHER_OPERANDS)?;
    rw.set_operands(op, &operands);
    Ok(())
}

fn of_extui(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = CmpIOp::wrap(rw.op(op));
    let operands = of_extended::<ExtUIOp<'_>>(view).ok_or(OTHER_OPERANDS)?;
    rw.set_operands(op, &operands);
    Ok(())
}

pub(crate) fn cmpi(patterns: &mut Patterns) {
    patterns.add_local_fn("arith-cmpi-of-extsi", CmpIOp::NAME, of_extsi).add_local_fn(
        "arith-cmpi-of-extui",
        CmpIOp::NAME,
        of_extui,
    );
}
