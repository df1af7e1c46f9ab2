//! Canonicalization patterns.

use dl_ir::interfaces::BranchOp as BranchInterface;
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite};
use dl_ir::{BlockId, BlockRef, InsertPoint, OpDefinition, OpId, OpRef, OpState, OpView, Rewriter, ValueId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::interfaces::{passed, passed_to_all};
use crate::{AssertOp, BranchOp, CondBranchOp, SwitchOp};

type Values = SmallVec<[ValueId; 4]>;

pub(crate) fn assert_patterns(patterns: &mut Patterns) {
    patterns.add(RemoveTrueAssert);
}

pub(crate) fn br_patterns(patterns: &mut Patterns) {
    patterns.add(MergeOnlyPredecessor).add(PassThroughBranch);
}

pub(crate) fn cond_br_patterns(patterns: &mut Patterns) {
    patterns
        .add(ConstantCondBranch)
        .add(PassThroughCondBranch)
        .add(EqualCondBranchSuccessors)
        .add(SameConditionAsPredecessor)
        .add(PropagateBranchCondition)
        .add(DropUnreachableSuccessor);
}

pub(crate) fn switch_patterns(patterns: &mut Patterns) {
    patterns
        .add(SwitchWithDefaultOnly)
        .add(DropCasesLikeDefault)
        .add(ConstantSwitch)
        .add(PassThroughSwitch)
        .add(SameFlagAsPredecessor);
}

/// An assertion of `true` says nothing.
struct RemoveTrueAssert;

impl Pattern for RemoveTrueAssert {
    const NAME: &'static str = "cf-assert-remove-true";
    const ROOT: Option<&'static str> = Some(AssertOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        if AssertOp::wrap(rw.op(op)).arg().constant().and_then(dl_ir::AttrRef::as_bool) != Some(true) {
            return Err(NoMatch("not known to be true"));
        }
        rw.erase(op);
        Ok(())
    }
}

/// A block that only this branch leads to follows its predecessor directly.
struct MergeOnlyPredecessor;

impl Pattern for MergeOnlyPredecessor {
    const NAME: &'static str = "cf-br-merge-only-predecessor";
    const ROOT: Option<&'static str> = Some(BranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = BranchOp::wrap(rw.op(op));
        let (dest, from) = (view.dest(), view.0.block());
        let Some(from) = from.filter(|&from| from != dest) else {
            return Err(NoMatch("branches to itself"));
        };
        if dest.predecessor_ops().take(2).count() != 1 || dest.is_entry() {
            return Err(NoMatch("the block has other predecessors"));
        }
        let (dest, from, values) = (dest.id(), from.id(), view.dest_operands().ids());
        rw.erase(op);
        rw.inline_block(dest, InsertPoint { block: from, before: None }, &values);
        Ok(())
    }
}

/// Most blocks that one application of a pass-through pattern follows: bounds the work on long chains of them.
const MOST_HOPS: usize = 64;

/// The only operation of `block`, where that is a branch that alone reads the arguments of the block: elsewhere they would lose
/// their definition.
fn only_branch(block: BlockRef<'_>) -> Option<BranchOp<'_>> {
    let only = block.first_op().filter(|op| op.next().is_none())?.cast::<BranchOp<'_>>()?;
    let elsewhere = |(user, _): (OpRef<'_>, usize)| user.id() != only.0.id();
    if block.args().any(|arg| arg.uses().any(elsewhere)) { None } else { Some(only) }
}

/// The block that a branch to `block` with `values` comes to in the end, when `block` and those after it only branch on, and what it
/// passes there. `None` for a chain that never ends: each way through it is as good as the others.
fn through(block: BlockRef<'_>, values: Values) -> Option<(BlockId, Values)> {
    let (mut block, mut values, mut seen) = (block, values, SmallVec::<[BlockId; 4]>::new());
    while let Some(branch) = only_branch(block).filter(|_| block.num_args() == values.len()) {
        if seen.contains(&block.id()) || seen.len() == MOST_HOPS {
            return None;
        }
        seen.push(block.id());
        let args: Values = block.args().map(dl_ir::ValueRef::id).collect();
        let value = |v: ValueId| args.iter().position(|&arg| arg == v).map_or(v, |at| values[at]);
        values = branch.dest_operands().ids().into_iter().map(value).collect();
        block = branch.dest();
    }
    if seen.is_empty() { None } else { Some((block.id(), values)) }
}

/// `br` to a block that only branches on goes where that block goes.
struct PassThroughBranch;

impl Pattern for PassThroughBranch {
    const NAME: &'static str = "cf-br-pass-through";
    const ROOT: Option<&'static str> = Some(BranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        pass_through(op, rw)
    }
}

/// The same for `cond_br`.
struct PassThroughCondBranch;

impl Pattern for PassThroughCondBranch {
    const NAME: &'static str = "cf-cond-br-pass-through";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        pass_through(op, rw)
    }
}

