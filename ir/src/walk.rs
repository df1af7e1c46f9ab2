//! Visiting all operations below one, across nested isolated operations, without recursion.

use crate::arena::Arena;
use crate::context::Context;
use crate::entity::OpId;
use crate::view::OpRef;

/// Every operation below `root`, `root` included, parents before children, in program order.
pub fn pre_order<'a>(root: OpRef<'a>) -> impl Iterator<Item = OpRef<'a>> {
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
    let mut order = Vec::new();
    let mut stack = vec![root];
    while let Some(op) = stack.pop() {
        order.push(op);
        let start = stack.len();
        for &region in ir.op_regions(op) {
            for block in ir.region_blocks(region) {
                stack.extend(ir.block_ops(block));
            }
        }
        stack[start..].reverse();
    }
    order
}

/// Calls `visit` on the root of `ir` and on the root of every arena nested in it, outermost first.
pub fn for_each_arena(cx: &Context, ir: &mut Arena, visit: &mut dyn FnMut(&Context, &mut Arena)) {
    let mut pending = vec![ir];
    while let Some(arena) = pending.pop() {
        visit(cx, arena);
        pending.extend(arena.children_mut());
    }
}
