//! Verifiers of `transform.match.structured`, of the predicates in it, and of lists of positions.

use dl_ir::{AttrRef, Diagnostic, OpRef, OpView};
use rustc_hash::FxHashSet;

use crate::types::{is_op_handle, is_value_handle};
use crate::{MatchStructuredBodyOp, MatchStructuredOp};

type Verified = Result<(), Diagnostic>;

/// A structured matcher: its block has the operation to match, and matchers only.
pub(crate) fn verify_structured(op: OpRef<'_>) -> Verified {
    let Some(body) = MatchStructuredOp::wrap(op).body_region().entry() else { return Ok(()) };
    let mut args = body.args();
    let (Some(arg), None) = (args.next(), args.next()) else { return Err(op.error("expected one body argument")) };
    if !is_op_handle(arg.ty()) {
        return Err(op.error("expected body argument to implement TransformHandleTypeInterface"));
    }
    let last = body.last_op();
    match body.ops().find(|&nested| Some(nested) != last && !nested.names_interface("MatchOpInterface")) {
        Some(nested) => {
            let error = op.error("expects nested operations to implement MatchOpInterface");
            Err(error.note(nested.loc(), "offending operation"))
        }
        None => Ok(()),
    }
}

/// A predicate asks about the operation that the matcher around it is for.
pub(crate) fn verify_predicate(op: OpRef<'_>) -> Verified {
    let Some(matcher) = op.parent().filter(|outer| outer.is::<MatchStructuredOp<'_>>()) else {
        return Err(op.error("expects parent op to be 'transform.match.structured'"));
    };
    let matched = MatchStructuredOp::wrap(matcher).body_region().entry().and_then(|body| body.args().next());
    if op.operands().iter().next() != matched {
        return Err(op.error("expected predicate to apply to the surrounding structured op"));
    }
    Ok(())
}

/// What a body does is asked in one way.
pub(crate) fn verify_body(op: OpRef<'_>) -> Verified {
    const WAYS: [&str; 4] = ["reduction_position", "passthrough", "elementwise", "contraction"];
    verify_predicate(op)?;
    if WAYS.iter().filter(|way| op.attr(way).is_some()).count() > 1 {
        let list = WAYS.map(|way| format!("{way:?}")).join(", ");
        return Err(op.error(format!("only one of {{{list}}} is allowed")));
    }
    if MatchStructuredBodyOp::wrap(op).contraction().is_some_and(|pair| pair.elements().len() != 2) {
        return Err(op.error("expects \"contraction\" to contain two elements"));
    }
    Ok(())
}

/// Operands or results of any operation.
pub(crate) fn verify_get(op: OpRef<'_>) -> Verified {
    verify_list(op, "raw_position_list")
}

/// Dimensions.
pub(crate) fn verify_dim(op: OpRef<'_>) -> Verified {
    verify_predicate(op)?;
    if op.attr("parallel").is_some() && op.attr("reduction").is_some() {
        return Err(op.error("cannot request the same dimension to be both parallel and reduction"));
    }
    verify_list(op, "raw_dim_list")
}

/// Inputs or destinations.
pub(crate) fn verify_operand(op: OpRef<'_>) -> Verified {
    verify_predicate(op)?;
    if op.attr("permutation").is_some() && op.attr("projected_permutation").is_some() {
        return Err(op.error("\"permutation\" and \"projected_permutation\" are mutually exclusive"));
    }
    let binds =
        op.results().iter().next().is_some_and(|result| is_op_handle(result.ty()) || is_value_handle(result.ty()));
    if binds && listed(op, "raw_position_list").count() > 1 {
        return Err(op.error("cannot bind multiple inputs/inits to the same value"));
    }
    verify_list(op, "raw_position_list")
}

/// A result, or what uses it.
pub(crate) fn verify_result(op: OpRef<'_>) -> Verified {
    verify_predicate(op)?;
    let (any, single) = (op.attr("any").is_some(), op.attr("single").is_some());
    if op.results().iter().any(|result| is_value_handle(result.ty())) == (any || single) {
        return Err(op.error("expects either the any/single keyword or the type value handle result type"));
    }
    if any && single {
        return Err(op.error("'any' and 'single' are mutually exclusive"));
    }
    Ok(())
}

fn listed<'c>(op: OpRef<'c>, list: &str) -> impl Iterator<Item = i64> + Clone + 'c {
    op.attr(list).into_iter().flat_map(AttrRef::dense_ints)
}

/// Positions are those listed, all but those, or all.
fn verify_list(op: OpRef<'_>, list: &str) -> Verified {
    let (all, inverted) = (op.attr("is_all").is_some(), op.attr("is_inverted").is_some());
    let mut seen = FxHashSet::default();
    let mut listed = listed(op, list);
    let message = match listed.clone().next() {
        _ if all && inverted => "cannot request both 'all' and 'inverted' values in the list",
        Some(_) if all => "cannot both request 'all' and specific values in the list",
        None if !all => "must request specific values in the list if 'all' is not specified",
        _ if !listed.all(|position| seen.insert(position)) => "expected the listed values to be unique",
        _ => return Ok(()),
    };
    Err(op.error(message))
}
