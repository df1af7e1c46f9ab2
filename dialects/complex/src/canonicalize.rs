//! Canonicalization patterns.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpState, Rewriter};

use crate::BitcastOp;

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
