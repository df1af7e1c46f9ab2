//! Verifiers.

use dl_ir::{AttrRef, BlockRef, Diagnostic, OpDefinition, OpRef, OpView, ValueRef};

use crate::inference::{infers_results, registered};
use crate::types::{element_or_self, is_handle};
use crate::{
    ApplyNativeConstraintOp, ApplyNativeRewriteOp, AttributeOp, OperandOp, OperandsOp, OperationOp, PatternOp,
    ReplaceOp, ResultOp, ResultsOp, RewriteOp, TypeOp, TypesOp,
};

type Verified = Result<(), Diagnostic>;

fn is_in<T: OpDefinition>(op: OpRef<'_>) -> bool {
    op.parent().is_some_and(OpRef::is::<T>)
}

pub(crate) fn verify_native_constraint(op: OpRef<'_>) -> Verified {
    let view = ApplyNativeConstraintOp::wrap(op);
    if view.args().is_empty() {
        return Err(op.error("expected at least one argument"));
    }
    if view.results().iter().any(|result| result.ty().is_dialect_type("pdl.operation")) {
        return Err(op.error("returning an operation from a constraint is not supported"));
    }
    Ok(())
}

pub(crate) fn verify_native_rewrite(op: OpRef<'_>) -> Verified {
    let view = ApplyNativeRewriteOp::wrap(op);
    if view.args().is_empty() && view.results().is_empty() {
        return Err(op.error("expected at least one argument or result"));
    }
    Ok(())
}

/// What the matcher of a pattern defines must matter to it.
pub(crate) fn verify_is_bound(op: OpRef<'_>) -> Verified {
    if !is_in::<PatternOp<'_>>(op) || is_bound(op) {
        return Ok(());
    }
    Err(op.error("expected a bindable user when defined in the matcher body of a `pdl.pattern`"))
}

/// Whether a user of the result is more than a result that nothing uses.
fn is_bound(op: OpRef<'_>) -> bool {
    op.result(0).uses().any(|(user, _)| {
        let selects = user.is::<ResultOp<'_>>() || user.is::<ResultsOp<'_>>();
        // The user need not have been verified.
        !selects || user.results().iter().any(ValueRef::has_uses)
    })
}

pub(crate) fn verify_attribute(op: OpRef<'_>) -> Verified {
    let view = AttributeOp::wrap(op);
    if view.value().is_none() {
        if is_in::<RewriteOp<'_>>(op) {
            return Err(op.error("expected constant value when specified within a `pdl.rewrite`"));
        }
        return verify_is_bound(op);
    }
    if view.value_type().is_some() {
        return Err(op.error("expected only one of [`type`, `value`] to be set"));
    }
    Ok(())
}

pub(crate) fn verify_type(op: OpRef<'_>) -> Verified {
    if TypeOp::wrap(op).constant_type().is_some() { Ok(()) } else { verify_is_bound(op) }
}

pub(crate) fn verify_types(op: OpRef<'_>) -> Verified {
    if TypesOp::wrap(op).constant_types().is_some() { Ok(()) } else { verify_is_bound(op) }
}

/// The elements of a list are of its element type, or lists of such.
pub fn verify_list(op: OpRef<'_>) -> Verified {
    let element = element_or_self(op.result(0).ty());
    for operand in op.operands().iter() {
        let ty = element_or_self(operand.ty());
        if is_handle(ty) && ty != element {
            return Err(op.error(format_args!("expected operand to have element type '{element}', but got '{ty}'")));
        }
    }
    Ok(())
}

pub(crate) fn verify_replace(op: OpRef<'_>) -> Verified {
    let view = ReplaceOp::wrap(op);
    if view.repl_operation().is_some() && !view.repl_values().is_empty() {
        return Err(op.error("expected no replacement values to be provided when the replacement operation is present"));
    }
    Ok(())
}

pub(crate) fn verify_results(op: OpRef<'_>) -> Verified {
    let view = ResultsOp::wrap(op);
    let ty = view.val().ty();
    if view.index().is_none() && ty.is_dialect_type("pdl.value") {
        return Err(op.error(format_args!(
            "expected `pdl.range<value>` result type when no index is specified, but got: '{ty}'"
        )));
    }
    Ok(())
}

