//! Visiting all operations below one, across nested isolated operations, without recursion.

use std::collections::VecDeque;

use rayon::prelude::*;

use crate::arena::Arena;
use crate::context::Context;
use crate::entity::{BlockId, OpId};
use crate::parallel::evenly;
use crate::view::{OpDefinition, OpRef};

/// Every operation below `root`, `root` included, parents before children, in program order.
pub fn pre_order(root: OpRef<'_>) -> impl Iterator<Item = OpRef<'_>> {
    let mut stack = vec![root];
    std::iter::from_fn(move || {
        let op = stack.pop()?;
        let start = stack.len();
        for region in op.regions() {
            for block in region.blocks() {
                stack.extend(block.ops());
            }
        }
        stack[start..].reverse();
        Some(op)
    })
}

/// Calls `visit` on the operations of one arena below `root`, on `root` first and on parents before their children; those of a parent come in
/// program order, or the last of them first.
fn visit_arena<const BACKWARDS: bool>(ir: &Arena, root: OpId, mut visit: impl FnMut(OpId)) {
    /// What comes next: an operation with the rest of its block, or a block with the rest of its region.
    enum Next {
        Ops(OpId),
        Blocks(BlockId),
    }
    let mut pending = Vec::new();
    let enter = |op: OpId, pending: &mut Vec<Next>| {
        let regions = ir.op_regions(op).iter().map(|&region| ir.region(region));
        if BACKWARDS {
            pending.extend(regions.filter_map(|region| region.last).map(Next::Blocks));
        } else {
            pending.extend(regions.rev().filter_map(|region| region.first).map(Next::Blocks));
        }
    };
    visit(root);
    enter(root, &mut pending);
    while let Some(next) = pending.pop() {
        let mut ops = match next {
            Next::Ops(first) => Some(first),
            Next::Blocks(block) => {
                let block = ir.block(block);
                let (after, first) = if BACKWARDS { (block.prev, block.last_op) } else { (block.next, block.first_op) };
                pending.extend(after.map(Next::Blocks));
                first
            }
        };
        while let Some(op) = ops {
            visit(op);
            ops = if BACKWARDS { ir.op(op).prev } else { ir.next_op(op) };
            if !ir.op_regions(op).is_empty() {
                pending.extend(ops.take().map(Next::Ops));
                enter(op, &mut pending);
            }
        }
    }
}

/// The operations of one arena below `root`, `root` included, parents before children, in program order. Nested isolated
/// operations are listed, but not what is inside them.
pub fn ops_in_arena(ir: &Arena, root: OpId) -> Vec<OpId> {
    let mut order = Vec::with_capacity(if root == Arena::ROOT { ir.num_op_slots() } else { 1 });
    visit_arena::<false>(ir, root, |op| order.push(op));
    order
}

/// The same operations, children before their parents, in program order otherwise: a transform that works from the inside out takes this
/// list, made before it changes anything.
pub fn ops_in_arena_post_order(ir: &Arena, root: OpId) -> Vec<OpId> {
    let mut order = Vec::with_capacity(if root == Arena::ROOT { ir.num_op_slots() } else { 1 });
    visit_arena::<true>(ir, root, |op| order.push(op));
    order.reverse();
    order
}

/// The operations of kind `T` in one arena, children before their parents. An arena that has none costs one look at each of its slots.
pub fn ops_of_kind<T: OpDefinition>(cx: &Context, ir: &Arena) -> Vec<OpId> {
    let name = cx.op_name_by_hash(T::HASH).filter(|&name| cx.op_info(name).is_registered());
    let Some(name) = name else { return Vec::new() };
    let mut found = Vec::new();
    if ir.ops.iter().any(|op| op.name == name) {
        visit_arena::<true>(ir, Arena::ROOT, |op| found.extend((ir.op(op).name == name).then_some(op)));
        found.reverse();
    }
    found
}

/// Calls `visit` on the root of `ir` and on the root of every arena nested in it, outermost first.
pub fn for_each_arena(cx: &Context, ir: &mut Arena, visit: &mut dyn FnMut(&Context, &mut Arena)) {
    let mut pending = vec![ir];
    while let Some(arena) = pending.pop() {
        visit(cx, arena);
        pending.extend(arena.children_mut());
    }
}

/// Calls `visit` on the root of every arena nested in `ir`, in parallel where the context allows threads. The answers are in
/// the order of creation, outermost first.
pub fn map_nested_arenas<T: Send>(
    cx: &Context,
    ir: &mut Arena,
    visit: &(dyn Fn(&Context, &mut Arena) -> T + Sync),
) -> Vec<T> {
    map_children(cx, ir, visit).into()
}

fn map_children<T: Send>(
    cx: &Context,
    ir: &mut Arena,
    visit: &(dyn Fn(&Context, &mut Arena) -> T + Sync),
) -> VecDeque<T> {
    let children: Vec<&mut Arena> = ir.children_mut().collect();
    let with_nested = |child: &mut Arena| {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let own = visit(cx, child);
            let mut all = map_children(cx, child, visit);
            all.push_front(own);
            all
        })
    };
    if cx.threading() && children.len() > 1 {
        let lists: Vec<VecDeque<T>> = evenly(children.into_par_iter()).map(with_nested).collect();
        lists.into_iter().fold(VecDeque::new(), joined)
    } else {
        children.into_iter().map(with_nested).fold(VecDeque::new(), joined)
    }
}

/// `first` and then `second`. The shorter one is moved, so that joining along any nesting costs O(n log n).
fn joined<T>(mut first: VecDeque<T>, mut second: VecDeque<T>) -> VecDeque<T> {
    if first.len() >= second.len() {
        first.extend(second);
        return first;
    }
    while let Some(last) = first.pop_back() {
        second.push_front(last);
    }
    second
}
