//! What matches operations of the payload, and does something where that matches.

use dl_ir::{AttrRef, DialectBuilder, OpRef, OpView};
use dl_transform::{
    CollectMatchingOp, ForeachMatchOp, MatchCmpIPredicate, MatchOperationEmptyOp, MatchOperationNameOp,
    MatchParamCmpIOp,
};

use super::on;
use crate::failure::{Failure, Outcome};
use crate::handles::{Entity, Results};
use crate::interface::Transformation;
use crate::interpreter::Interpreter;
use crate::payload::PayloadOp;
use crate::script::is_external;

pub(super) fn attach(builder: &mut DialectBuilder) {
    on::<ForeachMatchOp<'_>>(builder, ForeachMatch);
    on::<CollectMatchingOp<'_>>(builder, CollectMatching);
    on::<MatchOperationNameOp<'_>>(builder, OperationName);
    on::<MatchOperationEmptyOp<'_>>(builder, OperationEmpty);
    on::<MatchParamCmpIOp<'_>>(builder, Compare);
}

/// The named sequence with a body that `symbol` names.
fn sequence<'s>(op: OpRef<'s>, symbol: AttrRef<'s>, run: &Interpreter<'s, '_>) -> Result<OpRef<'s>, Failure> {
    let found = run.resolve(op, symbol).map(OpRef::body).filter(|found| !is_external(*found));
    found.ok_or_else(|| Failure::definite(op, format!("unresolved external symbol {symbol}")))
}

/// Executes a matcher on what its arguments are to stand for. Answers what it yields.
fn run_matcher<'s>(
    matcher: OpRef<'s>,
    arguments: &[Vec<Entity>],
    run: &mut Interpreter<'s, '_>,
) -> Result<Vec<Vec<Entity>>, Failure> {
    let region = matcher.region(0);
    let Some(block) = region.entry() else { return Ok(Vec::new()) };
    run.in_region(region, |run| {
        block.args().zip(arguments).try_for_each(|(arg, list)| run.map(arg, list.clone()))?;
        let last = block.last_op();
        for op in block.ops().filter(|&op| Some(op) != last) {
            if !op.names_interface("MatchOpInterface") {
                let message = "expected operations in the match part to implement MatchOpInterface";
                return Err(Failure::definite(op, message));
            }
            run.apply(op)?;
        }
        Ok(run.yielded(block))
    })
}

/// `transform.foreach_match`.
struct ForeachMatch;

/// What the actions of `transform.foreach_match` came to.
struct Actions {
    yielded: Vec<Vec<Entity>>,
    failed: Option<Failure>,
}

impl Transformation for ForeachMatch {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let view = ForeachMatchOp::wrap(op);
        let pairs: Vec<(OpRef<'s>, OpRef<'s>)> = view
            .matchers()
            .elements()
            .zip(view.actions().elements())
            .map(|(matcher, action)| Ok((sequence(op, matcher, run)?, sequence(op, action, run)?)))
            .collect::<Result<_, Failure>>()?;
        let roots = run.ops(view.root());
        let mut arguments = vec![Vec::new()];
        arguments.extend(view.forwarded_inputs().iter().map(|input| run.entities(input).to_vec()));
        let mut actions = Actions { yielded: vec![Vec::new(); op.num_results() - 1], failed: None };
        let takes_root = view.restrict_root().is_some();
        for &root in &roots {
            for target in run.post_order(root) {
                if (target == root && !takes_root) || !run.is_live(target) {
                    continue;
                }
                arguments[0] = vec![Entity::Op(target)];
                for &(matcher, action) in &pairs {
                    match run_matcher(matcher, &arguments, run) {
                        Err(Failure::Silenceable(_)) => {}
                        Err(definite) => return Err(definite),
                        Ok(matched) => {
                            act(op, action, target, matched, run, &mut actions)?;
                            break;
                        }
                    }
                }
            }
        }
        results.set_ops(0, roots);
        actions.yielded.into_iter().enumerate().for_each(|(at, list)| results.set(at + 1, list));
        actions.failed.map_or(Ok(()), Err)
    }

    fn consumes<'s>(&self, _: OpRef<'s>, operand: usize, _: &Interpreter<'s, '_>) -> bool {
        operand == 0
    }
}

/// Executes an action on what a matcher has yielded for `target`.
fn act<'s>(
    op: OpRef<'s>,
    action: OpRef<'s>,
    target: PayloadOp,
    matched: Vec<Vec<Entity>>,
    run: &mut Interpreter<'s, '_>,
    actions: &mut Actions,
) -> Outcome {
    let region = action.region(0);
    let Some(block) = region.entry() else { return Ok(()) };
    let loc = run.op(target).loc();
    let flatten = op.attr("flatten_results").is_some();
    run.in_region(region, |run| {
        block.args().zip(matched).try_for_each(|(arg, list)| run.map(arg, list))?;
        let last = block.last_op();
        for each in block.ops().filter(|&each| Some(each) != last) {
            match run.apply(each) {
                Err(failure @ Failure::Silenceable(_)) => {
                    let first = actions.failed.take().unwrap_or_else(|| Failure::silenceable(op, "actions failed"));
                    let message = format!("failed action: {}", failure.message());
                    let noted = first.note(action.loc(), message);
                    actions.failed = Some(noted.note(loc, "when applied to this matching payload"));
                }
                other => other?,
            }
        }
        for (all, list) in actions.yielded.iter_mut().zip(run.yielded(block)) {
            if list.len() != 1 && !flatten {
                let message = format!(
                    "action @{} has results associated with multiple payload entities, but flattening was not requested",
                    action.symbol_name().unwrap_or_default(),
                );
                return Err(Failure::definite(op, message));
            }
            all.extend(list);
        }
        Ok(())
    })
}

