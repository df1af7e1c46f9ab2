//! Verifiers.

use dl_ir::{AttrRef, Diagnostic, OpRef, OpView, Type, TypeRef};

use crate::types::{awaited, is_token, is_value};
use crate::{AwaitOp, FuncOp, ReturnOp};

type Verified = Result<(), Diagnostic>;

pub(crate) fn verify_await(op: OpRef<'_>) -> Verified {
    let view = AwaitOp::wrap(op);
    let operand = view.operand().ty();
    let result = view.result().map(dl_ir::ValueRef::ty);
    let Some(inside) = awaited(operand) else {
        return match result {
            Some(_) => Err(op.error("awaiting on a token must have empty result")),
            None => Ok(()),
        };
    };
    match result {
        Some(ty) if ty.id() == inside => Ok(()),
        Some(ty) => {
            let inside = op.cx().ty(inside);
            Err(op.error(format_args!("result type '{ty}' does not match async value type '{inside}'")))
        }
        None => Err(op.error("awaiting on a value must have a result")),
    }
}

/// The result types of the function `op`.
fn results(op: OpRef<'_>) -> &[Type] {
    op.attr("function_type").and_then(AttrRef::as_type).map_or(&[], TypeRef::results)
}

pub(crate) fn verify_func(op: OpRef<'_>) -> Verified {
    let results = results(op);
    if results.is_empty() {
        return Err(op.error("result is expected to be at least of size 1, but got 0"));
    }
    for (i, &ty) in results.iter().enumerate() {
        let ty = op.cx().ty(ty);
        if !is_value(ty) && !is_token(ty) {
            return Err(
                op.error(format_args!("result type must be async value type or async token type, but got '{ty}'"))
            );
        }
        if is_token(ty) && i > 0 {
            let at = i + 1;
            return Err(op.error(format_args!(
                " results' (optional) async token type is expected to appear as the 1st return value, but got {at}"
            )));
        }
    }
    Ok(())
}

/// A function returns what is in its results; no operand stands for a token.
pub(crate) fn verify_return(op: OpRef<'_>) -> Verified {
    let Some(function) = op.parent().filter(|parent| parent.is::<FuncOp<'_>>()) else { return Ok(()) };
    let cx = op.cx();
    let wanted = results(function).iter().filter_map(|&ty| awaited(cx.ty(ty)));
    let given = ReturnOp::wrap(op).operands().types();
    if wanted.eq(given) {
        return Ok(());
    }
    Err(op.error("operand types do not match the types returned from the parent FuncOp"))
}
