//! Patterns for `scf.while`.

use dl_arith::{CmpIOp, CmpIPredicate};
use dl_ir::rewrite::{NoMatch, Pattern, Patterns, Rewrite, add_region_branch_patterns};
use dl_ir::{OpDefinition, OpId, OpRef, OpView, Rewriter, ValueId, ValueRef};

use super::while_if::MoveIfDown;
use super::{Values, bool_constant};
use crate::{ConditionOp, WhileOp};

pub(crate) fn while_patterns(patterns: &mut Patterns) {
    add_region_branch_patterns(patterns, WhileOp::NAME);
    patterns.add(PropagateWhileCondition).add(KnownComparison).add(AlignArguments).add(MoveIfDown);
}

const NOT_WELL_FORMED: NoMatch = NoMatch("is not well formed");

/// The end of the `before` region.
fn condition(op: WhileOp<'_>) -> Option<ConditionOp<'_>> {
    op.before().entry().and_then(|block| block.last_op()).and_then(OpRef::cast::<ConditionOp<'_>>)
}

/// The `after` region runs only when the condition held: an argument that is the condition is `true`.
struct PropagateWhileCondition;

impl Pattern for PropagateWhileCondition {
    const NAME: &'static str = "scf-while-propagate-condition";
    const ROOT: Option<&'static str> = Some(WhileOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = WhileOp::wrap(rw.op(op));
        let (Some(condition), Some(after)) = (condition(view), view.after().entry()) else {
            return Err(NOT_WELL_FORMED);
        };
        let known = |(passed, arg): &(ValueRef<'_>, ValueRef<'_>)| *passed == condition.condition() && arg.has_uses();
        let args: Values = condition.args().iter().zip(after.args()).filter(known).map(|(_, arg)| arg.id()).collect();
        if args.is_empty() {
            return Err(NoMatch("the condition is not handed on"));
        }
        let loc = view.0.loc();
        rw.set_insertion_before(op);
        let constant = bool_constant(rw, true, loc);
        for arg in args {
            rw.replace_all_uses(arg, constant);
        }
        Ok(())
    }
}

/// Where the condition is a comparison of what is handed on with something from outside, the same comparison in the `after` region is
/// true, and its opposite is false.
struct KnownComparison;

impl Pattern for KnownComparison {
    const NAME: &'static str = "scf-while-known-comparison";
    const ROOT: Option<&'static str> = Some(WhileOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = WhileOp::wrap(rw.op(op));
        let (Some(condition), Some(after)) = (condition(view), view.after().entry()) else {
            return Err(NOT_WELL_FORMED);
        };
        let Some(asked) = condition.condition().def::<CmpIOp<'_>>() else {
            return Err(NoMatch("the condition is no comparison"));
        };
        let Some(predicate) = CmpIPredicate::from_attr(asked.predicate()) else { return Err(NOT_WELL_FORMED) };
        let mut found: Vec<(ValueId, bool)> = Vec::new();
        for (passed, arg) in condition.args().iter().zip(after.args()) {
            for (at, other) in [(0, asked.rhs()), (1, asked.lhs())] {
                if asked.0.operand(at) != passed {
                    continue;
                }
                for (user, operand) in arg.uses() {
                    let Some(same) = user.cast::<CmpIOp<'_>>().filter(|_| operand == at) else { continue };
                    if same.0.operand(1 - at) != other {
                        continue;
                    }
                    match CmpIPredicate::from_attr(same.predicate()) {
                        Some(p) if p == predicate => found.push((same.result().id(), true)),
                        Some(p) if p == predicate.inverted() => found.push((same.result().id(), false)),
                        _ => {}
                    }
                }
            }
        }
        found.retain(|&(result, _)| rw.ir().has_uses(result));
        if found.is_empty() {
            return Err(NoMatch("nothing asks that again"));
        }
        let loc = view.0.loc();
        for (result, truth) in found {
            rw.set_insertion_before(op);
            let constant = bool_constant(rw, truth, loc);
            rw.replace_all_uses(result, constant);
        }
        Ok(())
    }
}

/// What is handed on are the arguments of the `before` region in another order: they are handed on as they come.
struct AlignArguments;

impl Pattern for AlignArguments {
    const NAME: &'static str = "scf-while-align-arguments";
    const ROOT: Option<&'static str> = Some(WhileOp::NAME);

    fn rewrite(&self, op: OpId, rw: &mut Rewriter<'_>) -> Rewrite {
        let view = WhileOp::wrap(rw.op(op));
        let (Some(condition), Some(before), Some(after)) =
            (condition(view), view.before().entry(), view.after().entry())
        else {
            return Err(NOT_WELL_FORMED);
        };
        let args = condition.args();
        // Where each argument of the `before` region is handed on.
        let mut place: Vec<Option<usize>> = vec![None; before.num_args()];
        for (at, value) in args.iter().enumerate() {
            let Some(slot) = value.owner_block().filter(|block| *block == before).map(|_| &mut place[value.index()])
            else {
                return Err(NoMatch("something else is handed on"));
            };
            if slot.replace(at).is_some() {
                return Err(NoMatch("an argument is handed on twice"));
            }
        }
        let Some(place) = place.into_iter().collect::<Option<Vec<usize>>>() else {
            return Err(NoMatch("an argument is not handed on"));
        };
        if place.is_sorted() {
            return Err(NoMatch("the arguments are in order"));
        }
        let condition_op = condition.0.id();
        let mut operands: Values = std::iter::once(condition.condition().id()).collect();
        operands.extend(before.args().map(ValueRef::id));
        let (after_block, args): (_, Values) = (after.id(), after.args().map(ValueRef::id).collect());
        let types: Vec<_> = before.args().map(|arg| arg.ty().id()).collect();
        let regions = [view.before().id(), view.after().id()];
        let attrs: Vec<_> = view.0.attrs().map(|(name, attr)| (name, attr.id())).collect();
        let state = dl_ir::OpState::of::<WhileOp<'_>>(view.0.loc())
            .operands(view.0.operands().ids())
            .attrs(attrs)
            .results(types.iter().copied());

        rw.set_operands(condition_op, &operands);
        for (&ty, &old) in types.iter().zip(&place) {
            let new = rw.add_block_arg(after_block, ty);
            rw.replace_all_uses(args[old], new);
        }
        for index in (0..args.len()).rev() {
            rw.erase_block_arg(after_block, index);
        }
        let regions = regions.map(|region| super::take_region(rw, region));
        rw.set_insertion_before(op);
        let new = rw.create(state.region(regions[0]).region(regions[1]));
        let new: Values = rw.ir().results(new).collect();
        let mut results = new.clone();
        for (at, old) in place.into_iter().enumerate() {
            results[old] = new[at];
        }
        rw.replace(op, &results);
        Ok(())
    }
}
