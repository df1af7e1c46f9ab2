//! Which transfers may begin while the iteration before still computes.

use dl_affine::compose::compose;
use dl_affine::{AffineDmaStartOp, AffineDmaWaitOp, AffineForOp, DmaPosition, dma_parts};
use dl_ir::walk::ops_in_arena;
use dl_ir::{AttrRef, DYNAMIC, OpId, OpRef, ValueId, ValueRef};
use dl_memref::{AllocOp, AllocaOp, DeallocOp};
use dl_passes_transforms::alias::underlying;

use crate::access::{is_load, is_store, is_structure};

/// A transfer to faster memory, in the body of a loop.
pub(super) struct Transfer {
    /// Where it begins.
    pub(super) start: OpId,
    /// What it fills.
    pub(super) buffer: ValueId,
    /// What says that it is done.
    pub(super) tag: ValueId,
}

/// The transfers in the body of `of` that may be early.
pub(super) fn transfers(of: AffineForOp<'_>) -> Vec<Transfer> {
    let Some(body) = of.region().entry().filter(|_| of.0.num_results() == 0) else { return Vec::new() };
    body.ops().filter_map(|start| transfer(of, start)).collect()
}

fn transfer(of: AffineForOp<'_>, start: OpRef<'_>) -> Option<Transfer> {
    if !start.is::<AffineDmaStartOp<'_>>() {
        return None;
    }
    let (positions, numbers) = dma_parts(start)?;
    let [source, target, tag] = positions[..] else { return None };
    let count = numbers.get(0)?.constant()?.as_int()?;
    let is_early = space_of(source) < space_of(target)
        && positions.iter().all(|position| is_known_early(of, start, position))
        && numbers.iter().all(|number| !number.is_defined_in(of.0))
        && elements(target.memref).is_some_and(|size| count >= size)
        && elements(tag.memref).is_some();
    if !is_early {
        return None;
    }
    let wait = wait_for(of, start, tag)?;
    let is_own = belongs_to(of, target.memref, |user, operand| {
        user == start && operand == target.at || is_access_after(of, wait, user, operand)
    }) && belongs_to(of, tag.memref, |user, operand| user == start && operand == tag.at || user == wait)
        && !is_written(of, source.memref);
    is_own.then(|| Transfer { start: start.id(), buffer: target.memref.id(), tag: tag.memref.id() })
}

/// The memory space as a number; none is the slowest.
fn space_of(position: DmaPosition<'_>) -> i64 {
    position.memref.ty().memory_space().and_then(AttrRef::as_int).unwrap_or(0)
}

/// Whether the place of the transfer follows from the induction variable and from what is known before the loop.
fn is_known_early(of: AffineForOp<'_>, start: OpRef<'_>, position: &DmaPosition<'_>) -> bool {
    let variable = of.region().entry().and_then(|body| body.args().next());
    let (_, operands) = compose(start, position.map, position.indices.iter());
    operands.into_iter().all(|value| Some(value) == variable || !value.is_defined_in(of.0))
}

/// The number of elements of a buffer of static shape without a layout.
fn elements(memref: ValueRef<'_>) -> Option<i64> {
    let ty = memref.ty();
    let shape = ty.shape().filter(|shape| !shape.contains(&DYNAMIC) && ty.has_identity_layout())?;
    shape.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent))
}

/// The wait in the body of the loop, after `start`, for the element of the tag that is that of `start`.
fn wait_for<'a>(of: AffineForOp<'_>, start: OpRef<'a>, tag: DmaPosition<'a>) -> Option<OpRef<'a>> {
    let is_wait = |op: &OpRef<'a>| {
        let Some((positions, _)) = dma_parts(*op).filter(|_| op.is::<AffineDmaWaitOp<'_>>()) else { return false };
        let same = positions[0].map == tag.map && positions[0].indices.iter().eq(tag.indices.iter());
        same && op.block() == start.block() && start.arena().is_before_in_block(start.id(), op.id())
    };
    let mut waits = tag.memref.uses().map(|(user, _)| user).filter(is_wait);
    let wait = waits.next().filter(|wait| of.0.is_ancestor_of(wait.id()))?;
    waits.next().is_none().then_some(wait)
}

/// Whether `memref` was allocated here, and all that uses it is in the loop and `may_use` it, but for its deallocation beside the allocation.
fn belongs_to(of: AffineForOp<'_>, memref: ValueRef<'_>, may_use: impl Fn(OpRef<'_>, usize) -> bool) -> bool {
    let Some(maker) = memref.defining_op().filter(|op| op.is::<AllocOp<'_>>() || op.is::<AllocaOp<'_>>()) else {
        return false;
    };
    let body = of.region().entry();
    let is_near = maker.block() == body || !memref.is_defined_in(of.0);
    is_near
        && memref.uses().all(|(user, operand)| {
            let is_end = user.is::<DeallocOp<'_>>() && user.block() == maker.block();
            is_end || of.0.is_ancestor_of(user.id()) && may_use(user, operand)
        })
}

/// Whether `op` loads or stores elements of its operand number `operand` after `wait`.
fn is_access_after(of: AffineForOp<'_>, wait: OpRef<'_>, op: OpRef<'_>, operand: usize) -> bool {
    let is_access = is_load(op) || is_store(op) && operand == 1;
    let outer = std::iter::successors(Some(op), |op| op.parent()).find(|each| each.parent() == Some(of.0));
    is_access && outer.is_some_and(|outer| wait.arena().is_before_in_block(wait.id(), outer.id()))
}

/// Whether anything in the loop may write to `source`. Different memory that functions take is taken for different, as in all analysis of affine
/// accesses, and operations that nothing is known about for touching only what they are handed.
fn is_written(of: AffineForOp<'_>, source: ValueRef<'_>) -> bool {
    let source = underlying(source);
    ops_in_arena(of.0.arena(), of.0.id()).into_iter().skip(1).any(|id| {
        let op = OpRef::new(of.0.cx(), of.0.arena(), id);
        let mut memory = op.operands().iter().filter(|value| value.ty().is_memref());
        if is_load(op) || is_structure(op) || op.is::<AffineDmaWaitOp<'_>>() || op.is::<DeallocOp<'_>>() {
            return false;
        }
        if let Some((positions, _)) = dma_parts(op) {
            return underlying(positions[1].memref) == source;
        }
        match dl_ir::effects::effects_of(op) {
            Some(effects) if !effects.contains(dl_ir::opdef::Effects::WRITE) => false,
            None if op.info().is_registered() => true,
            _ => memory.any(|value| underlying(value) == source),
        }
    })
}