pub(crate) fn verify_rewrite(op: OpRef<'_>) -> Verified {
    let view = RewriteOp::wrap(op);
    let body = view.body_region();
    // `{}` reads as a block without operations.
    let does_nothing = body.entry().is_none_or(|block| block.first_op().is_none());
    match (view.name().is_some(), body.is_empty()) {
        (true, false) => Err(op.error("expected rewrite region to be empty when rewrite is external")),
        (true, true) => Ok(()),
        (false, false) if !view.external_args().is_empty() => {
            Err(op.error("expected no external arguments when the rewrite is specified inline"))
        }
        (false, _) if does_nothing => {
            Err(op.error("expected rewrite region to be non-empty if external name is not specified"))
        }
        (false, _) => Ok(()),
    }
}

pub(crate) fn verify_operation(op: OpRef<'_>) -> Verified {
    let view = OperationOp::wrap(op);
    let name = view.op_name().and_then(AttrRef::as_str);
    let in_rewrite = is_in::<RewriteOp<'_>>(op);
    if in_rewrite && name.is_none() {
        return Err(op.error("must have an operation name when nested within a `pdl.rewrite`"));
    }
    let (names, values) = (view.attribute_value_names().elements().len(), view.attribute_values().len());
    if names != values {
        return Err(op.error(format_args!(
            "expected the same number of attribute values and attribute names, got {names} names and {values} values"
        )));
    }
    if in_rewrite {
        verify_result_types(op, view, name.unwrap_or_default())?;
    }
    verify_is_bound(op)
}

/// The result types of an operation that a rewrite makes are known: it infers them, it replaces another one, or they are given
/// and constrained.
fn verify_result_types(op: OpRef<'_>, view: OperationOp<'_>, name: &str) -> Verified {
    // What is not registered may infer anything.
    let Some(info) = registered(op.cx(), name) else { return Ok(()) };
    if infers_results(info) || op.result(0).uses().any(|(user, operand)| replaces_earlier(op, user, operand)) {
        return Ok(());
    }
    let error = |note: String| {
        let message = "must have inferable or constrained result types when nested within `pdl.rewrite`";
        Err(op.error(message).note(op.loc(), note))
    };
    if view.type_values().is_empty() {
        let has_result = info.def.as_deref().is_some_and(|def| {
            !def.results.is_empty() && def.results.iter().all(|result| result.arity == dl_ir::opdef::Arity::Single)
        });
        return if has_result {
            error(format!(
                "operation is created in a non-inferrable context, but '{name}' does not implement InferTypeOpInterface"
            ))
        } else {
            Ok(())
        };
    }
    match view.type_values().iter().position(|ty| !is_constrained(op, ty)) {
        Some(at) => error(format!("result type #{at} was not constrained")),
        None => Ok(()),
    }
}

/// Whether `user` replaces an operation that is there before `op` by the value that is its operand number `operand`.
fn replaces_earlier(op: OpRef<'_>, user: OpRef<'_>, operand: usize) -> bool {
    let Some(replace) = user.cast::<ReplaceOp<'_>>().filter(|_| operand > 0) else { return false };
    let Some(replaced) = replace.op_value().defining_op() else { return true };
    !in_block_of(replaced, op) || is_before(replaced, op)
}

fn in_block_of(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    a.block().map(BlockRef::id) == b.block().map(BlockRef::id)
}

/// Whether `a` comes before `b`, in one block.
fn is_before(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    let mut next = a.next();
    while let Some(op) = next {
        if op.id() == b.id() {
            return true;
        }
        next = op.next();
    }
    false
}

/// Whether the rewrite that `op` is in knows what the type `ty` is.
fn is_constrained(op: OpRef<'_>, ty: ValueRef<'_>) -> bool {
    let Some(definition) = ty.defining_op() else { return false };
    let constant = definition.cast::<TypeOp<'_>>().and_then(TypeOp::constant_type).is_some()
        || definition.cast::<TypesOp<'_>>().and_then(TypesOp::constant_types).is_some();
    let constrains = |user: OpRef<'_>| {
        let is_input = user.is::<OperandOp<'_>>() || user.is::<OperandsOp<'_>>() || user.is::<OperationOp<'_>>();
        is_input && !in_block_of(user, op)
    };
    let is_type = definition.is::<TypeOp<'_>>() || definition.is::<TypesOp<'_>>();
    definition.is::<ApplyNativeRewriteOp<'_>>() || constant || is_type && ty.uses().any(|(user, _)| constrains(user))
}
