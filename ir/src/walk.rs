//! Visiting all operations below one, across nested isolated operations, without recursion.

use std::collections::VecDeque;

use rayon::prelude::*;

use crate::arena::Arena;
use crate::context::Context;
use crate::entity::{BlockId, OpId};
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

/// The operations of one arena below `root`, `root` included, parents before children, in program order. Nested isolated
/// operations are listed, but not what is inside them.
pub fn ops_in_arena(ir: &Arena, root: OpId) -> Vec<OpId> {
    /// What comes next: an operation with the rest of its block, or a block with the rest of its region.
    enum Next {
        Ops(Option<OpId>),
        Blocks(BlockId),
    }
    let mut order = Vec::with_capacity(if root == Arena::ROOT { ir.num_op_slots() } else { 1 });
    order.push(root);
    let mut pending = Vec::new();
    let enter = |op: OpId, pending: &mut Vec<Next>| {
        let entries = ir.op_regions(op).iter().rev().filter_map(|&region| ir.entry_block(region));
        pending.extend(entries.map(Next::Blocks));
    };
    enter(root, &mut pending);
    while let Some(next) = pending.pop() {
        let mut ops = match next {
            Next::Ops(first) => first,
            Next::Blocks(block) => {
                let block = ir.block(block);
                pending.extend(block.next.map(Next::Blocks));
                block.first_op
            }
        };
        while let Some(op) = ops {
            order.push(op);
            ops = ir.next_op(op);
            if !ir.op_regions(op).is_empty() {
                pending.push(Next::Ops(ops.take()));
                enter(op, &mut pending);
            }
        }
    }
    order
}

/// The same operations, children before their parents, in program order otherwise: a transform that works from the inside out takes this
/// list, made before it changes anything.
pub fn ops_in_arena_post_order(ir: &Arena, root: OpId) -> Vec<OpId> {
    let mut order = Vec::with_capacity(if root == Arena::ROOT { ir.num_op_slots() } else { 1 });
    let mut pending = vec![root];
    // Parents first and last children first, turned around.
    while let Some(op) = pending.pop() {
        order.push(op);
        for &region in ir.op_regions(op) {
            for block in ir.region_blocks(region) {
                pending.extend(ir.block_ops(block));
            }
        }
    }
    order.reverse();
    order
}

/// The operations of kind `T` in one arena, children before their parents. An arena that has none costs one look at each of its slots.
pub fn ops_of_kind<T: OpDefinition>(cx: &Context, ir: &Arena) -> Vec<OpId> {
    let name = cx.op_name_by_hash(T::HASH).filter(|&name| cx.op_info(name).is_registered());
    let Some(name) = name else { return Vec::new() };
    let is_kind = |op: OpId| ir.op(op).name == name;
    if !(0..ir.num_op_slots()).map(OpId::from_index).any(is_kind) {
        return Vec::new();
    }
    let mut all = ops_in_arena_post_order(ir, Arena::ROOT);
    all.retain(|&op| is_kind(op));
    all
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
        let lists: Vec<VecDeque<T>> = children.into_par_iter().map(with_nested).collect();
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
