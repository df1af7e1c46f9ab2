//! Patterns for `scf.if`, `scf.execute_region` and `scf.index_switch`.

use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite, add_region_branch_patterns};
use dl_ir::walk::pre_order;
use dl_ir::{
    BlockRef, OpDefinition, OpId, OpRef, OpState, OpView, RegionId, RegionRef, Rewriter, Type, ValueId, ValueRef,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::combine_ifs::{CombineIfs, CombineNestedIfs};
use super::{Values, bool_constant, inline_before, keep_yielded, kept, take_region, yielded};
use crate::{ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp};

pub(crate) fn if_patterns(patterns: &mut Patterns) {
    add_region_branch_patterns(patterns, IfOp::NAME);
    patterns
        .add(RemoveStaticCondition)
        .add(CombineIfs)
        .add(CombineNestedIfs)
        .add(ConvertTrivialIfToSelect)
        .add(PropagateCondition)
        .add(RemoveEmptyElse)
        .add(SwapNegatedCondition);
}

pub(crate) fn execute_region_patterns(patterns: &mut Patterns) {
    add_region_branch_patterns(patterns, ExecuteRegionOp::NAME);
    patterns.add(InlineExecuteRegion).add(InlineExecuteRegionBlocks);
}

pub(crate) fn index_switch_patterns(patterns: &mut Patterns) {
    add_region_branch_patterns(patterns, IndexSwitchOp::NAME);
    patterns.add(FoldConstantSwitch);
}

/// `if true {a} else {b}` is `a`, `if false {a} else {b}` is `b`.
struct RemoveStaticCondition;

impl Pattern for RemoveStaticCondition {
    const NAME: &'static str = "scf-if-remove-static-condition";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = IfOp::wrap(rw.op(op));
        let Some(condition) = view.condition().constant().and_then(dl_ir::AttrRef::as_bool) else {
            return Err(NoMatch("the condition is not constant"));
        };
        let region = if condition { view.then_region() } else { view.else_region() };
        if region.is_empty() {
            rw.erase(op);
            return Ok(());
        }
        let region = region.id();
        let values = inline_before(rw, op, region, &[]);
        rw.replace(op, &values);
        Ok(())
    }
}

/// Makes `op` anew with the kept results only. The others get `instead`.
fn rebuild(rw: &mut Rewriter<'_>, op: OpId, keep: &[bool], instead: &[ValueId]) {
    let view = IfOp::wrap(rw.op(op));
    let types: SmallVec<[Type; 4]> = kept(view.0.results().types(), keep);
    let attrs: Vec<_> = view.0.attrs().map(|(name, attr)| (name, attr.id())).collect();
    let regions = [view.then_region().id(), view.else_region().id()];
    let mut state = OpState::of::<IfOp<'_>>(view.0.loc()).operands([view.condition().id()]).attrs(attrs).results(types);
    for region in regions {
        keep_yielded(rw, region, keep);
        state = state.region(take_region(rw, region));
    }
    rw.set_insertion_before(op);
    let new = rw.create(state);
    let mut results = rw.ir().results(new);
    let value = |(&keep, &instead): (&bool, &ValueId)| {
        if keep { results.next().unwrap_or(instead) } else { instead }
    };
    let values: Values = keep.iter().zip(instead).map(value).collect();
    rw.replace(op, &values);
}

/// A result that both branches yield from outside is a choice between two values.
struct ConvertTrivialIfToSelect;

impl Pattern for ConvertTrivialIfToSelect {
    const NAME: &'static str = "scf-if-convert-trivial-if-to-select";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = IfOp::wrap(rw.op(op));
        let (on_true, on_false) = (yielded(view.then_region()), yielded(view.else_region()));
        if on_true.len() != view.0.num_results() || on_false.len() != on_true.len() {
            return Err(NoMatch("does not yield on both sides"));
        }
        let inside = |value: ValueId| {
            let block = rw.value(value).parent_block();
            block.and_then(dl_ir::BlockRef::parent_op).is_some_and(|parent| parent.id() == op)
        };
        let keep: Vec<bool> = on_true.iter().zip(&on_false).map(|(&a, &b)| inside(a) || inside(b)).collect();
        if keep.iter().all(|&k| k) {
            return Err(NoMatch("every result is computed inside"));
        }
        let (condition, loc, types) = (view.condition().id(), view.0.loc(), view.0.results().types());
        rw.set_insertion_before(op);
        let mut instead = Values::new();
        for (i, (&a, &b)) in on_true.iter().zip(&on_false).enumerate() {
            instead.push(if keep[i] || a == b {
                a
            } else {
                let select = OpState::named("arith.select", loc).operands([condition, a, b]);
                rw.create_value(select.results([types[i]]))
            });
        }
        rebuild(rw, op, &keep, &instead);
        Ok(())
    }
}

