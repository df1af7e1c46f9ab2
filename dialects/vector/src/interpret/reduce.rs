//! Combining elements: reductions, in order from the first element on.

use dl_arith::AtomicRMWKind;
use dl_arith::interpret::combine;
use dl_ir::DialectBuilder;
use dl_ir::interp::{Machine, Outcome, Step};

use crate::{CombiningKind, ReductionOp};

pub(super) fn register(b: &mut DialectBuilder) {
    b.on::<ReductionOp<'_>>().interpret(reduction);
}

/// The combining function of the same name; signless integers are told apart by theirs.
fn function(kind: CombiningKind, is_float: bool) -> AtomicRMWKind {
    match kind {
        CombiningKind::Add if is_float => AtomicRMWKind::Addf,
        CombiningKind::Add => AtomicRMWKind::Addi,
        CombiningKind::Mul if is_float => AtomicRMWKind::Mulf,
        CombiningKind::Mul => AtomicRMWKind::Muli,
        CombiningKind::Minui => AtomicRMWKind::Minu,
        CombiningKind::Minsi => AtomicRMWKind::Mins,
        CombiningKind::Minnumf => AtomicRMWKind::Minnumf,
        CombiningKind::Maxui => AtomicRMWKind::Maxu,
        CombiningKind::Maxsi => AtomicRMWKind::Maxs,
        CombiningKind::Maxnumf => AtomicRMWKind::Maxnumf,
        CombiningKind::And => AtomicRMWKind::Andi,
        CombiningKind::Or => AtomicRMWKind::Ori,
        CombiningKind::Xor => AtomicRMWKind::Xori,
        CombiningKind::Maximumf => AtomicRMWKind::Maximumf,
        CombiningKind::Minimumf => AtomicRMWKind::Minimumf,
    }
}

/// The accumulator, where there is one, comes first.
fn reduction<'a>(step: Step<'a, '_>, _: &mut dyn Machine<'a>) -> Outcome<'a> {
    let kind = step.op.attr("kind").and_then(CombiningKind::from_attr);
    let kind = kind.ok_or_else(|| step.op.error("has no kind"))?;
    let kind = function(kind, step.op.result(0).ty().is_float());
    let mut elements = step.group(1).iter().chain(step.array(step.one(0)?)?.elements());
    let first = elements.next().ok_or_else(|| step.unsupported("a reduction of nothing"))?.clone();
    let reduced = elements.try_fold(first, |sum, element| combine(step, kind, &sum, element));
    Ok(reduced?.into())
}
