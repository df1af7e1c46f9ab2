//! Verifiers of named sequences and what refers to them.

use dl_ir::interfaces::SymbolUser;
use dl_ir::interfaces::function::{ARG_ATTRS, verify_function};
use dl_ir::symbol::SymbolTable;
use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, Trait, TypeRef, walk};
use rustc_hash::FxHashMap;

use crate::consumed::is_consumed;
use crate::types::kind;
use crate::verify::WITH_NAMED_SEQUENCE;
use crate::{CollectMatchingOp, ForeachMatchOp, IncludeOp, NamedSequenceOp, YieldOp};

type Verified = Result<(), Diagnostic>;

const READONLY: &str = "transform.readonly";
const CONSUMED: &str = "transform.consumed";

/// An error at `op` that does not name it.
fn plain(op: OpRef<'_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(op.loc(), message)
}

fn function_type(op: NamedSequenceOp<'_>) -> (&[dl_ir::Type], &[dl_ir::Type]) {
    let ty = op.function_type().as_type();
    ty.map_or((&[], &[]), |ty| (TypeRef::inputs(ty), TypeRef::results(ty)))
}

/// Whether argument `at` has the attribute `name`.
fn argument_has(op: OpRef<'_>, at: usize, name: &str) -> bool {
    let attrs = op.attr(ARG_ATTRS).and_then(|all| all.elements().nth(at));
    attrs.is_some_and(|attrs| attrs.entries().iter().any(|&(key, _)| op.cx().str(key) == name))
}

/// Where a named sequence stands.
pub(crate) fn verify_place(op: OpRef<'_>) -> Verified {
    let mut outer = std::iter::successors(op.parent(), |op| op.parent());
    if let Some(table) = outer.clone().find(|outer| outer.has_trait(&Trait::SymbolTable))
        && table.attr(WITH_NAMED_SEQUENCE).is_none()
    {
        let message = format!("expects the parent symbol table to have the '{WITH_NAMED_SEQUENCE}' attribute");
        return Err(plain(op, message).note(table.loc(), "symbol table operation"));
    }
    match outer.find(|outer| outer.names_interface("TransformOpInterface")) {
        Some(outer) => {
            let error = plain(op, "cannot be defined inside another transform op");
            Err(error.note(outer.loc(), "ancestor transform op"))
        }
        None => Ok(()),
    }
}

pub(crate) fn verify_named_sequence(op: OpRef<'_>) -> Verified {
    verify_function(op)?;
    let view = NamedSequenceOp::wrap(op);
    let body = op.regions().next().and_then(dl_ir::RegionRef::entry);
    if let Some(body) = body {
        let Some(last) = body.last_op() else { return Err(plain(op, "expected a non-empty body block")) };
        if !last.is::<YieldOp<'_>>() {
            return Err(plain(op, "expected 'transform.yield' as terminator").note(last.loc(), "terminator"));
        }
        let results = function_type(view).1;
        if last.num_operands() != results.len() {
            let message = "expected terminator to have as many operands as the parent op has results";
            return Err(plain(last, message));
        }
        for (i, (operand, &result)) in last.operands().iter().zip(results).enumerate() {
            if operand.ty().id() != result {
                let (operand, result) = (operand.ty(), op.cx().ty(result));
                return Err(plain(
                    last,
                    format!(
                        "the type of the terminator operand #{i} must match the type of the corresponding parent op \
                         result ('{operand}' vs '{result}')"
                    ),
                ));
            }
        }
    }
    verify_arguments(view, body.is_none())?;
    let is_hidden = |body, i: usize| argument_has(op, i, READONLY) && is_consumed(body, i);
    match body.and_then(|body| (0..body.num_args()).find(|&i| is_hidden(body, i))) {
        Some(i) => Err(plain(op, format!("argument #{i} is consumed in the body but is not marked as such"))),
        None => Ok(()),
    }
}