/// `transform.collect_matching`.
struct CollectMatching;

impl Transformation for CollectMatching {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, results: &mut Results) -> Outcome {
        let matcher = sequence(op, CollectMatchingOp::wrap(op).matcher(), run)?;
        let mut lists = vec![Vec::new(); op.num_results()];
        for root in run.ops(op.operand(0)) {
            for target in run.post_order(root) {
                let matched = match run_matcher(matcher, &[vec![Entity::Op(target)]], run) {
                    Err(Failure::Silenceable(_)) => continue,
                    other => other?,
                };
                for (at, (all, list)) in lists.iter_mut().zip(matched).enumerate() {
                    let [entity] = list.as_slice() else {
                        let count = list.len();
                        let message = format!("result #{at}, associated with {count} payload objects, expected 1");
                        return Err(Failure::silenceable(op, message));
                    };
                    all.push(*entity);
                }
            }
        }
        lists.into_iter().enumerate().for_each(|(at, list)| results.set(at, list));
        Ok(())
    }
}

/// The one operation that the operand of a matcher stands for.
///
/// # Errors
/// That there are several, or none.
pub(crate) fn single_op<'s>(op: OpRef<'s>, run: &Interpreter<'s, '_>) -> Result<PayloadOp, Failure> {
    let [target] = *run.ops(op.operand(0)).as_slice() else {
        let message = "SingleOpMatchOpTrait requires the operand handle to point to a single payload op";
        return Err(Failure::definite(op, message));
    };
    Ok(target)
}

/// `transform.match.operation_name`.
struct OperationName;

impl Transformation for OperationName {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let target = single_op(op, run)?;
        let name = run.op(target).name();
        let mut names = MatchOperationNameOp::wrap(op).op_names().elements();
        if names.any(|wanted| wanted.as_str() == Some(name)) {
            return Ok(());
        }
        Err(Failure::silenceable(op, "wrong operation name"))
    }
}

/// `transform.match.operation_empty`.
struct OperationEmpty;

impl Transformation for OperationEmpty {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        match run.ops(op.operand(0)).len() {
            0 => Ok(()),
            1 => Err(Failure::silenceable(op, "operation is not empty")),
            _ => {
                let message =
                    "AtMostOneOpMatcherOpTrait requires the operand handle to point to at most one payload op";
                Err(Failure::definite(op, message))
            }
        }
    }
}

/// `transform.match.param.cmpi`.
struct Compare;

impl Transformation for Compare {
    fn apply<'s>(&self, op: OpRef<'s>, run: &mut Interpreter<'s, '_>, _: &mut Results) -> Outcome {
        let view = MatchParamCmpIOp::wrap(op);
        let (params, references) = (run.params(view.param()), run.params(view.reference()));
        if params.len() != references.len() {
            let (has, wanted) = (params.len(), references.len());
            let message = format!("parameters have different payload lengths ({has} vs {wanted})");
            return Err(Failure::silenceable(op, message));
        }
        let predicate = MatchCmpIPredicate::from_attr(view.predicate());
        let Some(predicate) = predicate else { return Err(Failure::definite(op, "unsupported: this predicate")) };
        for (i, (&param, &reference)) in params.iter().zip(&references).enumerate() {
            let (param, reference) = (op.cx().attr(param), op.cx().attr(reference));
            let (Some(value), Some(wanted)) = (param.as_int(), reference.as_int()) else {
                return Err(Failure::definite(op, "non-integer parameter value not expected"));
            };
            if param.ty() != reference.ty() {
                let message = format!("mismatching integer attribute types in parameter #{i}");
                return Err(Failure::definite(op, message));
            }
            let (holds, direction) = match predicate {
                MatchCmpIPredicate::Eq => (value == wanted, "equal to"),
                MatchCmpIPredicate::Ne => (value != wanted, "not equal to"),
                MatchCmpIPredicate::Lt => (value < wanted, "less than"),
                MatchCmpIPredicate::Le => (value <= wanted, "less than or equal to"),
                MatchCmpIPredicate::Gt => (value > wanted, "greater than"),
                MatchCmpIPredicate::Ge => (value >= wanted, "greater than or equal to"),
            };
            if !holds {
                let message = format!("expected parameter to be {direction} {wanted}, got {value}");
                let note = format!("value # {i} associated with the parameter defined here");
                return Err(Failure::silenceable(op, message).note(view.param().loc(), note));
            }
        }
        Ok(())
    }
}