/// The same for `switch`.
struct PassThroughSwitch;

impl Pattern for PassThroughSwitch {
    const NAME: &'static str = "cf-switch-pass-through";
    const ROOT: Option<&'static str> = Some(SwitchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        pass_through(op, rw)
    }
}

fn pass_through(op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
    let view = rw.op(op);
    let branch: &dyn BranchInterface = view.interface().ok_or(NoMatch("not a branch"))?;
    let next = |(i, block): (usize, BlockRef<'_>)| {
        through(block, branch.successor_operands(view, i).ids()).map(|(dest, values)| (i, dest, values))
    };
    let changes: SmallVec<[(usize, BlockId, Values); 2]> = view.successors().enumerate().filter_map(next).collect();
    if changes.is_empty() {
        return Err(NoMatch("no successor only branches on"));
    }
    let cx = rw.cx();
    let name = rw.op(op).name_id();
    let branch: &dyn BranchInterface = cx.op_info(name).interface().ok_or(NoMatch("not a branch"))?;
    for (i, dest, values) in changes {
        branch.set_successor_operands(rw, op, i, &values);
        rw.set_successor(op, i, dest);
    }
    Ok(())
}

/// Replaces `op`, which ends a block, by a branch to successor `index`.
fn take_successor(rw: &mut Rewriter<'_>, op: OpId, index: usize) {
    let view = rw.op(op);
    let (dest, values, loc) = (view.successor(index).id(), passed(view, index).ids(), view.loc());
    rw.replace_with(op, OpState::of::<BranchOp<'_>>(loc).operands(values).successors([dest]));
}

/// A branch on a constant is unconditional.
struct ConstantCondBranch;

impl Pattern for ConstantCondBranch {
    const NAME: &'static str = "cf-cond-br-constant";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = CondBranchOp::wrap(rw.op(op));
        let Some(condition) = view.condition().constant().and_then(dl_ir::AttrRef::as_bool) else {
            return Err(NoMatch("the condition is not constant"));
        };
        take_successor(rw, op, usize::from(!condition));
        Ok(())
    }
}

/// Two branches to one block differ only in what they pass.
struct EqualCondBranchSuccessors;

impl Pattern for EqualCondBranchSuccessors {
    const NAME: &'static str = "cf-cond-br-equal-successors";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = CondBranchOp::wrap(rw.op(op));
        if view.true_dest() != view.false_dest() {
            return Err(NoMatch("the successors differ"));
        }
        let (on_true, on_false) = (view.true_dest_operands(), view.false_dest_operands());
        let same = on_true.ids() == on_false.ids();
        let dest = view.true_dest();
        if !same && dest.predecessor_ops().any(|(from, _)| from.id() != op) {
            return Err(NoMatch("values differ and the block has other predecessors"));
        }
        let (dest, loc, condition) = (dest.id(), view.0.loc(), view.condition().id());
        let (on_true, on_false, types) = (on_true.ids(), on_false.ids(), on_true.types());
        rw.set_insertion_before(op);
        let mut values = Values::new();
        for ((&a, &b), &ty) in on_true.iter().zip(&on_false).zip(&types) {
            values.push(if a == b {
                a
            } else {
                rw.create_value(OpState::named("arith.select", loc).operands([condition, a, b]).results([ty]))
            });
        }
        rw.replace_with(op, OpState::of::<BranchOp<'_>>(loc).operands(values).successors([dest]));
        Ok(())
    }
}

/// The operation that alone branches to `block`, and by which successor.
fn only_predecessor(block: BlockRef<'_>) -> Option<(OpRef<'_>, usize)> {
    let mut all = block.predecessor_ops();
    let first = all.next()?;
    if all.next().is_none() { Some(first) } else { None }
}