/// Inside a branch the condition is known.
struct PropagateCondition;

impl Pattern for PropagateCondition {
    const NAME: &'static str = "scf-if-propagate-condition";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = IfOp::wrap(rw.op(op));
        let condition = view.condition();
        if condition.constant().is_some() {
            return Err(NoMatch("the condition is constant"));
        }
        if condition.has_one_use() {
            return Err(NoMatch("nothing else reads the condition"));
        }
        let mut found = readers_inside(view, condition);
        found.sort_unstable();
        if found.is_empty() {
            return Err(NoMatch("no branch reads the condition"));
        }
        let loc = view.0.loc();
        let mut constants = [None, None];
        for (user, operand, value) in found {
            rw.set_insertion_before(op);
            let constant = *constants[usize::from(value)].get_or_insert_with(|| bool_constant(rw, value, loc));
            rw.set_operand(user, operand, constant);
        }
        Ok(())
    }
}

/// The operations in `region`, nested ones too.
fn inside(region: RegionRef<'_>) -> impl Iterator<Item = OpRef<'_>> {
    region.ops().flat_map(pre_order)
}

/// The operands in the branches of `view` that are its condition: operation, number, and whether it is in the first branch. Costs O(operations in the
/// branches) or O(uses), whichever is less: one flag may decide a thousand small branches, one large branch hold a thousand others.
fn readers_inside(view: IfOp<'_>, condition: ValueRef<'_>) -> Vec<(OpId, usize, bool)> {
    let regions = [view.then_region(), view.else_region()];
    let mut uses = condition.uses();
    if regions.into_iter().flat_map(inside).all(|_| uses.next().is_some()) {
        let readers = |(region, is_first)| {
            let operands = inside(region).flat_map(|op| op.operands().iter().enumerate().map(move |each| (op, each)));
            operands.filter(|&(_, (_, value))| value == condition).map(move |(op, (at, _))| (op.id(), at, is_first))
        };
        return regions.into_iter().zip([true, false]).flat_map(readers).collect();
    }
    // Whoever stands in the block of the condition, and is not around the operation, is in no branch.
    let (op, outermost, regions) = (view.0.id(), condition.parent_block(), regions.map(RegionRef::id));
    let mut sides = FxHashMap::from_iter([(op, None)]);
    let deeper = condition.uses().filter(|(user, _)| user.block() != outermost);
    deeper
        .filter_map(|(user, at)| Some((user.id(), at, side_of(user, op, &regions, outermost, &mut sides)? == 0)))
        .collect()
}

/// Which of `regions`, those of `op`, holds `user`, which stands somewhere below `outermost`. What is found out about operations on
/// the way up is kept in `known`, so that users deep inside one another cost no more than the operations around them.
pub(super) fn side_of(
    user: OpRef<'_>,
    op: OpId,
    regions: &[RegionId],
    outermost: Option<BlockRef<'_>>,
    known: &mut FxHashMap<OpId, Option<usize>>,
) -> Option<usize> {
    let (mut path, mut current) = (Vec::new(), user);
    let side = loop {
        if let Some(&side) = known.get(&current.id()) {
            break side;
        }
        path.push(current.id());
        let block = current.block();
        let Some(region) = block.filter(|_| block != outermost).and_then(BlockRef::region) else { break None };
        match region.parent_op() {
            Some(parent) if parent.id() == op => break regions.iter().position(|&r| r == region.id()),
            Some(parent) => current = parent,
            None => break None,
        }
    };
    known.extend(path.into_iter().map(|op| (op, side)));
    side
}

/// An `else` that does nothing is left out.
struct RemoveEmptyElse;

impl Pattern for RemoveEmptyElse {
    const NAME: &'static str = "scf-if-remove-empty-else";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = IfOp::wrap(rw.op(op));
        let Some(block) = view.else_region().entry().filter(|_| view.0.num_results() == 0) else {
            return Err(NoMatch("has results, or no else"));
        };
        if block.ops().nth(1).is_some() {
            return Err(NoMatch("the else does something"));
        }
        let block = block.id();
        rw.erase_block(block);
        rw.notify_modified(op);
        Ok(())
    }
}

/// `if (c xor true) {a} else {b}` is `if c {b} else {a}`.
struct SwapNegatedCondition;

