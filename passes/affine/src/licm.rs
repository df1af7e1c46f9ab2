//! `affine-loop-invariant-code-motion`: what is the same in each iteration moves before the loop, loads and stores among it.
//!
//! A load moves where nothing in the loop writes what it reads. A store moves where nothing else in the loop touches the buffer. What must not be
//! executed unless the loop runs moves only where it is known to run.

use dl_affine::{AffineForOp, AffineIfOp, AffineParallelOp, AffineYieldOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{BlockRef, OpId, OpRef, Rewriter, ValueRef};
use rustc_hash::FxHashSet;

use crate::access::{Access, is_load, is_store, is_structure};
use crate::loops;

/// Moves invariant operations out of `affine.for` loops, inner loops first.
#[derive(Clone, Copy, Default)]
pub struct AffineLoopInvariantCodeMotion;

impl Pass for AffineLoopInvariantCodeMotion {
    const INFO: PassInfo =
        PassInfo::new("affine-loop-invariant-code-motion", "Hoist loop invariant instructions outside of affine loops")
            .title("AffineLoopInvariantCodeMotion")
            .on("func.func");

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in loops::loops_inside_out(&rw) {
            for moved in invariant(loops::view(&rw, op)) {
                rw.move_before(moved, op);
            }
        }
        Ok(())
    }
}

/// The operations right in the loop that are the same in each iteration, in their order.
fn invariant(of: AffineForOp<'_>) -> Vec<OpId> {
    let mut moved: FxHashSet<OpId> = FxHashSet::default();
    let mut order = Vec::new();
    for op in of.region().entry().into_iter().flat_map(BlockRef::ops) {
        if !op.is::<AffineYieldOp<'_>>() && may_move(op, of, &moved) {
            moved.insert(op.id());
            order.push(op.id());
        }
    }
    order
}

/// Whether `op` with all that is in it can be executed once before the loop, given those that have been found to move.
fn may_move(op: OpRef<'_>, of: AffineForOp<'_>, moved: &FxHashSet<OpId>) -> bool {
    let ir = op.arena();
    if !dl_ir::effects::is_pure(op) && !loops::runs_at_least_once(of) {
        return false;
    }
    ops_in_arena(ir, op.id()).into_iter().all(|id| {
        let each = OpRef::new(op.cx(), ir, id);
        let outside = |value: ValueRef<'_>| {
            let is_outside = !value.is_defined_in(of.0) || value.is_defined_in(op);
            is_outside || value.defining_op().is_some_and(|def| moved.contains(&def.id()))
        };
        has_movable_effects(each, of) && each.operands().iter().all(outside)
    })
}

/// Whether the effects of `each` are the same before the loop.
fn has_movable_effects(each: OpRef<'_>, of: AffineForOp<'_>) -> bool {
    if is_load(each) || is_store(each) {
        return Access::of(each).is_some_and(|access| is_alone(&access, of));
    }
    let is_structure = each.is::<AffineIfOp<'_>>() || each.is::<AffineForOp<'_>>() || each.is::<AffineParallelOp<'_>>();
    is_structure || dl_ir::effects::is_memory_effect_free(each)
}

/// Whether nothing else in the loop writes the buffer that is accessed, or touches it where it is written.
fn is_alone(access: &Access<'_>, of: AffineForOp<'_>) -> bool {
    use dl_ir::opdef::Effects;
    use dl_passes_transforms::alias::{Alias, alias, underlying};
    let buffer = underlying(access.memref);
    let inside = ops_in_arena(of.0.arena(), of.0.id());
    inside.into_iter().skip(1).all(|id| {
        let other = OpRef::new(of.0.cx(), of.0.arena(), id);
        // What is inside of a structure comes by itself.
        if other == access.op || is_structure(other) {
            return true;
        }
        let Some(effects) = dl_ir::effects::effects_of(other) else { return false };
        let conflicts = effects.contains(Effects::WRITE)
            || effects.contains(Effects::FREE)
            || access.is_write && effects.contains(Effects::READ);
        if !conflicts {
            return true;
        }
        let touched = other.operands();
        let mut buffers = touched.iter().filter(|value| value.ty().is_memref()).peekable();
        // Different buffers are taken to share no memory, as everywhere in this dialect.
        buffers.peek().is_some()
            && buffers.all(|value| underlying(value) != buffer && alias(value, access.memref) != Alias::Must)
    })
}
