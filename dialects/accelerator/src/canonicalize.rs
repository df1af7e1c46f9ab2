//! Canonicalization patterns: tokens that say nothing, waits that wait for nothing, transfers of what is there already.

use dl_ir::interfaces::ViewLike;
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{OpDefinition, OpId, OpRef, OpView, Rewriter, ValueId, ValueRef};

use crate::{DmaStartOp, ReadyOp, WaitOp};

/// Tokens are the last operands of every operation that takes some.
pub(crate) fn tokens<T: OpDefinition>(patterns: &mut Patterns) {
    patterns.add_fn("accelerator-redundant-tokens", Some(T::NAME), redundant_tokens);
}

/// Each token is waited for once, and one that is signalled already not at all.
fn redundant_tokens(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let group = view.def().map_or(0, |def| def.operands.len()).saturating_sub(1);
    let mut kept: Vec<ValueId> = Vec::new();
    let all = view.operand_group(group);
    for token in all.iter() {
        if token.def::<ReadyOp<'_>>().is_none() && !kept.contains(&token.id()) {
            kept.push(token.id());
        }
    }
    if kept.len() == all.len() {
        return Err(NoMatch("no token is redundant"));
    }
    rw.set_operand_group(op, group, &kept);
    Ok(())
}

/// Waits that wait for nothing are erased, and one right after another waits with it.
pub(crate) fn waits(patterns: &mut Patterns) {
    patterns.add_fn("accelerator-wait-for-nothing", Some(WaitOp::NAME), wait_for_nothing);
    patterns.add_fn("accelerator-merge-waits", Some(WaitOp::NAME), merge_waits);
}

fn wait_for_nothing(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    if rw.op(op).num_operands() > 0 {
        return Err(NoMatch("waits for something"));
    }
    rw.erase(op);
    Ok(())
}

fn merge_waits(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let first = view.prev().filter(|op| op.is::<WaitOp<'_>>()).ok_or(NoMatch("follows no other wait"))?;
    let tokens: Vec<ValueId> = first.operands().iter().chain(view.operands().iter()).map(ValueRef::id).collect();
    let first = first.id();
    rw.set_operand_group(op, 0, &tokens);
    rw.erase(first);
    Ok(())
}

/// What has just been moved is not moved again: `dma_start a to b` after one that did the same, where nothing in between writes to either.
pub(crate) fn transfers(patterns: &mut Patterns) {
    patterns.add_fn("accelerator-repeated-transfer", Some(DmaStartOp::NAME), repeated_transfer);
}

fn repeated_transfer(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let this = DmaStartOp::wrap(view);
    let touched = [root(this.source()), root(this.destination())];
    let mut before = view.prev();
    while let Some(other) = before {
        if let Some(other) = other.cast::<DmaStartOp<'_>>() {
            let same = other.source() == this.source()
                && other.destination() == this.destination()
                && ["low", "high", "value"]
                    .iter()
                    .all(|name| other.0.attr(name).map(dl_ir::AttrRef::id) == view.attr(name).map(dl_ir::AttrRef::id));
            if !same {
                // The token of the first would not say that this one is complete.
                return Err(NoMatch("follows a transfer of something else"));
            }
            // What the second one waits for, those who wait for it rely on.
            if this.after().iter().any(|token| !other.after().iter().any(|known| known == token)) {
                return Err(NoMatch("waits for more than the transfer before it"));
            }
            let token = other.0.result(0).id();
            rw.replace(op, &[token]);
            return Ok(());
        }
        if !leaves(other, &touched) {
            return Err(NoMatch("something in between may write to it"));
        }
        before = other.prev();
    }
    Err(NoMatch("there is no such transfer before it"))
}

/// Whether `op` surely writes to none of these buffers.
fn leaves(op: OpRef<'_>, buffers: &[ValueRef<'_>; 2]) -> bool {
    let destination = match op.name() {
        "accelerator.matmul_tile" | "accelerator.binary" => op.operand(2),
        "accelerator.unary"
        | "accelerator.reduce"
        | "accelerator.pool"
        | "accelerator.requantize"
        | "accelerator.dequantize" => op.operand(1),
        _ => return op.num_regions() == 0 && dl_ir::effects::effects_of(op).is_some_and(|effects| effects.is_empty()),
    };
    !buffers.contains(&root(destination))
}

/// The buffer that `value` is a view of.
pub(crate) fn root(mut value: ValueRef<'_>) -> ValueRef<'_> {
    while let Some(op) = value.defining_op()
        && let Some(view) = op.interface::<dyn ViewLike>()
    {
        value = view.source(op);
    }
    value
}
