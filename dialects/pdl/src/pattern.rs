//! The verifier of patterns.

use dl_ir::{BlockRef, Diagnostic, OpId, OpRef, OpView, ValueRef};
use rustc_hash::FxHashSet;

use crate::{OperandOp, OperandsOp, OperationOp, PatternOp, ResultOp, ResultsOp, RewriteOp};

/// A pattern ends with a rewrite, consists of operations of this dialect, and what the rewrite uses hangs together.
pub(crate) fn verify_pattern(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let Some(body) = PatternOp::wrap(op).body_region().entry() else { return Ok(()) };
    if let Some(last) = body.last_op().filter(|last| !last.is::<RewriteOp<'_>>()) {
        let error = op.error("expected body to terminate with `pdl.rewrite`");
        return Err(error.note(last.loc(), "see terminator defined here"));
    }
    if let Some(stranger) = first_stranger(body) {
        let error = op.error("expected only `pdl` operations within the pattern body");
        return Err(error.note(stranger.loc(), "see non-`pdl` operation defined here"));
    }
    if !body.ops().any(OpRef::is::<OperationOp<'_>>) {
        return Err(op.error("the pattern must contain at least one `pdl.operation`"));
    }
    if let Some(apart) = first_apart(body) {
        let error = op.error("the operations must form a connected component");
        return Err(error.note(apart.loc(), "see a disconnected value / operation here"));
    }
    Ok(())
}

/// The first operation in the body, nested ones too, that is of another dialect.
fn first_stranger(body: BlockRef<'_>) -> Option<OpRef<'_>> {
    let mut pending: Vec<OpRef<'_>> = body.ops().collect();
    pending.reverse();
    while let Some(op) = pending.pop() {
        if !op.name().starts_with("pdl.") {
            return Some(op);
        }
        let nested: Vec<OpRef<'_>> = op.regions().flat_map(|region| region.ops()).collect();
        pending.extend(nested.into_iter().rev());
    }
    None
}

fn is_part(op: OpRef<'_>) -> bool {
    op.is::<OperandOp<'_>>()
        || op.is::<OperandsOp<'_>>()
        || op.is::<ResultOp<'_>>()
        || op.is::<ResultsOp<'_>>()
        || op.is::<OperationOp<'_>>()
}

fn users(op: OpRef<'_>) -> impl Iterator<Item = OpRef<'_>> {
    op.results()
        .iter()
        .collect::<Vec<_>>()
        .into_iter()
        .flat_map(|result| result.uses().collect::<Vec<_>>())
        .map(|(user, _)| user)
}

/// The first part that the rewrite uses and that is not connected with those before it.
fn first_apart(body: BlockRef<'_>) -> Option<OpRef<'_>> {
    let in_rewrite = |op: OpRef<'_>| op.is::<RewriteOp<'_>>() || op.parent().is_some_and(OpRef::is::<RewriteOp<'_>>);
    let mut used = body.ops().filter(|&op| is_part(op) && users(op).any(in_rewrite));
    let connected = connected_with(used.next()?);
    used.find(|op| !connected.contains(&op.id()))
}

/// Everything that operands, parents of results and users lead to from `start`, within the matcher.
fn connected_with(start: OpRef<'_>) -> FxHashSet<OpId> {
    let mut visited = FxHashSet::default();
    let mut pending = vec![start];
    while let Some(op) = pending.pop() {
        let in_matcher = op.parent().is_some_and(OpRef::is::<PatternOp<'_>>) && !op.is::<RewriteOp<'_>>();
        if !in_matcher || !visited.insert(op.id()) {
            continue;
        }
        if let Some(operation) = op.cast::<OperationOp<'_>>() {
            pending.extend(operation.operand_values().iter().filter_map(ValueRef::defining_op));
        } else if op.is::<ResultOp<'_>>() || op.is::<ResultsOp<'_>>() {
            pending.extend(op.operand(0).defining_op());
        }
        pending.extend(users(op));
    }
    visited
}