/// A block reached only when a condition holds (or does not) knows it.
struct SameConditionAsPredecessor;

impl Pattern for SameConditionAsPredecessor {
    const NAME: &'static str = "cf-cond-br-same-condition-as-predecessor";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = CondBranchOp::wrap(rw.op(op));
        let only = view.0.block().and_then(only_predecessor);
        let Some((from, taken)) = only else {
            return Err(NoMatch("the block has not exactly one predecessor"));
        };
        let from = from.cast::<CondBranchOp<'_>>().filter(|from| from.condition() == view.condition());
        if from.is_none_or(|from| from.0.id() == op) {
            return Err(NoMatch("the predecessor asks something else"));
        }
        take_successor(rw, op, taken);
        Ok(())
    }
}

/// Uses of the condition in a successor that only this branch leads to are constants.
struct PropagateBranchCondition;

impl Pattern for PropagateBranchCondition {
    const NAME: &'static str = "cf-cond-br-propagate-condition";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = CondBranchOp::wrap(rw.op(op));
        let condition = view.condition();
        if condition.constant().is_some() {
            return Err(NoMatch("the condition is constant"));
        }
        let known = |block: BlockRef<'_>| block.predecessor_ops().take(2).count() == 1 && !block.is_entry();
        // Successors are searched, not uses: a flag that many branches ask for has a use in each.
        let mut found: SmallVec<[(OpId, usize, bool); 4]> = SmallVec::new();
        for (block, value) in [(view.true_dest(), true), (view.false_dest(), false)] {
            if known(block) {
                for user in block.ops() {
                    let operands = user.operands().ids();
                    let read = operands.iter().enumerate().filter(|&(_, &operand)| operand == condition.id());
                    found.extend(read.map(|(at, _)| (user.id(), at, value)));
                }
            }
        }
        if found.is_empty() {
            return Err(NoMatch("no successor reads the condition"));
        }
        let (cx, loc) = (rw.cx(), view.0.loc());
        let mut constants = [None, None];
        for (user, operand, value) in found {
            rw.set_insertion_before(op);
            let constant = *constants[usize::from(value)].get_or_insert_with(|| {
                let state = OpState::named("arith.constant", loc).attr(cx, "value", cx.bool_attr(value));
                rw.create_value(state.results([cx.i1_type()]))
            });
            rw.set_operand(user, operand, constant);
        }
        Ok(())
    }
}

/// Whether `block` does nothing but say that it is never reached.
fn is_unreachable(block: BlockRef<'_>) -> bool {
    block.first_op().is_some_and(|op| op.name() == "ub.unreachable")
}

/// A successor that is never reached leaves the other one.
struct DropUnreachableSuccessor;

impl Pattern for DropUnreachableSuccessor {
    const NAME: &'static str = "cf-cond-br-drop-unreachable-successor";
    const ROOT: Option<&'static str> = Some(CondBranchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let Some(unreachable) = rw.op(op).successors().position(is_unreachable) else {
            return Err(NoMatch("both successors may be reached"));
        };
        take_successor(rw, op, 1 - unreachable);
        Ok(())
    }
}

/// A switch without cases goes to its default.
struct SwitchWithDefaultOnly;

impl Pattern for SwitchWithDefaultOnly {
    const NAME: &'static str = "cf-switch-default-only";
    const ROOT: Option<&'static str> = Some(SwitchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        if rw.op(op).num_successors() != 1 {
            return Err(NoMatch("has cases"));
        }
        take_successor(rw, op, 0);
        Ok(())
    }
}

/// Cases that go where the default goes, with the same values, are no cases.
struct DropCasesLikeDefault;

impl Pattern for DropCasesLikeDefault {
    const NAME: &'static str = "cf-switch-drop-cases-like-default";
    const ROOT: Option<&'static str> = Some(SwitchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = SwitchOp::wrap(rw.op(op));
        let default = (view.default_destination(), view.default_operands().ids());
        let cases: Vec<_> = view
            .case_destinations()
            .zip(passed_to_all(view.0).iter().skip(1))
            .map(|(b, passed)| (b, passed.ids()))
            .collect();
        let keep: Vec<bool> = cases.iter().map(|case| *case != default).collect();
        if keep.iter().all(|&k| k) {
            return Err(NoMatch("every case differs from the default"));
        }
        keep_cases(rw, op, &keep);
        Ok(())
    }
}

