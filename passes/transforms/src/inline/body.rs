//! Replacing one call by the body of the function.

use dl_ir::interfaces::{CallOp, FunctionOp, InlineSite};
use dl_ir::opdef::{BlockCount, Trait};
use dl_ir::{
    Arena, BlockId, BlockRef, Context, InsertPoint, Mapping, OpId, OpRef, Operands, RegionRef, Rewriter, ValueId,
    clone_region_from,
};

use super::locations::Callers;

/// Replaces `call` in `caller` by a copy of the body of `callable`, the root of another arena, where the dialects of all operations
/// concerned allow it. `is_copied` says whether the function stays as well. `visit` is shown the blocks of the copy before
/// they are joined to those around the call.
///
/// Answers whether the call was replaced; nothing has changed where not. Costs O(operations in the function), and O(operations after the
/// call) where the function has several blocks.
pub fn inline_call(
    cx: &Context,
    caller: &mut Arena,
    call: OpId,
    callable: &Arena,
    is_copied: bool,
    visit: &mut dyn FnMut(&Arena, &[BlockId]),
) -> bool {
    let (view, function) = (OpRef::new(cx, caller, call), OpRef::root(cx, callable));
    let Some(needs_blocks) = blocks_needed(view, function, is_copied) else { return false };
    let (Some(calls), Some(body)) = (view.interface::<dyn CallOp>(), function.interface::<dyn FunctionOp>()) else {
        return false;
    };
    let (mut arguments, source, loc) = (calls.arguments(view).ids(), body.body(function).id(), view.loc());
    let mut rw = Rewriter::new(cx, caller);
    let copy = rw.new_region();
    clone_region_from(&mut rw, callable, source, copy, &mut Mapping::new());
    let blocks: Vec<BlockId> = rw.ir().region_blocks(copy).collect();
    if !loc.is_unknown() {
        Callers::new(cx, loc).append(&mut rw, &blocks);
    }
    visit(rw.ir(), &blocks);
    if let Some(rules) = rw.op(call).inlining() {
        rw.set_insertion_before(call);
        rules.prepare(&mut rw, call, function, &blocks, &mut arguments);
    }
    match blocks[..] {
        [block] if !needs_blocks => join_block(&mut rw, call, block, &arguments),
        _ => join_blocks(&mut rw, call, &blocks, &arguments),
    }
    rw.erase(call);
    true
}

/// Whether the region around `call` must have several blocks when `callable` has been inlined. `None` where that may not be.
fn blocks_needed(call: OpRef<'_>, callable: OpRef<'_>, is_copied: bool) -> Option<bool> {
    let (calls, function) = (call.interface::<dyn CallOp>()?, callable.interface::<dyn FunctionOp>()?);
    let (dest, src) = (call.block()?.region()?, function.body(callable));
    let (arguments, entry, results) = (calls.arguments(call), src.entry()?, function.results(callable));
    let site = InlineSite { call, arguments, callable, dest, src, is_copied };
    let fits = arguments.len() == entry.num_args()
        && arguments.iter().zip(entry.args()).all(|(given, arg)| given.ty() == arg.ty())
        && call.results().types()[..] == results[..];
    let allowed = fits
        && !call.has_trait(&Trait::Terminator)
        && call.inlining().is_some_and(|rules| rules.allows_call(&site))
        && dest.parent_op().and_then(OpRef::inlining).is_some_and(|rules| rules.allows_region(&site))
        && allows_body(&site);
    if !allowed {
        return None;
    }
    let needs_blocks = !src.has_one_block() || returned(entry).is_none();
    let ends_well = src.blocks().all(|block| match returned(block) {
        Some(values) => values.types()[..] == results[..],
        // Control stays in the function, or comes to its end.
        None => block.terminator().is_some_and(|end| !end.has_trait(&Trait::ReturnLike)),
    });
    (ends_well && (!needs_blocks || takes_blocks(dest, callable))).then_some(needs_blocks)
}

/// The operands of the end of `block` that the function returns.
fn returned(block: BlockRef<'_>) -> Option<Operands<'_>> {
    let end = block.terminator()?;
    end.inlining()?.returned(end)
}

/// Whether the dialect of each operation in the body allows it.
fn allows_body(site: &InlineSite<'_>) -> bool {
    let mut pending = vec![site.src];
    while let Some(region) = pending.pop() {
        for op in region.ops() {
            if op.name() == "builtin.unrealized_conversion_cast" {
                continue;
            }
            let Some(rules) = op.inlining().filter(|rules| rules.allows_op(op, site)) else { return false };
            if rules.looks_inside(op) {
                pending.extend(op.regions());
            }
        }
    }
    true
}

/// Whether blocks of `callable` may be added to `region`.
fn takes_blocks(region: RegionRef<'_>, callable: OpRef<'_>) -> bool {
    let Some(parent) = region.parent_op() else { return false };
    if parent.name_id() == callable.name_id() {
        return true;
    }
    let Some(def) = parent.def() else { return false };
    let is_single = |each: &Trait| matches!(each, Trait::SingleBlock | Trait::SingleBlockImplicitTerminator(_));
    let is_limited = |blocks: BlockCount| matches!(blocks, BlockCount::Exactly(_) | BlockCount::AtMost(_));
    !def.traits.iter().any(is_single) && !def.regions.iter().any(|each| is_limited(each.blocks))
}

/// The body is one block, and goes before the call.
fn join_block(rw: &mut Rewriter<'_>, call: OpId, block: BlockId, arguments: &[ValueId]) {
    let end = rw.ir().last_op(block).expect("a block that returns has an end");
    let values = returned(rw.block(block)).expect("the block returns").ids();
    rw.erase(end);
    let at = rw.ir().block_of(call).expect("a call in a block");
    let args = rw.ir().block_args(block).to_vec();
    for (index, &value) in values.iter().enumerate() {
        let argument = args.iter().position(|&arg| arg == value).map(|index| arguments[index]);
        let result = rw.ir().result(call, index);
        rw.replace_all_uses(result, argument.unwrap_or(value));
    }
    rw.inline_block(block, InsertPoint { block: at, before: Some(call) }, arguments);
}

/// The block of the call ends with the entry of the body; what comes after the call gets a block of its own.
fn join_blocks(rw: &mut Rewriter<'_>, call: OpId, blocks: &[BlockId], arguments: &[ValueId]) {
    let Some((&entry, rest)) = blocks.split_first() else { return };
    let before = rw.ir().block_of(call).expect("a call in a block");
    let region = rw.ir().region_of(before).expect("a block in a region");
    let after = match rw.ir().next_op(call) {
        Some(next) => rw.split_block(next),
        None => rw.insert_block_after(before, &[]),
    };
    let (loc, results) = (rw.op(call).loc(), rw.op(call).results().ids());
    for result in results {
        let ty = rw.ir().value_type(result);
        let arg = rw.add_block_arg(after, ty);
        rw.set_arg_loc(arg, loc);
        rw.replace_all_uses(result, arg);
    }
    for &block in blocks {
        let view = rw.block(block);
        if let Some(end) = view.terminator().filter(|_| returned(view).is_some())
            && let (id, Some(rules)) = (end.id(), end.inlining())
        {
            rules.branch(rw, id, after);
        }
    }
    for &block in rest {
        rw.move_block(block, region, Some(after));
    }
    rw.inline_block(entry, InsertPoint { block: before, before: None }, arguments);
}
