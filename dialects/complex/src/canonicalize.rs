//! Canonicalization patterns.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};

use crate::{BitcastOp, CreateOp, ImOp, NegOp, ReOp};

/// A cast of bits of a cast of bits is one cast: `arith.bitcast` between numbers, `complex.bitcast` where a complex one takes part.
fn merge_bitcasts(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let inner = view.operand(0).defining_op().filter(|inner| {
        let complex = inner.is::<BitcastOp<'_>>();
        complex || (view.is::<BitcastOp<'_>>() && inner.is::<dl_arith::BitcastOp<'_>>())
    });
    let inner = inner.ok_or(NoMatch("the operand is no cast of bits"))?;
    let (source, result, loc) = (inner.operand(0), view.result(0).ty(), view.loc());
    let is_complex = source.ty().is_complex() || result.is_complex();
    let name = if is_complex { BitcastOp::NAME } else { dl_arith::BitcastOp::NAME };
    let state = OpState::named(name, loc).operands([source.id()]).results([result.id()]);
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn bitcast(patterns: &mut Patterns) {
    patterns.add_fn("complex-merge-bitcasts", Some(BitcastOp::NAME), merge_bitcasts).add_fn(
        "complex-merge-bitcasts",
        Some(dl_arith::BitcastOp::NAME),
        merge_bitcasts,
    );
}

/// A part of the opposite of what was put together from two numbers is the opposite of one of them.
fn part_of_negated(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let negated = view.operand(0).def::<NegOp<'_>>().ok_or(NoMatch("the operand is not negated"))?;
    let create = negated.complex().def::<CreateOp<'_>>().ok_or(NoMatch("the number is not put together here"))?;
    let part = if view.is::<ReOp<'_>>() { create.real() } else { create.imaginary() };
    let (cx, loc) = (rw.cx(), view.loc());
    let state = OpState::of::<dl_arith::NegFOp<'_>>(loc).operands([part.id()]).results([part.ty().id()]).maybe_attr(
        cx,
        "fastmath",
        negated.0.attr("fastmath").map(|flags| flags.id()),
    );
    rw.replace_with(op, state);
    Ok(())
}

pub(crate) fn im(patterns: &mut Patterns) {
    patterns.add_fn("complex-part-of-negated", Some(ImOp::NAME), part_of_negated);
}

pub(crate) fn re(patterns: &mut Patterns) {
    patterns.add_fn("complex-part-of-negated", Some(ReOp::NAME), part_of_negated);
}
