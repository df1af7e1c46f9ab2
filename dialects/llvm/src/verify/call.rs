//! Verifier of calls; what the callee says is checked with the symbols.

use dl_ir::interfaces::CallOp as CallInterface;
use dl_ir::{AttrRef, Diagnostic, OpRef};

use crate::interfaces::Call;
use crate::types;

/// For `llvm.call` and `llvm.invoke`: an indirect callee is a pointer; the type of a variadic callee is variadic and fits what is passed.
pub(crate) fn verify_call(op: OpRef<'_>) -> Result<(), Diagnostic> {
    verify_bundles(op)?;
    if op.attr("callee").is_none() {
        let Some(callee) = op.operand_group(0).get(0) else {
            return Err(op.error("must have either a `callee` attribute or at least an operand"));
        };
        if !types::is_ptr(callee.ty()) {
            return Err(op.error(format_args!("indirect call expects a pointer as callee: '{}'", callee.ty())));
        }
    }
    let Some(ty) = op.attr("var_callee_type").and_then(AttrRef::as_type) else { return Ok(()) };
    let Some((result, params, variadic)) = types::func_parts(ty) else { return Ok(()) };
    if !variadic {
        return Err(op.error("expected var_callee_type to be a variadic function type"));
    }
    let (cx, args) = (op.cx(), Call.arguments(op));
    if params.len() > args.len() {
        return Err(op.error(format_args!("expected var_callee_type to have at most {} parameters", args.len())));
    }
    for (&param, arg) in params.iter().zip(args.iter()) {
        if arg.ty() != param {
            return Err(op.error(format_args!(
                "var_callee_type parameter type mismatch: '{}' != '{}'",
                cx.ty(param),
                arg.ty()
            )));
        }
    }
    let result = cx.ty(result);
    match op.results().get(0).map(dl_ir::ValueRef::ty) {
        Some(given) if given != result => {
            Err(op.error(format_args!("var_callee_type return type mismatch: '{result}' != '{given}'")))
        }
        None if !types::is_void(result) => Err(op.error("expected var_callee_type to return void")),
        _ => Ok(()),
    }
}

/// Each operand bundle has a tag, which is a string.
pub(crate) fn verify_bundles(op: OpRef<'_>) -> Result<(), Diagnostic> {
    let bundles = op.attr("op_bundle_sizes").map_or(0, |sizes| sizes.dense_ints().count());
    let tags = op.attr("op_bundle_tags");
    let count = tags.map_or(0, |tags| tags.elements().len());
    if count != bundles {
        let message = format!("expected {bundles} operand bundle tags, but actually got {count}");
        return Err(Diagnostic::error(op.loc(), message));
    }
    if tags.is_some_and(|tags| !tags.elements().all(AttrRef::is_string)) {
        return Err(Diagnostic::error(op.loc(), "operand bundle tag must be a StringAttr"));
    }
    Ok(())
}

/// The name is that of an intrinsic: `llvm.` and what follows.
pub(crate) fn verify_call_intrinsic(op: OpRef<'_>) -> Result<(), Diagnostic> {
    if op.attr("intrin").and_then(AttrRef::string_bytes).is_some_and(|name| !name.starts_with(b"llvm.")) {
        return Err(op.error("intrinsic name must start with 'llvm.'"));
    }
    verify_bundles(op)
}

/// A call, and a branch to one of two blocks.
pub(crate) fn verify_invoke(op: OpRef<'_>) -> Result<(), Diagnostic> {
    verify_call(op)?;
    dl_ir::interfaces::verify_branch(op)
}