/// Makes a switch anew with those of its cases that `keep` names.
fn keep_cases(rw: &mut Rewriter<'_>, op: OpId, keep: &[bool]) {
    let cx = rw.cx();
    let view = SwitchOp::wrap(rw.op(op));
    let (flag, default) = (view.flag(), view.default_operands().ids());
    let passed: Vec<Values> = passed_to_all(view.0).iter().skip(1).map(|passed| passed.ids()).collect();
    let values = view.case_values().into_iter().filter_map(dl_ir::AttrRef::dense_values).flatten();
    let (mut kept, mut segments, mut operands) = (Vec::new(), Vec::new(), Values::new());
    let mut blocks: SmallVec<[BlockId; 4]> = SmallVec::from_elem(view.default_destination().id(), 1);
    let cases = values.zip(view.case_destinations()).zip(&passed).zip(keep);
    for (((value, block), passed), _) in cases.filter(|(_, keep)| **keep) {
        kept.push(value.id());
        segments.push(i32::try_from(passed.len()).unwrap_or(i32::MAX));
        operands.extend_from_slice(passed);
        blocks.push(block.id());
    }
    let vector = cx.vector_type(&[kept.len() as i64], flag.ty().id());
    let case_values = if kept.is_empty() { None } else { cx.dense_attr(vector, &kept) };
    let sizes = [1, default.len(), operands.len()];
    let attrs: Vec<_> = view.0.discardable_attrs().map(|(name, attr)| (name, attr.id())).collect();
    let state = OpState::of::<SwitchOp<'_>>(view.0.loc())
        .attrs(attrs)
        .operands([flag.id()].into_iter().chain(default).chain(operands))
        .successors(blocks)
        .maybe_attr(cx, "case_values", case_values)
        .attr(cx, "case_operand_segments", cx.dense_i32_array(&segments))
        .operand_segments(cx, &sizes);
    rw.replace_with(op, state);
}

/// A switch on a constant is unconditional.
struct ConstantSwitch;

impl Pattern for ConstantSwitch {
    const NAME: &'static str = "cf-switch-constant";
    const ROOT: Option<&'static str> = Some(SwitchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = SwitchOp::wrap(rw.op(op));
        let Some(flag) = view.flag().constant() else {
            return Err(NoMatch("the flag is not constant"));
        };
        let case = view.case_values().and_then(|values| values.dense_values()?.position(|case| case == flag));
        take_successor(rw, op, case.map_or(0, |at| at + 1));
        Ok(())
    }
}

/// A switch in a block that only one case of another switch on the same flag leads to knows its flag; one in the default block knows
/// which values it is not.
struct SameFlagAsPredecessor;

impl Pattern for SameFlagAsPredecessor {
    const NAME: &'static str = "cf-switch-same-flag-as-predecessor";
    const ROOT: Option<&'static str> = Some(SwitchOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = SwitchOp::wrap(rw.op(op));
        let Some((from, taken)) = view.0.block().and_then(only_predecessor) else {
            return Err(NoMatch("the block has not exactly one predecessor"));
        };
        let from = from.cast::<SwitchOp<'_>>().filter(|from| from.flag() == view.flag() && from.0.id() != op);
        let Some(from) = from else { return Err(NoMatch("the predecessor asks something else")) };
        let values = |switch: SwitchOp<'_>| -> Vec<dl_ir::Attr> {
            let values = switch.case_values().into_iter().filter_map(dl_ir::AttrRef::dense_values).flatten();
            values.map(dl_ir::AttrRef::id).collect()
        };
        let (here, there) = (values(view), values(from));
        if let Some(known) = taken.checked_sub(1) {
            let known = there.get(known);
            let case = here.iter().position(|case| Some(case) == known);
            take_successor(rw, op, case.map_or(0, |at| at + 1));
            return Ok(());
        }
        let there = FxHashSet::from_iter(there);
        let keep: Vec<bool> = here.iter().map(|case| !there.contains(case)).collect();
        if keep.iter().all(|&k| k) {
            return Err(NoMatch("every case is possible"));
        }
        keep_cases(rw, op, &keep);
        Ok(())
    }
}
