//! Scopes of memory on the stack.

use dl_ir::effects::effects_of;
use dl_ir::opdef::{Effects, Trait};
use dl_ir::rewrite::{NoMatch, Patterns, Rewrite};
use dl_ir::{InsertPoint, OpDefinition, OpId, OpRef, Rewriter};
use smallvec::SmallVec;

use crate::{AllocOp, AllocaOp, AllocaScopeOp};

/// Whether `op` by itself takes memory on the stack, or may do so for all that is known.
fn takes_memory(op: OpRef<'_>) -> bool {
    if op.has_trait(&Trait::RecursiveMemoryEffects) || op.is::<AllocOp<'_>>() {
        return false;
    }
    effects_of(op).is_none_or(|effects| effects.contains(Effects::ALLOCATE))
}

/// Whether `op`, or something in it that is in no scope of its own, may take memory on the stack.
fn may_take_memory(op: OpRef<'_>) -> bool {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        if takes_memory(op) {
            return true;
        }
        if !op.has_trait(&Trait::AutomaticAllocationScope) {
            pending.extend(op.regions().flat_map(|region| region.ops()));
        }
    }
    false
}

/// Whether nothing but the terminator follows `op` in its region.
fn is_last(op: OpRef<'_>) -> bool {
    let Some(block) = op.block() else { return false };
    let alone = block.region().is_some_and(|region| region.has_one_block());
    alone && op.next().is_some() && op.next() == block.terminator()
}

/// A scope that takes no memory, or ends where the one around it does, is not needed.
fn inline_scope(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let scope = AllocaScopeOp(rw.op(op));
    let parent = scope.0.parent().ok_or(NoMatch("nothing around it"))?;
    let block = scope.0.region(0).entry().ok_or(NoMatch("an empty region"))?;
    let ends_there = parent.has_trait(&Trait::AutomaticAllocationScope) && is_last(scope.0);
    if !ends_there && block.ops().any(may_take_memory) {
        return Err(NoMatch("the scope takes memory that is given back before"));
    }
    let end = block.terminator().ok_or(NoMatch("no terminator"))?;
    if end.num_operands() != scope.0.num_results() || block.num_args() != 0 {
        return Err(NoMatch("the end does not fit"));
    }
    let (values, end, block) = (end.operands().ids(), end.id(), block.id());
    let home = scope.0.block().ok_or(NoMatch("nothing around it"))?.id();
    rw.erase(end);
    rw.inline_block(block, InsertPoint { block: home, before: Some(op) }, &[]);
    rw.replace(op, &values);
    Ok(())
}

/// Memory taken in a scope that is the last in the scope around it lives as long there.
fn hoist_out(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let scope = rw.op(op);
    let mut outermost = scope;
    loop {
        let parent = outermost.parent().ok_or(NoMatch("no scope around it"))?;
        if parent.has_trait(&Trait::AutomaticAllocationScope) {
            break;
        }
        // Only what certainly runs once, and ends with its last operation.
        if !is_last(outermost) || parent.num_regions() != 1 || !parent.region(0).has_one_block() {
            return Err(NoMatch("the scope around it goes on"));
        }
        outermost = parent;
    }
    if outermost.id() == op || !is_last(outermost) {
        return Err(NoMatch("the scope around it goes on"));
    }
    let block = scope.region(0).entry().ok_or(NoMatch("an empty region"))?;
    let defined_outside = |op: OpRef<'_>| {
        op.operands().iter().all(|value| value.parent_block().is_some() && !value.is_defined_in(outermost))
    };
    let hoisted: SmallVec<[OpId; 4]> =
        block.ops().filter(|each| each.is::<AllocaOp<'_>>() && defined_outside(*each)).map(|each| each.id()).collect();
    if hoisted.is_empty() {
        return Err(NoMatch("no memory is taken that does not depend on what is inside"));
    }
    let before = outermost.id();
    for alloca in hoisted {
        rw.move_before(alloca, before);
    }
    Ok(())
}

pub(crate) fn alloca_scope(patterns: &mut Patterns) {
    let root = Some(AllocaScopeOp::NAME);
    patterns.add_fn("memref-inline-scope", root, inline_scope).add_fn("memref-hoist-out-of-scope", root, hoist_out);
}
