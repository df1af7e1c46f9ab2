//! `transform.loop.outline`: an operation becomes a call of a function that does the same.

use dl_func::{CallOp, FuncOp, ReturnOp};
use dl_ir::symbol::{SymbolTable, unique_name};
use dl_ir::{
    Arena, InsertPoint, Mapping, OpId, OpRef, OpState, RegionId, Rewriter, Trait, Type, ValueId, clone_op,
    clone_region_from, walk,
};
use dl_passes_schedules::{Entity, Failure, Interpreter, PayloadOp};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The transformation, of one target: gives the function and the call.
pub(crate) fn outline<'s>(
    op: OpRef<'s>,
    run: &mut Interpreter<'s, '_>,
    target: PayloadOp,
) -> Result<Vec<Entity>, Failure> {
    let cx = run.cx();
    let loc = run.op(target).loc();
    let failed = || Failure::silenceable(op, "failed to outline").note(loc, "target op");
    if run.op(target).block().is_none() || run.op(target).has_trait(&Trait::Terminator) {
        return Err(failed());
    }
    let function = run.owner_of(target.arena).ok_or_else(failed)?;
    let table = run.parent(function).filter(|&table| run.op(table).has_trait(&Trait::SymbolTable));
    let table = run.op(table.ok_or_else(failed)?);
    let base = op.attr("func_name").and_then(|name| name.as_str()).unwrap_or_default();
    let symbols = SymbolTable::new(table);
    let name = unique_name(base, |name| symbols.get(name).is_some());
    let (body, call) = run.rewrite(target.arena, |rw| {
        let captures = captures(rw.op(target.id));
        let region = self_contained(rw, target.id, &captures);
        let mut body = Box::new(Arena::new(cx.op_name("func.func"), loc));
        let mut inner = Rewriter::new(cx, &mut body);
        let inputs: Vec<Type> = captures.iter().map(|&value| rw.ir().value_type(value)).collect();
        let results = rw.op(target.id).results().types();
        inner.set_attr(Arena::ROOT, cx.ident("sym_name"), cx.string_attr(&name));
        let ty = cx.type_attr(cx.function_type(&inputs, &results));
        inner.set_attr(Arena::ROOT, cx.ident("function_type"), ty);
        let to = inner.add_region(Arena::ROOT);
        clone_region_from(&mut inner, rw.ir(), region, to, &mut Mapping::new());
        let blocks: Vec<_> = rw.ir().region_blocks(region).collect();
        rw.erase_blocks(&blocks);
        rw.set_insertion_before(target.id);
        let state = OpState::of::<CallOp<'_>>(loc)
            .operands(captures)
            .attr(cx, "callee", cx.symbol_ref_attr(&name))
            .results(results);
        (body, rw.replace_with(target.id, state))
    });
    let id = run.rewrite(function.arena, |rw| {
        let block = rw.ir().block_of(function.id);
        rw.set_insertion_point(block.map(|block| InsertPoint { block, before: Some(function.id) }));
        rw.insert_child(body, &[], &[])
    });
    debug_assert!(run.op(PayloadOp { arena: function.arena, id }).is::<FuncOp<'_>>());
    Ok(vec![
        Entity::Op(PayloadOp { arena: function.arena, id }),
        Entity::Op(PayloadOp { arena: target.arena, id: call }),
    ])
}

/// The values from around `op` that it uses, or what is nested in it does.
fn captures(op: OpRef<'_>) -> Vec<ValueId> {
    let mut found: IndexSet<ValueId, FxBuildHasher> = IndexSet::default();
    for nested in walk::ops_in_arena_post_order(op.arena(), op.id()) {
        let nested = OpRef::new(op.cx(), op.arena(), nested);
        let outside =
            nested.operands().iter().filter(|value| !value.is_defined_in(op) && value.defining_op() != Some(op));
        found.extend(outside.map(|value| value.id()));
    }
    found.into_iter().collect()
}

/// A region of its own with a copy of `op`, which takes `captures` as arguments and returns the results.
fn self_contained(rw: &mut Rewriter<'_>, op: OpId, captures: &[ValueId]) -> RegionId {
    let loc = rw.op(op).loc();
    let types: Vec<Type> = captures.iter().map(|&value| rw.ir().value_type(value)).collect();
    let region = rw.new_region();
    let block = rw.append_block(region, &types);
    let mut mapping = Mapping::new();
    for (&value, &arg) in captures.iter().zip(rw.ir().block_args(block)) {
        mapping.map(value, arg);
    }
    rw.set_insertion_to_end(block);
    let copy = clone_op(rw, op, &mut mapping);
    let results: Vec<ValueId> = rw.ir().results(copy).collect();
    rw.set_insertion_to_end(block);
    rw.create(OpState::of::<ReturnOp<'_>>(loc).operands(results));
    region
}