impl Pattern for SwapNegatedCondition {
    const NAME: &'static str = "scf-if-swap-negated-condition";
    const ROOT: Option<&'static str> = Some(IfOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = IfOp::wrap(rw.op(op));
        if view.else_region().is_empty() {
            return Err(NoMatch("has no else"));
        }
        let xor = view.condition().defining_op().filter(|def| def.name() == "arith.xori");
        let negated = xor.filter(|xor| xor.operand(1).constant().and_then(|c| c.as_bool()) == Some(true));
        let Some(original) = negated.map(|xor| xor.operand(0).id()) else {
            return Err(NoMatch("the condition is not a negation"));
        };
        let (then_region, else_region) = (view.then_region().id(), view.else_region().id());
        let held = take_region(rw, then_region);
        rw.move_blocks(else_region, then_region, None);
        rw.move_blocks(held, else_region, None);
        rw.set_operand(op, 0, original);
        Ok(())
    }
}

/// A region of one block is executed where it stands.
struct InlineExecuteRegion;

impl Pattern for InlineExecuteRegion {
    const NAME: &'static str = "scf-execute-region-inline";
    const ROOT: Option<&'static str> = Some(ExecuteRegionOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ExecuteRegionOp::wrap(rw.op(op));
        let region = view.region();
        if view.no_inline().is_some() {
            return Err(NoMatch("must not be inlined"));
        }
        let yields = region.entry().and_then(BlockRef::last_op).is_some_and(OpRef::is::<YieldOp<'_>>);
        if !region.has_one_block() || !yields {
            return Err(NoMatch("has several blocks, or does not yield"));
        }
        let region = region.id();
        let values = inline_before(rw, op, region, &[]);
        rw.replace(op, &values);
        Ok(())
    }
}

/// A region of several blocks becomes blocks of the function around it.
struct InlineExecuteRegionBlocks;

impl Pattern for InlineExecuteRegionBlocks {
    const NAME: &'static str = "scf-execute-region-inline-blocks";
    const ROOT: Option<&'static str> = Some(ExecuteRegionOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = ExecuteRegionOp::wrap(rw.op(op));
        let many_blocks = |parent: OpRef<'_>| {
            parent.is::<ExecuteRegionOp<'_>>() || parent.interface::<dyn dl_ir::interfaces::FunctionOp>().is_some()
        };
        if view.no_inline().is_some() || !view.0.parent().is_some_and(many_blocks) {
            return Err(NoMatch("must not be inlined, or what is around it has single blocks"));
        }
        if view.region().has_one_block() {
            return Err(NoMatch("has one block"));
        }
        let (loc, region, types) = (view.0.loc(), view.region().id(), view.0.results().types());
        let Some(entry) = rw.ir().entry_block(region) else { return Err(NoMatch("has no block")) };
        let yields: Vec<OpId> = view
            .region()
            .blocks()
            .filter_map(BlockRef::last_op)
            .filter(|last| last.is::<YieldOp<'_>>())
            .map(OpRef::id)
            .collect();

        let before = rw.ir().block_of(op).expect("an operation being rewritten is in a block");
        let after = rw.split_block(op);
        let around = rw.ir().region_of(after).expect("a block in a region");
        rw.move_blocks(region, around, Some(after));
        rw.set_insertion_to_end(before);
        rw.create(OpState::named("cf.br", loc).successors([entry]));
        for last in yields {
            let values: Values = rw.ir().operands(last).collect();
            rw.set_insertion_before(last);
            rw.create(OpState::named("cf.br", loc).operands(values).successors([after]));
            rw.erase(last);
        }
        let args: Values = types.iter().map(|&ty| rw.add_block_arg(after, ty)).collect();
        rw.replace(op, &args);
        Ok(())
    }
}

/// A switch on a constant is the region of its case.
struct FoldConstantSwitch;

impl Pattern for FoldConstantSwitch {
    const NAME: &'static str = "scf-index-switch-fold-constant";
    const ROOT: Option<&'static str> = Some(IndexSwitchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = IndexSwitchOp::wrap(rw.op(op));
        let Some(value) = crate::trips::constant(view.arg()) else {
            return Err(NoMatch("the operand is not constant"));
        };
        let case = view.cases().dense_ints().position(|case| case == value);
        let region = view.0.region(case.map_or(0, |at| at + 1));
        // Nothing says what arguments of a case would be.
        if region.entry().is_none_or(|block| block.num_args() != 0) {
            return Err(NoMatch("the case has arguments"));
        }
        let region = region.id();
        let values = inline_before(rw, op, region, &[]);
        rw.replace(op, &values);
        Ok(())
    }
}
