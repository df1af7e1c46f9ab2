//! A conditional at the end of the `before` region of `scf.while` that asks what the loop asks.

use dl_ir::rewrite::{NoMatch, Pattern, Rewrite};
use dl_ir::{InsertPoint, OpDefinition, OpId, OpRef, OpState, OpView, RegionRef, Rewriter, ValueId, ValueRef};

use super::{Values, take_region, yielded};
use crate::{ConditionOp, IfOp, WhileOp};

/// `before: if c { a; yield x } else { yield y }; condition(c) the if` becomes `before: condition(c) y`, `after: a` with `x` for what it was
/// given: the `after` region runs when the `then` region ran, right after it. Values of the `before` region that `a` uses are handed on besides.
pub(super) struct MoveIfDown;

impl Pattern for MoveIfDown {
    const NAME: &'static str = "scf-while-move-if-down";
    const ROOT: Option<&'static str> = Some(WhileOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let found =
            Match::of(WhileOp::wrap(rw.op(op))).ok_or(NoMatch("the condition does not follow such a conditional"))?;
        let Match { before, after, condition, conditional, captured, handed_on } = found;
        let view = rw.op(op);
        let attrs: Vec<_> = view.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let (loc, inits) = (view.loc(), view.operands().ids());
        let mut types = view.results().types().to_vec();
        types.extend(captured.iter().map(|&value| rw.value_type(value).id()));
        let then_block = IfOp::wrap(rw.op(conditional)).then_region().entry().map(|block| block.id());
        let (then_block, after_block) =
            then_block.zip(rw.ir().entry_block(after)).ok_or(NoMatch("is not well formed"))?;

        // They leave from where they are.
        let else_values = yielded(IfOp::wrap(rw.op(conditional)).else_region());
        for &value in &captured {
            let ty = rw.value_type(value).id();
            let arg = rw.add_block_arg(after_block, ty);
            rw.replace_uses_if(value, arg, |user, _| is_inside(user, conditional));
        }
        let then_values = yielded(IfOp::wrap(rw.op(conditional)).then_region());
        let mut operands: Values = rw.op(condition).operands().ids();
        for (at, result) in handed_on.into_iter().enumerate() {
            let Some(result) = result else { continue };
            operands[1 + at] = else_values[result];
            let arg = rw.ir().block_args(after_block)[at];
            rw.replace_all_uses(arg, then_values[result]);
        }
        operands.extend(captured);
        rw.set_operands(condition, &operands);
        if let Some(end) = rw.ir().last_op(then_block) {
            rw.erase(end);
        }
        let first = rw.block(after_block).ops().next().map(OpRef::id);
        rw.inline_block(then_block, InsertPoint { block: after_block, before: first }, &[]);
        rw.erase(conditional);

        let regions = [before, after].map(|region| take_region(rw, region));
        rw.set_insertion_before(op);
        let state = OpState::of::<WhileOp<'_>>(loc).operands(inits).attrs(attrs).results(types);
        let new = rw.create(state.region(regions[0]).region(regions[1]));
        let results: Values = rw.ir().results(new).take(rw.op(op).num_results()).collect();
        rw.replace(op, &results);
        Ok(())
    }
}

/// What is rewritten.
struct Match {
    before: dl_ir::RegionId,
    after: dl_ir::RegionId,
    /// The end of the `before` region.
    condition: OpId,
    /// The conditional before it.
    conditional: OpId,
    /// Values of the `before` region that the `then` region uses.
    captured: Vec<ValueId>,
    /// For each value that is handed on, the result of the conditional that it is.
    handed_on: Vec<Option<usize>>,
}

impl Match {
    fn of(op: WhileOp<'_>) -> Option<Self> {
        let condition = op.before().entry()?.last_op()?.cast::<ConditionOp<'_>>()?;
        let conditional = condition.0.prev()?.cast::<IfOp<'_>>()?;
        let else_block = conditional.else_region().entry();
        let only_yields = else_block.is_none_or(|block| block.ops().count() == 1);
        if conditional.condition() != condition.condition() || !only_yields {
            return None;
        }
        let result = |value: ValueRef<'_>| (value.defining_op() == Some(conditional.0)).then(|| value.index());
        Some(Self {
            before: op.before().id(),
            after: op.after().id(),
            condition: condition.0.id(),
            conditional: conditional.0.id(),
            captured: captured(conditional.then_region(), op.before()),
            handed_on: condition.args().iter().map(result).collect(),
        })
    }
}

/// The values defined at the top of `outer` that operations in `inner` use, in the order of their first use.
fn captured(inner: RegionRef<'_>, outer: RegionRef<'_>) -> Vec<ValueId> {
    let mut found = Vec::new();
    for top in inner.ops() {
        let nested = dl_ir::walk::ops_in_arena(top.arena(), top.id()).into_iter();
        for op in nested.map(|op| OpRef::new(top.cx(), top.arena(), op)) {
            for operand in op.operands().iter() {
                let is_outer = operand.parent_block().and_then(|block| block.region()) == Some(outer);
                if is_outer && !found.contains(&operand.id()) {
                    found.push(operand.id());
                }
            }
        }
    }
    found
}

/// Whether `user` is in a region of the operation `around`.
fn is_inside(user: OpRef<'_>, around: OpId) -> bool {
    let mut parent = user.parent();
    while let Some(op) = parent {
        if op.id() == around {
            return true;
        }
        parent = op.parent();
    }
    false
}
