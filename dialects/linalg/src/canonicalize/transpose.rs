//! Transpositions.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{DYNAMIC, Mapping, OpDefinition, OpId, OpState, Rewriter, clone_op};

use crate::{BroadcastOp, TransposeOp};

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

/// A transposition of a broadcast is a broadcast of a transposition, which has fewer elements to move.
fn of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let outer = TransposeOp(rw.op(op));
    let inner = outer.input().def::<BroadcastOp<'_>>().ok_or(NoMatch("the input is no broadcast"))?;
    if outer.0.num_results() != 1 || !inner.input().ty().is_ranked_tensor() {
        return Err(NoMatch("on buffers"));
    }
    let order = permutation(outer).ok_or(NoMatch("no permutation"))?;
    let added: Option<Vec<usize>> = inner.dimensions().dense_ints().map(|dim| usize::try_from(dim).ok()).collect();
    let added = added.ok_or(NoMatch("no dimensions"))?;
    // The dimensions of the input, in the order that the result has them, and where those that are added come to be.
    let kept: Vec<usize> = (0..order.len()).filter(|dim| !added.contains(dim)).collect();
    let moved: Vec<usize> = order.iter().filter_map(|dim| kept.iter().position(|other| other == dim)).collect();
    let places: Vec<i64> =
        added.iter().filter_map(|dim| order.iter().position(|other| other == dim)).map(|at| at as i64).collect();
    let shape = inner.input().ty().shape().filter(|shape| shape.len() == moved.len()).ok_or(NoMatch("no rank"))?;
    let new_shape: Vec<i64> = moved.iter().map(|&dim| shape[dim]).collect();
    let ty = inner.input().ty().with_shape(&new_shape).ok_or(NoMatch("no rank"))?;
    let (input, init, loc) = (inner.input().id(), outer.init().id(), outer.0.loc());
    let (inner, result) = (inner.0.id(), outer.0.result(0).ty().id());
    let dynamic: Vec<usize> = (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC).collect();
    let mut sizes = vec![None; shape.len()];
    let index = cx.index_type();
    for dim in dynamic {
        let constant = dl_arith::constant_index(rw, dim as i64, loc);
        let state = OpState::named("tensor.dim", loc).operands([input, constant]).results([index]);
        sizes[dim] = Some(rw.create_value(state));
    }
    let sizes: Vec<_> = moved.iter().filter_map(|&dim| sizes[dim]).collect();
    let empty = rw.create_value(OpState::named("tensor.empty", loc).operands(sizes).results([ty]));
    let moved: Vec<i64> = moved.into_iter().map(|dim| dim as i64).collect();
    let parts = [
        (op, empty, ty, "permutation", cx.dense_i64_array(&moved)),
        (inner, init, result, "dimensions", cx.dense_i64_array(&places)),
    ];
    let mut value = input;
    for (like, init, ty, name, attr) in parts {
        let copy = clone_op(rw, like, &mut Mapping::new());
        rw.set_operands(copy, &[value, init]);
        rw.set_attr(copy, cx.ident(name), attr);
        value = rw.ir().result(copy, 0);
        rw.set_value_type(value, ty);
    }
    rw.replace(op, &[value]);
    Ok(())
}

pub(crate) fn transpose(patterns: &mut Patterns) {
    patterns.add_fn("linalg-identity-transpose", Some(TransposeOp::NAME), identity).add_fn(
        "linalg-transpose-of-transpose",
        Some(TransposeOp::NAME),
        compose,
    );
    patterns.add_fn("linalg-transpose-of-broadcast", Some(TransposeOp::NAME), of_broadcast);
}