/// No named sequence in the symbol table `op` includes itself, not even by way of others.
pub(crate) fn verify_no_recursion(op: OpRef<'_>) -> Verified {
    let sequences = op.regions().flat_map(|region| region.ops()).filter(|op| op.is::<NamedSequenceOp<'_>>());
    let sequences: Vec<OpRef<'_>> = sequences.collect();
    let named = sequences.iter().enumerate().filter_map(|(at, op)| Some((op.symbol_name()?, at)));
    let by_name: FxHashMap<&str, usize> = named.collect();
    // What is inside is not verified yet.
    let included = |at: usize| -> Vec<usize> {
        let includes = walk::pre_order(sequences[at]).filter(|op| op.is::<IncludeOp<'_>>());
        includes.filter_map(|include| by_name.get(include.attr("target")?.as_flat_symbol()?).copied()).collect()
    };
    let mut is_done = vec![false; sequences.len()];
    for start in 0..sequences.len() {
        // Sequences that include one another, each with those of its own that are still to be looked at.
        let mut path = if is_done[start] { Vec::new() } else { vec![(start, included(start))] };
        while let Some((at, pending)) = path.last_mut() {
            let Some(next) = pending.pop() else {
                is_done[*at] = true;
                path.pop();
                continue;
            };
            if let Some(first) = path.iter().position(|&(at, _)| at == next) {
                let mut cycle = path[first..].iter().rev().map(|&(at, _)| sequences[at]);
                let error = cycle.next().map(|op| plain(op, "recursion not allowed in named sequences"));
                let note = |error: Diagnostic, op: OpRef<'_>| error.note(op.loc(), "operation on recursion stack");
                return error.map_or(Ok(()), |error| Err(cycle.fold(error, note)));
            }
            if !is_done[next] {
                path.push((next, included(next)));
            }
        }
    }
    Ok(())
}

/// Arguments are read or consumed, not both; where others rely on it (`explicit`) they say which.
fn verify_arguments(view: NamedSequenceOp<'_>, explicit: bool) -> Verified {
    let op = view.op();
    for i in 0..function_type(view).0.len() {
        let (readonly, consumed) = (argument_has(op, i, READONLY), argument_has(op, i, CONSUMED));
        if readonly && consumed {
            return Err(plain(op, format!("argument #{i} cannot be both readonly and consumed")));
        }
        if explicit && !readonly && !consumed {
            let message = "must provide consumed/readonly status for arguments of external or called ops";
            return Err(plain(op, message));
        }
    }
    Ok(())
}

fn sequence<'a>(table: &SymbolTable<'a>, symbol: AttrRef<'a>) -> Option<NamedSequenceOp<'a>> {
    table.resolve(symbol)?.cast()
}

fn same_kind(a: TypeRef<'_>, b: dl_ir::Type) -> bool {
    kind(a) == kind(a.cx().ty(b))
}

/// `transform.include` calls a named sequence.
pub(crate) struct Include;

impl SymbolUser for Include {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let Some(callee) = sequence(table, IncludeOp::wrap(op).target()) else {
            return Err(op.error("does not reference a named transform sequence"));
        };
        let (inputs, results) = function_type(callee);
        if inputs.len() != op.num_operands() {
            return Err(plain(op, "incorrect number of operands for callee"));
        }
        for (i, (operand, &input)) in op.operands().iter().zip(inputs).enumerate() {
            if operand.ty().id() != input {
                let (wanted, given) = (op.cx().ty(input), operand.ty());
                return Err(op.error(format_args!(
                    "operand type mismatch: expected operand type '{wanted}', but provided '{given}' for operand number {i}"
                )));
            }
        }
        if results.len() != op.num_results() {
            return Err(plain(op, "incorrect number of results for callee"));
        }
        if let Some(i) = op.results().iter().zip(results).position(|(result, &ty)| !same_kind(result.ty(), ty)) {
            return Err(op.error(format_args!(
                "type of result #{i} must implement the same transform dialect interface as the corresponding callee result"
            )));
        }
        verify_arguments(callee, true)
    }
}

/// Matchers and actions come in pairs.
pub(crate) fn verify_foreach_match(op: OpRef<'_>) -> Verified {
    let view = ForeachMatchOp::wrap(op);
    let pairs = view.matchers().elements().count();
    if view.actions().elements().count() != pairs {
        return Err(op.error("expected the same number of matchers and actions"));
    }
    if pairs == 0 { Err(op.error("expected at least one match/action pair")) } else { Ok(()) }
}

/// `transform.foreach_match` names matchers and what to do where they match.
pub(crate) struct ForeachMatch;

impl SymbolUser for ForeachMatch {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let view = ForeachMatchOp::wrap(op);
        for (matcher, action) in view.matchers().elements().zip(view.actions().elements()) {
            let Some(found) = sequence(table, matcher) else {
                return Err(plain(op, format!("unresolved matcher symbol {matcher}")));
            };
            let Some(action_found) = sequence(table, action) else {
                return Err(plain(op, format!("unresolved action symbol {action}")));
            };
            verify_arguments(found, true)?;
            verify_arguments(action_found, true)?;
            let (inputs, yielded) = function_type(found);
            if inputs.len() != op.num_operands() {
                let (given, wanted) = (op.num_operands(), inputs.len());
                return Err(plain(
                    op,
                    format!(
                        "the number of operands ({given}) doesn't match the number of matcher arguments ({wanted}) for {matcher}"
                    ),
                ));
            }
            for (i, (operand, &input)) in op.operands().iter().zip(inputs).enumerate() {
                if argument_has(found.op(), i, CONSUMED) {
                    let error = op.error(format_args!("does not expect matcher symbol to consume its operand #{i}"));
                    return Err(error.note(found.op().loc(), "symbol declaration"));
                }
                if !same_kind(operand.ty(), input) {
                    return Err(plain(
                        op,
                        format!(
                            "mismatching type interfaces for operand and matcher argument #{i} of matcher {matcher}"
                        ),
                    ));
                }
            }
            let (taken, results) = function_type(action_found);
            let wanted = op.num_results().saturating_sub(1);
            if results.len() != wanted {
                let given = results.len();
                return Err(plain(
                    op,
                    format!(
                        "the number of action results ({given}) for {action} doesn't match the number of extra op results ({wanted})"
                    ),
                ));
            }
            let outputs = view.forwarded_outputs();
            if let Some(i) = outputs.iter().zip(results).position(|(result, &ty)| !same_kind(result.ty(), ty)) {
                return Err(plain(
                    op,
                    format!("mismatching type interfaces for action result #{i} of action {action} and op result"),
                ));
            }
            if yielded.len() != taken.len() {
                let (given, wanted) = (yielded.len(), taken.len());
                return Err(plain(
                    op,
                    format!(
                        "mismatching number of matcher results and action arguments between {matcher} ({given}) and {action} ({wanted})"
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// `transform.collect_matching` names a matcher.
pub(crate) struct CollectMatching;

impl SymbolUser for CollectMatching {
    fn verify_symbol_uses(&self, op: OpRef<'_>, table: &SymbolTable<'_>) -> Verified {
        let matcher = CollectMatchingOp::wrap(op).matcher();
        let Some(found) = sequence(table, matcher) else {
            return Err(plain(op, format!("unresolved matcher symbol {matcher}")));
        };
        let (inputs, yielded) = function_type(found);
        if inputs.len() != 1 || !inputs.iter().all(|&ty| crate::types::is_op_handle(op.cx().ty(ty))) {
            return Err(plain(op, "expected the matcher to take one operation handle argument"));
        }
        if !argument_has(found.op(), 0, READONLY) {
            return Err(plain(op, "expected the matcher argument to be marked readonly"));
        }
        if yielded.len() != op.num_results() {
            let (wanted, given) = (op.num_results(), yielded.len());
            return Err(plain(
                op,
                format!("expected the matcher to yield as many values as op has results ({wanted}), got {given}"),
            ));
        }
        match op.results().iter().zip(yielded).position(|(result, &ty)| !same_kind(result.ty(), ty)) {
            Some(i) => Err(plain(op, format!("mismatching type interfaces for matcher result and op result #{i}"))),
            None => Ok(()),
        }
    }
}
