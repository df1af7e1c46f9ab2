//! `affine-loop-fission`: a loop as several ones that each do a part of its body.
//!
//! *Legal* at a place in the body where nothing after it in one iteration is seen by what is before it in a later one, and where what goes
//! from before to after can be computed again. *Profitable* where both parts store something: each then has fewer streams of memory.

use dl_affine::{AffineForOp, AffineIfOp, AffineYieldOp};
use dl_ir::pass::{Pass, PassCx, PassInfo, PassResult};
use dl_ir::walk::ops_in_arena;
use dl_ir::{BlockRef, InsertPoint, Mapping, OpId, OpRef, Rewriter, ValueRef, clone_op};
use rustc_hash::FxHashSet;

use crate::access::{Access, level_of};
use crate::dependence::{Meeting, meeting};
use crate::loops::{self, ValueMap};

/// Splits innermost loops wherever that is legal and of use.
#[derive(Clone, Copy, Default)]
pub struct AffineLoopFission;

impl Pass for AffineLoopFission {
    const INFO: PassInfo =
        PassInfo::new("affine-loop-fission", "Distribute the body of innermost affine loops over several loops")
            .title("AffineLoopFission")
            .on("func.func")
            .statistics(&[("num-split", "Number of times that a loop was split in two")]);

    fn run(&mut self, cx: &mut PassCx<'_>) -> PassResult {
        let mut splits = 0;
        let mut rw = Rewriter::new(cx.ctx, cx.ir);
        for op in loops::loops_inside_out(&rw) {
            if !loops::is_innermost(loops::view(&rw, op)) {
                continue;
            }
            while let Some(split) = find_split(loops::view(&rw, op)) {
                split_before(&mut rw, op, &split);
                splits += 1;
            }
        }
        cx.count("num-split", splits);
        Ok(())
    }
}

/// A place in the body of a loop.
struct Split {
    /// The first operation of the second part.
    before: OpId,
    /// Operations of the first part that the second one needs as well, in order.
    shared: Vec<OpId>,
}

/// Bodies with more operations than this are left alone: each pair of accesses is looked at.
const MOST_OPS: usize = 256;

/// The first place where the loop can be split to use.
fn find_split(of: AffineForOp<'_>) -> Option<Split> {
    let body: Vec<OpRef<'_>> = of.region().entry()?.ops().collect();
    let (_, inside) = body.split_last()?;
    if of.0.num_results() > 0 || inside.len() > MOST_OPS || !inside.iter().all(|&op| is_simple(op)) {
        return None;
    }
    let level = level_of(of)?;
    let stores = |ops: &[OpRef<'_>]| ops.iter().any(|&op| accesses(op).iter().any(|access| access.is_write));
    (1..inside.len()).find_map(|at| {
        let (first, second) = inside.split_at(at);
        // Right after a store, so that each part is as large as it must be.
        if !stores(&first[at - 1..]) || !stores(second) || !is_order_kept(first, second, level) {
            return None;
        }
        Some(Split { before: second[0].id(), shared: shared(of, first, second)? })
    })
}

/// Whether all that the operation does is to access memory by affine maps.
fn is_simple(op: OpRef<'_>) -> bool {
    ops_in_arena(op.arena(), op.id()).into_iter().all(|id| {
        let each = OpRef::new(op.cx(), op.arena(), id);
        each.is::<AffineIfOp<'_>>()
            || each.is::<AffineYieldOp<'_>>()
            || Access::of(each).is_some()
            || each.num_regions() == 0 && dl_ir::effects::is_pure(each)
    })
}

/// The accesses in an operation.
fn accesses(op: OpRef<'_>) -> Vec<Access<'_>> {
    let inside = ops_in_arena(op.arena(), op.id());
    inside.into_iter().filter_map(|id| Access::of(OpRef::new(op.cx(), op.arena(), id))).collect()
}

/// Whether no iteration of the first part comes after one of the second that it depends on.
fn is_order_kept(first: &[OpRef<'_>], second: &[OpRef<'_>], level: usize) -> bool {
    let of = |ops: &[OpRef<'_>]| ops.iter().flat_map(|&op| ids(op)).collect::<Vec<_>>();
    let (first_ids, second_ids) = (of(first), of(second));
    let view = |id: &OpId| first.first().and_then(|op| Access::of(OpRef::new(op.cx(), op.arena(), *id)));
    second_ids.iter().filter_map(view).all(|a| {
        first_ids.iter().filter_map(view).filter(|b| a.is_write || b.is_write).all(|b| match meeting(&a, &b) {
            Meeting::Never => true,
            Meeting::Unknown => false,
            Meeting::Where(pair) => !pair.carried_at(level).is_possible(),
        })
    })
}

fn ids(op: OpRef<'_>) -> Vec<OpId> {
    ops_in_arena(op.arena(), op.id())
}

/// The operations of the first part whose results the second one needs, directly or not. `None` where one cannot be done again.
fn shared(of: AffineForOp<'_>, first: &[OpRef<'_>], second: &[OpRef<'_>]) -> Option<Vec<OpId>> {
    let own: FxHashSet<OpId> = first.iter().map(|op| op.id()).collect();
    let body = of.region().entry().map(BlockRef::id);
    let mut needed: FxHashSet<OpId> = FxHashSet::default();
    let mut pending: Vec<OpId> = second.iter().flat_map(|&op| ids(op)).collect();
    while let Some(id) = pending.pop() {
        let op = OpRef::new(of.0.cx(), of.0.arena(), id);
        for def in op.operands().iter().filter_map(ValueRef::defining_op) {
            if def.block().map(BlockRef::id) == body && own.contains(&def.id()) && needed.insert(def.id()) {
                if def.num_regions() > 0 || !dl_ir::effects::is_pure(def) {
                    return None;
                }
                pending.push(def.id());
            }
        }
    }
    Some(first.iter().map(|op| op.id()).filter(|op| needed.contains(op)).collect())
}

/// Makes a loop of the first part, before this one, which keeps the second.
fn split_before(rw: &mut Rewriter<'_>, op: OpId, split: &Split) {
    let each = loops::view(rw, op);
    let (Some(lower), Some(upper)) = (ValueMap::lower_bound(each), ValueMap::upper_bound(each)) else { return };
    let (lower, upper, step, loc) = (lower.to_bound(), upper.to_bound(), loops::step(each), each.0.loc());
    let body = loops::body(rw, op);
    let first: Vec<OpId> = rw.ir().block_ops(body).take_while(|&inner| inner != split.before).collect();
    rw.set_insertion_before(op);
    let new = crate::build::empty_loop(rw, &lower, &upper, step, loc);
    let end = loops::terminator(rw, new);
    let point = InsertPoint { block: loops::body(rw, new), before: Some(end) };
    let mut mapping = Mapping::new();
    mapping.map(loops::variable(rw, op), loops::variable(rw, new));
    rw.set_insertion_point(Some(point));
    for &inner in &first {
        clone_op(rw, inner, &mut mapping);
    }
    let kept: FxHashSet<OpId> = split.shared.iter().copied().collect();
    for inner in first.into_iter().rev().filter(|inner| !kept.contains(inner)) {
        rw.erase(inner);
    }
}
