//! Broadcasts.

use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, Rewriter};

use crate::BroadcastOp;

fn dims(op: OpRef<'_>, name: &str) -> Option<Vec<usize>> {
    op.attr(name)?.dense_ints().map(|dim| usize::try_from(dim).ok()).collect()
}

/// A broadcast that adds no dimension is its input.
fn of_nothing(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let broadcast = BroadcastOp(rw.op(op));
    let none = broadcast.dimensions().dense_ints().next().is_none();
    if !none || broadcast.0.num_results() != 1 || broadcast.input().ty() != broadcast.0.result(0).ty() {
        return Err(NoMatch("dimensions are added"));
    }
    let input = broadcast.input().id();
    rw.replace(op, &[input]);
    Ok(())
}

/// One broadcast after another adds the dimensions of both.
fn of_broadcast(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let cx = rw.cx();
    let outer = BroadcastOp(rw.op(op));
    let inner = outer.input().def::<BroadcastOp<'_>>().ok_or(NoMatch("the input is no broadcast"))?;
    let rank = outer.init().ty().rank().ok_or(NoMatch("no rank"))?;
    let (Some(later), Some(earlier)) = (dims(outer.0, "dimensions"), dims(inner.0, "dimensions")) else {
        return Err(NoMatch("no dimensions"));
    };
    // Dimension i of the inner result is the i-th that the outer one does not add.
    let kept: Vec<usize> = (0..rank).filter(|dim| !later.contains(dim)).collect();
    let moved = earlier.iter().map(|&dim| kept.get(dim).copied()).collect::<Option<Vec<usize>>>();
    let mut all: Vec<usize> = moved.ok_or(NoMatch("no dimensions"))?.into_iter().chain(later).collect();
    all.sort_unstable();
    let all: Vec<i64> = all.into_iter().map(|dim| dim as i64).collect();
    let input = inner.input().id();
    rw.set_operand(op, 0, input);
    rw.set_attr(op, cx.ident("dimensions"), cx.dense_i64_array(&all));
    Ok(())
}

pub(crate) fn broadcast(patterns: &mut Patterns) {
    let root = Some(BroadcastOp::NAME);
    patterns.add_fn("linalg-broadcast-of-nothing", root, of_nothing).add_fn(
        "linalg-broadcast-of-broadcast",
        root,
        of_broadcast,
    );
}
