//! Transpositions.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, Rewriter};

use crate::TransposeOp;

/// The permutation of a transposition.
fn permutation(op: TransposeOp<'_>) -> Option<Vec<usize>> {
    op.permutation().dense_ints().map(|dim| usize::try_from(dim).ok()).collect()
}

/// A transposition that moves nothing is its input.
fn identity(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = TransposeOp(rw.op(op));
    let dims = permutation(view).ok_or(NoMatch("no permutation"))?;
    let stays = dims.iter().enumerate().all(|(i, &dim)| i == dim);
    if !stays || view.0.num_results() != 1 || view.input().ty() != view.0.result(0).ty() {
        return Err(NoMatch("the transposition moves elements"));
    }
    let input = view.input().id();
    rw.replace(op, &[input]);
    Ok(())
}

/// `transpose(transpose(x, p), q)` is one transposition, dimension i of which is dimension `p[q[i]]` of `x`.
fn compose(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let outer = TransposeOp(rw.op(op));
    let inner = outer.input().def::<TransposeOp<'_>>().ok_or(NoMatch("the input is no transposition"))?;
    let (Some(p), Some(q)) = (permutation(inner), permutation(outer)) else { return Err(NoMatch("no permutation")) };
    let composed: Option<Vec<i64>> = q.iter().map(|&dim| p.get(dim).map(|&dim| dim as i64)).collect();
    let composed = composed.ok_or(NoMatch("no permutation"))?;
    let input = inner.input().id();
    rw.set_operand(op, 0, input);
    rw.set_attr(op, cx.ident("permutation"), cx.dense_i64_array(&composed));
    Ok(())
}

pub(crate) fn transpose(patterns: &mut Patterns) {
    patterns.add_fn("linalg-identity-transpose", Some(TransposeOp::NAME), identity).add_fn(
        "linalg-transpose-of-transpose",
        Some(TransposeOp::NAME),
        compose,
    );
}
